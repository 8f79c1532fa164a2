/** A firing in the operator's list. */
interface ListedFiring {
  readonly noted_at: string;
  readonly what: string;
}

/** Delivery by webhook; what attempts have is of a watch that this process holds. */
export interface ListedDelivery {
  readonly state: string;
  readonly waiting: number;
  readonly lastError?: string | undefined;
  readonly host?: string;
  readonly next_try_at?: string | null;
  readonly given_up?: readonly { readonly sequence: number; readonly at: string; readonly reason: string }[];
}

/** A watch in the operator's list. */
export interface ListedWatch {
  readonly id: string;
  readonly rule: string | null;
  readonly payer: string | null;
  readonly condition: Readonly<Record<string, unknown>>;
  readonly phase: string;
  readonly reason: string | null;
  readonly began_at: string | null;
  readonly ends_at: string | null;
  readonly fired: number;
  readonly delivery: ListedDelivery | null;
  readonly latest: readonly ListedFiring[];
}

/** `/operator/watches`, as the operator's part of the page reads it. */
export interface OperatorWatches {
  readonly holds: boolean;
  readonly held: number;
  readonly questions: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly rules: readonly {
    readonly name: string;
    readonly watch_id: string;
    readonly fault: string | null;
  }[];
  readonly total: number;
  readonly watches: readonly ListedWatch[];
  /** The next page is behind this id; null: this is the last. */
  readonly next: string | null;
}
