import type { UnixMs } from '../domain/units.ts';
import { MINUTE_MS } from '../runtime/duration.ts';

/** Back-fill takes minutes, and some hours are written late. */
const REREAD_MS = 5 * MINUTE_MS;

/** A reading of the stored hours before the end of one. */
export interface HoursRead {
  /** The end of the last whole hour then. */
  readonly to: UnixMs;
  readonly at: UnixMs;
  /** True where each hour that was asked for was stored. */
  readonly isWhole: boolean;
}

/**
 * Tells that a reading still says what is stored. Stored hours stay as they are, so that a whole one holds until the next hour
 * ends; one with holes holds for five minutes, since they may be filled.
 *
 * @param to the end of the last whole hour now
 */
export const stillHolds = (read: HoursRead | undefined, to: UnixMs, now: UnixMs): boolean =>
  read?.to === to && (read.isWhole || now - read.at < REREAD_MS);
