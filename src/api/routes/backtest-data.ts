import Type from 'typebox';
import { BOOK_REASONS, backtestData as product } from '../../analytics/backtest-data.ts';
import { AGGREGATION_MS } from '../../analytics/history-window.ts';
import { namePair } from '../../analytics/select.ts';
import { fail, ok } from '../../domain/errors.ts';
import { publicNumbers } from '../answers/public-numbers.ts';
import { backtestFile, backtestFileName, FILE_FORMATS, FILE_TYPES } from '../backtest-file.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/backtest-data.json' with { type: 'json' };
import { fromStore, historyAnswer, nothingKnown, notStored, ofContract, readerOf } from '../history.ts';
import { readHistoryWindow } from '../request/window.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  tickerParameter,
  timestamp,
  venueName,
  venueParameter,
} from '../schema.ts';
import {
  aggregationName,
  aggregationParameter,
  asOfParameter,
  bucketSymbol,
  originName,
  partialBucket,
  requiredFrom,
  requiredTo,
} from '../schema-history.ts';

const MAX_BUCKETS = 10_000;

const figure = (description: string) => Type.Optional(nullable(number(description)));

const row = Type.Object({
  ts: timestamp('Start of the bucket'),
  venue_symbol: bucketSymbol,
  origin: originName,
  sources: Type.Array(originName),
  partial: partialBucket,
  completeness_pct: number('The least complete of the columns asked for, percent of the minutes passed'),
  funding_rate: figure(
    'Mean of the rates as shown, fraction per interval; this and the following three absent with include_funding=false',
  ),
  funding_samples: Type.Optional(integer('Values that the mean rate is of')),
  settled_funding_rate: figure('Mean of the payments made in the bucket, fraction per interval'),
  settled_payments: Type.Optional(integer('Payments made in the bucket')),
  perp_price: nullable(number('Mean mark price')),
  best_bid: figure(
    'Best bid of the last fresh book; this and the following, all of that book, with include_orderbook=true',
  ),
  best_ask: figure('Last best ask'),
  spread_bps: figure('(ask - bid) / mid x 10000'),
  bid_depth_usd: figure('Visible bids within 100 bps of the mid, US dollars'),
  ask_depth_usd: figure('Visible asks within 100 bps of the mid, US dollars'),
  slippage_1k_bps: figure('Slippage of 1,000 USD, the worse of both sides; null where it was not filled'),
  slippage_5k_bps: figure('The same of 5,000 USD'),
  slippage_10k_bps: figure('The same of 10,000 USD'),
  book_reason: Type.Optional(
    nullable(
      oneOf(Object.keys(BOOK_REASONS), {
        description: `Why an order-book field is null: ${Object.entries(BOOK_REASONS)
          .map(([word, why]) => `${word}: ${why}`)
          .join('; ')}`,
      }),
    ),
  ),
});

const percentOf = (what: string) => number(`Of ${what}, percent of the minutes passed`);

export const backtestData = defineRoute({
  id: 'backtest-data',
  path: '/v1/backtest/data',
  access: 'paid',
  summary: 'Packaged series for a backtest',
  description:
    'Time series of one ticker on one venue in buckets of 1 hour, 4 hours or a day, 10,000 at most: mean funding rate as shown, payments in the bucket in which they were made, mean price, and on request touch, depth and slippage of the last book of each bucket; origin of each bucket, completeness of each column and sources are stated. JSON, CSV or Parquet.',
  tags: ['backtest', 'history', 'funding-rate', 'orderbook'],
  freshness: 'history',
  fileTypes: Object.values(FILE_TYPES),
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({
    venue: venueParameter,
    ticker: tickerParameter,
    from: requiredFrom,
    to: requiredTo,
    granularity: aggregationParameter,
    include_funding: Type.Optional(Type.Boolean({ default: true, description: 'With funding rates' })),
    include_orderbook: Type.Optional(
      Type.Boolean({ default: false, description: 'With the last order-book figures of each bucket' }),
    ),
    as_of: asOfParameter,
    format: Type.Optional(
      oneOf(['json', ...FILE_FORMATS], {
        description: 'csv and parquet have the rows, with venue and ticker in each; ts is then a column',
        default: 'json',
      }),
    ),
  }),
  output: Type.Object({
    venue: venueName,
    ticker: tickerName,
    canonical_id: canonicalIdName,
    granularity: aggregationName,
    from_ts: timestamp('Start of the window'),
    to_ts: timestamp('End of the window, not included'),
    data: Type.Array(row),
    metadata: Type.Object({
      samples_count: integer('Samples that the rows are made of'),
      completeness_pct: number('The least complete of the columns asked for'),
      completeness: Type.Object({
        funding: Type.Optional(percentOf('funding_rate')),
        price: percentOf('perp_price'),
        book: Type.Optional(percentOf('the order-book fields, all of them')),
      }),
      data_sources: Type.Array(originName),
      methodology: text('How the figures are made, and what they leave out'),
    }),
  }),
  example: {
    request:
      '/v1/backtest/data?venue=binance&ticker=BTC&granularity=4h&from=2026-11-20T08:00:00Z&to=2026-11-20T16:00:00Z',
    answer: example,
  },
  resolve: (input, { market, clock }) => {
    const pair = namePair(market, input);
    if (!pair.ok) return pair;
    const { granularity = '1h', include_funding = true, include_orderbook = false, format = 'json' } = input;
    const now = clock.now();
    const rule = { capMs: MAX_BUCKETS * AGGREGATION_MS[granularity], defaultMs: 0 };
    const { from, to, as_of: asOfText } = input;
    const parsed = readHistoryWindow({ aggregation: granularity, from, to, asOf: asOfText }, rule, now);
    if (!parsed.ok) return parsed;
    const { window, asOf } = parsed.value;
    const { ticker, canonicalId, venue, symbol } = pair.value;
    const question = {
      ...{ venue: venue.info.id, ticker, canonicalId, symbol, window },
      ...{ includeFunding: include_funding, includeOrderbook: include_orderbook },
    };
    return ok({ question, asOf, format });
  },
  answer: async ({ question, asOf, format }, services) => {
    const reader = readerOf(services);
    const { canonicalId, venue, window, includeFunding, includeOrderbook } = question;
    const scope = { canonicalId, venue, from: window.from, to: window.to, asOf };
    const parts = {
      measures: includeFunding ? (['rate', 'mark'] as const) : (['mark'] as const),
      book: includeOrderbook,
      coverage: true,
    };
    const stepMs = AGGREGATION_MS[window.aggregation];
    const [sampled, settled] = await Promise.all([
      reader.buckets(scope, parts, stepMs),
      includeFunding ? reader.settled(scope, stepMs) : undefined,
    ]);
    const buckets = fromStore(sampled);
    if (!buckets.ok) return buckets;
    const payments = settled === undefined ? ok([]) : fromStore(settled);
    if (!payments.ok) return payments;
    const kept = ofContract(buckets.value, question);
    const paid = ofContract(payments.value, question);
    if (kept.length + paid.length === 0) {
      const other = notStored(services, question);
      return other === undefined ? nothingKnown(reader, scope, 'mark', 'sample') : fail(other);
    }
    const answer = product(question, kept, paid);
    const result = historyAnswer(answer);
    if (!result.ok || format === 'json') return result;
    const bytes = backtestFile(publicNumbers(answer.body), question, format);
    const fileName = backtestFileName(answer.body, format);
    return ok({ ...result.value, content: { bytes, contentType: FILE_TYPES[format], fileName } });
  },
});
