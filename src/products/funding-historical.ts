import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { Listing, SeriesBucket, SettledBucket } from '../domain/series.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { Scope } from '../history/queries/scope.ts';
import type { MarketView } from '../market/view.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import { canonicalIdName, integer, nullable, number, oneOf, text, tickerName } from './answer/schema.ts';
import { defineProduct, type HistoryQueries } from './define-product.ts';
import example from './examples/funding-historical.json' with { type: 'json' };
import { answersAsOf } from './history/as-of.ts';
import {
  AGGREGATION_MS,
  type Aggregation,
  bucketFields,
  byVenueAndTime,
  type HistoryWindow,
  historyAsOf,
  isPartial,
  type Origin,
  originName,
  originOf,
  partialBucket,
  passedEnd,
  statedWindow,
  windowFields,
} from './history/buckets.ts';
import {
  type IntervalRate,
  intervalFields,
  intervalValues,
  paidFields,
  paidValues,
} from './history/interval-fields.ts';
import { SERIES_NOTE } from './history/series-contract.ts';
import { fromStore, nothingKnown, notStored, readerOf, storedSeries } from './history/stored.ts';
import { days, readWindow, windowParameters } from './history/window.ts';
import { tickerParameter, venueParameter } from './rows/asked.ts';
import { venueIds } from './rows/select.ts';
import { nameStoredPair, selectStoredAsset } from './rows/select-stored.ts';

const BASES = ['sampled', 'settled'] as const;
const ASKED_BASES = ['any', 'both', ...BASES] as const;
const DEFAULT_DAYS: Readonly<Record<Aggregation, number>> = { '1h': 3, '4h': 7, '1d': 30 };
/** Longest windows, days: samples are kept a month, payments a year and more. */
const CAP_DAYS = { any: 30, both: 30, sampled: 30, settled: 400 } as const;

const query = Type.Object({
  ticker: tickerParameter,
  venue: Type.Optional(venueParameter),
  ...windowParameters('3 days ago at 1h, 7 at 4h, 30 at 1d'),
  basis: oneOf(ASKED_BASES, {
    description:
      'sampled: rates as shown, where this service saw them; settled: payments, in the buckets in which they were paid; any: rates as shown, and payments where a venue has none; both: all of it',
    default: 'any',
  }),
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  ...windowFields,
  venues_count: integer('Venues with a bucket', 1),
  buckets: Type.Array(
    Type.Object({
      ...bucketFields,
      avg_funding_rate: number('Mean rate, fraction per interval of the venue'),
      avg_price: nullable(number('Mean mark price')),
      funding_interval_hours: nullable(
        number(
          'Hours that the rates are for, as stored of that time: the interval shown with the rates, or the hours that each payment is for; null where not known, or where it changed within the bucket',
        ),
      ),
      ...intervalFields,
      ...paidFields,
      samples: integer('Values that the mean rate is of', 1),
      basis: oneOf(BASES, { description: 'What the values are' }),
      origin: originName,
      partial: partialBucket,
    }),
  ),
  note: text('What the figures are and leave out'),
});

type FundingHistorical = Static<typeof answer>;

export const fundingHistorical = answersAsOf(
  defineProduct({
    id: 'funding-historical',
    path: '/v1/funding/historical',
    access: 'paid',
    summary: 'Funding history per venue',
    description:
      'Funding-rate history of one ticker on every venue, or on one, in buckets of 1 hour, 4 hours or a day: mean rate as shown (sampled each minute), or as paid where none was seen (settled), its interval, the same per eight hours, what was paid in the bucket, mean mark price and the number of samples; the current bucket is flagged partial. Raw rates, up to 30 days (settled: 400).',
    tags: ['funding-rate', 'history', 'perpetual-futures'],
    dependsOn: 'history',
    revisedAt: '2026-11-29T07:00:00.000Z',
    query,
    answer,
    example: {
      request: '/v1/funding/historical?ticker=BTC&aggr=4h&from=2026-11-20T08:00:00Z&to=2026-11-20T16:00:00Z',
      answer: example,
    },
    find: ({ ticker: name, venue, aggr, from, to, basis }, { market, clock }) => {
      const asset = findStored(market, name, venue);
      if (!asset.ok) return asset;
      const rule = { capMs: days(CAP_DAYS[basis]), defaultMs: days(DEFAULT_DAYS[aggr]) };
      const window = readWindow({ aggregation: aggr, from, to }, rule, clock.now());
      if (!window.ok) return window;
      return ok({ ...asset.value, window: window.value });
    },
    compute: async (question, ports, { basis }) => {
      const reader = readerOf(ports);
      const { canonicalId, window, venues, symbol } = question;
      const scope = {
        canonicalId,
        from: window.from,
        to: window.to,
        ...(venues !== undefined && { venues }),
      };
      const stored = await storedSeries(ports, { symbol }, scope, AGGREGATION_MS[window.aggregation], {
        samples: basis === 'settled' ? undefined : { measures: ['rate', 'mark'], lastRate: true },
        payments: basis !== 'sampled',
      });
      if (!stored.ok) return stored;
      const { buckets, payments } = stored.value;
      const shown = sampledRates(buckets);
      const paid = settledRates(payments);
      const rates = basis === 'both' ? [...shown, ...paid] : sampledOrSettled(shown, paid);
      if (rates.length > 0) {
        const all = basis === 'sampled' ? await paymentsOf(reader, scope, window) : ok(payments);
        return all.ok ? ok(historyOf(question, rates, all.value)) : all;
      }
      const [venue] = venues ?? [];
      const other = venue === undefined ? undefined : notStored(ports, { ...question, venue });
      if (other !== undefined) return fail(other);
      const passed = { ...scope, to: passedEnd(window) };
      if (basis === 'sampled') return nothingKnown(reader, passed, 'rate', 'funding rate as shown');
      return nothingKnown(reader, passed, 'settled', 'funding payment');
    },
  }),
);

const NOTE = `${SERIES_NOTE} Raw rates, fractions per funding interval of each venue. sampled: mean of the rates shown during the bucket, one sample a minute; settled: mean of the payments in the bucket, at their settlement times. A payment stands in the bucket in which it was paid, never in the hours before it; without basis, it stands where no rate was sampled; with basis=both beside it. origin backfilled: reported by the venue afterwards of a moment at which it was known. Window ends are floored to the bucket; the end is not included; a bucket that goes on is partial. No spread or signal logic, not a profit forecast.`;

/** An asset whose history is asked for, on every venue or on one. */
interface StoredAsset {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly listedBy: readonly VenueId[];
  /** The venue that was asked for, alone. */
  readonly venues?: readonly VenueId[];
  /** The contract, where a name of the venue means one. */
  readonly symbol?: string | undefined;
}

interface HistoryQuestion extends StoredAsset {
  readonly window: HistoryWindow;
}

function findStored(view: MarketView, ticker: string, at: string | undefined): Result<StoredAsset> {
  if (at === undefined) {
    const asset = selectStoredAsset(view, { ticker });
    if (!asset.ok) return asset;
    const { listedBy, canonicalId } = asset.value;
    return ok({ ticker: asset.value.ticker, canonicalId, listedBy: venueIds(listedBy) });
  }
  const pair = nameStoredPair(view, { ticker, venue: at });
  if (!pair.ok) return pair;
  const { venue, symbol, canonicalId } = pair.value;
  const venues = [venue.info.id];
  return ok({ ticker: pair.value.ticker, canonicalId, listedBy: venues, venues, symbol });
}

/** Payments of all contracts of a window, for the sums beside rates as shown. */
async function paymentsOf(
  reader: HistoryQueries,
  scope: Scope,
  { aggregation }: HistoryWindow,
): Promise<Result<readonly SettledBucket[]>> {
  return fromStore(await reader.settled(scope, AGGREGATION_MS[aggregation]));
}

/** A bucket with its rate. */
interface BucketRate extends IntervalRate {
  readonly venue: VenueId;
  readonly symbol: string;
  readonly listedAt: UnixMs;
  readonly start: UnixMs;
  readonly lastAt: UnixMs;
  readonly rate: number;
  readonly price: number | null;
  readonly samples: number;
  readonly basis: (typeof BASES)[number];
  readonly origin: Origin;
}

/**
 * Mean of the samples with a rate, and mean mark, by venue and bucket.
 *
 * @param buckets of one contract a venue, as `storedSeries` has them
 */
export function sampledRates(buckets: readonly SeriesBucket[]): readonly BucketRate[] {
  return buckets.flatMap((bucket): readonly BucketRate[] => {
    const { venue, symbol, listedAt, start, lastAt, means, intervalHours, intervalChanged } = bucket;
    if (means.rate === undefined) return [];
    const { mean: rate, samples } = means.rate;
    const price = means.mark?.mean ?? null;
    const origin = originOf(bucket);
    const values = { rate, price, intervalHours, intervalChanged, samples, origin };
    return [{ venue, symbol, listedAt, start, lastAt, ...values, basis: 'sampled' }];
  });
}

/** The same of what was paid: the price is the mean of the marks that came with the payments. */
export function settledRates(buckets: readonly SettledBucket[]): readonly BucketRate[] {
  return buckets.map(({ meanRate, meanMark, payments, ...bucket }) => ({
    venue: bucket.venue,
    symbol: bucket.symbol,
    listedAt: bucket.listedAt,
    start: bucket.start,
    lastAt: bucket.lastAt,
    rate: meanRate,
    price: meanMark ?? null,
    intervalHours: bucket.intervalHours,
    intervalChanged: bucket.intervalChanged,
    samples: payments,
    basis: 'settled',
    origin: 'settled',
  }));
}

/** Rates as shown, and payments in the buckets of a venue in which none was seen. */
export function sampledOrSettled(
  shown: readonly BucketRate[],
  paid: readonly BucketRate[],
): readonly BucketRate[] {
  const keyOf = ({ venue, start }: BucketRate): string => `${venue}\t${start}`;
  const seen = new Set(shown.map(keyOf));
  return [...shown, ...paid.filter((rate) => !seen.has(keyOf(rate)))].sort(byVenueAndTime);
}

const bucketKey = ({ venue, symbol, listedAt, start }: Listing & { readonly start: UnixMs }): string =>
  [venue, symbol, listedAt, start].join('\t');

/**
 * avg_funding_rate, avg_price by venue and bucket.
 *
 * @param payments of the window, of these contracts and others
 */
export function historyOf(
  { ticker, canonicalId, window, listedBy }: HistoryQuestion,
  rows: readonly BucketRate[],
  payments: readonly SettledBucket[],
): ProductAnswer<FundingHistorical> {
  const paid = new Map(payments.map((bucket) => [bucketKey(bucket), bucket]));
  const used = [...new Set(rows.map(({ venue }) => venue))];
  const body: FundingHistorical = {
    ticker,
    canonical_id: canonicalId,
    ...statedWindow(window),
    venues_count: used.length,
    buckets: rows.map((row) => ({
      venue: row.venue,
      venue_symbol: row.symbol,
      bucket_start: iso(row.start),
      avg_funding_rate: row.rate,
      avg_price: row.price,
      ...intervalValues(row),
      ...paidValues(paid.get(bucketKey(row))),
      samples: row.samples,
      basis: row.basis,
      origin: row.origin,
      partial: isPartial(window, row.start),
    })),
    note: NOTE,
  };
  const missing = listedBy.filter((venue) => !used.includes(venue));
  return { body, asOf: historyAsOf(rows), sources: { used, missing } };
}
