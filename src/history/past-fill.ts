import type { VenueId } from '../domain/venue.ts';
import type { Port } from '../runtime/port.ts';

/** The progress of filling the past of contracts. */
export interface PastFill {
  readonly contracts: number;
  /** Contracts whose past is whole. */
  readonly done: number;
  /** Percent of the contracts whose past is whole. */
  readonly percent: number;
  /** The same of the major assets alone. */
  readonly priorityPercent: number;
  readonly incomplete: readonly IncompleteVenue[];
}

export interface IncompleteVenue {
  readonly venue: VenueId;
  /** Contracts that were asked about and are not whole; undefined = the venue shows no contract yet. */
  readonly contracts: number | undefined;
}

/** The filled span of the contracts' past, of the module that fills it; of none, undefined. */
export const PAST_FILL: Port<() => PastFill | undefined> = { name: 'past fill', absent: () => undefined };
