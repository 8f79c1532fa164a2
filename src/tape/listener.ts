import type { DataStore, PaymentSink } from '../collect/ports.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { ListReport } from '../domain/list-report.ts';
import type { QuotePatch } from '../domain/quote.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId, VenueInfo } from '../domain/venue.ts';
import type { ContractState, QuoteChange } from '../market/contract.ts';

/**
 * Hears the parts of the tape that it has methods for. The table and the books have taken everything before a listener hears it:
 * whatever it looks up there is as new as what it hears. It hears in the same turn of the event loop in which the data came, and
 * has to be brief; its exceptions are counted, and harm nobody else.
 */
export interface TapeListener {
  /** A venue is tracked from now on, or more is known of it. */
  venue?(info: VenueInfo, refreshMs: number): void;
  /**
   * A venue's whole list of contracts; those missing from it are delisted.
   *
   * @param report of a list that the venue has answered; absent where contracts go for another reason, or are stated again
   */
  instruments?(venue: VenueId, list: readonly Instrument[], at: UnixMs, report?: ListReport): void;
  /** A contract was listed again, in other units or anew: the table has no value of its new state yet. Called before `instruments`. */
  relisted?(before: ContractState, after: ContractState): void;
  /**
   * A patch changed values of a contract. Called once a patch, before `quotes` is called with the whole payload, and never for a
   * value that was stated again.
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
  /** Takes kinds of data that the live table does not hold. */
  readonly store?: DataStore;
}
