import type { DurationCounts } from '../domain/duration-counts.ts';
import { reasonOf } from '../runtime/reason-of.ts';

/** Outcomes of calls of a store over a network, since start. */
export interface RemoteState {
  /** True if the last call was answered. */
  readonly ok: boolean;
  /** Host and port, without user and password. */
  readonly place: string;
  readonly durations: Readonly<Record<'read' | 'write', DurationCounts>>;
  /** Calls without an answer. */
  readonly failures: number;
}

/** A change was not made: the disk is full, or does not take it for another reason. */
export class StoreWriteError extends Error {
  /** @param store as it is called in messages */
  constructor(store: string, cause: unknown) {
    super(`${store} could not be written`, { cause });
  }
}

/** The store gave no answer: nothing is known of what was asked, and no money may move. */
export class StoreUnreachable extends Error {
  /** True if the change may have been made all the same. */
  readonly isInDoubt: boolean;

  /** @param store as it is called in messages */
  constructor(store: string, cause: unknown, isInDoubt: boolean) {
    super(`${store} does not answer: ${reasonOf(cause)}`, { cause });
    this.isInDoubt = isInDoubt;
  }
}
