import type { VenueId } from '../domain/venue.ts';
import type { OfEra } from './era-values.ts';
import type { LastShown } from './queries/shown-contracts.ts';

/**
 * The contract that each venue showed last over all eras of an asset. A contract in the present unit stands before one in a
 * former unit, and of two in one unit that which was shown last.
 */
export function joinShown(
  found: readonly OfEra<ReadonlyMap<VenueId, LastShown>>[],
): ReadonlyMap<VenueId, LastShown> {
  const last = new Map<VenueId, LastShown>();
  const inPresentUnit = new Set<VenueId>();
  for (const { era, value } of found) {
    const isPresent = era.factor === 1;
    for (const [venue, shown] of value) {
      const held = last.get(venue);
      const isLater = held === undefined || shown.at >= held.at;
      const stands = inPresentUnit.has(venue) === isPresent ? isLater : isPresent || held === undefined;
      if (!stands) continue;
      last.set(venue, shown);
      if (isPresent) inPresentUnit.add(venue);
    }
  }
  return last;
}
