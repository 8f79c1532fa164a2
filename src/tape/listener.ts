import type { DataStore, PaymentSink } from '../collect/ports.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { QuotePatch } from '../domain/quote.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId, VenueInfo } from '../domain/venue.ts';
import type { ContractState, QuoteChange } from '../market/contract.ts';

/**
 * Hears what the tape carries, as far as it has a method for it. The table and the books have taken everything before a listener is
 * told: whatever it looks up there is as new as what it hears. It is told in the same turn of the event loop in which the data came,
 * and has to be brief; what it throws is counted, and harms nobody else.
 */
export interface TapeListener {
  /** A venue is tracked from now on, or more is known of it. */
  venue?(info: VenueInfo, refreshMs: number): void;
  /** A venue's whole list of contracts; those missing from it are delisted. */
  instruments?(venue: VenueId, list: readonly Instrument[], at: UnixMs): void;
  /** A contract was listed again, in other units or anew: the table holds nothing of what it is now. Told before its list is. */
  relisted?(before: ContractState, after: ContractState): void;
  /**
   * A patch changed values of a contract. Told once a patch, before the payload as a whole is told, and never of a value that was
   * stated again.
   *
   * @param state as it is now; the table goes on to change it
   * @param change says which values changed and what they were; the next patch overwrites it
   */
  changed?(state: ContractState, change: QuoteChange): void;
  /** The quotes of one payload as the venue stated them, received at `at`. */
  quotes?(venue: VenueId, patches: readonly QuotePatch[], at: UnixMs): void;
  /** The book of a contract was written, confirmed, found invalid or closed. */
  book?(contract: Instrument): void;
  /** Settled payments that were asked for by themselves, such as those of second readings. */
  readonly payments?: PaymentSink;
  /** Takes the kinds of data that are not of the live table. */
  readonly store?: DataStore;
}
