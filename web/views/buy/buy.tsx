import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Receipt } from '../../../packages/client/src/index.ts';
import type { Purchase } from '../../data/answer.ts';
import { dropBought, isBought, useAnswer } from '../../data/answers.ts';
import { type RouteEntry, useRoutes } from '../../data/service.ts';
import { saveReceipts } from '../../parts/receipts.ts';
import { SkipPast } from '../../parts/skip-past.tsx';
import { ErrorNotice, Shown } from '../../parts/states.tsx';
import { commandOf, curlOf, programOf, Snippet } from '../../parts/tools.tsx';
import { ChannelPanel } from '../../pay/channel-panel.tsx';
import { ForSale } from '../../pay/for-sale.tsx';
import { change, usePlace } from '../../place.ts';
import { priceUsd } from '../../text/number.ts';
import { AnswerView } from './answer-view.tsx';
import { callPath, clientCall, missingOf, Parameters } from './parameters.tsx';

const FIRST = 'funding-current';

/** Chooses a call, shows what it costs, pays it, and shows what came. */
export function Buy(): JSX.Element {
  return (
    <>
      <div class="head">
        <h1>Buy an answer</h1>
      </div>
      <Shown answer={useRoutes()} what="the routes">
        {(routes) => <Counter routes={routes.filter(({ path }) => path.startsWith('/v1/'))} />}
      </Shown>
    </>
  );
}

function Counter({ routes }: { routes: readonly RouteEntry[] }): JSX.Element {
  const { params } = usePlace();
  const route = routes.find(({ id }) => id === (params.get('route') ?? FIRST)) ?? routes[0];
  if (route === undefined) return <p class="empty">Nothing is served here.</p>;
  return (
    <div class="counter">
      <section class="choose">
        <SkipPast what="the choice of a call" />
        <label class="wide">
          Call
          <select
            value={route.id}
            onChange={(event) => change({ ...cleared(params), route: event.currentTarget.value })}
          >
            {routes.map(({ id, path, usd }) => (
              <option key={id} value={id}>
                {path} — {usd === undefined ? 'free' : priceUsd(usd)}
              </option>
            ))}
          </select>
        </label>
        <p class="fine">{route.description}</p>
        <Parameters key={route.id} route={route} params={params} />
      </section>
      <Call key={route.id} route={route} params={params} />
    </div>
  );
}

/** Parameters of another route mean nothing to the next. */
const cleared = (params: URLSearchParams): Record<string, undefined> =>
  Object.fromEntries([...params.keys()].map((name) => [name, undefined]));

function Call({ route, params }: { route: RouteEntry; params: URLSearchParams }): JSX.Element {
  const missing = missingOf(route, params);
  const path = callPath(route, params);
  const [asked, setAsked] = useState<string>();
  const isAsked = asked === path || isBought(path);
  return (
    <section class="call">
      <h2>The call</h2>
      <Snippet label="The call as curl" text={curlOf(path, '-i ')} />
      <details>
        <summary>The same with this service's client, with any x402 client, and as a command</summary>
        <Snippet label="The call with this service's client" text={clientCall(route, params)} />
        <Snippet label="The call as TypeScript" text={programOf(path)} />
        <Snippet label="The call as a command" text={commandOf(path)} />
      </details>
      <ChannelPanel />
      {missing.length > 0 ? (
        <p class="notice">
          Needed first: <strong>{missing.join(', ')}</strong>
        </p>
      ) : (
        !isAsked && (
          <p>
            <button type="button" class="primary" onClick={() => setAsked(path)}>
              {route.usd === undefined ? 'Ask' : 'Ask for the price'}
            </button>
          </p>
        )
      )}
      {missing.length === 0 && isAsked && <Asked path={path} />}
    </section>
  );
}

function Asked({ path }: { path: string }): JSX.Element {
  const answer = useAnswer<unknown>(path);
  const challenge = useMemo(
    () => (answer.state === 'unpaid' ? JSON.stringify(answer.calls[0]?.challenge ?? null, null, 2) : ''),
    [answer],
  );
  if (answer.state === 'unpaid') {
    return (
      <>
        <ForSale what="This answer" calls={answer.calls} />
        <details>
          <summary>402 Payment Required, as it came</summary>
          <Snippet label="The challenge" text={challenge} />
        </details>
      </>
    );
  }
  if (answer.state !== 'ready') return <ErrorNotice answer={answer} what="the answer" />;
  return (
    <>
      {answer.purchase !== undefined && <Paid path={path} purchase={answer.purchase} />}
      {answer.bought && (
        <p>
          <button type="button" onClick={() => dropBought([path])}>
            Ask again
          </button>
        </p>
      )}
      <AnswerView path={path} answer={answer} />
    </>
  );
}

function transactionOf(receipt: Receipt | undefined): string {
  if (receipt?.transaction === '') return 'none: paid by a voucher of the channel';
  return receipt?.transaction ?? 'none was named';
}

/** The receipt of an answer, which may have come as a part of another one. */
function Paid({ path, purchase: { receipts } }: { path: string; purchase: Purchase }): JSX.Element {
  return (
    <section class="notice" aria-label="Receipt">
      <h2>Paid and delivered</h2>
      {[...receipts].map(([paid, receipt]) => (
        <dl key={paid} class="terms">
          {paid !== path && (
            <>
              <dt>As a part of</dt>
              <dd>
                <code>{paid}</code>
              </dd>
            </>
          )}
          <dt>Transaction</dt>
          <dd>
            <code class="address">{transactionOf(receipt)}</code>
          </dd>
          <dt>Network</dt>
          <dd>{receipt?.network ?? '–'}</dd>
          <dt>Payer</dt>
          <dd>
            <code class="address">{receipt?.payer ?? '–'}</code>
          </dd>
        </dl>
      ))}
      <button type="button" class="quiet" onClick={() => saveReceipts(receipts)}>
        Save the receipt
      </button>
    </section>
  );
}
