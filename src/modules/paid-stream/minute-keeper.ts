import type { Clock } from '../../domain/clock.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { Due } from './due.ts';
import { ProcessLeases } from './process-lease.ts';
import type { OpenStream } from './reader.ts';
import { MOST_CREDITS, type Step, type StreamRecord, step } from './stream-record.ts';
import type { StreamStore } from './stream-store.ts';
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
  #last: { readonly now: number; readonly at: number };

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#last = { now: options.clock.now(), at: options.elapsed() };
  }

  /**
   * Takes each stream to its next state, stored before it counts.
   *
   * @throws where the store does not take it: then no stream has changed
   */
  advance(streams: readonly OpenStream[]): void {
    const { store, clock, owner, elapsed } = this.#options;
    this.#followClock();
    const now = clock.now();
    const at = elapsed();
    for (const stream of streams) this.#listen(stream, at);
    const steps = new Map<string, Step>();
    const next = ({ phase, silentSince }: OpenStream, stored: StreamRecord): StreamRecord => {
      const silentMs = silentSince === undefined ? undefined : at - silentSince;
      const taken = step(stored, { now, silentMs, isGoing: phase === 'served', owner });
      steps.set(stored.id, taken);
      return taken.record;
    };
    const changing = streams.filter((stream) => {
      const stored = store.find(stream.record.id);
      return stored !== undefined && next(stream, stored) !== stored;
    });
    const byId = new Map(changing.map((stream) => [stream.record.id, stream]));
    if (byId.size > 0) {
      this.#isNoted = true;
      store.update(owner, now, byId.keys(), (stored) => next(byId.get(stored.id) as OpenStream, stored));
    }
    for (const stream of streams) this.#took(stream, steps.get(stream.record.id), at - now);
  }

  #listen(stream: OpenStream, at: number): void {
    if (this.#options.board.has(stream.filter)) stream.silentSince = undefined;
    else stream.silentSince ??= at;
  }

  #took(stream: OpenStream, taken: Step | undefined, toSteady: number): void {
    if (taken === undefined) return;
    const { owner, counts } = this.#options;
    const { record, phase, told, begun } = taken;
    counts.begun += begun;
    counts.credited += told.reduce((sum, { minutes }) => sum + minutes, 0);
    stream.record = record;
    stream.phase = phase;
    if (record.servedBy === owner && record.meter.endsAt !== undefined)
      this.#busyUntil = Math.max(this.#busyUntil, record.meter.endsAt + toSteady);
    if (told.length === 0) return;
    // A reader that waits hears of them later, behind those that it has not heard of either.
    stream.credits = [...stream.credits, ...told].slice(-MOST_CREDITS);
    stream.creditCount += told.length;
  }

  /** Minutes that began here go on as they were when the clock is set: their times move with it. */
  #followClock(): void {
    const { store, clock, owner, elapsed } = this.#options;
    const next = { now: clock.now(), at: elapsed() };
    const setBy = next.now - this.#last.now - (next.at - this.#last.at);
    if (Math.abs(setBy) > SET_MS) store.shift(owner, next.now, setBy);
    this.#last = next;
  }

  /**
   * Says that this process is there while a minute of its own runs, and credits what others that are gone have broken off.
   *
   * @throws where the store does not take it
   */
  upkeep(): void {
    const { store, clock, owner, elapsed } = this.#options;
    const at = elapsed();
    if (at < this.#busyUntil) {
      if (this.#due.alive.comes(at)) store.beat(owner, clock.now());
    } else if (this.#isNoted) {
      store.rest(owner);
      this.#isNoted = false;
    }
    if (this.#due.recover.comes(at))
      store.recover(owner, clock.now(), (other, aliveAt) => this.#leases.isOver(other, aliveAt, at));
  }

  /**
   * Credits what this process breaks off by its end.
   *
   * @throws where the store does not take it
   */
  leave(streams: Iterable<OpenStream>): void {
    const { store, clock, owner, counts } = this.#options;
    this.#followClock();
    counts.credited += store.leave(owner, clock.now());
    for (const stream of streams) stream.record = store.find(stream.record.id) ?? stream.record;
  }
}
