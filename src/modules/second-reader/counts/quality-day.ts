import type { UnixMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import type { Distribution } from './distribution.ts';

/**
 * Counted values: `second` = comparisons with a second way, `paid` = with settled payments, `age` = seconds
 * since a value was stated.
 */
export type QualityKind = 'second' | 'paid' | 'age';

/** The largest difference beyond its tolerance, with what both said. */
export interface WorstComparison {
  readonly symbol: string;
  readonly way: string;
  readonly at: UnixMs;
  readonly shown: number;
  readonly second: number;
  readonly difference: number;
  readonly tolerance: number;
}

/** One measure of one venue over a day or more. */
export interface QualityCount {
  readonly kind: QualityKind;
  readonly venue: VenueId;
  readonly field: string;
  readonly values: Distribution;
  agreed: number;
  worst: WorstComparison | undefined;
}

/** Counts of one day. */
export interface QualityDay extends QualityCount {
  /** Start of the day (UTC). */
  readonly day: UnixMs;
}

/** Keeps days over restarts. */
export interface QualityStore {
  load(): readonly QualityDay[];
  save(changed: readonly QualityDay[], dropped: readonly QualityDay[]): void;
  close(): Promise<void>;
}

const excess = (comparison: WorstComparison | undefined): number =>
  comparison === undefined ? -1 : comparison.difference / Math.max(comparison.tolerance, Number.MIN_VALUE);

/** Picks the comparison that lies further beyond its tolerance. */
export function worse(
  a: WorstComparison | undefined,
  b: WorstComparison | undefined,
): WorstComparison | undefined {
  return excess(b) > excess(a) ? b : a;
}
