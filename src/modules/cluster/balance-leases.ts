import type { VenueId } from '../../domain/venue.ts';
import type { MoveReason } from '../../feed/ports.ts';
import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';

/**
 * A collector's report about itself, once a second. Times are spans of its own clock: nobody's has to agree
 * with another's.
 */
export interface CollectorReport {
  readonly name: string;
  /** The cost of each venue whose lease it holds: characters of changes that it publishes a second. */
  readonly held: Readonly<Record<VenueId, number>>;
  /**
   * The time for which each venue that it collects has been live here without a break, ms; negative: the time
   * for which it has not.
   */
  readonly reach: Readonly<Record<VenueId, number>>;
  /** Since it last took or gave a lease. */
  readonly settledMs: number;
  /** For how long it has given up work because its machine is too slow; 0 where it has not. */
  readonly overloadedMs: number;
  /** Since it last did; null = never. */
  readonly calmMs: number | null;
}

export interface Move {
  readonly venue: VenueId;
  readonly from: string;
  readonly to: string;
  readonly reason: MoveReason;
}

/** A venue is given up when it was not live for this long at its holder. */
const UNREACHED_MS = 5 * SECOND_MS;
/** It goes to a collector at which it has been live for this long. */
const REACHED_MS = 10 * SECOND_MS;
/** Loads are measured for this long between two moves of one collector. */
const SETTLED_MS = 10 * SECOND_MS;
const OVERLOADED_MS = 5 * SECOND_MS;
/** A collector that was overloaded takes no lease for a while, or those it gave would come back to it. */
const CALM_MS = 10 * MINUTE_MS;
/** A collector with this many times its fair share lets go of something … */
const TOO_MUCH = 1.25;
/** … if the other stays below it by this part of a fair share: what is measured a bit otherwise moves nothing back. */
const MARGIN = 0.25;
/** A venue that says nothing costs its holder a little all the same. */
const MIN_COST = 100;

const costOf = ({ held }: CollectorReport, venue: VenueId): number => Math.max(MIN_COST, held[venue] ?? 0);

function loadOf(member: CollectorReport): number {
  return Object.keys(member.held).reduce((sum, venue) => sum + costOf(member, venue), 0);
}

const reaches = ({ reach }: CollectorReport, venue: VenueId): boolean => (reach[venue] ?? 0) >= REACHED_MS;

const isSettled = ({ settledMs }: CollectorReport): boolean => settledMs >= SETTLED_MS;

const isCalm = ({ overloadedMs, calmMs }: CollectorReport): boolean =>
  overloadedMs === 0 && (calmMs === null || calmMs >= CALM_MS);

/** The same order wherever it is computed. */
const byLoad = (members: readonly CollectorReport[]): CollectorReport[] =>
  members.toSorted((a, b) => loadOf(a) - loadOf(b) || (a.name < b.name ? -1 : 1));

/**
 * Leases that are better held by another: all of venues that their holder cannot reach and another can, and one
 * at most for the sake of load. Every collector that computes it from the same reports finds the same.
 */
export function movesOf(reports: readonly CollectorReport[]): readonly Move[] {
  const members = byLoad(reports);
  const urgent = members.flatMap((from) => unreached(from, members));
  if (urgent.length > 0) return urgent;
  const takers = members.filter((member) => isSettled(member) && isCalm(member));
  const fair = members.reduce((sum, member) => sum + loadOf(member), 0) / members.length;
  for (const from of members.toReversed()) {
    if (!isSettled(from)) continue;
    const isOverloaded = from.overloadedMs >= OVERLOADED_MS;
    if (!isOverloaded && loadOf(from) <= TOO_MUCH * fair) continue;
    const reason = isOverloaded ? 'overload' : 'share';
    for (const to of takers) {
      const most = isOverloaded ? Number.POSITIVE_INFINITY : loadOf(from) - loadOf(to) - MARGIN * fair;
      const venue = costliest(from, to, most);
      if (venue !== undefined) return [{ venue, from: from.name, to: to.name, reason }];
    }
  }
  return [];
}

function unreached(from: CollectorReport, members: readonly CollectorReport[]): readonly Move[] {
  return Object.keys(from.held).flatMap((venue) => {
    if ((from.reach[venue] ?? 0) > -UNREACHED_MS) return [];
    const to = members.find((member) => member !== from && reaches(member, venue));
    return to === undefined ? [] : [{ venue, from: from.name, to: to.name, reason: 'unreached' as const }];
  });
}

/** The venue that costs most of those that cost no more than this. */
function costliest(from: CollectorReport, to: CollectorReport, most: number): VenueId | undefined {
  if (from === to) return undefined;
  return Object.keys(from.held)
    .filter((venue) => costOf(from, venue) <= most && reaches(to, venue))
    .sort((a, b) => costOf(from, b) - costOf(from, a) || (a < b ? -1 : 1))[0];
}
