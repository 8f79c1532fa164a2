import { HOUR_MS } from '../runtime/duration.ts';
import type { UnixMs } from './units.ts';

/** Venues open a contract about the time that they state: what began so shortly before it is of the same contract. */
const LAUNCH_MS = HOUR_MS;

/**
 * True if a symbol is another contract than before: the data held under it began before its venue listed the present one.
 *
 * @param since when what is held of the symbol began
 * @param listedAt the venue's own time of the listing; undefined = not stated, or still ahead
 */
export const isRelisted = (since: UnixMs, listedAt: UnixMs | undefined): boolean =>
  listedAt !== undefined && listedAt - since > LAUNCH_MS;

/** A stated time of a listing that has passed. */
export const passedListing = (listedAt: UnixMs | undefined, now: number): UnixMs | undefined =>
  listedAt !== undefined && listedAt <= now ? listedAt : undefined;
