import type { UnixMs } from '../../domain/units.ts';
import type { Doubt } from './venue-memory.ts';

/** A change that two lists in a row have shown. */
export type Confirmed = Pick<Doubt, 'seenAt' | 'unseenAt'>;

/**
 * Differences that wait for a second list. One that the next list does not show again, or shows as another value, is dropped: what
 * came and went within one list has not been.
 */
export class Doubts {
  /** Those that wait for the list after this one. */
  readonly left = new Map<string, Doubt>();
  readonly #before: ReadonlyMap<string, Doubt>;
  readonly #at: UnixMs;
  readonly #lastAt: UnixMs;

  /**
   * @param before doubts that the list before has left
   * @param at receipt of this list
   * @param lastAt receipt of the one before
   */
  constructor(before: ReadonlyMap<string, Doubt>, at: UnixMs, lastAt: UnixMs) {
    this.#before = before;
    this.#at = at;
    this.#lastAt = lastAt;
  }

  /**
   * Compares what is known with what this list shows, both known.
   *
   * @param name of what is compared, once a list
   * @returns the times of the change where the list before has shown the same
   */
  confirm(
    name: string,
    known: string | number | undefined,
    shown: string | number | undefined,
  ): Confirmed | undefined {
    if (known === shown) return undefined;
    const value = String(shown);
    const doubt = this.#before.get(name);
    if (doubt?.value === value) return doubt;
    this.left.set(name, { value, seenAt: this.#at, unseenAt: this.#lastAt });
    return undefined;
  }
}
