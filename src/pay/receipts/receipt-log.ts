import type { MaybePromise } from '../../runtime/maybe-promise.ts';
import type { Leaves } from './merkle.ts';

/** A day's signed root. */
export interface DayRoot {
  readonly day: number;
  readonly statement: string;
}

/** A day's signed root with its tree. */
export interface DayTree extends DayRoot {
  readonly leaves: Leaves;
}

/** The receipts of all days: which are open, and the trees of those that are closed. Shared by all who share the ledger. */
export interface ReceiptLog {
  /** The first day with receipts that are in no tree yet. */
  firstOpen(): MaybePromise<number | undefined>;
  /**
   * Takes no further receipt for a day, nor for those since the last one that has a root: a process that was held up longer
   * than it should be must not add to what is signed.
   */
  close(day: number): Promise<void>;
  /** Hashes of a closed day that has no tree yet. */
  leavesOf(day: number): MaybePromise<Leaves>;
  /** Keeps a day's tree and its root in the place of its leaves; where another process did, only the leaves go. */
  seal(root: DayRoot, leaves: Leaves): Promise<void>;
  /** The last root of a day before this one. */
  rootBefore(day: number): MaybePromise<DayRoot | undefined>;
  /** Roots of days before this one, the latest first. */
  roots(range: { readonly before: number; readonly limit: number }): MaybePromise<readonly DayRoot[]>;
  /** The signed root of a day with its tree; undefined where it has none. */
  tree(day: number): MaybePromise<DayTree | undefined>;
}
