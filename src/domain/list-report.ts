import type { UnixMs } from './units.ts';

/** A contract that a venue's list has before it trades. */
export interface AnnouncedContract {
  /** The venue's own symbol. */
  readonly symbol: string;
  /** Upper-case base asset with multiplier and aliases removed. */
  readonly ticker: string;
  /** When the venue says that trading begins; absent = not stated. */
  readonly listsAt?: UnixMs;
}

/** The content of a venue's list of contracts beside those that trade. */
export interface ListReport {
  /**
   * True where every request of every list of the venue was answered, and believed, since the last whole list. Of another one
   * a contract may be missing that is listed.
   */
  readonly isWhole: boolean;
  /** Symbols that the list has and that do not trade for now; contracts of other kinds may be among them. */
  readonly halted: readonly string[];
  readonly announced: readonly AnnouncedContract[];
}
