/**
 * Faults of books. Those of frames hit the frames that a session sends with a tag; those of content go through
 * `SimConnection.book`.
 */
export type BookFault =
  /** A change is never sent; where all frames are snapshots, one that follows another. */
  | { readonly kind: 'book-gap' }
  /** A frame is sent twice. */
  | { readonly kind: 'book-duplicate' }
  /** A change is sent behind the next frame of the same contract. */
  | { readonly kind: 'book-reorder' }
  /** A snapshot is sent behind so many later frames of the same contract; 3 when absent. */
  | { readonly kind: 'book-late-snapshot'; readonly behind?: number }
  /** A bid at the price of the second ask stands in the book. */
  | { readonly kind: 'book-crossed' }
  /** No book frames; pings and acknowledgements go on. */
  | { readonly kind: 'book-stall' }
  /** The book stands still at `at`, or at the moment the rule is added; the others go on. */
  | { readonly kind: 'book-frozen'; readonly at?: number }
  /** The connection ends in the middle of a book frame. */
  | { readonly kind: 'book-cut' };

export type BookFaultKind = BookFault['kind'];

/** All kinds, as they are spelled in rules. */
export const BOOK_FAULT_KINDS = [
  'book-gap',
  'book-duplicate',
  'book-reorder',
  'book-late-snapshot',
  'book-crossed',
  'book-stall',
  'book-frozen',
  'book-cut',
] as const satisfies readonly BookFaultKind[];

/** True if a fault is one of books: requests and whole streams ignore it. */
export function isBookFault(fault: { readonly kind: string }): fault is BookFault {
  return BOOK_FAULT_KINDS.some((kind) => kind === fault.kind);
}
