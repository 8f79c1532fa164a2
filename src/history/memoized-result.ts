import type { StoreResult } from './store.ts';

/** Caches the last result of an expensive query by its inputs; a failure is not cached. */
export class MemoizedResult<T> {
  #held: { readonly of: string; readonly made: Promise<StoreResult<T>> } | undefined;
  /** The last answer, with any key. */
  value: T | undefined;

  /** @param of the inputs of the answer: another one is made when they change */
  of(of: string, make: () => Promise<StoreResult<T>>): Promise<StoreResult<T>> {
    if (this.#held?.of === of) return this.#held.made;
    const made = make();
    this.#held = { of, made };
    void made.then((result) => {
      if (result.ok) this.value = result.value;
      else if (this.#held?.made === made) this.#held = undefined;
    });
    return made;
  }
}
