import type { UnixMs } from './units.ts';

/** [price per one ticker unit, size in ticker units]; size 0 removes the level. */
export type BookLevel = readonly [price: number, size: number];

/** Venues count messages in 64 bits at most. */
export const MAX_SEQUENCE = 2 ** 64;

/** One order-book message after decoding; units as in QuotePatch. */
export interface BookUpdate {
  readonly symbol: string;
  readonly kind: 'snapshot' | 'delta';
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  /** Sequence of this message where the venue numbers them. */
  readonly sequence?: number;
  /** First sequence a delta covers. */
  readonly firstSequence?: number;
  /** Sequence the delta must follow. */
  readonly previousSequence?: number;
  readonly venueTime?: UnixMs;
}
