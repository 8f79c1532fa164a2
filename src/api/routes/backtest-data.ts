import Type from 'typebox';
import { backtestData as product } from '../../analytics/backtest-data.ts';
import { AGGREGATION_MS } from '../../analytics/past-window.ts';
import { namePair } from '../../analytics/select.ts';
import { fail, ok } from '../../domain/errors.ts';
import { publicNumbers } from '../answers/public-numbers.ts';
import { backtestFile, FILE_FORMATS, FILE_TYPES } from '../backtest-file.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/backtest-data.json' with { type: 'json' };
import { fromStore, nothingKnown, notKept, ofContract, pastFacts, readerOf } from '../past.ts';
import { readAsOf, readWindow } from '../request/window.ts';
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
  requiredFrom,
  requiredTo,
} from '../schema-past.ts';

const MAX_BUCKETS = 10_000;

const figure = (description: string) => Type.Optional(nullable(number(description)));

const row = Type.Object({
  ts: timestamp('Start of the bucket'),
  funding_rate: figure('Mean rate, fraction per interval; absent with include_funding=false'),
  funding_samples: Type.Optional(integer('Values that the mean rate is of')),
  perp_price: nullable(number('Mean mark price')),
  best_bid: figure('Last best bid; this and the following with include_orderbook=true'),
  best_ask: figure('Last best ask'),
  spread_bps: figure('(ask - bid) / mid x 10000'),
  bid_depth_usd: figure('Visible bids within 100 bps of the mid, US dollars'),
  ask_depth_usd: figure('Visible asks within 100 bps of the mid, US dollars'),
  slippage_1k_bps: figure('Slippage of 1,000 USD, the worse of both sides; null where it was not filled'),
  slippage_5k_bps: figure('The same of 5,000 USD'),
  slippage_10k_bps: figure('The same of 10,000 USD'),
});

export const backtestData = defineRoute({
  id: 'backtest-data',
  path: '/v1/backtest/data',
  sale: 'paid',
  summary: 'Packaged series for a backtest',
  description:
    'Time series of one ticker on one venue in buckets of 1 hour, 4 hours or a day, 10,000 at most: mean funding rate with its samples, mean price, and on request the last touch, depth and slippage of each bucket; completeness and sources are stated. JSON, CSV or Parquet.',
  tags: ['backtest', 'history', 'funding-rate', 'orderbook'],
  freshness: 'past',
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
        description: 'csv and parquet have the rows alone; ts is then a column',
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
      samples_count: integer('Samples that the rows are made of', 1),
      completeness_pct: number('Expected samples that are there, percent of the time that has passed'),
      data_sources: Type.Array(
        oneOf(['sampled', 'backfilled'], {
          description: 'Sampled each minute by this service, or told by the venue afterwards',
        }),
      ),
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
    const window = readWindow({ aggregation: granularity, from: input.from, to: input.to }, rule, now);
    if (!window.ok) return window;
    const asOf = readAsOf(input.as_of, now);
    if (!asOf.ok) return asOf;
    const { ticker, canonicalId, venue, symbol } = pair.value;
    const question = {
      ...{ venue: venue.info.id, ticker, canonicalId, symbol, window: window.value, now },
      ...{ includeFunding: include_funding, includeOrderbook: include_orderbook },
    };
    return ok({ question, asOf: asOf.value, format });
  },
  answer: async ({ question, asOf, format }, services) => {
    const reader = readerOf(services);
    const { canonicalId, venue, window, includeFunding, includeOrderbook } = question;
    const scope = { canonicalId, venue, from: window.from, to: window.to, asOf };
    const parts = {
      measures: includeFunding ? (['rate', 'mark'] as const) : (['mark'] as const),
      book: includeOrderbook,
    };
    const stepMs = AGGREGATION_MS[window.aggregation];
    const buckets = fromStore(await reader.buckets(scope, parts, stepMs));
    if (!buckets.ok) return buckets;
    const kept = ofContract(buckets.value, question);
    if (kept.length === 0) {
      const other = notKept(services, question);
      return other === undefined ? nothingKnown(reader, scope, 'mark', 'sample') : fail(other);
    }
    const fact = product(question, kept);
    const facts = pastFacts(fact);
    if (!facts.ok || format === 'json') return facts;
    const bytes = backtestFile(publicNumbers(fact.body), question, format);
    return ok({ ...facts.value, content: { bytes, contentType: FILE_TYPES[format] } });
  },
});
