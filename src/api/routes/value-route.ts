import Type, { type TProperties } from 'typebox';
import { AGGREGATION_MS, type Aggregation } from '../../analytics/history-window.ts';
import type { ProductAnswer } from '../../analytics/product-answer.ts';
import { namePair } from '../../analytics/select.ts';
import type { ValueHistory, ValueHistoryQuery } from '../../analytics/value-history.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import type { Measure, SeriesBucket } from '../../domain/series.ts';
import type { UnixMs } from '../../domain/units.ts';
import { defineRoute } from '../define-route.ts';
import {
  correctionsOf,
  fromStore,
  historyAnswer,
  nothingKnown,
  notStored,
  ofContract,
  readerOf,
} from '../history.ts';
import { days, readHistoryWindow } from '../request/window.ts';
import type { Route, RouteText, Services } from '../route.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
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
  bucketStart,
  bucketSymbol,
  bucketVenue,
  fromParameter,
  originName,
  partialBucket,
  toParameter,
  windowEnd,
  windowStart,
} from '../schema-history.ts';

const CAP_DAYS: Readonly<Record<Aggregation, number>> = { '1h': 30, '4h': 60, '1d': 90 };
const DEFAULT_DAYS = 7;

const query = Type.Object({
  ticker: tickerParameter,
  venue: venueParameter,
  aggr: aggregationParameter,
  from: fromParameter(`${DEFAULT_DAYS} days ago`),
  to: toParameter,
  as_of: asOfParameter,
});

const correction = Type.Object({
  factor: nullable(number('What the stored value is times; null where it cannot be known and is left out')),
  recorded_before: timestamp('What was recorded before this moment is concerned'),
  known_at: timestamp('As of an earlier moment the answer is uncorrected'),
  reason: text('What was wrong'),
});

/** What one value's history says that another's does not. */
interface ValueSpec extends Omit<RouteText, 'access' | 'freshness'> {
  /** Means of a bucket that the answer is made of; without the first there is none. */
  readonly measures: readonly [Measure, ...Measure[]];
  /** The first measure in words: `open interest`. */
  readonly name: string;
  /** Schema of a bucket's value. */
  readonly value: TProperties;
  readonly history: (
    question: ValueHistoryQuery,
    buckets: readonly SeriesBucket[],
  ) => ProductAnswer<ValueHistory>;
}

/** The route of one value's history on one venue. */
export function valueRoute({ measures, name, value, history, ...about }: ValueSpec): Route {
  return defineRoute({
    ...about,
    access: 'paid',
    freshness: 'history',
    query,
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
          venue_symbol: bucketSymbol,
          bucket_start: bucketStart,
          ...value,
          samples: integer('Values that the mean is of', 1),
          origin: originName,
          partial: partialBucket,
        }),
      ),
      units_note: text('What the figures count'),
      corrections: Type.Optional(Type.Array(correction)),
    }),
    resolve: valueHistoryQuery,
    answer: async ({ question, asOf }, services) => {
      const reader = readerOf(services);
      const { canonicalId, venue, window } = question;
      const scope = { canonicalId, venue, from: window.from, to: window.to, asOf };
      const stepMs = AGGREGATION_MS[window.aggregation];
      const buckets = fromStore(await reader.buckets(scope, { measures }, stepMs));
      if (!buckets.ok) return buckets;
      const fact = history(question, ofContract(buckets.value, question));
      if (fact.body.buckets.length === 0) {
        const other = notStored(services, question);
        return other === undefined ? nothingKnown(reader, scope, measures[0], name) : fail(other);
      }
      const corrections = correctionsOf(reader, scope, measures);
      return historyAnswer(
        corrections.length === 0 ? fact : { ...fact, body: { ...fact.body, corrections } },
      );
    },
  });
}

/** A question about the asset, or about one contract of it. */
type ContractQuery = ValueHistoryQuery & { readonly symbol: string | undefined };

/** What a request for the history of one value on one venue is about. */
function valueHistoryQuery(
  { ticker: name, venue: at, aggr = '1h', from, to, as_of: asOfText }: Type.Static<typeof query>,
  { market, clock }: Services,
): Result<{ readonly question: ContractQuery; readonly asOf: UnixMs | undefined }> {
  const pair = namePair(market, { ticker: name, venue: at });
  if (!pair.ok) return pair;
  const now = clock.now();
  const rule = { capMs: days(CAP_DAYS[aggr]), defaultMs: days(DEFAULT_DAYS) };
  const parsed = readHistoryWindow({ aggregation: aggr, from, to, asOf: asOfText }, rule, now);
  if (!parsed.ok) return parsed;
  const { window, asOf } = parsed.value;
  const { ticker, canonicalId, venue, symbol } = pair.value;
  const question = { ticker, canonicalId, venue: venue.info.id, symbol, window };
  return ok({ question, asOf });
}
