import type { Firing } from '../webhook/firing.ts';
import type { Held } from './asked-questions.ts';
import type { WatchRecord } from './watch-record.ts';

/** One watch as it is to be written. */
interface Change {
  readonly held: Held;
  readonly record: WatchRecord;
}

/** Changes that are written at once, with all that the changed watches tell. */
export interface Unsaved {
  readonly changes: readonly Change[];
  readonly told: readonly Firing[];
}

/** Changed watches, and what they tell, until the disk has them. */
export class UnsavedChanges {
  /** When each was looked at before its first change. */
  readonly #seenAt = new Map<Held, number>();
  #changed = new Set<Held>();
  #told: Firing[] = [];

  get isEmpty(): boolean {
    return this.#changed.size === 0;
  }

  note(held: Held, record: WatchRecord): void {
    if (!this.#seenAt.has(held)) this.#seenAt.set(held, held.seenAt);
    this.#changed.add(held);
    held.record = record;
    held.seen = undefined;
  }

  tell(firings: readonly Firing[]): void {
    this.#told.push(...firings);
  }

  /** Lets go of what one watch has changed. */
  forget(held: Held): void {
    this.#seenAt.delete(held);
    this.#changed.delete(held);
    this.#told = this.#told.filter(({ watchId }) => watchId !== held.record.id);
  }

  /**
   * Takes what is to be written; it counts as unsaved until `saved`.
   *
   * @param most watches; what is left is taken the next time
   */
  take(most: number): Unsaved {
    const all = [...this.#changed];
    const changes = all.slice(0, most).map((held) => ({ held, record: held.record }));
    const ids = new Set(changes.map(({ record }) => record.id));
    const told = this.#told.filter(({ watchId }) => ids.has(watchId));
    this.#changed = new Set(all.slice(most));
    this.#told = this.#told.filter(({ watchId }) => !ids.has(watchId));
    return { changes, told };
  }

  /** The disk has these. */
  saved({ changes }: Unsaved): void {
    for (const { held, record } of changes) {
      held.stored = record;
      if (!this.#changed.has(held)) this.#seenAt.delete(held);
    }
  }

  /** Undoes all that is not written: each watch is as the disk has it. Returns these watches. */
  undo(): readonly Held[] {
    const undone = [...this.#seenAt];
    for (const [held, seenAt] of undone) {
      held.record = held.stored;
      held.seenAt = seenAt;
      held.seen = undefined;
    }
    this.clear();
    return undone.map(([held]) => held);
  }

  clear(): void {
    this.#seenAt.clear();
    this.#changed.clear();
    this.#told = [];
  }
}
