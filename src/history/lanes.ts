import type { ClickHouseClient } from '@clickhouse/client';
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

class Lane {
  readonly #free: ClickHouseClient[];
  readonly #waiting: ((client: ClickHouseClient) => void)[] = [];

  constructor(clients: readonly ClickHouseClient[]) {
    this.#free = [...clients];
  }

  async use<T>(work: (client: ClickHouseClient) => Promise<T>): Promise<StoreResult<T>> {
    const free = this.#free.pop();
    if (free === undefined && this.#waiting.length >= MAX_WAITING) {
      return notStored('busy', `${MAX_WAITING} queries are waiting`);
    }
    const client = free ?? (await new Promise<ClickHouseClient>((resolve) => this.#waiting.push(resolve)));
    try {
      return stored(await work(client));
    } catch (error) {
      return { ok: false, fault: storeFault(error) };
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(client);
      else next(client);
    }
  }
}

/** Lends clients, keeps account of what is under way, and closes them when it has ended. */
export class LendingDesk {
  readonly #clients: readonly ClickHouseClient[];
  readonly #lanes: Readonly<Record<Role, Lane>>;
  readonly #underWay = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(lanes: Lanes) {
    this.#clients = [...lanes.read, ...lanes.write, ...lanes.maintain];
    this.#lanes = {
      read: new Lane(lanes.read),
      write: new Lane(lanes.write),
      maintain: new Lane(lanes.maintain),
    };
  }

  use<T>(role: Role, work: (client: ClickHouseClient) => Promise<T>): Promise<StoreResult<T>> {
    if (this.#closed !== undefined) return Promise.resolve(notStored('unavailable', 'the store is closed'));
    const running = this.#lanes[role].use(work);
    this.#underWay.add(running);
    return running.finally(() => this.#underWay.delete(running));
  }

  /** A query of the embedded engine cannot be cut short without hanging the process, so it is awaited. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    await Promise.all(this.#underWay);
    await Promise.all(this.#clients.map((client) => client.close()));
  }
}
