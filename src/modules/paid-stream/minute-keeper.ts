import type { Clock } from '../../domain/clock.ts';
import { Due } from '../../runtime/due.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { ProcessLeases } from '../tables/process-lease.ts';
import { type Soon, soon } from '../tables/soon.ts';
import { BEHIND_MS } from '../tables/unknown-ids.ts';
import { isServer } from './minute-servers.ts';
import type { OpenStream } from './reader.ts';
import { MOST_CREDITS, type Step, type StreamRecord, step } from './stream-record.ts';
import type { ClockSet, StreamStore } from './stream-store.ts';
import type { TopicBoard } from './topic-board.ts';

/** A process with a minute that runs notes this often that it is there: so it is known when a killed one last was. */
const ALIVE_MS = 2 * SECOND_MS;
const RECOVER_MS = 10 * SECOND_MS;
/** A clock that goes wrong by more than this between two turns was set. */
const SET_MS = 2 * SECOND_MS;

export interface KeeperOptions {
  readonly store: StreamStore;
  readonly board: Pick<TopicBoard, 'has'>;
  readonly clock: Clock;
  /** Steady time, ms: it passes evenly, however the clock is set. */
  readonly elapsed: () => number;
  /** Names this process in the store. */
  readonly owner: string;
  /** Paid minutes: those of minutes that began here, and those that were given back. */
  readonly counts: { begun: number; credited: number };
}

/** Begins the minutes of the streams that a process serves, and sees to it that none is lost by a kill or by the clock. */
export class MinuteKeeper {
  readonly #options: KeeperOptions;
  readonly #leases = new ProcessLeases();
  readonly #due = { alive: new Due(ALIVE_MS), recover: new Due(RECOVER_MS) };
  /** Steady time at which all minutes that began here are over. */
  #busyUntil = 0;
  /** True while the store says that this process may have minutes that run. */
  #isNoted = false;
  /** True while a server has not answered what streams were to become. */
  #isStoring = false;
  #isKeeping = false;
  #last: { readonly now: number; readonly at: number };
  /** The clock was set by so many ms since the store was last told. */
  #setBy = 0;
  /** The setting of the clock that the store has not confirmed. */
  #unmade: ClockSet | undefined;
  #isShifting = false;
  #shifts = 0;
  /** States that a server was asked to store, and has not confirmed: where one of them is stored, it is the one that was taken. */
  readonly #tried = new WeakMap<OpenStream, Step>();

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#last = { now: options.clock.now(), at: options.elapsed() };
  }

  /**
   * Takes each stream to its next state, stored before it counts. One whose state changes is held until the store has it: where a
   * server has not answered yet, or nothing was taken, in a later turn.
   *
   * @throws, or rejects, where the store does not take it: then no stream has changed
   */
  advance(streams: readonly OpenStream[]): Soon<void> {
    this.#followClock();
    const at = this.#options.elapsed();
    for (const stream of streams) this.#listen(stream, at);
    for (const stream of streams) {
      const stored = this.#options.store.find(stream.record.id);
      const taken = stored && this.#next(stream, stored);
      stream.isHeld = taken !== undefined && taken.record !== stored;
      if (!stream.isHeld) this.#took(stream, taken);
    }
    const held = streams.filter(({ isHeld }) => isHeld);
    if (held.length === 0 || this.#isStoring) return;
    return this.#store(held);
  }

  /** The next state by the time as it is now: a server may have been waited for. */
  #next(stream: OpenStream, stored: StreamRecord): Step {
    const tried = this.#tried.get(stream);
    if (tried !== undefined && isSame(tried.record, stored)) return { ...tried, record: stored };
    const { clock, elapsed, owner, store } = this.#options;
    const { phase, silentSince } = stream;
    const silentMs = silentSince === undefined ? undefined : elapsed() - silentSince;
    const isGoing = phase === 'served';
    return step(stored, { now: clock.now(), silentMs, isGoing, owner, aliveAt: store.aliveAt });
  }

  #store(held: readonly OpenStream[]): Soon<void> {
    const { store, owner, clock } = this.#options;
    const byId = new Map(held.map((stream) => [stream.record.id, stream]));
    this.#isNoted = true;
    const steps = new Map<OpenStream, Step | undefined>();
    const stored = store.update(owner, clock.now, [...byId.keys()], (id, record) => {
      const stream = byId.get(id) as OpenStream;
      const taken = record && this.#next(stream, record);
      steps.set(stream, taken);
      if (taken !== undefined && taken.record !== record) this.#tried.set(stream, taken);
      return taken?.record;
    });
    const isLater = stored instanceof Promise;
    this.#isStoring = isLater;
    const done = soon(stored, () => {
      for (const stream of held) {
        stream.isHeld = false;
        this.#took(stream, steps.get(stream));
      }
    });
    if (!(done instanceof Promise)) return;
    return done.finally(() => {
      this.#isStoring = false;
    });
  }

  #listen(stream: OpenStream, at: number): void {
    if (this.#options.board.has(stream.filter)) stream.silentSince = undefined;
    else stream.silentSince ??= at;
  }

  /** @param taken undefined of a stream that is not stored any more: it is served no longer */
  #took(stream: OpenStream, taken: Step | undefined): void {
    this.#tried.delete(stream);
    if (taken === undefined) {
      stream.phase = 'unpaid';
      return;
    }
    const { owner, counts, clock, elapsed } = this.#options;
    const { record, phase, told, begun } = taken;
    counts.begun += begun;
    counts.credited += told.reduce((sum, { minutes }) => sum + minutes, 0);
    stream.record = record;
    stream.phase = phase;
    if (isServer(record, owner) && record.meter.endsAt !== undefined)
      this.#busyUntil = Math.max(this.#busyUntil, record.meter.endsAt + elapsed() - clock.now());
    if (told.length === 0) return;
    // A reader that waits hears of them later, behind those that it has not heard of either.
    stream.credits = [...stream.credits, ...told].slice(-MOST_CREDITS);
    stream.creditCount += told.length;
  }

  /** Minutes that began here go on as they were when the clock is set: their times move with it. */
  #followClock(): void {
    const { clock, elapsed } = this.#options;
    const next = { now: clock.now(), at: elapsed() };
    const setBy = next.now - this.#last.now - (next.at - this.#last.at);
    if (Math.abs(setBy) > SET_MS) this.#setBy += setBy;
    this.#last = next;
    if (this.#isShifting) return;
    if (this.#unmade === undefined && this.#setBy !== 0) {
      this.#shifts += 1;
      this.#unmade = { number: this.#shifts, byMs: this.#setBy };
      this.#setBy = 0;
    }
    if (this.#unmade !== undefined) this.#shift(this.#unmade);
  }

  /** Later transactions are made behind this one; one without an answer is asked for again, by its number. */
  #shift(set: ClockSet): void {
    const { store, owner, clock } = this.#options;
    const shifted = store.shift(owner, clock.now, set);
    if (!(shifted instanceof Promise)) {
      this.#unmade = undefined;
      return;
    }
    this.#isShifting = true;
    shifted
      .then(
        () => {
          this.#unmade = undefined;
        },
        () => {},
      )
      .finally(() => {
        this.#isShifting = false;
      });
  }

  /**
   * Says that this process is there while a minute of its own runs, and credits what others that are gone have broken off.
   *
   * @throws, or rejects, where the store does not take it
   */
  upkeep(): Soon<void> {
    if (this.#isKeeping) return;
    const at = this.#options.elapsed();
    const works = [this.#noted(at), this.#recovered(at)].filter((work) => work instanceof Promise);
    if (works.length === 0) return;
    this.#isKeeping = true;
    const done = Promise.all(works).finally(() => {
      this.#isKeeping = false;
    });
    return done.then(() => {});
  }

  #noted(at: number): Soon<unknown> {
    const { store, clock, owner } = this.#options;
    if (at < this.#busyUntil) return this.#due.alive.comes(at) ? store.beat(owner, clock.now) : undefined;
    // A minute that is being stored begins here.
    if (!this.#isNoted || this.#isStoring) return undefined;
    const rests = store.rest(owner);
    this.#isNoted = false;
    if (!(rests instanceof Promise)) return undefined;
    return rests.catch((cause: unknown) => {
      this.#isNoted = true;
      throw cause;
    });
  }

  #recovered(at: number): Soon<unknown> {
    if (!this.#due.recover.comes(at)) return undefined;
    const { store, clock, owner } = this.#options;
    // While the server tells nothing of others, their silence is none of theirs.
    if (store.silentMs > BEHIND_MS) {
      this.#leases.beginAnew();
      return undefined;
    }
    return store.recover(owner, clock.now(), (other, aliveAt) => this.#leases.isOver(other, aliveAt, at));
  }

  /**
   * Credits what this process breaks off by its end.
   *
   * @throws, or rejects, where the store does not take it
   */
  leave(streams: Iterable<OpenStream>): Soon<void> {
    const { store, clock, owner, counts } = this.#options;
    this.#followClock();
    return soon(store.leave(owner, clock.now), (credited) => {
      counts.credited += credited;
      for (const stream of streams) stream.record = store.find(stream.record.id) ?? stream.record;
    });
  }
}

/** Fields are in the order in which the record was written; one that is undefined is absent once it was stored. */
const isSame = (a: StreamRecord, b: StreamRecord): boolean => JSON.stringify(a) === JSON.stringify(b);
