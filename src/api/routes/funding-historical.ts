import Type from 'typebox';
import { fundingSettled, fundingHistorical as sampledHistory } from '../../analytics/funding-historical.ts';
import { AGGREGATION_MS, type Aggregation } from '../../analytics/past-window.ts';
import { selectAsset, venueIds } from '../../analytics/select.ts';
import { ok } from '../../domain/errors.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/funding-historical.json' with { type: 'json' };
import { fromStore, nothingKnown, pastFacts, readerOf } from '../past.ts';
import { days, readAsOf, readWindow } from '../request/window.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  tickerParameter,
} from '../schema.ts';
import {
  aggregationName,
  aggregationParameter,
  asOfParameter,
  bucketStart,
  bucketVenue,
  fromParameter,
  toParameter,
  windowEnd,
  windowStart,
} from '../schema-past.ts';

const BASES = ['sampled', 'settled'] as const;
const DEFAULT_DAYS: Readonly<Record<Aggregation, number>> = { '1h': 3, '4h': 7, '1d': 30 };
/** Longest windows, days: samples are kept a month, payments a year and more. */
const CAP_DAYS = { sampled: 30, settled: 400 } as const;

export const fundingHistorical = defineRoute({
  id: 'funding-historical',
  path: '/v1/funding/historical',
  sale: 'paid',
  summary: 'Funding history per venue',
  description:
    'Funding-rate history of one ticker on every venue, in buckets of 1 hour, 4 hours or a day: mean rate as shown (sampled each minute) or as paid (settled), mean mark price and the number of samples. Raw rates, up to 30 days (settled: 400).',
  tags: ['funding-rate', 'history', 'perpetual-futures'],
  freshness: 'past',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({
    ticker: tickerParameter,
    aggr: aggregationParameter,
    from: fromParameter('3 days ago at 1h, 7 at 4h, 30 at 1d'),
    to: toParameter,
    basis: Type.Optional(
      oneOf(BASES, { description: 'Rates as shown, or payments as they happened', default: 'sampled' }),
    ),
    as_of: asOfParameter,
  }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    aggregation: aggregationName,
    window_start: windowStart,
    window_end: windowEnd,
    venues_count: integer('Venues with a bucket', 1),
    buckets: Type.Array(
      Type.Object({
        venue: bucketVenue,
        bucket_start: bucketStart,
        avg_funding_rate: number('Mean rate, fraction per interval of the venue'),
        avg_price: nullable(number('Mean mark price')),
        samples: integer('Values that the mean rate is of', 1),
        basis: oneOf(BASES, { description: 'What the values are' }),
      }),
    ),
    note: text('What the figures are and leave out'),
  }),
  example: {
    request: '/v1/funding/historical?ticker=BTC&aggr=4h&from=2026-11-20T08:00:00Z&to=2026-11-20T16:00:00Z',
    answer: example,
  },
  resolve: (input, { market, clock }) => {
    const asset = selectAsset(market, { ticker: input.ticker });
    if (!asset.ok) return asset;
    const { aggr = '1h', from, to, basis = 'sampled' } = input;
    const now = clock.now();
    const rule = { capMs: days(CAP_DAYS[basis]), defaultMs: days(DEFAULT_DAYS[aggr]) };
    const window = readWindow({ aggregation: aggr, from, to }, rule, now);
    if (!window.ok) return window;
    const asOf = readAsOf(input.as_of, now);
    if (!asOf.ok) return asOf;
    const { ticker, canonicalId, listedBy } = asset.value;
    const question = { ticker, canonicalId, window: window.value, listedBy: venueIds(listedBy) };
    return ok({ question, basis, asOf: asOf.value });
  },
  answer: async ({ question, basis, asOf }, services) => {
    const reader = readerOf(services);
    const { canonicalId, window } = question;
    const scope = { canonicalId, from: window.from, to: window.to, asOf };
    const stepMs = AGGREGATION_MS[window.aggregation];
    if (basis === 'settled') {
      const payments = fromStore(await reader.settled(scope, stepMs));
      if (!payments.ok) return payments;
      const fact = fundingSettled(question, payments.value);
      return fact.body.venues_count > 0
        ? pastFacts(fact)
        : nothingKnown(reader, scope, 'settled', 'funding payment');
    }
    const buckets = fromStore(await reader.buckets(scope, { measures: ['rate', 'mark'] }, stepMs));
    if (!buckets.ok) return buckets;
    const fact = sampledHistory(question, buckets.value);
    return fact.body.venues_count > 0 ? pastFacts(fact) : nothingKnown(reader, scope, 'rate', 'funding rate');
  },
});
