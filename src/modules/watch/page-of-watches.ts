import { badParameter, fail, ok, type Result } from '../../domain/errors.ts';
import type { WatchRecord } from './watch-record.ts';

/** A part of a list of watches. */
export interface WatchPage {
  readonly records: readonly WatchRecord[];
  /** Id behind which the next page begins; undefined on the last. */
  readonly next: string | undefined;
}

/** The newest first; of one moment by their ids, so that pages neither repeat nor skip one. */
const inOrder = (a: WatchRecord, b: WatchRecord): number => b.beganAt - a.beganAt || (a.id < b.id ? -1 : 1);

/**
 * A page of watches, the newest first. One that is sold meanwhile stands before the first page, and moves no other.
 *
 * @param after the `next` of the page before; undefined: the first page
 * @returns 400 where none of them has this id, as of one that was forgotten meanwhile
 */
export function pageOfWatches(
  watches: readonly WatchRecord[],
  after: string | undefined,
  most: number,
): Result<WatchPage> {
  const sorted = watches.toSorted(inOrder);
  const start = after === undefined ? 0 : sorted.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0)
    return fail(badParameter('after', 'no watch of this list has this id: begin again without it'));
  const records = sorted.slice(start, start + most);
  const isLast = start + records.length === sorted.length;
  return ok({ records, next: isLast ? undefined : records.at(-1)?.id });
}
