import type { JSX } from 'preact';
import { isOperator } from '../../../../web/data/answers.ts';
import { type RouteEntry, useHealth } from '../../../../web/data/service.ts';
import { ErrorNotice } from '../../../../web/parts/states.tsx';
import { save } from '../../../../web/parts/tools.tsx';
import { ForSale } from '../../../../web/pay/for-sale.tsx';
import { linkTo } from '../../../../web/place.ts';
import { priceUsd } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';
import { type Asked, pathWith } from './asked.ts';
import { SOLD } from './bought-watches.ts';
import { usePurchaseOnce, type Wanted } from './purchase-once.ts';

const SPANS = [
  { path: SOLD.day, words: 'a day' },
  { path: SOLD.month, words: '30 days' },
] as const;

interface BuyWatchProps {
  readonly asked: Asked;
  readonly webhook: string;
  readonly routes: readonly RouteEntry[];
}

/** Buys a watch of a condition, for a day or thirty. */
export function BuyWatch({ asked, webhook, routes }: BuyWatchProps): JSX.Element {
  const pathOf = (path: string): string => pathWith(path, asked, webhook);
  return <Spans pathOf={pathOf} routes={routes} what="Watch" />;
}

interface SpansProps {
  /** Path and query of what is bought by a path that sells. */
  readonly pathOf: (path: string) => string;
  readonly routes: readonly RouteEntry[];
  /** The verb of the buttons, which goes before a length of time: `Watch`, `Renew`. */
  readonly what: string;
}

/** The spans that are sold, the terms of the one that was asked for, and what came of it. */
export function Spans({ pathOf, routes, what }: SpansProps): JSX.Element {
  const { wanted, want } = usePurchaseOnce(SPANS.map(({ path }) => pathOf(path)));
  const health = useHealth();
  const isFree = isOperator || (health.state === 'ready' && health.body.payments.mode === 'off');
  const priceOf = (path: string): string => {
    const usd = routes.find((route) => route.path === path)?.usd;
    return isFree ? 'free here' : usd === undefined ? '' : priceUsd(usd);
  };
  return (
    <>
      <p class="tools">
        {SPANS.map(({ path, words }) => (
          <button key={path} type="button" class="primary" onClick={() => want(pathOf(path))}>
            {what} for {words}, {priceOf(path)}
          </button>
        ))}
      </p>
      {wanted !== undefined && <Outcome wanted={wanted} />}
    </>
  );
}

function Outcome({ wanted }: { readonly wanted: Wanted }): JSX.Element {
  const { answer, path } = wanted;
  if (answer.state === 'unpaid') {
    const days = path.startsWith(SOLD.day) ? 'A watch for a day' : 'A watch for 30 days';
    return <ForSale key={path} what={days} calls={answer.calls} />;
  }
  if (answer.state !== 'ready') return <ErrorNotice answer={answer} what="the watch" />;
  return <Held wanted={wanted} body={answer.body} />;
}

type Body = Extract<Wanted['answer'], { state: 'ready' }>['body'];

/** A watch that is held from now on. */
function Held({ wanted, body }: { readonly wanted: Wanted; readonly body: Body }): JSX.Element {
  const { id, secret, ends_at } = body;
  const kept = { service: location.origin, id, secret };
  return (
    <section class="notice" aria-label="Held">
      <p role="status">
        <strong>{secret === null ? 'Renewed' : 'It is watched'}</strong> until {moment(ends_at)}.
      </p>
      {wanted.isLost && (
        <p class="bad">This browser keeps nothing: save the secret, which is not shown again.</p>
      )}
      <p class="tools">
        <a href={linkTo('watch', { watch: id })}>Look at it</a>
        {secret !== null && (
          <button
            type="button"
            class="quiet"
            onClick={() => save(`${id}.json`, JSON.stringify(kept, null, 2), 'application/json')}
          >
            Save its secret
          </button>
        )}
      </p>
    </section>
  );
}
