import type { StoreResult } from './store.ts';

/** Caches the last result of an expensive query by its inputs; a failure is not cached. */
export class MemoizedResult<T> {
  #held: { readonly of: string; readonly made: Promise<StoreResult<T>> } | undefined;
  /** What was answered last, whatever it was made of. */
  value: T | undefined;

  /** @param of what the answer is made of: another one is made when it changes */
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
