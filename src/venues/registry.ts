import type { VenueId } from '../domain/venue.ts';
import type { VenueAdapter } from './adapter.ts';

/** All venues known at start; sub-venues found later come through their parent's discovery. */
export const VENUES: readonly VenueAdapter[] = [];

/** Adapter by identifier, or undefined. */
export function adapterOf(id: VenueId): VenueAdapter | undefined {
  return VENUES.find((venue) => venue.id === id);
}
