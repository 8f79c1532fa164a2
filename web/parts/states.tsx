import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type Answer,
  type Failed,
  mayPass,
  type Part,
  type Purchase,
  type Ready,
  type Trouble,
  type UnpaidCall,
} from '../data/answer.ts';
import { dropBought, keepToken } from '../data/answers.ts';
import { bundleOf, leadsOn } from '../data/bundle.ts';
import { callsForSale, lookAtFailed, onReads } from '../data/reads.ts';
import type { ViewOffer, ViewOfferProps } from '../pay/view-offer.tsx';
import { linkTo, usePlace } from '../place.ts';
import { moment, span, useNow } from '../text/time.ts';
import { saveReceipts } from './receipts.ts';

/** Stands in the place of a coming answer. @param isAgain true where there was one before: what follows it stays */
export function Loading({ what, isAgain = false }: { what: string; isAgain?: boolean }): JSX.Element {
  return (
    <p class={`notice loading ${isAgain ? 'again' : ''}`} role="status">
      Reading {what} …
    </p>
  );
}

/** Asks for the operator's token, once for the whole page. `answer` is the refusal that it answers. */
export function TokenForm({ answer }: { answer: Answer<unknown> }): JSX.Element {
  const [token, setToken] = useState('');
  const [refusal, setRefusal] = useState<Answer<unknown>>();
  return (
    <form
      class="notice"
      onSubmit={(event) => {
        event.preventDefault();
        setRefusal(answer);
        keepToken(token);
      }}
    >
      <h1>Operator's token</h1>
      <p>
        This port answers requests that present the token of the service (ADMIN_TOKEN). The page keeps it
        until this tab is closed.
      </p>
      <label>
        Token{' '}
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>{' '}
      <button type="submit">Continue</button>
      <p role="status" class="bad">
        {refusal !== undefined && refusal !== answer && 'The service did not accept this token.'}
      </p>
    </form>
  );
}

/** Paying is loaded where something is for sale. */
export function Sale({ what, ...offered }: ViewOfferProps): JSX.Element {
  const [loaded, setLoaded] = useState<{ ViewOffer: typeof ViewOffer }>();
  useEffect(() => {
    void import('../pay/view-offer.tsx').then(setLoaded);
  }, []);
  if (loaded === undefined) return <Loading what="the price" />;
  return <loaded.ViewOffer what={what.charAt(0).toUpperCase() + what.slice(1)} {...offered} />;
}

function Candidates({ failed }: { failed: Failed }): JSX.Element {
  const { view, params } = usePlace();
  return (
    <ul>
      {failed.candidates.map(({ canonical_id, venues }) => (
        <li key={canonical_id}>
          <a href={linkTo(view, { ...Object.fromEntries(params), id: canonical_id })}>{canonical_id}</a> on{' '}
          {venues.length} venues
        </li>
      ))}
    </ul>
  );
}

/** The reason for having no answer, with a remedy for the reader. */
export function ErrorNotice({
  answer,
  what,
}: {
  answer: Exclude<Answer<unknown>, Ready<unknown>>;
  what: string;
}): JSX.Element {
  if (answer.state === 'loading') return <Loading what={what} />;
  if (answer.state === 'locked') return <p class="notice">Not shown without the operator's token.</p>;
  if (answer.state === 'unpaid') return <Sale what={what} calls={answer.calls} />;
  return (
    <div class={`notice ${mayPass(answer) ? 'bad' : ''}`}>
      <div role="alert">
        {answer.state === 'offline' ? (
          <>
            <h2>No connection to the service</h2>
            <p>It could not be reached for {what}. It is tried again by itself.</p>
          </>
        ) : (
          <>
            <h2>{answer.title}</h2>
            <p>{answer.detail}</p>
          </>
        )}
      </div>
      {answer.state === 'failed' && answer.candidates.length > 0 && <Candidates failed={answer} />}
      {mayPass(answer) && <Retry trouble={answer} />}
    </div>
  );
}

/** Tries what has failed again, once the service takes another try. Nothing for what is not asked for, as a stream. */
function Retry({ trouble }: { trouble: Trouble }): JSX.Element | null {
  const now = useNow();
  const { retryAt } = trouble;
  if (retryAt === undefined) return null;
  const leftMs = Math.max(0, retryAt - now);
  const mustWait = trouble.state === 'failed' && trouble.retryAfterMs !== undefined && leftMs > 0;
  return (
    <p>
      <button type="button" disabled={mustWait} onClick={lookAtFailed}>
        Try again
      </button>{' '}
      <span class="fine">
        by itself in {span(leftMs)}
        {mustWait && ', and not before: the service has asked for it'}
      </span>
    </p>
  );
}

const saidOf = (trouble: Trouble): string =>
  trouble.state === 'offline' ? 'The service cannot be reached' : trouble.title;

/** Says of several calls how many are there; where the others failed, why, and tries them again. */
function PartRead({ part, what }: { part: Part; what: string }): JSX.Element {
  const { read, of, trouble } = part;
  const said = `${read} of ${of} calls of ${what} are read`;
  // Beside the content, which it must not move: it is gone in a moment.
  if (trouble === undefined) {
    return (
      <p class="progress" role="status">
        {said} …
      </p>
    );
  }
  return (
    <div class="notice bad">
      <p role="status">
        {said}. {saidOf(trouble)}: the others are missing here.
      </p>
      <Retry trouble={trouble} />
    </div>
  );
}

/** Shows an answer when it is there, and what is the matter when it is not, or no longer renewed. */
export function Shown<Body>(props: {
  answer: Answer<Body>;
  what: string;
  children: (body: Body, ready: Ready<Body>) => ComponentChildren;
}): JSX.Element {
  const { answer, what, children } = props;
  const wasShown = useRef(false);
  if (answer.state === 'loading') return <Loading what={what} isAgain={wasShown.current} />;
  wasShown.current = true;
  if (answer.state !== 'ready') return <ErrorNotice answer={answer} what={what} />;
  return (
    <>
      {answer.trouble !== undefined && <Interrupted at={answer.at} trouble={answer.trouble} />}
      {answer.part !== undefined && <PartRead part={answer.part} what={what} />}
      {children(answer.body, answer)}
      {answer.purchase !== undefined && <Bought at={answer.at} {...answer.purchase} />}
    </>
  );
}

/** The standing of an answer that has no place of its own: no longer renewed, or bought, with its age and the way to the present. */
export function Standing({ answer }: { answer: Ready<unknown> }): JSX.Element {
  return (
    <>
      {answer.trouble !== undefined && <Interrupted at={answer.at} trouble={answer.trouble} />}
      {answer.purchase !== undefined && <Bought at={answer.at} {...answer.purchase} />}
    </>
  );
}

/** A purchase with its age and the end of it, its receipt, and the way to the present. */
function Bought({ at, paths, expiresAt, receipts }: Purchase & { at: number }): JSX.Element {
  return (
    <p class="fine">
      Bought <Age at={at} /> ago, as of then; kept in this browser until {moment(expiresAt)}.{' '}
      {[...receipts.values()].map(
        (receipt) => receipt?.transaction && <code class="address">{receipt.transaction}</code>,
      )}{' '}
      <button type="button" class="quiet" onClick={() => saveReceipts(receipts)}>
        Save the receipt
      </button>{' '}
      <button type="button" class="quiet" onClick={() => dropBought(paths)}>
        Renew
      </button>
    </p>
  );
}

/** One purchase for all parts of the view that are for sale. */
export function ViewSale(): JSX.Element | null {
  const [calls, setCalls] = useState<readonly UnpaidCall[]>([]);
  const [isOpen, setOpen] = useState(false);
  const place = usePlace();
  useEffect(() => {
    const look = (): void => {
      const next = callsForSale();
      setCalls((before) => (before.map(pathOf).join() === next.map(pathOf).join() ? before : next));
    };
    look();
    return onReads(look);
  }, []);
  const bundle = bundleOf(place);
  if (calls.length < 2 && !(bundle !== undefined && calls.some((call) => leadsOn(bundle, call)))) return null;
  return (
    <details class="view-sale" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {calls.length > 1 ? `Buy this view: ${calls.length} calls at once` : 'Buy this view at once'}
      </summary>
      {isOpen && <Sale what="this view" calls={calls} bundle={bundle} />}
    </details>
  );
}

const pathOf = ({ path }: UnpaidCall): string => path;

/** Says that the content is stale. Its age counts on, and is not read aloud each time. */
function Interrupted({ at, trouble }: { at: number; trouble: Trouble }): JSX.Element {
  return (
    <div class="notice bad">
      <p>
        <span role="status">{saidOf(trouble)}.</span> What is shown was read <Age at={at} /> ago.
      </p>
      <Retry trouble={trouble} />
    </div>
  );
}

/** The age of something, counting on; its time on hover. */
export function Age({
  at,
  limitMs,
}: {
  at: string | number | null | undefined;
  limitMs?: number;
}): JSX.Element {
  const now = useNow();
  const time = typeof at === 'string' ? Date.parse(at) : (at ?? Number.NaN);
  if (!Number.isFinite(time))
    return (
      <span class="unknown" title="unknown">
        –
      </span>
    );
  const old = limitMs !== undefined && now - time > limitMs;
  return (
    <time dateTime={new Date(time).toISOString()} title={moment(time)} class={old ? 'stale' : ''}>
      {span(Math.max(0, now - time))}
    </time>
  );
}
