import Type, { type Static, type TProperties } from 'typebox';
import type { Published } from '../../domain/amount.ts';
import { iso } from '../../domain/clock.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import type { Measure, SeriesBucket } from '../../domain/series.ts';
import type { Scope } from '../../history/queries/scope.ts';
import type { ProductAnswer } from '../answer/product-answer.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../answer/schema.ts';
import type { HistoryQueries, Ports } from '../define-product.ts';
import { tickerParameter, venueParameter } from '../rows/asked.ts';
import { nameStoredPair } from '../rows/select-stored.ts';
import {
  AGGREGATION_MS,
  type Aggregation,
  bucketFields,
  type HistoryWindow,
  historyAsOf,
  isPartial,
  originName,
  originOf,
  partialBucket,
  passedEnd,
  statedWindow,
  windowFields,
} from './buckets.ts';
import { SERIES_NOTE } from './series-contract.ts';
import { type HistoryTarget, nothingKnown, notStored, readerOf, storedSeries } from './stored.ts';
import { days, readWindow, windowParameters } from './window.ts';

/** Shared requests and answers of the histories of one value on one venue. */

const CAP_DAYS: Readonly<Record<Aggregation, number>> = { '1h': 30, '4h': 60, '1d': 90 };
const DEFAULT_DAYS = 7;

export const valueHistoryQuery = Type.Object({
  ticker: tickerParameter,
  venue: venueParameter,
  ...windowParameters(`${DEFAULT_DAYS} days ago`),
});

const correction = Type.Object({
  factor: nullable(number('What the stored value is times; null where it cannot be known and is left out')),
  recorded_before: timestamp('What was recorded before this moment is concerned'),
  known_at: timestamp('As of an earlier moment the answer is uncorrected'),
  reason: text('What was wrong'),
});

/** @param value fields of a bucket's value */
export const valueHistorySchema = <V extends TProperties>(value: V) =>
  Type.Object({
    ticker: tickerName,
    venue: venueName,
    canonical_id: canonicalIdName,
    ...windowFields,
    buckets: Type.Array(
      Type.Object({
        ...bucketFields,
        ...value,
        samples: integer('Values that the mean is of', 1),
        origin: originName,
        partial: partialBucket,
      }),
    ),
    units_note: text('What the figures count'),
    note: text('The formula of the figures, and what they leave out'),
    corrections: Type.Optional(Type.Array(correction)),
  });

export interface ValueHistoryQuestion extends HistoryTarget {
  /** The units of the venue's figures. */
  readonly published: Pick<Published, 'openInterest' | 'historicalOpenInterest' | 'volume'>;
  readonly window: HistoryWindow;
}

/** The subject of a request: the asset, or one contract of it, on a venue. */
export function findValueHistory(
  { ticker: name, venue: at, aggr, from, to }: Static<typeof valueHistoryQuery>,
  { market, clock }: Ports,
): Result<ValueHistoryQuestion> {
  const pair = nameStoredPair(market, { ticker: name, venue: at });
  if (!pair.ok) return pair;
  const rule = { capMs: days(CAP_DAYS[aggr]), defaultMs: days(DEFAULT_DAYS) };
  const window = readWindow({ aggregation: aggr, from, to }, rule, clock.now());
  if (!window.ok) return window;
  const { ticker, canonicalId, venue, symbol } = pair.value;
  return ok({
    ticker,
    canonicalId,
    venue: venue.info.id,
    symbol,
    published: venue.info,
    window: window.value,
  });
}

const HISTORY_NOTE = `${SERIES_NOTE} Values are means over the one-minute samples of a bucket, or of what the venue reported afterwards (origin). Leaves out buckets of which nothing is known, and the venue's other contracts of the asset. Naive baseline; not a profit forecast.`;

/**
 * Means by bucket, which `read` takes out of a bucket; one without is left out.
 *
 * @param buckets of one contract, by time
 */
export function meansOf<Value>(
  { ticker, canonicalId, venue, window }: ValueHistoryQuestion,
  buckets: readonly SeriesBucket[],
  note: string,
  read: (means: SeriesBucket['means']) => Value | undefined,
) {
  const rows = buckets.flatMap((bucket) => {
    const value = read(bucket.means);
    return value === undefined ? [] : [{ bucket, value }];
  });
  const body = {
    ticker,
    venue,
    canonical_id: canonicalId,
    ...statedWindow(window),
    buckets: rows.map(({ bucket, value }) => ({
      venue,
      venue_symbol: bucket.symbol,
      bucket_start: iso(bucket.start),
      ...value,
      origin: originOf(bucket),
      partial: isPartial(window, bucket.start),
    })),
    units_note: note,
    note: HISTORY_NOTE,
  };
  const asOf = historyAsOf(rows.map(({ bucket }) => bucket));
  return { body, asOf, sources: { used: rows.length > 0 ? [venue] : [], missing: [] } };
}

/**
 * The history that is stored, with what was corrected of it. 404 no_data where nothing is.
 *
 * @param measures means of a bucket that the answer uses; without the first there is none
 * @param name the first measure in words: `open interest`
 */
export async function storedHistory<Body extends { readonly buckets: readonly unknown[] }>(
  question: ValueHistoryQuestion,
  ports: Ports,
  measures: readonly [Measure, ...Measure[]],
  name: string,
  history: (question: ValueHistoryQuestion, buckets: readonly SeriesBucket[]) => ProductAnswer<Body>,
) {
  const reader = readerOf(ports);
  const { canonicalId, venue, window } = question;
  const scope = { canonicalId, venues: [venue], from: window.from, to: window.to };
  const stepMs = AGGREGATION_MS[window.aggregation];
  const other = notStored(ports, question);
  const series = await storedSeries(ports, question, scope, stepMs, {
    samples: { measures },
    payments: false,
  });
  if (!series.ok) return series;
  const fact = history(question, series.value.buckets);
  if (fact.body.buckets.length === 0) {
    const passed = { ...scope, to: passedEnd(window) };
    return other === undefined ? nothingKnown(reader, passed, measures[0], name) : fail(other);
  }
  const corrections = correctionsOf(reader, scope, measures);
  return ok(corrections.length === 0 ? fact : { ...fact, body: { ...fact.body, corrections } });
}

/** Corrections of values stored wrong within a window, with their present reading. */
function correctionsOf(
  reader: HistoryQueries,
  scope: Scope,
  measures: readonly Measure[],
): Static<typeof correction>[] {
  return reader.changes(scope, measures).map(({ factor, before, knownAt, reason }) => ({
    factor: factor ?? null,
    recorded_before: iso(before),
    known_at: iso(knownAt),
    reason,
  }));
}
