import Type, { type Static } from 'typebox';
import type { VenueId } from '../../domain/venue.ts';
import type { TrackedVenue } from '../../market/view.ts';
import { integer, venueName } from './schema.ts';

/** The venues behind an answer over several of them: how many list what was asked for, how many are in it, which are away. */
export const venueCoverageFields = {
  venues_listed: integer(
    'Venues that list what was asked for; of a scan over all assets, all that are collected',
  ),
  venues_considered: integer(
    'Of these, venues with a value that is fresh: an answer over several venues rests on them alone',
  ),
  venues_not_live: Type.Array(venueName, {
    description:
      'Of these, venues from which nothing current comes: nothing of them is in an answer over several venues',
  }),
};

const coverage = Type.Object(venueCoverageFields);

/** Venues that an answer could rest on, and those that it rests on. */
export interface VenueCoverage {
  readonly listed: readonly TrackedVenue[];
  readonly considered: ReadonlySet<VenueId>;
}

/**
 * The venues behind an answer, without those that are collected no more: they are no sources that could be missed.
 *
 * @param rows what the answer rests on, each with its venue
 */
export function venueCoverage(
  listed: readonly TrackedVenue[],
  rows: Iterable<{ readonly venue: VenueId }>,
): VenueCoverage {
  const considered = new Set<VenueId>();
  for (const { venue } of rows) considered.add(venue);
  return { listed: listed.filter(({ isRetired }) => !isRetired), considered };
}

/**
 * The coverage as an answer states it. A venue's status is that of the last complete sweep while its rows are brought up to date
 * one after the other: a venue that has just come back is in the answer, and so it is not named as away.
 */
export function statedCoverage({ listed, considered }: VenueCoverage): Static<typeof coverage> {
  return {
    venues_listed: listed.length,
    venues_considered: considered.size,
    venues_not_live: listed.flatMap(({ info, status }) =>
      status === 'live' || considered.has(info.id) ? [] : [info.id],
    ),
  };
}
