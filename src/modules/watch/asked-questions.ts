import type { VenueId, VenueStatus } from '../../domain/venue.ts';
import type { ContractState, QuoteChange } from '../../market/contract.ts';
import { SLOT } from '../../market/contract.ts';
import type { TrackedVenue } from '../../market/view.ts';
import type { Observation } from './judge.ts';
import type { Question } from './question.ts';
import type { WatchRecord } from './watch-record.ts';

/** A watch that this process holds. */
export interface Held {
  /** As it is now. */
  record: WatchRecord;
  /** As the disk has it. */
  stored: WatchRecord;
  /** When it was last looked at. */
  seenAt: number;
  /** The answer that it was judged by then; undefined where the record has it. */
  seen: Observation | undefined;
}

/** A watch as it is now, with the values of its last look. */
export const recordOf = ({ record, seen }: Held): WatchRecord =>
  seen === undefined ? record : { ...record, values: seen.values, rowsAt: seen.rowsAt };

/** A question with the watches that rest on it. */
export interface AskedQuestion {
  readonly question: Question;
  readonly watches: Set<Held>;
  /** Bits of the values of a row that its answer rests on. */
  readonly slots: number;
  /** Venues whose rows it rests on; undefined: all. */
  readonly venues: ReadonlySet<string> | undefined;
  /** When it was last asked; this time and those below are of the time between looks. */
  askedAt: number;
  /** Until when its answer stands, unless a value or the status of a venue changes. */
  standsUntil: number;
  /** Until when its answer is awaited; 0 while none is on its way. */
  busyUntil: number;
  /** Its last answer; undefined before the first. */
  seen: Observation | undefined;
}

/** The questions that are about one ticker. */
interface Beside {
  readonly asked: Set<AskedQuestion>;
  /** Those that name venues, by each of these. */
  readonly byVenue: Map<string, Set<AskedQuestion>>;
  /** Those that rest on all venues. */
  readonly ofAll: Set<AskedQuestion>;
  /** Bits of the values that any of them rests on, or did. */
  slots: number;
}

/** The questions of all watches, found by the rows that they rest on. */
export class AskedQuestions {
  readonly #byKey = new Map<string, AskedQuestion>();
  readonly #byTicker = new Map<string, Beside>();
  readonly #changed = new Set<AskedQuestion>();
  readonly #statuses = new Map<VenueId, VenueStatus>();
  /** For looks without a change. */
  #round = this.#goRound();

  get size(): number {
    return this.#byKey.size;
  }

  add(question: Question, held: Held): void {
    const known = this.#byKey.get(question.key);
    if (known !== undefined) {
      known.watches.add(held);
      this.#changed.add(known);
      return;
    }
    const { kind, condition } = question;
    const venues = condition.venue?.split(',');
    const asked: AskedQuestion = {
      question,
      watches: new Set([held]),
      slots: kind.moves.reduce((bits, field) => bits | (1 << SLOT[field]), 0),
      venues: venues === undefined ? undefined : new Set(venues),
      askedAt: 0,
      standsUntil: 0,
      busyUntil: 0,
      seen: undefined,
    };
    this.#byKey.set(question.key, asked);
    this.#changed.add(asked);
    this.#place(asked, condition.ticker ?? '');
  }

  #place(asked: AskedQuestion, ticker: string): void {
    const beside = this.#byTicker.get(ticker) ?? {
      asked: new Set(),
      byVenue: new Map(),
      ofAll: new Set(),
      slots: 0,
    };
    this.#byTicker.set(ticker, beside);
    beside.asked.add(asked);
    beside.slots |= asked.slots;
    if (asked.venues === undefined) beside.ofAll.add(asked);
    for (const venue of asked.venues ?? []) {
      const there = beside.byVenue.get(venue) ?? new Set();
      beside.byVenue.set(venue, there.add(asked));
    }
  }

  remove(key: string, held: Held): void {
    const asked = this.#byKey.get(key);
    if (asked === undefined) return;
    asked.watches.delete(held);
    if (asked.watches.size > 0) return;
    this.#byKey.delete(key);
    this.#changed.delete(asked);
    const { ticker = '' } = asked.question.condition;
    const beside = this.#byTicker.get(ticker);
    beside?.asked.delete(asked);
    beside?.ofAll.delete(asked);
    for (const venue of asked.venues ?? []) beside?.byVenue.get(venue)?.delete(asked);
    if (beside?.asked.size === 0) this.#byTicker.delete(ticker);
  }

  /** Marks the questions that a changed contract may answer otherwise. Called for every change of every contract. */
  touch({ instrument, assignment }: ContractState, { slots }: QuoteChange): void {
    const beside = this.#byTicker.get(assignment?.ticker ?? instrument.ticker);
    if (beside === undefined || (beside.slots & slots) === 0) return;
    this.#mark(beside.byVenue.get(instrument.venue), slots);
    this.#mark(beside.ofAll, slots);
  }

  #mark(questions: ReadonlySet<AskedQuestion> | undefined, slots: number): void {
    if (questions === undefined) return;
    for (const asked of questions) if ((asked.slots & slots) !== 0) this.#changed.add(asked);
  }

  /** Marks the questions that rest on venues whose status is another one than the last time. */
  touchVenues(venues: readonly Pick<TrackedVenue, 'info' | 'status'>[]): void {
    const changed = venues.filter(({ info, status }) => this.#statuses.get(info.id) !== status);
    if (changed.length === 0) return;
    for (const { info, status } of changed) this.#statuses.set(info.id, status);
    for (const asked of this.#byKey.values())
      if (changed.some(({ info }) => asked.venues?.has(info.id) !== false)) this.#changed.add(asked);
  }

  /** Marks all questions, whatever changed. */
  touchAll(): void {
    for (const asked of this.#byKey.values()) this.#changed.add(asked);
  }

  /** Lets go of all: an answer that is still awaited finds no watch. */
  clear(): void {
    for (const { watches } of this.#byKey.values()) watches.clear();
    this.#byKey.clear();
    this.#byTicker.clear();
    this.#changed.clear();
  }

  /**
   * Takes the questions that changed and may be asked again, and those whose answers have rested for long enough.
   *
   * @param standsOn true for a question whose answer needs not be asked for, since its rows were stated again as they were
   */
  due(now: number, share: number, standsOn: (asked: AskedQuestion) => boolean): readonly AskedQuestion[] {
    const due: AskedQuestion[] = [];
    for (const asked of this.#changed) {
      if (now < asked.busyUntil || now - asked.askedAt < asked.question.kind.everyMs) continue;
      this.#changed.delete(asked);
      due.push(asked);
    }
    const taken = new Set(due);
    for (let looked = 0; looked < this.#byKey.size * share; looked += 1) {
      const asked = this.#nextOfRound();
      if (asked === undefined || now < asked.busyUntil || taken.has(asked)) continue;
      if (now >= asked.standsUntil && !standsOn(asked)) due.push(asked);
    }
    return due;
  }

  #nextOfRound(): AskedQuestion | undefined {
    const next = this.#round.next();
    if (next.done !== true) return next.value;
    this.#round = this.#goRound();
    return this.#round.next().value;
  }

  /** All questions, those of one asset after each other, since they share the rows of the asset. */
  *#goRound(): Generator<AskedQuestion, undefined> {
    for (const { asked } of this.#byTicker.values()) yield* asked;
  }
}
