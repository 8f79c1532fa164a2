import type { JSX } from 'preact';
import { useAnswer } from '../../../../web/data/answers.ts';
import { Shown } from '../../../../web/parts/states.tsx';
import { CopyButton, Snippet, Tools } from '../../../../web/parts/tools.tsx';
import { linkTo } from '../../../../web/place.ts';
import { count, priceUsd } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';
import type { ListedPayment, OperatorStory, PaymentStory, StoryStep } from '../schemas/ledger.ts';

const PATH = '/operator/ledger/payment';
const EVERY_MS = 5000;

interface StoryProps {
  /** Key of the payment. */
  readonly name: string;
  /** Link to the list without it. */
  readonly back: string;
}

/** One payment with each of its steps, its answer and its receipts. */
export function Story({ name, back }: StoryProps): JSX.Element {
  const path = `${PATH}?${new URLSearchParams({ key: name })}`;
  return (
    <section class="notice" aria-label="One payment">
      <div class="tools">
        <h2>One payment</h2> <a href={back}>Close</a>
      </div>
      <Shown answer={useAnswer<OperatorStory>(path, EVERY_MS)} what="the payment">
        {({ found }) =>
          found === null ? (
            <p>
              The ledger has no such payment: it never came, or was given free again before anybody was asked
              for money.
            </p>
          ) : (
            <Told story={found} path={path} />
          )
        }
      </Shown>
    </section>
  );
}

const STEPS: Readonly<Record<StoryStep['step'], string>> = {
  presented: 'Presented, and found good',
  asked: 'A facilitator was asked to settle it',
  settled: 'Settled: the money has moved',
  delivered: 'Its answer was delivered',
  refused: 'Refused: no money has moved',
  given_up: 'Given up: it is not known whether money has moved',
  next_look: 'It is looked at next',
  over: 'Nothing that was signed can be used any more',
};

const terms = (payment: ListedPayment, story: PaymentStory): readonly (readonly [string, string])[] => [
  ['State', `${payment.state}${payment.reason === null ? '' : `: ${payment.reason}`}`],
  ['Request', story.resource],
  ['Price', `${priceUsd(payment.usd)} (${payment.amount} units of ${payment.asset} on ${payment.network})`],
  ['Scheme', payment.scheme],
  ['Payer', payment.payer],
  ['Receiver', payment.pay_to],
  ['Nonce', payment.nonce],
  ['Transaction', payment.transaction || 'none'],
  ['Facilitator', story.facilitator ?? 'none was asked'],
  ['Payment identifier', story.has_identifier ? 'given by the buyer' : 'none'],
  ['Looks at its outcome', count(story.attempts)],
];

function Told({ story, path }: { readonly story: PaymentStory; readonly path: string }): JSX.Element {
  const { payment, steps } = story;
  return (
    <>
      <dl class="terms">
        {terms(payment, story).map(([title, value]) => (
          <>
            <dt>{title}</dt>
            <dd class="address">{value}</dd>
          </>
        ))}
      </dl>
      <h3>Steps</h3>
      <ol class="steps" aria-label="Steps">
        {steps.map(({ at, step, said }) => (
          <li key={step}>
            <time dateTime={at}>{moment(at)}</time> {STEPS[step]}
            {said !== null && <span class="address">: {said}</span>}
          </li>
        ))}
      </ol>
      <Answer story={story} />
      <Receipts story={story} />
      <p class="tools">
        <a href={linkTo('operator', { part: 'ledger', q: payment.payer })}>All of this payer</a>
        <CopyButton text={JSON.stringify(story, null, 2)} label="Copy as JSON" />
      </p>
      <Tools name="payment" paths={[path]} />
    </>
  );
}

/** The reason for which an answer is not held. */
function whyNoAnswer({ state }: ListedPayment): string {
  if (state === 'delivered') return 'Not held any more: it was delivered.';
  if (state === 'refused') return 'Not held: nothing was sold.';
  return 'Not held: the time is over in which it could be asked for.';
}

function Answer({ story: { answer, payment, sold } }: { readonly story: PaymentStory }): JSX.Element {
  return (
    <>
      <h3>Answer</h3>
      {answer === null ? (
        <p>{whyNoAnswer(payment)}</p>
      ) : (
        <p>
          Held{answer.until !== null && ` until ${moment(answer.until)}`}: {count(answer.bytes)} bytes
          {answer.type !== null && ` of ${answer.type}`}, SHA-256 <code class="address">{answer.sha256}</code>
        </p>
      )}
      {answer === null && sold !== null && (
        <p>
          Its receipt states the SHA-256 of its body: <code class="address">{sold.body_sha256}</code>
        </p>
      )}
    </>
  );
}

/** The content of a compact JWS; the text itself where it is none. */
function contentOf(jws: string): string {
  try {
    const base64 = (jws.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 2);
  } catch {
    return jws;
  }
}

const WHY_NO_RECEIPTS: Readonly<Record<NonNullable<PaymentStory['receipts_gap']>, string>> = {
  not_sold: 'None: nothing was sold.',
  not_kept:
    'None is kept: it was sold by a build that let receipts go with the answer, or none could be issued (its day was closed, or no key signed then).',
};

function Receipts({
  story: { receipts, receipts_gap, sold },
}: {
  readonly story: PaymentStory;
}): JSX.Element {
  return (
    <>
      <h3>Receipts</h3>
      {receipts === null ? (
        <p>{WHY_NO_RECEIPTS[receipts_gap ?? 'not_kept']}</p>
      ) : (
        <>
          <Snippet label="Receipt of the answer" text={contentOf(receipts.answer)} />
          <Snippet label="Receipt of the extension offer-receipt" text={contentOf(receipts.official)} />
          <p class="tools">
            <CopyButton text={receipts.answer} label="Copy the signed receipt of the answer" />
            <CopyButton text={receipts.official} label="Copy the signed receipt of the extension" />
          </p>
          {sold !== null && (
            <p>
              The keys that verify them are at <code>{sold.keys}</code>; from five minutes after the end of{' '}
              {sold.day} (UTC) the proof that it is in the signed root of that day is at{' '}
              <code class="address">{sold.proof}</code>.
            </p>
          )}
        </>
      )}
    </>
  );
}
