import Type from 'typebox';
import { AGGREGATION_MS } from '../../analytics/past-window.ts';
import { volumeHistory } from '../../analytics/value-history.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-volume-history.json' with { type: 'json' };
import { fromStore, nothingKnown, pastFacts, readerOf } from '../past.ts';
import {
  canonicalIdName,
  integer,
  number,
  text,
  tickerName,
  tickerParameter,
  venueName,
  venueParameter,
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
import { valueQuestion } from './value-question.ts';

export const perpVolumeHistory = defineRoute({
  id: 'perp-volume-history',
  path: '/v1/perp/volume-history',
  sale: 'paid',
  summary: 'Volume history on a venue',
  description:
    'Rolling 24-hour volume of one ticker on one venue over time, in buckets of 1 hour (30 days at most), 4 hours (60) or a day (90): its mean in US dollars, with the number of samples.',
  tags: ['volume', 'history'],
  freshness: 'past',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({
    ticker: tickerParameter,
    venue: venueParameter,
    aggr: aggregationParameter,
    from: fromParameter('7 days ago'),
    to: toParameter,
    as_of: asOfParameter,
  }),
  output: Type.Object({
    ticker: tickerName,
    venue: venueName,
    canonical_id: canonicalIdName,
    aggregation: aggregationName,
    window_start: windowStart,
    window_end: windowEnd,
    buckets: Type.Array(
      Type.Object({
        venue: bucketVenue,
        bucket_start: bucketStart,
        value: number('Mean of the rolling 24-hour volume, US dollars'),
        samples: integer('Values that the mean is of', 1),
      }),
    ),
    units_note: text('What the figures count'),
  }),
  example: {
    request:
      '/v1/perp/volume-history?ticker=BTC&venue=binance&aggr=4h&from=2026-11-20T08:00:00Z&to=2026-11-20T16:00:00Z',
    answer: example,
  },
  resolve: valueQuestion,
  answer: async ({ question, asOf }, services) => {
    const reader = readerOf(services);
    const { canonicalId, venue, window } = question;
    const scope = { canonicalId, venue, from: window.from, to: window.to, asOf };
    const stepMs = AGGREGATION_MS[window.aggregation];
    const buckets = fromStore(await reader.buckets(scope, { measures: ['volumeUsd'] }, stepMs));
    if (!buckets.ok) return buckets;
    const fact = volumeHistory(question, buckets.value);
    if (fact.body.buckets.length > 0) return pastFacts(fact);
    return nothingKnown(reader, scope, 'volumeUsd', 'volume');
  },
});
