import type { VenueId } from '../domain/venue.ts';
import type { VenueRequest } from '../venues/adapter.ts';
import type { Outcome } from './transport-failure.ts';
import type { Answer } from './venue-caller.ts';

/** Sends a request within a venue's budget, after all that live data needs. Never rejects. */
export type SendRequest = (
  venue: VenueId,
  request: VenueRequest,
  terms: {
    readonly pool?: string;
    readonly weight?: number;
    readonly priority: number;
    /** Largest answer that is read, bytes. */
    readonly maxBytes?: number;
  },
) => Promise<Outcome<Answer>>;
