import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { asHours, asMs, asRate, type UnixMs } from '../../src/domain/units.ts';
import type { HistoryReader } from '../../src/history/reader.ts';
import type { Settlement } from '../../src/history/sample.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { recordDeclared } from '../../src/modules/corrections/correction-log.ts';
import type { CorrectionWatch } from '../../src/modules/corrections/correction-watch.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import { correctedRig } from './corrected-rig.ts';
import { describeEngines } from './engines.ts';
import { loadSettlements, valueIn } from './load.ts';
import type { Recorded } from './sim-log.ts';

const FROM = Date.UTC(2026, 10, 1);
const HOURS = 30;
/** The build that knows when payments are made first runs within an hour. */
const SEAM = asMs(FROM + HOURS * HOUR_MS + 25 * MINUTE_MS);
const LATER = asMs(SEAM + 6 * HOUR_MS);
const ID = 'crypto:BTC';
const RUNS = 10 * PROPERTY_RUNS.times;

const hourOf = (at: number): number => (at - FROM) / HOUR_MS;
const rateOf = (paidAt: number) => asRate(hourOf(paidAt) * 1e-6);

function payment(venue: string, paidAt: number, storedAt: number, recordedAt: number): Recorded<Settlement> {
  const contract = {
    canonicalId: ID,
    ticker: 'BTC',
    venue,
    symbol: venue === 'kraken' ? 'PF_XBTUSD' : 'BTCUSDT',
  };
  const times = { listedAt: asMs(FROM), at: asMs(storedAt), intervalHours: asHours(1) };
  const value: Settlement = {
    ...contract,
    ...times,
    origin: 'backfilled',
    rate: rateOf(paidAt),
    markPrice: undefined,
  };
  return { value, recordedAt: asMs(recordedAt) };
}

const hours = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => FROM + (first + index) * HOUR_MS);
/** The earlier build stored each rate at the beginning of its hour, that of the hour that ran, too. */
const EARLIER = hours(1, HOURS + 1).map((paidAt) =>
  payment('kraken', paidAt, paidAt - HOUR_MS, Math.max(paidAt - HOUR_MS + 10 * MINUTE_MS, SEAM - HOUR_MS)),
);
const OTHERS = hours(1, HOURS).map((paidAt) => payment('binance', paidAt, paidAt, SEAM - HOUR_MS));
/** The back-fill asks again for the hour before it ended, and for what came since. */
const SINCE = hours(HOURS - 1, HOURS + 6).map((paidAt) => payment('kraken', paidAt, paidAt, LATER));

describeEngines('payments that an earlier build stored at the beginning of their hour', (engine) => {
  const time = new ManualTime(SEAM - 1);
  let store: HistoryStore;
  let reader: HistoryReader;
  let watch: CorrectionWatch;
  let asOfEarlier: unknown;

  const scope = { canonicalIds: [ID], from: asMs(FROM), to: asMs(FROM + 60 * HOUR_MS) };
  const paid = async (venue: string, span: { from: UnixMs; to: UnixMs; asOf?: UnixMs } = scope) => {
    const read = valueIn(await reader.fundingPayments({ ...scope, ...span, venues: [venue] }));
    return read.map(({ at, rate }) => ({ at, rate }));
  };
  const truth = (last: number, from: number = FROM, to: number = FROM + 60 * HOUR_MS) =>
    hours(1, last)
      .filter((at) => at >= from && at < to)
      .map((at) => ({ at, rate: rateOf(at) }));

  beforeAll(async () => {
    store = await engine.open('payment_times');
    ({ reader, watch } = correctedRig(store, time));
    await loadSettlements(store, [...EARLIER, ...OTHERS]);
    asOfEarlier = await paid('kraken', { ...scope, asOf: asMs(SEAM - 1) });
    time.jump(1);
    valueIn(await recordDeclared(store, SEAM));
    valueIn(await watch.refresh());
  });

  it('when the build first runs: payments stand at the end of their hour', async () => {
    expect(await paid('kraken')).toEqual(truth(HOURS));
    expect(await paid('binance')).toEqual(truth(HOURS));
    const known = { canonicalId: ID, venues: ['kraken'] };
    expect(valueIn(await reader.knownRange(known, 'settled'))).toEqual({
      from: FROM + HOUR_MS,
      to: FROM + HOURS * HOUR_MS,
    });
  });

  it('after the back-fill: payments of both builds stand once', async () => {
    await loadSettlements(store, SINCE);
    time.jump(LATER - time.now);
    expect(await paid('kraken')).toEqual(truth(HOURS + 6));
    const window = { canonicalId: ID, venues: ['kraken'], from: scope.from, to: scope.to };
    const buckets = valueIn(await reader.settled(window, HOUR_MS));
    expect(buckets.map(({ start, payments, meanRate }) => ({ at: start, payments, rate: meanRate }))).toEqual(
      truth(HOURS + 6).map((contract) => ({ ...contract, payments: 1 })),
    );
    const means = valueIn(await reader.settledMeans({ ...scope, venues: ['kraken'] }, HOUR_MS));
    expect(means.map(({ lastAt }) => lastAt)).toEqual(truth(HOURS + 6).map(({ at }) => at));
    const spans = valueIn(await reader.settledSpans()).find(({ venue }) => venue === 'kraken');
    expect(spans?.lastAt).toBe(FROM + (HOURS + 6) * HOUR_MS);
    expect(spans?.spans.map(({ payments }) => payments)).toEqual([24, HOURS + 6, HOURS + 6]);
  });

  it('any window: it has the payments that were made in it', async () => {
    const end = fc.integer({ min: -2, max: HOURS + 9 }).map((hour) => FROM + hour * HOUR_MS);
    await fc.assert(
      fc.asyncProperty(end, end, async (a, b) => {
        const from = asMs(Math.min(a, b));
        const to = asMs(Math.max(a, b) + HOUR_MS);
        expect(await paid('kraken', { from, to })).toEqual(truth(HOURS + 6, from, to));
      }),
      { numRuns: RUNS, seed: 41 + PROPERTY_RUNS.seed },
    );
  });

  it('as of a time before the build ran: answers are what they were', async () => {
    expect(await paid('kraken', { ...scope, asOf: asMs(SEAM - 1) })).toEqual(asOfEarlier);
    expect(await paid('kraken', { ...scope, asOf: SEAM })).toEqual(truth(HOURS));
  });
});
