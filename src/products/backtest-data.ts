import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { fail, ok } from '../domain/errors.ts';
import type { SeriesBucket, SettledBucket } from '../domain/series.ts';
import { timeFault, timeParameter } from './answer/csv-time.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import { publicNumbers } from './answer/public-numbers.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/backtest-data.json' with { type: 'json' };
import { answersAsOf } from './history/as-of.ts';
import {
  type BacktestQuestion,
  completenessOf,
  completenessSchema,
  fundingOf,
  intervalOf,
  type KnownBucket,
  knownBuckets,
  leastOf,
  passedMinutes,
} from './history/backtest-buckets.ts';
import { backtestFile, backtestFileName, FILE_FORMATS, FILE_TYPES } from './history/backtest-file.ts';
import { bookFields, bookValues } from './history/book-fields.ts';
import {
  AGGREGATION_MS,
  aggregationName,
  aggregationParameter,
  bucketSymbol,
  historyAsOf,
  isPartial,
  ORIGINS,
  type Origin,
  originName,
  originOf,
  partialBucket,
  samplesOf,
  statedEnd,
} from './history/buckets.ts';
import { intervalFields, intervalValues, paidFields, paidValues } from './history/interval-fields.ts';
import { SERIES_NOTE } from './history/series-contract.ts';
import { nothingKnown, notStored, readerOf, storedSeries } from './history/stored.ts';
import { readWindow, requiredFrom, requiredTo } from './history/window.ts';
import { tickerParameter, venueParameter } from './rows/asked.ts';
import { nameStoredPair } from './rows/select-stored.ts';

const MAX_BUCKETS = 10_000;

const query = Type.Object({
  venue: venueParameter,
  ticker: tickerParameter,
  from: requiredFrom,
  to: requiredTo,
  granularity: aggregationParameter,
  include_funding: Type.Boolean({ default: true, description: 'With funding rates' }),
  include_orderbook: Type.Boolean({
    default: false,
    description: 'With order books, the last figures of each bucket',
  }),
  format: oneOf(['json', ...FILE_FORMATS], {
    description: 'csv and parquet have the rows, with venue and ticker in each; ts is then a column',
    default: 'json',
  }),
  time: timeParameter,
});

const fundingSource = oneOf(ORIGINS, {
  description:
    'What funding_rate is of: rates as shown, payments, or rates that the venue reported afterwards',
});

const figure = (description: string) => Type.Optional(nullable(number(description)));

const row = Type.Object({
  ts: timestamp('Start of the bucket'),
  venue_symbol: bucketSymbol,
  origin: originName,
  sources: Type.Array(originName),
  partial: partialBucket,
  completeness_pct: number('The least complete of the columns asked for, percent of the minutes passed'),
  funding_rate: figure(
    'Mean of the rates as shown, fraction per interval; where none was, of the payments made in the bucket; this and the following eight absent with include_funding=false',
  ),
  funding_samples: Type.Optional(integer('Values that funding_rate is the mean of')),
  funding_source: Type.Optional(nullable(fundingSource)),
  settled_funding_rate: figure('Mean of the payments made in the bucket, fraction per interval'),
  settled_payments: Type.Optional(paidFields.settled_payments),
  settled_sum: Type.Optional(paidFields.settled_sum),
  funding_interval_hours: figure(
    'Hours that funding_rate is for, as stored of that time: the interval shown with the rates, or the hours that each payment is for; null where not known, or where it changed within the bucket',
  ),
  rate_8h: Type.Optional(intervalFields.rate_8h),
  interval_reason: Type.Optional(intervalFields.interval_reason),
  perp_price: nullable(number('Mean mark price of the samples; null where the bucket has none')),
  ...bookFields,
});

const answer = Type.Object({
  venue: venueName,
  ticker: tickerName,
  canonical_id: canonicalIdName,
  granularity: aggregationName,
  from_ts: timestamp('Start of the window'),
  to_ts: timestamp('End of the window, not included; now, or as_of, where it goes on'),
  data: Type.Array(row),
  metadata: Type.Object({
    samples_count: integer('Samples that the rows are made of'),
    completeness_pct: number('The least complete of the columns asked for'),
    completeness: completenessSchema,
    data_sources: Type.Array(originName),
    methodology: text('How the figures are made, and what they leave out'),
  }),
});

type BacktestData = Static<typeof answer>;

export const backtestData = answersAsOf(
  defineProduct({
    id: 'backtest-data',
    path: '/v1/backtest/data',
    access: 'paid',
    summary: 'Packaged series for a backtest',
    description:
      'Time series of one ticker on one venue in buckets of 1 hour, 4 hours or a day, 10,000 at most: mean funding rate as shown with its interval and the same per eight hours, payments in the bucket in which they were made with their sum, mean price, and on request touch, depth and slippage of the last book of each bucket; origin of each bucket, completeness of each column and sources are stated. JSON, CSV or Parquet.',
    tags: ['backtest', 'history', 'funding-rate', 'orderbook'],
    dependsOn: 'history',
    fileTypes: Object.values(FILE_TYPES),
    revisedAt: '2026-11-30T17:10:00.000Z',
    query,
    answer,
    example: {
      request:
        '/v1/backtest/data?venue=binance&ticker=BTC&granularity=4h&from=2026-11-20T08:00:00Z&to=2026-11-20T16:00:00Z',
      answer: example,
    },
    find: (asked, { market, clock }) => {
      const fault = timeFault(asked);
      if (fault !== undefined) return fail(fault);
      const pair = nameStoredPair(market, asked);
      if (!pair.ok) return pair;
      const { granularity, include_funding, include_orderbook } = asked;
      const rule = { capMs: MAX_BUCKETS * AGGREGATION_MS[granularity], defaultMs: 0 };
      const { from, to } = asked;
      const window = readWindow({ aggregation: granularity, from, to }, rule, clock.now());
      if (!window.ok) return window;
      const { ticker, canonicalId, venue, symbol } = pair.value;
      return ok({
        venue: venue.info.id,
        ticker,
        canonicalId,
        symbol,
        window: window.value,
        includeFunding: include_funding,
        includeOrderbook: include_orderbook,
      });
    },
    compute: async (question, ports, { format, time }) => {
      const reader = readerOf(ports);
      const { canonicalId, venue, window, includeFunding, includeOrderbook } = question;
      const scope = { canonicalId, venues: [venue], from: window.from, to: window.to };
      const measures = includeFunding ? (['rate', 'mark'] as const) : (['mark'] as const);
      const other = notStored(ports, question);
      const stored = await storedSeries(ports, question, scope, AGGREGATION_MS[window.aggregation], {
        samples: { measures, book: includeOrderbook, coverage: true, lastRate: includeFunding },
        payments: includeFunding,
      });
      if (!stored.ok) return stored;
      const { buckets: kept, payments: paid } = stored.value;
      if (kept.length + paid.length === 0) {
        return other === undefined ? nothingKnown(reader, scope, 'mark', 'sample') : fail(other);
      }
      const { body, ...lineage } = seriesOf(question, kept, paid);
      if (format === 'json') return ok({ body, ...lineage });
      const bytes = backtestFile(publicNumbers(body), question, { format, time });
      const content = { bytes, contentType: FILE_TYPES[format], fileName: backtestFileName(body, format) };
      return ok({ content, ...lineage });
    },
  }),
);

const METHODOLOGY = `${SERIES_NOTE} funding_rate (as shown) and perp_price (mark) are means over one-minute samples of the bucket; settled_funding_rate is the mean of the payments made in it, which stand in no hour before. Where no rate was seen funding_rate is that of the payments; funding_source says which. Order-book fields are the last fresh book of the bucket, all of one book, slippage the worse of both sides; book_reason says why one is null. completeness counts the minutes that have passed, by column: a price that the venue reported afterwards covers its hour; a payment covers the bucket in which it was made where no rate was seen; a book covers a bucket where all its fields are known. completeness_pct is the least complete column. Buckets of which nothing is known are left out. Naive baseline: before fees, slippage and latency; not a profit forecast.`;

/**
 * Packaged series of one contract, by bucket.
 *
 * @param buckets with the minutes that their means cover
 * @param payments in the same buckets
 */
export function seriesOf(
  question: BacktestQuestion,
  buckets: readonly SeriesBucket[],
  payments: readonly SettledBucket[],
): ProductAnswer<BacktestData> {
  const { venue, ticker, canonicalId, window } = question;
  const rows = knownBuckets(buckets, payments);
  const completeness = completenessOf(question, rows, passedMinutes(window, window.from, window.to));
  const data = rows.map((known) => rowOf(known, question));
  const body: BacktestData = {
    venue,
    ticker,
    canonical_id: canonicalId,
    granularity: window.aggregation,
    from_ts: iso(window.from),
    to_ts: statedEnd(window),
    data,
    metadata: {
      samples_count: rows.reduce((sum, { samples }) => sum + (samples ? samplesOf(samples) : 0), 0),
      completeness_pct: leastOf(completeness),
      completeness,
      data_sources: ORIGINS.filter((origin) => data.some(({ sources }) => sources.includes(origin))),
      methodology: METHODOLOGY,
    },
  };
  const asOf = historyAsOf(rows);
  return { body, asOf, sources: { used: rows.length > 0 ? [venue] : [], missing: [] } };
}

function rowOf(known: KnownBucket, question: BacktestQuestion): Static<typeof row> {
  const { window, includeFunding, includeOrderbook } = question;
  const { start, symbol, samples, paid } = known;
  const mark = samples?.means.mark;
  const end = start + AGGREGATION_MS[window.aggregation];
  const sources = sourcesOf(known, question);
  return {
    ts: iso(start),
    venue_symbol: symbol,
    origin: samples === undefined ? 'settled' : originOf(samples),
    sources,
    partial: isPartial(window, start),
    completeness_pct: leastOf(completenessOf(question, [known], passedMinutes(window, start, end))),
    ...(includeFunding && {
      ...fundingOf(known),
      settled_funding_rate: paid?.meanRate ?? null,
      ...paidValues(paid),
      ...intervalValues(intervalOf(known)),
    }),
    perp_price: mark?.mean ?? null,
    ...(includeOrderbook && bookValues(samples)),
  };
}

function sourcesOf({ samples, paid }: KnownBucket, { includeFunding }: BacktestQuestion): Origin[] {
  const there: Readonly<Record<Origin, boolean>> = {
    sampled: samples !== undefined && samples.sampled > 0,
    settled: includeFunding && paid !== undefined,
    backfilled: samples !== undefined && samples.backfilled > 0,
  };
  return ORIGINS.filter((origin) => there[origin]);
}
