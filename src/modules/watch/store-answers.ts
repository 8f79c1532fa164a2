import type { Soon } from '../tables/soon.ts';

const nothing = (): void => {};

/** Questions to a store that it has not answered: no turn begins meanwhile. A store that answers at once is never waited for. */
export class StoreAnswers {
  readonly #onError: (cause: unknown) => void;
  #waited: Promise<void> | undefined;

  constructor(onError: (cause: unknown) => void) {
    this.#onError = onError;
  }

  get isWaiting(): boolean {
    return this.#waited !== undefined;
  }

  /** Resolved once the store has answered all that it was asked. Rejects never. */
  async all(): Promise<void> {
    while (this.#waited !== undefined) await this.#waited;
  }

  /** Asks once the store has answered what it was asked before. */
  ask<T>(ask: () => Soon<T>): Soon<T> {
    const answer = this.#waited === undefined ? ask() : this.#waited.then(ask);
    if (answer instanceof Promise) this.#await(answer.then(() => nothing));
    return answer;
  }

  /** Goes on once the store has answered, at once where it does. */
  when<T>(answer: Soon<T>, next: (value: T) => void, failed: () => void): void {
    if (!(answer instanceof Promise)) {
      next(answer);
      return;
    }
    const faulty = (cause: unknown): void => {
      this.#onError(cause);
      failed();
    };
    this.#await(
      answer.then(
        (value) => () => next(value),
        (cause: unknown) => () => faulty(cause),
      ),
    );
  }

  /** Does the thing that the answer resolves with when nothing is waited for any more. */
  #await(answer: Promise<() => void>): void {
    const waited: Promise<void> = answer
      .catch(() => nothing)
      .then((next) => {
        if (this.#waited === waited) this.#waited = undefined;
        next();
      })
      .catch(this.#onError);
    this.#waited = waited;
  }
}
