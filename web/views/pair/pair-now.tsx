import type { JSX } from 'preact';
import type { PerpSnapshotAnswer } from '../../../packages/client/src/routes.ts';
import type { SnapshotVenue } from '../../data/asset.ts';
import { sideOf } from '../../parts/rate.tsx';
import { bps, cost, percent } from '../../text/number.ts';
import { feesBps, type Leg, slippageOfBoth } from './pair-model.ts';

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
          {cost(feesBps(short, long))} <small>bps</small>
        </dd>
      </div>
      <div>
        <dt>Slippage, in and out</dt>
        <dd>
          {cost(slippageOfBoth(short, long))} <small>bps</small>
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
