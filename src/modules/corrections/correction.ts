import type { Measure } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { Sample } from '../../history/sample.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';

/** Metrics that are corrected, each with the measures it is read as; `payment_time` corrects no measure but the times of payments. */
export const METRIC_MEASURES = {
  open_interest: ['interest', 'interestUsd'],
  volume_24h: ['volumeUsd'],
  funding_rate: ['rate'],
  payment_time: [],
} as const satisfies Readonly<Record<string, readonly Measure[]>>;

export type Metric = keyof typeof METRIC_MEASURES;

/** The values that were stored wrong, and the error. */
export interface CorrectionTerms {
  /** The same for all revisions; of an id the newest revision stands. */
  readonly id: string;
  /** A venue; `hyperliquid-*` is every venue that begins with `hyperliquid-`. */
  readonly venue: string;
  readonly metric: Metric;
  /** Only rows of this origin; all without it. */
  readonly origin?: Sample['origin'] | undefined;
  /**
   * The stored value times this is the right one; undefined = it cannot be known, and reads as unknown. 1 =
   * nothing is corrected.
   */
  readonly factor: number | undefined;
  /**
   * Of `payment_time`: how much later than stored a payment was made, ms. One that would come to lie after the end of the
   * correction was none yet when it was recorded, and is left out.
   */
  readonly shiftMs?: number | undefined;
  readonly reason: string;
}

/** A correction of what was recorded from `from` (included) to `before` (not). Rows stay as they were written. */
export interface Correction extends CorrectionTerms {
  readonly revision: number;
  readonly from: UnixMs;
  readonly before: UnixMs;
  /** From when on answers follow it: as of an earlier moment they are what they were. */
  readonly knownAt: UnixMs;
}

/** Rows may be dated a little after they were recorded: venues' clocks are not ours. */
const CLOCK_SLACK_MS = HOUR_MS;

export const keyOf = ({ id, revision }: Correction): string => `${id}\t${revision}`;

/** Prefix of the venues of a correction; undefined = one venue. */
export function venuePrefix(venue: string): string | undefined {
  return venue.endsWith('*') ? venue.slice(0, -1) : undefined;
}

/** Of each correction the newest revision that was known by a time; those that correct nothing are left out. */
export function activeAt(all: Iterable<Correction>, at: UnixMs): readonly Correction[] {
  const newest = new Map<string, Correction>();
  for (const one of all) {
    if (one.knownAt > at) continue;
    const held = newest.get(one.id);
    if (held === undefined || held.revision < one.revision) newest.set(one.id, one);
  }
  return [...newest.values()].filter(({ factor, from, before }) => factor !== 1 && from < before);
}

/** The read measures, venues (or all) and time. */
interface Reading {
  readonly venues?: readonly string[] | undefined;
  readonly from: UnixMs;
}

/** Those that may concern rows from a time on: what was recorded before them lies before them, too. */
export function concerning(
  corrections: readonly Correction[],
  { venues, from }: Reading,
  measures: readonly Measure[],
): readonly Correction[] {
  return corrections.filter(
    (correction) =>
      isRead(correction, { venues, from }) && measures.some((measure) => corrects(correction, measure)),
  );
}

/** Those that may concern the times of payments that were made from a time on, or of the last one before it. */
export const concerningPayments = (
  corrections: readonly Correction[],
  { venues, from }: Reading,
): readonly Correction[] =>
  corrections.filter(
    (correction) =>
      correction.metric === 'payment_time' && isRead(correction, { venues, from: asMs(from - DAY_MS) }),
  );

function isRead(correction: Correction, { venues, from }: Reading): boolean {
  const prefix = venuePrefix(correction.venue);
  const isOf = (venue: string): boolean =>
    prefix === undefined ? venue === correction.venue : venue.startsWith(prefix);
  return (venues === undefined || venues.some(isOf)) && correction.before > from - CLOCK_SLACK_MS;
}

/** True if a correction concerns the column that a measure is read from. */
export function corrects({ metric }: Correction, measure: Measure): boolean {
  const measures: readonly Measure[] = METRIC_MEASURES[metric];
  return measures.includes(measure);
}
