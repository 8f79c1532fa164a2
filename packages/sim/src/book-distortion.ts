/** A level as the venue writes it: price and size, and whatever follows. */
export type Row = readonly (string | number)[];

/** Both sides of a book as the venue writes them, best first. */
export interface Sides {
  readonly bids: readonly Row[];
  readonly asks: readonly Row[];
}

/** The subject of a book frame. */
export interface BookTag {
  /** Contract, spelled as the venue does. */
  readonly symbol: string;
  /** A snapshot; else a delta. */
  readonly isSnapshot: boolean;
}

/** Faults that distort the frames of one contract's book. Without a fault every function returns its input. */
export interface BookDistortion {
  /** Time that the book has reached when the venue's clock says `now`; earlier while it is frozen. */
  time(now: number): number;
  /** Levels as they are sent. */
  sides(sides: Sides): Sides;
}
