import type { ClickHouseClient } from '@clickhouse/client';
import { withTimeout } from '../runtime/timer.ts';
import { notStored, type Role, type StoreResult, stored } from './store.ts';
import { storeFault } from './store-fault.ts';

/** Clients by role. A client of the embedded engine runs one statement at a time, so each is lent to one caller. */
export interface Lanes {
  readonly read: readonly ClickHouseClient[];
  readonly write: readonly ClickHouseClient[];
  readonly maintain: readonly ClickHouseClient[];
}

/** Callers that may wait for a client of one role. */
const MAX_WAITING = 256;
/** A reader waits no longer: a store that does not answer must not hold up who asks, nor fill the line. */
const READ_PATIENCE_MS = 6000;
const NO_ANSWER = notStored('unavailable', 'the store does not answer');

type Turn = (client: ClickHouseClient | undefined) => void;

/** One caller's work. */
interface Job {
  /** Ends its waiting in line: with a client, or without. */
  turn?: Turn;
  begun: boolean;
  /** Its caller waits no longer. */
  isOver: boolean;
}

class Lane {
  readonly #clients: readonly ClickHouseClient[];
  readonly #patienceMs: number | undefined;
  readonly #free: ClickHouseClient[];
  #waiting: Turn[] = [];
  /** Clients that work for callers who wait no longer. */
  #mute = 0;

  constructor(clients: readonly ClickHouseClient[], patienceMs?: number) {
    this.#clients = clients;
    this.#patienceMs = patienceMs;
    this.#free = [...clients];
  }

  /** `ended` resolves when the client is given back, which may be long after the caller has its result. */
  use<T>(work: (client: ClickHouseClient) => Promise<T>): {
    readonly result: Promise<StoreResult<T>>;
    readonly ended: Promise<unknown>;
  } {
    const job: Job = { begun: false, isOver: false };
    const ended = this.#run(job, work);
    return { result: this.#inTime(job, ended), ended };
  }

  async #run<T>(job: Job, work: (client: ClickHouseClient) => Promise<T>): Promise<StoreResult<T>> {
    const isFree = this.#free.length > 0;
    if (!isFree && this.#mute === this.#clients.length) return NO_ANSWER;
    if (!isFree && this.#waiting.length >= MAX_WAITING) {
      return notStored('busy', `${MAX_WAITING} queries are waiting`);
    }
    const client = this.#free.pop() ?? (await this.#stand(job));
    if (client === undefined) return NO_ANSWER;
    job.begun = true;
    try {
      return stored(await work(client));
    } catch (error) {
      return { ok: false, fault: storeFault(error) };
    } finally {
      if (job.isOver) this.#mute -= 1;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(client);
      else next(client);
    }
  }

  #stand(job: Job): Promise<ClickHouseClient | undefined> {
    return new Promise((turn) => {
      job.turn = turn;
      this.#waiting.push(turn);
    });
  }

  #inTime<T>(job: Job, ended: Promise<StoreResult<T>>): Promise<StoreResult<T>> {
    if (this.#patienceMs === undefined) return ended;
    return withTimeout(ended, this.#patienceMs, () => this.#giveUp(job));
  }

  #giveUp(job: Job): StoreResult<never> {
    job.isOver = true;
    if (job.begun) {
      this.#mute += 1;
      // Those who stand behind it wait for a client that does not come back.
      if (this.#mute === this.#clients.length) for (const turn of this.#waiting.splice(0)) turn(undefined);
      return NO_ANSWER;
    }
    this.#waiting = this.#waiting.filter((turn) => turn !== job.turn);
    job.turn?.(undefined);
    return NO_ANSWER;
  }
}

/** Lends clients, keeps account of what is under way, and closes them when it has ended. */
export class LendingDesk {
  readonly #clients: readonly ClickHouseClient[];
  readonly #lanes: Readonly<Record<Role, Lane>>;
  readonly #cutAfterMs: number | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  /**
   * @param cutAfterMs closing cuts short what has not ended by then; undefined = it is awaited
   * @param readPatienceMs a reader is told after this time that the store does not answer
   */
  constructor(lanes: Lanes, cutAfterMs?: number, readPatienceMs: number = READ_PATIENCE_MS) {
    this.#clients = [...lanes.read, ...lanes.write, ...lanes.maintain];
    this.#cutAfterMs = cutAfterMs;
    this.#lanes = {
      read: new Lane(lanes.read, readPatienceMs),
      write: new Lane(lanes.write),
      maintain: new Lane(lanes.maintain),
    };
  }

  use<T>(role: Role, work: (client: ClickHouseClient) => Promise<T>): Promise<StoreResult<T>> {
    if (this.#closed !== undefined) return Promise.resolve(notStored('unavailable', 'the store is closed'));
    const { result, ended } = this.#lanes[role].use(work);
    this.#underWay.add(ended);
    void ended.finally(() => this.#underWay.delete(ended));
    return result;
  }

  /** A query of the embedded engine cannot be cut short without hanging the process, so it is awaited. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    const ended = Promise.all(this.#underWay);
    if (this.#cutAfterMs !== undefined) await withTimeout(ended, this.#cutAfterMs, () => undefined);
    else await ended;
    await Promise.all(this.#clients.map((client) => client.close()));
    await ended;
  }
}
