/** Writes that are begun together share one transaction and one flush to disk: worth waiting a moment for. */
const GATHER_MS = 1;

/** Begins what it is given together with what else comes within a millisecond. */
export class WriteBatch {
  #waiting: (() => void)[] = [];

  /** The outcome of a write that is begun a little later. */
  add<T>(begin: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setTimeout(() => this.#begin(), GATHER_MS);
      this.#waiting.push(() => {
        begin().then(resolve, reject);
      });
    });
  }

  #begin(): void {
    const gathered = this.#waiting;
    this.#waiting = [];
    for (const begin of gathered) begin();
  }
}
