/** Work that comes round every so often within the turns of something else; the first time after one period. */
export class Due {
  readonly #everyMs: number;
  #doneAt = performance.now();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** True once in each period. @param at of `performance.now()` */
  comes(at: number): boolean {
    if (at - this.#doneAt < this.#everyMs) return false;
    this.#doneAt = at;
    return true;
  }
}
