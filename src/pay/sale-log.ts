import { createHash } from 'node:crypto';
import { DAY_MS } from '../runtime/duration.ts';
import type { MaybePromise } from '../runtime/maybe-promise.ts';

/** Bytes of a hash in the log. */
export const HASH_BYTES = 32;

const LEAF = Buffer.of(0);

/** Hash of an issued text as a leaf (RFC 6962, 2.1): its prefix keeps an inner node of a tree from being shown as one. */
export const leafHash = (entry: Buffer): Buffer => createHash('sha256').update(LEAF).update(entry).digest();

/** Number of a UTC day since 1970. */
export const dayNumber = (at: number): number => Math.floor(at / DAY_MS);

/** Hashes of a day's texts one after the other, sorted, and where known those of the blocks of its tree. */
export interface Leaves {
  readonly hashes: Buffer;
  readonly blocks?: Buffer;
}

/** A day's signed root. */
export interface DayRoot {
  readonly day: number;
  readonly statement: string;
}

/** A day's signed root with its tree. */
export interface DayTree extends DayRoot {
  readonly leaves: Leaves;
}

/**
 * Hashes of what was issued for the sales of all days: which days are open, and the trees of those that are closed. Shared by
 * all who share the ledger. The trees are their issuer's, which alone computes with them.
 */
export interface SaleLog {
  /** The first day with texts that are in no tree yet. */
  firstOpen(): MaybePromise<number | undefined>;
  /**
   * Takes no further text for a day, nor for those since the last one that has a root: a process that was held up longer
   * than it should be must not add to what is signed.
   */
  close(day: number): Promise<void>;
  /** Hashes of a closed day that has no tree yet, without blocks. */
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
