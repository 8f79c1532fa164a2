import { beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { contractKey, type Listing } from '../../src/domain/series.ts';
import { asBase, asHours, asMs, asPrice, asRate, asUsd, type UnixMs } from '../../src/domain/units.ts';
import { JoinedReader } from '../../src/history/joined-reader.ts';
import type { PaidContract } from '../../src/history/payment-cache.ts';
import type { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { RollUps } from '../../src/history/roll-ups.ts';
import type { Contract, Sample, Settlement } from '../../src/history/sample.ts';
import type { Rename } from '../../src/market/registry/rename.ts';
import { createRenames } from '../../src/market/registry/renames.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import type { FundingPair } from '../../src/products/funding/funding-pair.ts';
import { settledMeans, spansFinder } from '../../src/products/funding/settled-means.ts';
import { fundingHeatmap } from '../../src/products/perp-funding-heatmap.ts';
import { spreadHistories } from '../../src/products/statistics/spread-history.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, loadSettlements, valueIn } from './load.ts';

/** The hour at which all coins of this suite change their names, on the day of the file. */
const CHANGE = asMs(Date.UTC(2026, 9, 20, 8));
const NOW = asMs(CHANGE + 40 * HOUR_MS);
const at = (hours: number): UnixMs => asMs(CHANGE + hours * HOUR_MS);
const LISTED = at(-2000);
const VENUES = ['binance', 'gate'];

/** A coin, or the same one that had its present name from the start. */
interface Coin {
  /** Name before the change. */
  readonly old: string;
  readonly name: string;
  /** New units for one old unit. */
  readonly factor: number;
  /** The venue's symbol before the change; `XUSDT` after it. */
  readonly oldSymbol: string;
}

const coin = (name: string, old: string, factor: number, oldSymbol: string): Coin => ({
  name,
  old,
  factor,
  oldSymbol,
});
const KEPT = coin('KEPT', 'KEPT', 1, 'XUSDT');
const LISTED_AGAIN = coin('AGAIN', 'AGAIN', 1, 'YUSDT');
/** Each renamed coin, and the one that it has to be like. */
const CASES: readonly (readonly [title: string, renamed: Coin, like: Coin])[] = [
  ['one unit, one symbol', coin('NEW', 'OLD', 1, 'XUSDT'), KEPT],
  ['one unit, another symbol', coin('NEWA', 'OLDA', 1, 'YUSDT'), LISTED_AGAIN],
  ['another unit, one symbol', coin('NEWF', 'OLDF', 24_000, 'XUSDT'), KEPT],
  ['another unit, another symbol', coin('NEWAF', 'OLDAF', 24_000, 'YUSDT'), LISTED_AGAIN],
];
const RENAMES = createRenames(
  CASES.map(([, { name, old, factor }]): Rename => {
    const ids = { from: `crypto:${old}`, to: `crypto:${name}`, day: '2026-10-20', factor };
    const evidence = { evidence: 'a test', source: 'https://x', confidence: 'announced' as const };
    return { ...ids, history: 'joined', state: 'done', ...evidence };
  }),
);

function contractOf({ old, name, oldSymbol }: Coin, venue: string, time: UnixMs): Contract {
  const isOld = time < CHANGE;
  const ticker = isOld ? old : name;
  const symbol = isOld ? oldSymbol : 'XUSDT';
  const listedAt = symbol === oldSymbol ? LISTED : CHANGE;
  return { canonicalId: `crypto:${ticker}`, ticker, venue, symbol, listedAt };
}

/** A number that differs by venue and time, the same for every coin. */
const swing = (venue: string, time: UnixMs): number =>
  1 + (((time / HOUR_MS) * 7919 + venue.length * 104_729) % 1000) / 1000;

function sampleOf(of: Coin, venue: string, time: UnixMs): Sample {
  const value = swing(venue, time);
  const unit = time < CHANGE ? of.factor : 1;
  const mark = 0.1 * value * unit;
  const amount = (5000 * value) / unit;
  return {
    ...contractOf(of, venue, time),
    at: time,
    origin: 'sampled',
    comparable: true,
    fundingRate: asRate(0.0001 * value),
    fundingIntervalHours: asHours(8),
    markPrice: asPrice(mark),
    indexPrice: asPrice(mark * 1.001),
    volume24hBase: asBase(amount * 3),
    volume24hUsd: asUsd(1000 * value),
    openInterestBase: asBase(amount),
    openInterestUsd: asUsd(amount * mark),
    bestBid: asPrice(mark * 0.999),
    bestAsk: asPrice(mark * 1.001),
    depth: { bidDepthUsd: asUsd(7 * value), askDepthUsd: asUsd(8 * value), slippage1kBps: undefined },
    shown: { updatedAt: time, rateFresh: true, quote: 'USDT', multiplier: 1 },
  };
}

function paymentOf(of: Coin, venue: string, time: UnixMs): Settlement {
  const value = swing(venue, time);
  return {
    ...contractOf(of, venue, time),
    at: time,
    origin: 'settled',
    rate: asRate(0.0001 * value),
    markPrice: asPrice(0.1 * value * (time < CHANGE ? of.factor : 1)),
    ...(venue === 'gate' && { intervalHours: asHours(8) }),
  };
}

const timesOf = (fromHour: number, stepHours: number): readonly UnixMs[] => {
  const times: UnixMs[] = [];
  for (let hour = fromHour; at(hour) <= NOW; hour += stepHours) times.push(at(hour));
  return times;
};

/** Questions that name no asset, and why renames are nothing to them. */
const WITHOUT_ID = {
  changes: 'they are of venues and times',
  takerFees: 'they are of contracts by symbol',
  newPayments: 'their id only says where shown rates are looked up, which finds all names',
  lastSettledSpans: 'it is what settledSpans answered last',
} as const;
type Question = Exclude<keyof HistoryReader, keyof typeof WITHOUT_ID>;

const ALL_PARTS = {
  measures: ['rate', 'mark', 'index', 'interest', 'interestUsd', 'volumeUsd'],
  book: true,
  lastRate: true,
  coverage: true,
} as const;
const MOMENTS = [at(-40), at(-1), asMs(at(-1) + HOUR_MS / 2), at(0), at(3)];
/** Of the days from the first of `BOTH_NAMES` on. */
const CHANGE_DAY = 3;
const BOTH_NAMES = { from: at(-8 - 72), to: at(40) };
const WINDOWS = [BOTH_NAMES, { from: at(-8 - 24), to: at(-8 + 24) }];
const known = () => ({ sourceId: 1, assetClass: 'crypto' as const });

/** Asks the same of each window or moment. */
const each = <Asked, Found>(list: readonly Asked[], ask: (asked: Asked) => Promise<Found>) =>
  Promise.all(list.map(ask));

/** Questions about single contracts: the present one goes on with the former one, whatever its symbol was. */
const OF_CONTRACT: ReadonlySet<Question> = new Set(['settledSpans', 'baselines', 'recentPayments']);

/** Every question that names an asset or answers with its id. */
const QUESTIONS: Readonly<
  Record<
    Question,
    (reader: HistoryReader, canonicalId: string, venues: readonly string[]) => Promise<unknown>
  >
> = {
  buckets: (reader, canonicalId) =>
    each(WINDOWS, async (window) =>
      valueIn(await reader.buckets({ canonicalId, ...window }, ALL_PARTS, HOUR_MS)),
    ),
  settled: (reader, canonicalId) =>
    each(WINDOWS, async (window) => valueIn(await reader.settled({ canonicalId, ...window }, DAY_MS))),
  fundingPayments: (reader, canonicalId) =>
    each(WINDOWS, async (window) =>
      valueIn(await reader.fundingPayments({ canonicalIds: [canonicalId], ...window })),
    ),
  settledMeans: (reader, canonicalId) =>
    each(WINDOWS, async (window) =>
      valueIn(await reader.settledMeans({ canonicalIds: [canonicalId], ...window }, DAY_MS)),
    ),
  interestAt: (reader, canonicalId) =>
    each(MOMENTS, async (moment) =>
      valueIn(await reader.interestAt({ canonicalId, venue: 'gate', at: moment }, 5 * HOUR_MS)),
    ),
  historicalRows: (reader, canonicalId) =>
    each(MOMENTS, async (asOf) => [valueIn(await reader.historicalRows({ canonicalId, asOf }, known))]),
  knownRange: (reader, canonicalId) =>
    each(['mark', 'interest', 'settled'] as const, async (measure) => [
      valueIn(await reader.knownRange({ canonicalId }, measure)),
      valueIn(await reader.knownRange({ canonicalId, from: at(-30), to: at(10) }, measure)),
    ]),
  shownContracts: (reader, canonicalId) =>
    each([undefined, ...MOMENTS], async (asOf) => [
      ...valueIn(await reader.shownContracts({ canonicalId, asOf })),
    ]),
  shownRates: async (reader, canonicalId) =>
    sorted(valueIn(await reader.shownRates([canonicalId], timesOf(-24, 4)))),
  ratesAt: async (reader, canonicalId) => [
    sorted(valueIn(await reader.ratesAt({ canonicalId, minutes: timesOf(-24, 4) }))),
  ],
  settledSpans: async (reader, canonicalId, venues) =>
    sorted(valueIn(await reader.settledSpans()).filter(isOf(canonicalId, venues))),
  baselines: async (reader, canonicalId, venues) => [
    sorted(valueIn(await reader.baselines()).list.filter(isOf(canonicalId, venues))),
    sorted(valueIn(await reader.baselines(NOW)).list.filter(isOf(canonicalId, venues))),
  ],
  recentPayments: async (reader, canonicalId, venues) => {
    const contracts = venues.map((venue) => ({ canonicalId, venue, symbol: 'XUSDT' }));
    const found = valueIn(await reader.recentPayments(contracts));
    return contracts.map(({ venue, symbol }) => found.get(contractKey(venue, symbol)));
  },
};

type Placed = Pick<Listing, 'venue'> & { readonly at?: UnixMs };

/** Brings answers that have no order into one. */
const sorted = <Item extends Placed>(items: readonly Item[]): readonly Item[] =>
  [...items].sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.venue < b.venue ? -1 : 1));

const isOf =
  (id: string, venues: readonly string[]) =>
  ({ canonicalId, symbol, venue }: PaidContract): boolean =>
    canonicalId === id && symbol === 'XUSDT' && venues.includes(venue);

/** Leaves out in what an answer has to differ; numbers are equal to nine digits. */
function comparable(value: unknown, leftOut: ReadonlySet<string>): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(9));
  if (Array.isArray(value)) return value.map((item) => comparable(item, leftOut));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, part]) => part !== undefined && !leftOut.has(key));
  return Object.fromEntries(kept.map(([key, part]) => [key, comparable(part, leftOut)]));
}

/** Answers differ in their names, and in the units that the contract of then counted. */
const NAMES = new Set(['canonicalId', 'ticker', 'formerId', 'multiplier']);
const NAMES_AND_LISTING = new Set([...NAMES, 'symbol', 'listedAt']);

describeEngines('a renamed coin is like one that had its name from the start', (engine) => {
  let reader: HistoryReader;
  beforeAll(async () => {
    const store = await engine.open('renamed_law');
    const time = new ManualTime(NOW);
    const coins = [KEPT, LISTED_AGAIN, ...CASES.map(([, renamed]) => renamed)];
    const all = <Value extends { readonly at: UnixMs }>(
      times: readonly UnixMs[],
      make: (of: Coin, venue: string, moment: UnixMs) => Value,
    ) =>
      coins.flatMap((of) =>
        VENUES.flatMap((venue) =>
          times.map((moment) => ({ value: make(of, venue, moment), recordedAt: moment })),
        ),
      );
    await loadSamples(store, all(timesOf(-120, 1), sampleOf));
    await loadSettlements(store, all(timesOf(-35 * 24, 8), paymentOf));
    const rollUps = new RollUps({
      store,
      clock: time.clock,
      timer: time.timer,
      logger: silentLogger,
      oldestWaiting: () => undefined,
    });
    valueIn(await rollUps.refresh());
    await rollUps.work();
    const options = { store, clock: time.clock, retention: DEFAULT_RETENTION, renames: RENAMES };
    reader = new JoinedReader({ ...options, rolledTo: () => rollUps.rolledTo });
  });

  it.each(CASES.filter(([, { oldSymbol }]) => oldSymbol === 'XUSDT'))(
    '%s: the day of the change is one bucket of both names',
    async (_, renamed, like) => {
      const parts = { measures: ['mark', 'interest'] } as const;
      const ask = async ({ name }: Coin) =>
        valueIn(await reader.buckets({ canonicalId: `crypto:${name}`, ...BOTH_NAMES }, parts, DAY_MS));
      const days = await ask(renamed);
      expect(days.map(({ sampled }) => sampled)).toContain(24);
      expect(comparable(days, NAMES)).toEqual(comparable(await ask(like), NAMES));
    },
  );

  it.each(CASES)('%s: what is made of its past is the same', async (_, renamed, like) => {
    const ask = async ({ name }: Coin) => {
      const canonicalId = `crypto:${name}`;
      const rowOf = (venue: string) => ({
        ...makeRow({ venue, symbol: 'XUSDT', rate: 0.0001 }),
        canonicalId,
      });
      const short = rowOf('binance');
      const long = rowOf('gate');
      const means = valueIn(
        await reader.settledMeans({ canonicalIds: [canonicalId], ...BOTH_NAMES }, DAY_MS),
      );
      const asset = { canonicalId, ticker: name, rows: [short, long], interestUsd: 1 };
      const window = { aggregation: '1d', ...BOTH_NAMES, knownTo: NOW } as const;
      const { assets } = fundingHeatmap([asset], means, window, 'gate').body;
      const days = assets[0]?.values_8h_bps.map((value) => value?.toFixed(6)) ?? [];
      const paid = valueIn(await reader.recentPayments([short, long]));
      const fees = { shortFeeBps: 5, longFeeBps: 5, feeBps: 20, updatedAt: NOW };
      const pair: FundingPair = {
        short,
        long,
        normalizedBps: 0.1,
        grossBps: 0.1,
        ...fees,
        rows: [short, long],
      };
      const past = spreadHistories(paid, NOW)(pair);
      const find = spansFinder(valueIn(await reader.settledSpans()));
      return { days, past, settled: comparable(settledMeans(find(long)), new Set()) };
    };
    const found = await ask(renamed);
    const wanted = await ask(KEPT);
    expect(found.settled).toEqual(wanted.settled);
    expect(JSON.stringify(wanted.settled)).not.toContain('null');
    expect(found.past?.percentile).toBeGreaterThan(0);
    // Under another symbol the day of the change is of the present contract alone.
    const isOneSymbol = like === KEPT;
    const compared = (days: readonly unknown[]) =>
      days.filter((_day, index) => isOneSymbol || index !== CHANGE_DAY);
    expect(compared(found.days)).toEqual(compared(wanted.days));
    expect(wanted.days.filter((value) => value !== undefined)).toHaveLength(5);
    if (isOneSymbol) expect(found.past).toEqual(wanted.past);
  });

  /** Answers by question, coin and venues: several renamed coins have to be like the same one. */
  const answered = new Map<string, Promise<unknown>>();
  const answerOf = (question: Question, { name }: Coin, venues: readonly string[]): Promise<unknown> => {
    const key = `${question} ${name} ${venues}`;
    const known = answered.get(key) ?? QUESTIONS[question](reader, `crypto:${name}`, venues);
    answered.set(key, known);
    return known;
  };

  for (const [title, renamed, like] of CASES) {
    it.each(Object.keys(QUESTIONS) as Question[])(`${title}: %s answers the same`, async (question) => {
      const isOfContract = OF_CONTRACT.has(question);
      const leftOut = isOfContract ? NAMES_AND_LISTING : NAMES;
      // At binance, which states no interval, nobody knows for how long the first payment of another symbol is.
      const venues = isOfContract && like === LISTED_AGAIN ? ['gate'] : VENUES;
      const ask = async (of: Coin) => comparable(await answerOf(question, of, venues), leftOut);
      const found = await ask(renamed);
      expect(JSON.stringify(found)).toMatch(/\d/);
      expect(found).toEqual(await ask(isOfContract ? KEPT : like));
    });
  }
});
