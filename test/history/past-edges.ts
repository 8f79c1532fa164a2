import { beforeAll, expect, it } from 'vitest';
import { asHours, asMs, asPrice, asRate } from '../../src/domain/units.ts';
import { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { Sample, Settlement } from '../../src/history/sample.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, loadSettlements, valueIn } from './load.ts';

const NOW = asMs(Date.UTC(2026, 9, 20, 16));
const ago = (hours: number) => asMs(NOW - hours * HOUR_MS);
const CONTRACT = {
  canonicalId: 'crypto:BTC',
  ticker: 'BTC',
  venue: 'binance',
  symbol: 'BTCUSDT',
  listedAt: ago(240),
};
const paid = (hours: number, rate: number, more: Partial<Settlement> = {}): Settlement => ({
  ...CONTRACT,
  at: ago(hours),
  origin: 'settled',
  rate: asRate(rate),
  intervalHours: asHours(8),
  ...more,
});
const sampled: Sample = {
  ...CONTRACT,
  at: ago(1),
  origin: 'sampled',
  comparable: true,
  markPrice: asPrice(100),
};

describeEngines('questions at the edges of what is stored', (engine) => {
  let store: HistoryStore;
  let reader: HistoryReader;
  beforeAll(async () => {
    store = await engine.open('past_edges');
    await loadSamples(store, [{ value: sampled, recordedAt: sampled.at }]);
    const relisted = { symbol: 'NEWUSDT', listedAt: ago(20) };
    const payments = [
      ...[paid(16, 0.0001), paid(8, 0.0001), paid(0, 0.0001)],
      // The same symbol, listed before and listed again.
      paid(24, 0.5, { symbol: 'NEWUSDT', listedAt: ago(200) }),
      paid(22, 0.5, { symbol: 'NEWUSDT', listedAt: ago(200) }),
      ...[paid(16, 0.0003, relisted), paid(8, 0.0002, relisted)],
    ];
    await loadSettlements(
      store,
      payments.map((value) => ({ value, recordedAt: value.at })),
    );
    const options = { store, clock: { now: () => NOW }, retention: DEFAULT_RETENTION };
    reader = new HistoryReader({ ...options, rolledTo: () => asMs(0) });
  });

  it.each([
    ['ends before 1970', asMs(-48 * HOUR_MS), asMs(-24 * HOUR_MS)],
    ['begins before 1970', asMs(-48 * HOUR_MS), asMs(48 * HOUR_MS)],
    ['is of the first year', asMs(Date.UTC(2000, 0, 1) - 1999 * 365 * DAY_MS), asMs(-1_000 * 365 * DAY_MS)],
  ])('has nothing of a window that %s, which is no fault of the store', async (_, from, to) => {
    const scope = { canonicalId: 'crypto:BTC', from, to };
    const ofPayments = { canonicalIds: ['crypto:BTC'], from, to };
    const parts = { measures: ['mark'], book: true } as const;
    expect(valueIn(await reader.buckets(scope, parts, HOUR_MS))).toEqual([]);
    expect(valueIn(await reader.buckets(scope, parts, DAY_MS))).toEqual([]);
    expect(valueIn(await reader.settled(scope, HOUR_MS))).toEqual([]);
    expect(valueIn(await reader.fundingPayments(ofPayments))).toEqual([]);
    expect(valueIn(await reader.settledMeans(ofPayments, HOUR_MS))).toEqual([]);
  });

  it.each([
    ['before 1970', asMs(-48 * HOUR_MS)],
    ['within minutes of it', asMs(MINUTE_MS)],
    ['of the first year', asMs(-1_969 * 365 * DAY_MS)],
  ])('knew nothing as of a moment %s', async (_, asOf) => {
    const window = { canonicalId: 'crypto:BTC', from: asMs(asOf - DAY_MS), to: asOf, asOf };
    const moment = { canonicalId: 'crypto:BTC', venue: 'binance', at: asMs(asOf - HOUR_MS), asOf };
    const contract = { canonicalId: 'crypto:BTC', venue: 'binance', symbol: 'BTCUSDT' };
    expect(valueIn(await reader.buckets(window, { measures: ['mark'] }, HOUR_MS))).toEqual([]);
    expect(valueIn(await reader.settled(window, HOUR_MS))).toEqual([]);
    expect(valueIn(await reader.interestAt(moment, 5 * MINUTE_MS))).toEqual([]);
    expect(valueIn(await reader.historicalRows({ asOf }, () => undefined))).toEqual([]);
    expect(valueIn(await reader.takerFees({ contracts: [contract], asOf }))).toEqual([]);
    expect(valueIn(await reader.baselines(asOf)).list).toEqual([]);
    for (const known of ['mark', 'settled'] as const)
      expect(valueIn(await reader.knownRange({ canonicalId: 'crypto:BTC', asOf }, known))).toBeUndefined();
  });

  it('adds up the payments of the last listing of a symbol alone', async () => {
    const found = valueIn(await reader.settledSpans()).filter(({ symbol }) => symbol === 'NEWUSDT');
    expect(found).toHaveLength(1);
    expect(found).toMatchObject([{ venue: 'binance', lastAt: ago(8) }]);
    const [day, week] = found[0]?.spans ?? [];
    for (const span of [day, week]) expect(span).toMatchObject({ payments: 2, hours: 16, unknown: 0 });
    expect(week?.rateSum).toBeCloseTo(0.0005, 12);
  });
});
