import { type Outcome, TransportFailure } from '../../../collect/transport-failure.ts';
import type { Answer } from '../../../collect/venue-caller.ts';
import type { VenueId } from '../../../domain/venue.ts';
import type { VenueRequest } from '../../../venues/adapter.ts';
import type { CcxtCall } from '../../../venues/ccxt/profile.ts';

/** Requests to the process that runs ccxt. */
export type Question =
  /** Asks if ccxt has the venue. */
  | { readonly kind: 'open' }
  | { readonly kind: 'load' }
  | { readonly kind: 'call'; readonly call: CcxtCall; readonly symbol?: string };

export type ToCcxt =
  | { readonly kind: 'question'; readonly id: number; readonly venue: VenueId; readonly question: Question }
  | { readonly kind: 'received'; readonly id: number; readonly outcome: Outcome<Answer> };

export type FromCcxt =
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome<unknown> }
  /** A request of ccxt's: it has no connection of its own. */
  | { readonly kind: 'send'; readonly id: number; readonly venue: VenueId; readonly request: VenueRequest };

/** An outcome as it came over the channel, which knows no classes. */
export function received<T>(outcome: Outcome<T>): Outcome<T> {
  if (outcome.ok) return outcome;
  const { kind, reason, status } = outcome.failure;
  return { ok: false, failure: new TransportFailure(kind, reason, status) };
}
