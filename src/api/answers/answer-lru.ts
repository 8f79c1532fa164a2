import { fail, ok, type Result } from '../../domain/errors.ts';
import type { RenderedAnswer } from '../../products/answer/product-answer.ts';
import type { Production } from '../../products/define-product.ts';
import type { Answer } from './answer.ts';

/** The cache entry of one request; its answer is replaced when the version of the data changes. */
export class CacheEntry {
  version: number | undefined;
  answer: Answer | undefined;
  pending: Promise<Result<Answer>> | undefined;
  /** Bytes counted for this slot. */
  counted = 0;
  /** No longer in the store: nothing may be kept in it. */
  dropped = false;
}

/** Steps by which a slot is brought up to date. */
export interface Refresh {
  readonly version: number;
  readonly produce: () => Production;
  readonly render: (result: RenderedAnswer) => Answer;
}

const isSame = (a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean =>
  a !== undefined && b !== undefined && a.length === b.length && a.every((x, i) => x === b[i]);

/** Answers by question, the least recently asked dropped first, bounded in bytes and in number. */
export class AnswerLru {
  readonly #slots = new Map<string, CacheEntry>();
  readonly #maxBytes: number;
  readonly #maxSlots: number;
  #bytes = 0;
  #recent: { readonly key: string; readonly slot: CacheEntry } | undefined;

  constructor(maxBytes: number, maxSlots = 4096) {
    this.#maxBytes = maxBytes;
    this.#maxSlots = maxSlots;
  }

  get size(): number {
    return this.#slots.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The slot of a question, made where there is none, and moved to the recent end. Ask again for each request. */
  slot(key: string): CacheEntry {
    if (this.#recent?.key === key) return this.#recent.slot;
    const slot = this.#slots.get(key) ?? new CacheEntry();
    this.#slots.delete(key);
    this.#slots.set(key, slot);
    this.#recent = { key, slot };
    this.#trim();
    return slot;
  }

  /**
   * The answer of a slot as of a version: what it holds where that is current, else a new one. Simultaneous
   * requests share one production. Failures are not kept.
   */
  current(slot: CacheEntry, refresh: Refresh): Result<Answer> | Promise<Result<Answer>> {
    if (slot.answer !== undefined && slot.version === refresh.version) return ok(slot.answer);
    if (slot.pending !== undefined) return slot.pending;
    const production = refresh.produce();
    if (!(production instanceof Promise)) return this.#keep(slot, refresh, production);
    const pending = production
      .then((result) => this.#keep(slot, refresh, result))
      .finally(() => {
        slot.pending = undefined;
      });
    slot.pending = pending;
    return pending;
  }

  #keep(slot: CacheEntry, refresh: Refresh, result: Result<RenderedAnswer>): Result<Answer> {
    if (!result.ok) return fail(result.error);
    const held = slot.answer;
    const answer =
      held !== undefined && isSame(held.basis, result.value.basis) ? held : refresh.render(result.value);
    if (slot.dropped) return ok(answer);
    slot.answer = answer;
    slot.version = refresh.version;
    answer.onCompressed = () => this.#count(slot);
    this.#count(slot);
    return ok(answer);
  }

  #count(slot: CacheEntry): void {
    if (slot.dropped) return;
    const bytes = slot.answer?.bytes ?? 0;
    this.#bytes += bytes - slot.counted;
    slot.counted = bytes;
    this.#trim();
  }

  #trim(): void {
    for (const [key, slot] of this.#slots) {
      if (this.#bytes <= this.#maxBytes && this.#slots.size <= this.#maxSlots) return;
      this.#slots.delete(key);
      if (this.#recent?.slot === slot) this.#recent = undefined;
      this.#bytes -= slot.counted;
      slot.dropped = true;
      slot.answer = undefined;
    }
  }
}
