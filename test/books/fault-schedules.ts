import type { BookFaultKind } from '@perpmeter/sim/books/book-faults';
import type { Pairing } from '../venues/sim-run.ts';
import { smallWorld } from '../venues/small-world.ts';
import { tradedAt } from './sim-rig.ts';
import { runSchedule, type Tolerance } from './sim-schedule.ts';

/** When schedules begin. */
export const AT = Date.UTC(2026, 9, 20, 13, 20, 0);

/** Faults that lose messages and leave the rest in order. */
const LOSSES: readonly BookFaultKind[] = ['book-gap', 'book-stall'];
/** The time for which a venue's own rules allow a quote to be wrong, as its feed states them. */
function toleranceOf({ adapter: { books } }: Pairing, kind: BookFaultKind): Tolerance | undefined {
  if (books === undefined) return undefined;
  const { continuity, crossed, splitsMoments } = books;
  // A lost message shows with the next comparison with REST only.
  if (LOSSES.includes(kind) && !continuity.detectsLoss && continuity.isSnapshotOnly !== true)
    return { reason: 'its numbers cannot reveal a loss', wrongMs: 150_000, backMs: 150_000 };
  // A false level that is newer stands until the next delta; three moments in a row are crossed at most.
  if (kind === 'book-crossed' && crossed === 'uncross')
    return { reason: 'of two levels that cross the older one is dropped', wrongMs: 3500, backMs: 5000 };
  // The loss of the last message of a moment shows with the next moment.
  if (splitsMoments === true)
    return { reason: 'several messages for one moment', wrongMs: 1500, backMs: 5000 };
  return undefined;
}

/** Contracts of a listing: some venues send the books of all of them in one stream, and three are looked at. */
const LISTED = 12;
export const world = smallWorld(1, LISTED);

/** Contracts of the venue that are looked at. */
export const tradedOf = (pairing: Pairing) => tradedAt(pairing, world, AT, 3);

/** Plays the schedule of a seed at one venue. Returns what went wrong, or undefined. */
export function playFault(pairing: Pairing, kind: BookFaultKind, seed: number): Promise<string | undefined> {
  const leave = toleranceOf(pairing, kind);
  return runSchedule({ pairing, world, traded: tradedOf(pairing), kind, seed, at: AT, leave });
}
