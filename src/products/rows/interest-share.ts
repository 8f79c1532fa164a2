import type { VenueId } from '../../domain/venue.ts';

/** Part of an asset's open interest below which what some of its venues say does not stand for the asset. */
export const LEAST_SHARE = 0.5;

/** Part of the weights of all venues that some of them hold; undefined where none weighs anything. */
export function shareOf(
  weights: Iterable<readonly [VenueId, number]>,
  venues: ReadonlySet<VenueId>,
): number | undefined {
  let all = 0;
  let held = 0;
  for (const [venue, weight] of weights) {
    all += weight;
    if (venues.has(venue)) held += weight;
  }
  return all > 0 ? held / all : undefined;
}
