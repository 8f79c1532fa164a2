import type { VenueId } from '../domain/venue.ts';
import { emptyFeedCounts, type Feed, type Leases } from './ports.ts';

/** The leases of a process that has no other beside it: what it strives for, it holds. */
export function embeddedLeases(): Leases {
  const venues = new Set<VenueId>();
  return {
    campaign(venue, taken) {
      if (venues.has(venue)) return;
      venues.add(venue);
      taken(1);
    },
    epoch: (venue) => (venues.has(venue) ? 1 : undefined),
    heard: () => {},
    held: () => [...venues],
    close: async () => venues.clear(),
  };
}

/** The feed of one process, which answers from the table that its own collector fills. */
export function embeddedFeed(): Feed {
  const leases = embeddedLeases();
  return {
    publish: () => ({ venue: ({ id }) => leases.campaign(id, () => {}) }),
    follow: () => ({ health: { all: () => [], of: () => undefined }, want: () => {} }),
    state: () => ({
      kind: 'embedded',
      ok: true,
      held: leases.held(),
      behind: [],
      unreached: [],
      counts: emptyFeedCounts(),
    }),
    release: () => leases.close(),
    close: () => leases.close(),
  };
}
