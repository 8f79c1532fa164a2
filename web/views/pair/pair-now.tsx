import type { JSX } from 'preact';
import type { PerpSnapshotAnswer } from '../../../packages/client/src/routes.ts';
import type { SnapshotVenue } from '../../data/asset.ts';
import { sideOf } from '../../parts/rate.tsx';
import { bps, cost, percent } from '../../text/number.ts';
import type { SpreadLeg } from './spread-series.ts';

/** A venue of the pair, with what its side costs now. */
export interface Leg extends SpreadLeg {
  readonly takerFeeBps: number | null;
  /** Of the chosen size, the worse side, now; null where the book does not fill it or is not followed. */
  readonly slippageBps: number | null;
}

/** Both legs in and out at market, bps of one leg's notional. */
const roundTrip = (short: number | null, long: number | null): number | null =>
  short === null || long === null ? null : 2 * (short + long);

/** The pair at present rates. */
export function Now({
  snapshot,
  short,
  long,
}: {
  snapshot: PerpSnapshotAnswer;
  short: Leg;
  long: Leg;
}): JSX.Element {
  const rowOf = ({ venue }: Leg): SnapshotVenue | undefined =>
    snapshot.venues.find((one) => one.venue === venue);
  const [a, b] = [rowOf(short), rowOf(long)];
  const spread = a?.rate_8h == null || b?.rate_8h == null ? null : a.rate_8h - b.rate_8h;
  const gap =
    a?.mark_price == null || b?.mark_price == null ? null : (a.mark_price / b.mark_price - 1) * 10_000;
  return (
    <dl class="figures">
      <div>
        <dt>{short.venue}, short</dt>
        <dd>
          {percent(a?.rate_8h)} <small>% per 8 h</small>
        </dd>
      </div>
      <div>
        <dt>{long.venue}, long</dt>
        <dd>
          {percent(b?.rate_8h)} <small>% per 8 h</small>
        </dd>
      </div>
      <div>
        <dt>Spread now</dt>
        <dd class={sideOf(spread)}>
          {percent(spread)} <small>% per 8 h</small>
        </dd>
      </div>
      <div>
        <dt>Fees, in and out</dt>
        <dd>
          {cost(roundTrip(short.takerFeeBps, long.takerFeeBps))} <small>bps</small>
        </dd>
      </div>
      <div>
        <dt>Slippage, in and out</dt>
        <dd>
          {cost(roundTrip(short.slippageBps, long.slippageBps))} <small>bps</small>
        </dd>
      </div>
      <div>
        <dt>Mark, short over long</dt>
        <dd>
          {bps(gap)} <small>bps</small>
        </dd>
      </div>
    </dl>
  );
}
