import type { VenueId } from '../../domain/venue.ts';
import type { Leases } from '../../feed/ports.ts';

/** Leases that one holder can hand to another. */
export interface TransferableLeases extends Leases {
  /**
   * Ends the venue's lease here: the collector that gets the returned epoch may take it on, until the server
   * gives it to another.
   */
  give(venue: VenueId): number | undefined;
  /** Takes on what another gave. */
  accept(venue: VenueId, given: number): Promise<void>;
}
