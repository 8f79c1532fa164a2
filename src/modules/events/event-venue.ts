import type { VenueId } from '../../domain/venue.ts';
import type { EventDecoder } from './event-rows.ts';

/** The decoder of a venue's liquidations and trades: frames of its sockets, and answers of these paths. */
export interface EventVenue {
  readonly id: VenueId;
  /** Paths of REST with `*` for any segment. */
  readonly paths: readonly string[];
  readonly decode: EventDecoder;
}
