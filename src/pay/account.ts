/** A running account: payments of a scheme change it in turn, and only the scheme reads its row. */
export interface Account {
  readonly id: string;
  /** Counts changes, from 1. */
  readonly version: number;
  readonly row: string;
}

/** A change of an account, made against the version that it was read at, or not at all. */
export interface AccountChange {
  readonly id: string;
  /** That of before; 0 where there is no such account yet. */
  readonly version: number;
  readonly row: string;
}
