import { beforeAll, expect, it } from 'vitest';
import { asBase, asHours, asMs, asPrice, asRate, asUsd, type UnixMs } from '../../src/domain/units.ts';
import { JoinedReader } from '../../src/history/joined-reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { Sample, Settlement } from '../../src/history/sample.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import type { Rename } from '../../src/market/registry/rename.ts';
import { createRenames } from '../../src/market/registry/renames.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import { readHistories } from '../../src/modules/pair-backtest/pair-history.ts';
import { makeAsset } from '../../src/products/asset-fixture.ts';
import { fundingStats } from '../../src/products/perp-funding-stats.ts';
import { ownValues } from '../../src/products/perp-oi-delta.ts';
import { spreadStats } from '../../src/products/perp-spread-stats.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, loadSettlements, valueIn } from './load.ts';

/** Midnight of the day on which all coins of this suite change their names. */
const DAY = asMs(Date.UTC(2026, 9, 20));
const NOW = asMs(DAY + 12 * HOUR_MS);
const at = (hours: number): UnixMs => asMs(DAY + hours * HOUR_MS);

const rename = (from: string, to: string, more: Partial<Rename> = {}): Rename => ({
  from: `crypto:${from}`,
  to: `crypto:${to}`,
  day: '2026-10-20',
  factor: 1,
  history: 'joined',
  state: 'done',
  evidence: 'a test',
  source: 'https://x',
  confidence: 'announced',
  ...more,
});
const RENAMES = createRenames([
  rename('OLD', 'NEW'),
  rename('MKR', 'SKY', { factor: 24_000 }),
  rename('LIT', 'HEI', { day: '2026-10-19', reusedFrom: '2026-10-20' }),
  rename('UNIT', 'UNIT', { factor: 10 }),
  rename('PART', 'SUM', { history: 'separate', factor: 0.4 }),
]);

const contract = (name: string, listed: number, symbol = `${name}USDT`) => ({
  canonicalId: `crypto:${name}`,
  ticker: name,
  venue: 'binance',
  symbol,
  listedAt: at(listed),
});
type Contract = ReturnType<typeof contract>;
const OLD = contract('OLD', -100);
const NEW = contract('NEW', 1);
/** A contract whose symbol stayed: its range went on under the new name. */
const KEPT = { ...contract('OLD', -100, 'OLD_USDT'), venue: 'gate' };
const KEPT_ON = { ...KEPT, canonicalId: 'crypto:NEW', ticker: 'NEW' };
const MKR = contract('MKR', -100);
const SKY = contract('SKY', -6);

const sample = (of: Contract, time: UnixMs, mark: number): Sample => ({
  ...of,
  at: time,
  origin: 'sampled',
  comparable: true,
  fundingRate: asRate(0.0001),
  markPrice: asPrice(mark),
  indexPrice: asPrice(mark),
  volume24hUsd: asUsd(1000),
  openInterestBase: asBase(48),
  openInterestUsd: asUsd(48 * mark),
  bestBid: asPrice(mark * 0.999),
  bestAsk: asPrice(mark * 1.001),
  depth: { bidDepthUsd: asUsd(7), askDepthUsd: asUsd(8) },
  shown: { updatedAt: time, rateFresh: true, quote: 'USDT', multiplier: 1 },
});
const payment = (of: Contract, time: UnixMs, rate: number, hours?: number): Settlement => ({
  ...of,
  at: time,
  origin: 'settled',
  rate: asRate(rate),
  markPrice: asPrice(2400),
  ...(hours !== undefined && { intervalHours: asHours(hours) }),
});

/** A row of now; when its venue listed it is not stated. */
const shownRow = (venue: string, symbol: string) => makeRow({ venue, symbol, rate: 0.0001 });

const SAMPLES: readonly Sample[] = [
  sample(OLD, at(-3), 2),
  sample(OLD, at(0), 2.5),
  sample(NEW, at(2), 3),
  sample(KEPT, at(-1), 2),
  sample(KEPT, asMs(at(4) + MINUTE_MS), 4),
  sample(KEPT_ON, asMs(at(4) + 2 * MINUTE_MS), 6),
  sample(MKR, at(-10), 2400),
  sample(MKR, at(-3), 2400),
  sample(SKY, at(-3), 0.11),
  sample(SKY, at(3), 0.12),
  sample(contract('MKR', -100), at(30), 9999),
  sample(contract('LIT', -100), at(-5), 7),
  sample(contract('LIT', 2), at(3), 70),
  sample(contract('HEI', -20), at(3), 8),
  sample(contract('UNIT', -100), at(-2), 50),
  sample(contract('UNIT', 1), at(2), 5),
  sample(contract('PART', -100), at(-2), 1),
  sample(contract('SUM', -100), at(-2), 2),
];
const PAYMENTS: readonly Settlement[] = [
  payment(OLD, at(-8), 0.0001, 8),
  payment(NEW, at(8), 0.0003, 8),
  payment(KEPT, at(0), 0.0001),
  payment(KEPT_ON, at(8), 0.0002),
  payment(MKR, at(-8), 0.0001, 8),
];

describeEngines('coins that changed their names', (engine) => {
  let store: HistoryStore;
  let reader: JoinedReader;
  beforeAll(async () => {
    store = await engine.open('renamed_coins');
    await loadSamples(
      store,
      SAMPLES.map((value) => ({ value, recordedAt: value.at })),
    );
    await loadSettlements(
      store,
      PAYMENTS.map((value) => ({ value, recordedAt: value.at })),
    );
    const options = { store, clock: { now: () => NOW }, retention: DEFAULT_RETENTION, renames: RENAMES };
    reader = new JoinedReader({ ...options, rolledTo: () => asMs(0) });
  });

  const window = { from: at(-24), to: at(36) };
  const hours = async (name: string, venue = 'binance') => {
    const scope = { canonicalId: `crypto:${name}`, venues: [venue], ...window };
    const parts = { measures: ['mark', 'interest', 'interestUsd', 'rate'], book: true } as const;
    return valueIn(await reader.buckets(scope, parts, HOUR_MS));
  };
  const marks = async (name: string, venue?: string) =>
    (await hours(name, venue)).map(({ symbol, start, means }) => [
      symbol,
      (start - DAY) / HOUR_MS,
      means.mark?.mean,
    ]);

  it('one unit: both names are one past, under the contract of each time', async () => {
    expect(await marks('NEW')).toEqual([
      ['NEWUSDT', 2, 3],
      ['OLDUSDT', -3, 2],
      ['OLDUSDT', 0, 2.5],
    ]);
  });

  it('a range that went on: the hour of the change is one', async () => {
    expect(await marks('NEW', 'gate')).toEqual([
      ['OLD_USDT', -1, 2],
      ['OLD_USDT', 4, 5],
    ]);
    expect((await hours('NEW', 'gate')).map(({ sampled }) => sampled)).toEqual([1, 2]);
  });

  it('another unit: prices and amounts of then are in the unit of now', async () => {
    const found = await hours('SKY');
    expect(found.map(({ symbol, start }) => [symbol, (start - DAY) / HOUR_MS])).toEqual([
      ['MKRUSDT', -10],
      // Side by side: the present unit stands.
      ['SKYUSDT', -3],
      ['SKYUSDT', 3],
    ]);
    const [first] = found;
    expect(first?.means.mark?.mean).toBeCloseTo(0.1, 12);
    expect(first?.means.interest?.mean).toBe(48 * 24_000);
    expect(first?.means.interestUsd?.mean).toBe(48 * 2400);
    expect(first?.means.rate?.mean).toBeCloseTo(0.0001, 12);
    expect(first?.book?.bestBid).toBeCloseTo(0.0999, 12);
    expect(first?.book?.bidDepthUsd).toBe(7);
  });

  it('another unit under one name: each day counts in its own', async () => {
    expect(await marks('UNIT')).toEqual([
      ['UNITUSDT', -2, 5],
      ['UNITUSDT', 2, 5],
    ]);
  });

  it('a name used again: the past of the unrelated asset is left out', async () => {
    expect(await marks('LIT')).toEqual([['LITUSDT', 3, 70]]);
    expect(await marks('HEI')).toEqual([
      ['HEIUSDT', 3, 8],
      ['LITUSDT', -5, 7],
    ]);
  });

  it('a merger: the past of the new name is its own', async () => {
    expect(await marks('SUM')).toEqual([['SUMUSDT', -2, 2]]);
    expect(await marks('PART')).toEqual([['PARTUSDT', -2, 1]]);
  });

  it('payments of both names: under the present one, hours since the last', async () => {
    const scope = { canonicalIds: ['crypto:NEW', 'crypto:SUM'], ...window };
    const found = valueIn(await reader.fundingPayments(scope));
    expect(found.map(({ canonicalId, symbol, rate, hours }) => [canonicalId, symbol, rate, hours])).toEqual([
      ['crypto:NEW', 'NEWUSDT', 0.0003, 8],
      ['crypto:NEW', 'OLDUSDT', 0.0001, 8],
      ['crypto:NEW', 'OLD_USDT', 0.0001, undefined],
      ['crypto:NEW', 'OLD_USDT', 0.0002, 8],
    ]);
    const days = valueIn(await reader.settledMeans({ canonicalIds: ['crypto:NEW'], ...window }, DAY_MS));
    expect(days.map(({ symbol, canonicalId, formerId }) => [symbol, canonicalId, formerId])).toEqual([
      ['NEWUSDT', 'crypto:NEW', undefined],
      ['OLDUSDT', 'crypto:NEW', 'crypto:OLD'],
      // Its payment before says for how long the first one under the new name is.
      ['OLD_USDT', 'crypto:NEW', undefined],
    ]);
  });

  it('what a contract was paid: goes on with the one of the former name', async () => {
    const payments = valueIn(await reader.fundingPayments({ canonicalIds: ['crypto:NEW'], ...window }));
    expect(payments.map(({ formerId }) => formerId)).toEqual([
      undefined,
      ...['crypto:OLD', 'crypto:OLD', undefined],
    ]);
    const short = shownRow('binance', 'NEWUSDT');
    const long = shownRow('gate', 'OLD_USDT');
    const { venues } = fundingStats({ ...makeAsset([]), rows: [short, long] }, payments, NOW).body;
    expect(venues.map(({ venue, payments: count, streak }) => [venue, count, streak?.since])).toEqual([
      ['binance', 2, new Date(at(-8)).toISOString()],
      ['gate', 2, new Date(at(0)).toISOString()],
    ]);
    // Both legs are known in the hours of the second payments: 8 hours of 7 days.
    const legs = { ticker: 'NEW', canonicalId: 'crypto:NEW', short, long };
    const [week] = spreadStats(legs, payments, undefined, NOW).body.windows;
    expect(week?.coverage_pct).toBeCloseTo((8 / (7 * 24)) * 100, 9);
  });

  it('a pair: payments and prices of the former name, in the unit of now', async () => {
    const legs = { ticker: 'SKY', canonicalId: 'crypto:SKY' };
    const short = shownRow('binance', 'SKYUSDT');
    const long = shownRow('gate', 'SKY_USDT');
    const read = await readHistories(reader, { ...legs, short, long }, window, () => false);
    const found = read.ok ? read.value : undefined;
    expect(found?.ofShort.payments).toMatchObject([{ symbol: 'MKRUSDT', at: at(-8), rate: 0.0001 }]);
    const marked = [...(found?.ofShort.hours ?? [])].map(([start, { mark }]) => [
      (start - DAY) / HOUR_MS,
      mark,
    ]);
    expect(marked).toEqual([
      [-10, expect.closeTo(0.1, 12)],
      [-3, 0.11],
      [3, 0.12],
    ]);
    expect(found?.ofLong).toMatchObject({ payments: [], hours: new Map() });
  });

  it('payments by bucket: the mark stated with them is in the unit of now', async () => {
    const scope = { canonicalId: 'crypto:SKY', ...window };
    const found = valueIn(await reader.settled(scope, HOUR_MS));
    expect(found).toMatchObject([{ symbol: 'MKRUSDT', payments: 1, meanRate: 0.0001 }]);
    expect(found[0]?.meanMark).toBeCloseTo(0.1, 12);
  });

  it('open interest of a moment: of the former unit in the present one', async () => {
    const moment = { canonicalId: 'crypto:SKY', venue: 'binance', at: at(-10) };
    const values = valueIn(await reader.interestAt(moment, 5 * MINUTE_MS));
    expect(values).toMatchObject([
      { symbol: 'MKRUSDT', formerId: 'crypto:MKR', value: 48 * 24_000, valueUsd: 48 * 2400 },
    ]);
    // It is what a change since then counts from; of a time after the listing it is not.
    const row = shownRow('binance', 'SKYUSDT');
    expect(ownValues(values, row, at(-6))).toEqual(values);
    expect(ownValues(values, row, at(-11))).toEqual([]);
  });

  it('what is known begins with the old name', async () => {
    expect(valueIn(await reader.knownRange({ canonicalId: 'crypto:NEW' }, 'mark'))?.from).toBe(at(-3));
    expect(valueIn(await reader.knownRange({ canonicalId: 'crypto:LIT' }, 'mark'))?.from).toBe(at(3));
    expect(valueIn(await reader.knownRange({ canonicalId: 'crypto:SKY' }, 'mark'))).toEqual({
      from: at(-10),
      to: at(3),
    });
  });

  it('rows of a moment: under the present name, of one asset and of all', async () => {
    const known = () => ({ sourceId: 1, assetClass: 'crypto' as const });
    const rows = async (hour: number, canonicalId?: string) =>
      valueIn(await reader.historicalRows({ asOf: asMs(at(hour) + MINUTE_MS), canonicalId }, known)).map(
        (row) => [row.canonicalId, row.ticker, row.symbol, row.markPrice],
      );
    expect(await rows(-3, 'crypto:NEW')).toEqual([['crypto:NEW', 'NEW', 'OLDUSDT', 2]]);
    expect(await rows(-10, 'crypto:SKY')).toEqual([['crypto:SKY', 'SKY', 'MKRUSDT', 0.1]]);
    expect(await rows(-5)).toEqual([['crypto:HEI', 'HEI', 'LITUSDT', 7]]);
    expect(await rows(-10)).toEqual([['crypto:MKR', 'MKR', 'MKRUSDT', 2400]]);
  });
});
