import type { Clock } from '../../src/domain/clock.ts';
import {
  contractKey,
  type FundingPayment,
  type Mean,
  type Measure,
  type SeriesBucket,
  type SettledBucket,
  type SettledMean,
  type SettledSpans,
} from '../../src/domain/series.ts';
import { asBps, asMs, asPrice, asRate, asUsd, type UnixMs } from '../../src/domain/units.ts';
import type { HourParts } from '../../src/history/hourly-sql.ts';
import type { PaymentScope } from '../../src/history/queries/funding-payments.ts';
import type { Scope } from '../../src/history/queries/scope.ts';
import { SETTLED_SPANS_DAYS } from '../../src/history/queries/settled-spans.ts';
import { stored } from '../../src/history/store.ts';
import type { MarketRow } from '../../src/market/view.ts';
import type { HistoryQueries, HistoryView } from '../../src/products/define-product.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';

/** The service has been sampling for this long. */
const SPAN = 8 * 24 * HOUR_MS;
const DIGITS = 1e12;

const rounded = (x: number): number => Math.round(x * DIGITS) / DIGITS;
const mean = (samples: number, x: number): Mean => ({ samples, mean: rounded(x), minutes: samples });

/** Swings once in 24 hours, between -1 and 1. */
const swing = (at: number): number => Math.sin((at / (24 * HOUR_MS)) * 2 * Math.PI);

/** The price of a contract at a moment, as a share of its present one. */
type PriceShare = (row: MarketRow, at: number) => number;

/** All contracts of an asset move together. */
const together: PriceShare = (_row, at) => 1 + 0.01 * swing(at);

/** The rate of an hour: venues paid little have it change its sign. */
const rateAt = (row: MarketRow, at: number): number => (row.fundingRate ?? 0) * (0.2 + swing(at));

function meansOf(row: MarketRow, at: number, samples: number, share: number): SeriesBucket['means'] {
  const drift = 1 + 0.01 * swing(at);
  const all: Readonly<Record<Measure, number | undefined>> = {
    rate: row.fundingRate === undefined ? undefined : rateAt(row, at),
    mark: row.markPrice && row.markPrice * share,
    index: row.indexPrice && row.indexPrice * share,
    interest: row.openInterestBase && row.openInterestBase * drift,
    interestUsd: row.openInterestUsd && row.openInterestUsd * drift,
    volumeUsd: row.volume24hUsd && row.volume24hUsd * drift,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, x]) => (x === undefined ? [] : [[name, mean(samples, x)]])),
  );
}

const bookAbout = (price: number): SeriesBucket['book'] => ({
  bestBid: asPrice(rounded(price * 0.9999)),
  bestAsk: asPrice(rounded(price * 1.0001)),
  bidDepthUsd: asUsd(2_500_000),
  askDepthUsd: asUsd(2_400_000),
  slippage1kBps: asBps(1),
  slippage5kBps: asBps(1.2),
  slippage10kBps: asBps(1.5),
});

function bucketOf(
  { since, now, priceShare }: Span,
  row: MarketRow,
  parts: HourParts,
  start: number,
  stepMs: number,
): SeriesBucket {
  const samples = stepMs / 60_000;
  const share = priceShare(row, start);
  const price = (row.markPrice ?? 0) * share;
  const means = meansOf(row, start, samples, share);
  return {
    venue: row.venue,
    symbol: row.symbol,
    listedAt: since,
    start: asMs(start),
    lastAt: asMs(Math.min(start + stepMs - 60_000, now)),
    sampled: samples,
    backfilled: 0,
    backfilledHours: 0,
    means: Object.fromEntries(
      parts.measures.flatMap((name) => {
        const value = means[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    book: parts.book === true ? bookAbout(price) : undefined,
    lastRate: row.fundingRate === undefined ? undefined : asRate(rounded(rateAt(row, start + stepMs))),
    lastIntervalHours: row.fundingIntervalHours,
    intervalHours: row.fundingIntervalHours,
    intervalChanged: false,
  };
}

function* startsOf(
  { since, now }: Span,
  { from, to }: Pick<Scope, 'from' | 'to'>,
  stepMs: number,
): Generator<number> {
  for (let start = Math.max(from, since); start < Math.min(to, now); start += stepMs) yield start;
}

function settledOf({ since }: Span, row: MarketRow, start: number, stepMs: number): readonly SettledBucket[] {
  const interval = (row.fundingIntervalHours ?? 8) * HOUR_MS;
  const first = Math.ceil(start / interval) * interval;
  const payments = Math.max(0, Math.ceil((start + stepMs - first) / interval));
  if (payments === 0 || row.fundingRate === undefined) return [];
  return [
    {
      venue: row.venue,
      symbol: row.symbol,
      listedAt: since,
      start: asMs(start),
      lastAt: asMs(first + (payments - 1) * interval),
      payments,
      meanMark: row.markPrice,
      meanRate: asRate(rounded(rateAt(row, first))),
      rateSum: rounded(rateAt(row, first) * payments),
      backfilled: 0,
      intervalHours: row.fundingIntervalHours,
      intervalChanged: false,
    },
  ];
}

/** Sums of a row's payments until the last one, which take a thousand steps each. */
interface SummedRow {
  readonly since: number;
  readonly lastAt: number;
  readonly spans: readonly SettledSpans[];
}

const summedRows = new WeakMap<MarketRow, SummedRow>();

/** Payments of each contract, added up over the days before its last one. */
function spansOf({ since, now }: Span, row: MarketRow): readonly SettledSpans[] {
  const hours = row.fundingIntervalHours;
  if (hours === undefined || row.fundingRate === undefined) return [];
  const step = hours * HOUR_MS;
  const lastAt = Math.floor(now / step) * step;
  const known = summedRows.get(row);
  if (known?.since === since && known.lastAt === lastAt) return known.spans;
  const spans = summed(row, hours, since, lastAt);
  summedRows.set(row, { since, lastAt, spans });
  return spans;
}

function summed(row: MarketRow, hours: number, since: number, lastAt: number): readonly SettledSpans[] {
  const step = hours * HOUR_MS;
  const { canonicalId, venue, symbol } = row;
  const spans = SETTLED_SPANS_DAYS.map((days) => {
    const first = Math.max(lastAt - days * 24 * HOUR_MS + step, Math.ceil(since / step) * step);
    const times = Array.from({ length: (lastAt - first) / step + 1 }, (_, at) => first + at * step);
    const rateSum = times.reduce((sum, at) => sum + rounded(rateAt(row, at)), 0);
    return { days, payments: times.length, rateSum, hours: times.length * hours, unknown: 0 };
  });
  return [{ canonicalId, venue, symbol, lastAt: asMs(lastAt), spans }];
}

function paymentsOf({ since, now }: Span, row: MarketRow, from: number, to: number): FundingPayment[] {
  const { canonicalId, venue, symbol, fundingRate, fundingIntervalHours: hours } = row;
  if (fundingRate === undefined || hours === undefined) return [];
  const interval = hours * HOUR_MS;
  const payments: FundingPayment[] = [];
  const first = Math.ceil(Math.max(from, since) / interval) * interval;
  for (let at = first; at < Math.min(to, now); at += interval) {
    const rate = asRate(rounded(rateAt(row, at)));
    payments.push({ canonicalId, venue, symbol, listedAt: since, at: asMs(at), rate, hours });
  }
  return payments;
}

/** The time span of the known past, and prices in it. */
interface Span {
  readonly since: UnixMs;
  readonly now: UnixMs;
  readonly priceShare: PriceShare;
}

/** The sources of the past. */
interface Past {
  readonly span: () => Span;
  readonly rows: () => readonly MarketRow[];
  readonly rowsOf: (scope: Pick<Scope, 'canonicalId' | 'venues'>) => readonly MarketRow[];
}

type SampleQueries =
  | 'buckets'
  | 'interestAt'
  | 'baselines'
  | 'historicalRows'
  | 'knownRange'
  | 'shownContracts';

/** Queries of samples. */
function sampleQueries({ span, rows, rowsOf }: Past): Pick<HistoryQueries, SampleQueries> {
  return {
    async buckets(scope, parts, stepMs) {
      const known = span();
      return stored(
        rowsOf(scope).flatMap((row) =>
          [...startsOf(known, scope, stepMs)].map((start) => bucketOf(known, row, parts, start, stepMs)),
        ),
      );
    },
    async interestAt({ canonicalId, venue, at }) {
      const { since } = span();
      const [row] = rowsOf({ canonicalId, venues: [venue] });
      const value = row?.openInterestBase;
      if (row === undefined || value === undefined || at < since) return stored([]);
      const past = rounded(value * (1 + 0.01 * swing(at)));
      const { symbol } = row;
      const time = asMs(Math.floor(at / 60_000) * 60_000);
      const valueUsd = rounded(past * (row.markPrice ?? 0));
      return stored([
        {
          venue,
          symbol,
          listedAt: since,
          at: time,
          value: past,
          valueUsd,
          origin: 'sampled',
          spacingMs: 60_000,
        },
      ]);
    },
    async baselines() {
      const { since, now } = span();
      return stored({ list: rows().flatMap((row) => baselineOf(row, since)), from: since, to: now });
    },
    async historicalRows({ canonicalId }) {
      return stored(rows().filter((row) => canonicalId === undefined || row.canonicalId === canonicalId));
    },
    async shownContracts(scope) {
      const { now: at } = span();
      return stored(new Map(rowsOf(scope).map(({ venue, symbol }) => [venue, { symbol, at }])));
    },
    async knownRange(scope) {
      const { since, now } = span();
      return stored(rowsOf(scope).length === 0 ? undefined : { from: since, to: now });
    },
  };
}

function baselineOf({ venue, symbol, canonicalId, volume24hUsd: volume }: MarketRow, since: UnixMs) {
  if (volume === undefined || volume === 0) return [];
  const median = rounded(volume / 2);
  const mad = rounded(volume / 20);
  return [{ venue, symbol, canonicalId, listedAt: since, hours: 168, median, mad }];
}

/** Queries of settlements. */
function settlementQueries({ span, rows, rowsOf }: Past): Omit<HistoryQueries, SampleQueries | 'changes'> {
  const payments = ({ canonicalIds, venues, from, to }: PaymentScope): readonly FundingPayment[] =>
    rows()
      .filter((row) => canonicalIds.includes(row.canonicalId) && (venues?.includes(row.venue) ?? true))
      .flatMap((row) => paymentsOf(span(), row, from, to));
  const spans = () => rows().flatMap((row) => spansOf(span(), row));
  return {
    async settled(scope, stepMs) {
      const known = span();
      return stored(
        rowsOf(scope).flatMap((row) =>
          [...startsOf(known, scope, stepMs)].flatMap((start) => settledOf(known, row, start, stepMs)),
        ),
      );
    },
    settledSpans: async () => stored(spans()),
    lastSettledSpans: spans,
    fundingPayments: async (scope) => stored(payments(scope)),
    async recentPayments(contracts) {
      const { since, now } = span();
      return stored(
        new Map(
          contracts.map(({ canonicalId, venue, symbol }) => {
            const scope = { canonicalIds: [canonicalId], venues: [venue], from: since, to: now };
            return [contractKey(venue, symbol), payments(scope)] as const;
          }),
        ),
      );
    },
    async ratesAt({ canonicalId, venues, minutes }) {
      const { since } = span();
      // Rates shown come nearer to the one paid at the next full hour.
      const rates = rowsOf({ canonicalId, venues }).flatMap((row) =>
        minutes.map((minute) => {
          const paid = rateAt(row, Math.ceil((minute + 1) / HOUR_MS) * HOUR_MS);
          const rate = asRate(rounded(paid * (1 + 0.001 * (60 - new Date(minute).getUTCMinutes()))));
          const { venue, symbol, fundingIntervalHours: intervalHours } = row;
          return { venue, symbol, listedAt: since, at: minute, rate, intervalHours };
        }),
      );
      return stored(rates.filter(({ at }) => at >= since));
    },
    async takerFees({ contracts }) {
      const { since } = span();
      return stored(contracts.map((contract) => ({ ...contract, since, takerBps: asBps(5) })));
    },
    settledMeans: async (scope, stepMs) => stored(meansBySteps(payments(scope), stepMs)),
  };
}

function meansBySteps(payments: readonly FundingPayment[], stepMs: number): readonly SettledMean[] {
  const means = new Map<string, SettledMean>();
  for (const payment of payments) {
    const { canonicalId, venue, symbol, listedAt, at, rate, hours = 8 } = payment;
    const start = asMs(Math.floor(at / stepMs) * stepMs);
    const key = [canonicalId, venue, symbol, start].join(' ');
    const held = means.get(key) ?? { rate8h: 0, hours: 0 };
    const sum = (held.rate8h * held.hours) / 8 + rate;
    const all = held.hours + hours;
    const rate8h = rounded((sum / all) * 8);
    means.set(key, { canonicalId, venue, symbol, listedAt, start, rate8h, hours: all, lastAt: at });
  }
  return [...means.values()];
}

/** Eight days of past of a market that swings about its present rows once a day. */
export function createExampleHistory(
  rows: () => readonly MarketRow[],
  clock: Clock,
  priceShare: PriceShare = together,
): HistoryView {
  const span = (): Span => {
    const now = clock.now();
    return { since: asMs(Math.floor((now - SPAN) / HOUR_MS) * HOUR_MS), now, priceShare };
  };
  const rowsOf: Past['rowsOf'] = ({ canonicalId, venues }) =>
    rows().filter((row) => row.canonicalId === canonicalId && (venues?.includes(row.venue) ?? true));
  const past = { span, rows, rowsOf };
  const reader = { ...sampleQueries(past), ...settlementQueries(past), changes: () => [] };
  return { reader, version: 1 };
}
