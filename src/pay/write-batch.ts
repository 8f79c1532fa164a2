import { LedgerUnwritten } from './ledger-store.ts';

/** Changes that are made together share one transaction and one flush to disk: worth waiting a moment for. */
const GATHER_MS = 1;

/** Made within a transaction; false where what it was to change is no longer what is stored. */
type Change = () => boolean;

/** What runs a function within a transaction of its own, and tells when what was committed has reached the disk. */
export interface Transactions {
  /** Resolved with what it returns when that is committed; made undone where it throws. */
  childTransaction<T>(action: () => T): Promise<T>;
  readonly flushed: PromiseLike<unknown>;
}

interface Waiting {
  readonly change: Change;
  readonly resolve: (made: boolean) => void;
  readonly reject: (cause: unknown) => void;
}

/** Makes changes in transactions, one after the other: in each all those that have come meanwhile. */
export class WriteBatch {
  readonly #transactions: Transactions;
  #waiting: Waiting[] = [];
  #busy = false;
  #flushed: PromiseLike<unknown> = Promise.resolve();

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /** Resolved when everything committed so far is on disk. */
  get flushed(): PromiseLike<unknown> {
    return this.#flushed;
  }

  /** What the change returned, once it is committed. */
  add(change: Change): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      if (!this.#busy) this.#gather();
    });
  }

  #gather(): void {
    this.#busy = true;
    setTimeout(() => void this.#commit(), GATHER_MS);
  }

  async #commit(): Promise<void> {
    const gathered = this.#waiting;
    this.#waiting = [];
    try {
      const made = this.#transactions.childTransaction(() => gathered.map(({ change }) => change()));
      const flushed = this.#transactions.flushed.then(() => undefined);
      const outcomes = await made;
      this.#flushed = flushed;
      for (let i = 0; i < gathered.length; i++) gathered[i]?.resolve(outcomes[i] ?? false);
    } catch (cause) {
      const unwritten = new LedgerUnwritten(await reasonOf(cause));
      for (const { reject } of gathered) reject(unwritten);
    }
    this.#busy = false;
    if (this.#waiting.length > 0) this.#gather();
  }
}

/** A commit that fails says why in a second promise, which nobody else would look at. */
async function reasonOf(cause: unknown): Promise<unknown> {
  const why = cause instanceof Error && 'commitError' in cause ? cause.commitError : undefined;
  return why instanceof Promise ? why.catch((reason: unknown) => reason) : cause;
}
