import { type Held, recordOf } from './asked-questions.ts';
import type { WatchEngineOptions } from './engine-options.ts';
import type { HeldWatches } from './held-watches.ts';
import type { Observation } from './judge.ts';
import { endFor, endOf, FAILED, isOver, type Looked, look } from './look.ts';
import type { UnsavedChanges } from './unsaved-changes.ts';
import type { WatchRecord } from './watch-record.ts';
import { resumed } from './watch-state.ts';

interface JudgingOptions extends Pick<WatchEngineOptions, 'statementOf'> {
  readonly held: HeldWatches;
  readonly unsaved: UnsavedChanges;
  readonly onFault: (cause: unknown) => void;
}

/** Judges held watches by looks and by the time, and notes what that changes of them until it is stored. */
export class Judging {
  readonly #options: JudgingOptions;

  constructor(options: JudgingOptions) {
    this.#options = options;
  }

  /** The time in which nobody watched is on the disk before the lease says that somebody does. */
  resume(held: Held, watchedUntil: number, now: number): void {
    const progress = resumed(held.record.progress, watchedUntil, now);
    this.#note(held, { ...recordOf(held), progress, seenAt: now });
    held.seenAt = now;
  }

  /** Ends watches at their time, and has those asked again that may have held for long enough. */
  passTime(now: number): void {
    const { held: watches } = this.#options;
    for (const { held, question } of watches.due(now)) {
      if (question !== undefined) watches.questions.add(question, held);
      else this.observe([held], () => look(held.record, FAILED, held.seenAt, now), now);
    }
  }

  /** At its end a watch is judged no more. */
  observe(watches: Iterable<Held>, lookOf: (held: Held) => Looked, now: number): void {
    for (const held of watches)
      try {
        if (held.record.endedAt !== undefined || this.#closeIfOver(held, now)) continue;
        if (this.#apply(held, lookOf(held), now)) this.#closeIfOver(held, now);
      } catch (cause) {
        this.#options.onFault(cause);
      }
  }

  /** Ends a watch before its time. */
  end(held: Held, reason: string, now: number): void {
    this.#close(held, endFor(recordOf(held), reason, now));
  }

  /** Notes that watches were looked at: the answer by which they were judged stands on, and is of a later time. */
  restated(watches: Iterable<Held>, seen: Observation, now: number): void {
    for (const held of watches) {
      if (held.record.endedAt !== undefined) continue;
      held.seen = seen;
      held.seenAt = now;
    }
  }

  /** True where the look has changed the watch. */
  #apply(held: Held, { record, told }: Looked, now: number): boolean {
    const isChanged = record !== held.record;
    if (isChanged) {
      this.#note(held, record);
      this.#options.unsaved.tell(told);
    }
    held.seenAt = now;
    return isChanged;
  }

  #closeIfOver(held: Held, now: number): boolean {
    if (!isOver(held.record, now)) return false;
    this.#close(held, endOf(recordOf(held), held.seenAt, now));
    return true;
  }

  #close(held: Held, over: Looked): void {
    const statement = this.#options.statementOf(over.record);
    this.#note(held, { ...over.record, statement });
    this.#options.unsaved.tell(over.told);
  }

  #note(held: Held, record: WatchRecord): void {
    this.#options.unsaved.note(held, record);
    this.#options.held.place(held);
  }
}
