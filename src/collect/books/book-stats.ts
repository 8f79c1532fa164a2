import { BOOK_FAULTS, type BookFault } from './book-sync.ts';

/** Events in the books of one venue since start. */
export interface BookCounters {
  /** Messages read by the scanner, and by the decoder. */
  scanned: number;
  decoded: number;
  /** Messages of contracts whose stream is not followed. */
  unfollowed: number;
  /** Numbers of broken books, by reason. */
  readonly breaks: Record<BookFault, number>;
  /** Times a topic was subscribed to again, and snapshots asked for over REST, to mend a break. */
  resubscribed: number;
  initialRequested: number;
  /** Snapshots that came over REST for whatever reason, and requests that failed. */
  fetched: number;
  fetchFailures: number;
  /** Comparisons of a streamed book with REST. Their mismatch rate is `different / (same + different)`. */
  same: number;
  different: number;
  undecided: number;
}

/** The books of one venue now and since start. */
export interface BookStats extends BookCounters {
  /** Contracts that are listed. */
  readonly contracts: number;
  readonly streamed: number;
  /** Streamed books that are in order. */
  readonly live: number;
  /** Topics that no connection has room for are counted by the stream itself. */
  readonly waiting: number;
}

export function emptyBookCounters(): BookCounters {
  const breaks = Object.fromEntries(BOOK_FAULTS.map((fault) => [fault, 0])) as Record<BookFault, number>;
  return {
    scanned: 0,
    decoded: 0,
    unfollowed: 0,
    breaks,
    resubscribed: 0,
    initialRequested: 0,
    fetched: 0,
    fetchFailures: 0,
    same: 0,
    different: 0,
    undecided: 0,
  };
}
