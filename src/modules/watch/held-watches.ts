import type { Route } from '../../api/route.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { AskedQuestions, type Held } from './asked-questions.ts';
import { DueTimes } from './due-times.ts';
import { termsOf } from './judge.ts';
import { type Question, questionOf } from './question.ts';
import type { WatchRecord } from './watch-record.ts';

/** A watch that no product of this service answers is found to be unknown this often. */
const UNANSWERED_MS = 5 * SECOND_MS;
/** A watch that was due, and is still held, is due again no earlier. */
const AGAIN_MS = SECOND_MS;

interface Known {
  readonly held: Held;
  /** Undefined where no product of this service answers. */
  readonly question: Question | undefined;
}

/** A watch that time alone changes now. */
export interface DueWatch {
  readonly held: Held;
  /** To be asked again, since the watch may have held for long enough; undefined where it ends, or cannot be asked. */
  readonly question: Question | undefined;
}

/** The watches that a process holds, by id, by their questions, and by when time alone changes them. */
export class HeldWatches {
  readonly questions = new AskedQuestions();
  readonly #byId = new Map<string, Known>();
  readonly #due = new DueTimes<Held>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Held | undefined {
    return this.#byId.get(id)?.held;
  }

  *all(): Iterable<Held> {
    for (const { held } of this.#byId.values()) yield held;
  }

  /** Holds a watch. Returns the reason for which it cannot be looked at; undefined where it can. */
  add(record: WatchRecord, routes: readonly Route[]): { readonly held: Held; readonly fault?: string } {
    const held: Held = { record, stored: record, seenAt: record.seenAt, seen: undefined };
    const found = questionOf(record.condition, routes);
    const question = found.ok ? found.value : undefined;
    this.#byId.set(record.id, { held, question });
    if (question !== undefined) this.questions.add(question, held);
    this.place(held);
    return { held, ...(!found.ok && { fault: found.error.detail }) };
  }

  /** Sets when time alone changes a watch; to be called after each change of it. */
  place(held: Held, earliest = 0): void {
    const known = this.#byId.get(held.record.id);
    if (known?.held !== held) return;
    const { endsAt, progress, condition } = held.record;
    const holdsUntil =
      progress.phase === 'holding' ? progress.since + termsOf(condition).holdMs : Number.POSITIVE_INFINITY;
    const looksAt = known.question === undefined ? held.seenAt + UNANSWERED_MS : holdsUntil;
    this.#due.set(held, Math.max(earliest, Math.min(endsAt, looksAt)));
  }

  /** Takes the watches that time alone changes by now. */
  due(now: number): readonly DueWatch[] {
    return this.#due.take(now).map((held) => {
      this.place(held, now + AGAIN_MS);
      const isOver = now >= held.record.endsAt;
      return { held, question: isOver ? undefined : this.#byId.get(held.record.id)?.question };
    });
  }

  /** Takes over the end of a watch as it is stored. True where it was renewed. */
  renew(held: Held, { endsAt, sales }: WatchRecord): boolean {
    const isRenewed = sales.length > held.record.sales.length;
    held.record = { ...held.record, endsAt, sales };
    held.stored = { ...held.stored, endsAt, sales };
    this.place(held);
    return isRenewed;
  }

  remove(held: Held): void {
    const { id } = held.record;
    const known = this.#byId.get(id);
    if (known?.held !== held) return;
    if (known.question !== undefined) this.questions.remove(known.question.key, held);
    this.#byId.delete(id);
    this.#due.delete(held);
  }

  /** Lets go of all. */
  clear(): void {
    this.questions.clear();
    this.#byId.clear();
    this.#due.clear();
  }
}
