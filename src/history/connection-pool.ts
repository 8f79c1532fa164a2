import type { ClickHouseClient } from '@clickhouse/client';
import { withTimeout } from '../runtime/timer.ts';
import { type ConnectionRole, notStored, type StoreResult, stored } from './store.ts';
import { storeFault } from './store-fault.ts';

/** Clients by role. A client of the embedded engine runs one statement at a time, so one caller holds it at a time. */
export interface ClientsByRole {
  readonly read: readonly ClickHouseClient[];
  readonly write: readonly ClickHouseClient[];
  readonly maintain: readonly ClickHouseClient[];
  readonly control: readonly ClickHouseClient[];
}

/** Callers that may wait for a client of one role. */
const MAX_WAITING = 256;
/** Timeout of a read, waiting included: a store that does not answer must not block its callers. */
const READ_TIMEOUT_MS = 6000;
const NO_ANSWER = notStored('unavailable', 'the store does not answer');

type Waiter = (client: ClickHouseClient | undefined) => void;

/** One caller's use of a client. */
interface Checkout {
  /** Ends its wait: with a client, or with undefined. */
  waiter?: Waiter;
  isAcquired: boolean;
  /** Its caller has timed out. */
  isTimedOut: boolean;
}

class RolePool {
  readonly #clients: readonly ClickHouseClient[];
  readonly #timeoutMs: number | undefined;
  readonly #free: ClickHouseClient[];
  #waiting: Waiter[] = [];
  /** Leaked clients: still in use after their caller timed out. */
  #leaked = 0;

  constructor(clients: readonly ClickHouseClient[], timeoutMs?: number) {
    this.#clients = clients;
    this.#timeoutMs = timeoutMs;
    this.#free = [...clients];
  }

  /** `ended` resolves when the client is returned, which may be long after the caller has its result. */
  use<T>(work: (client: ClickHouseClient) => Promise<T>): {
    readonly result: Promise<StoreResult<T>>;
    readonly released: Promise<unknown>;
  } {
    const checkout: Checkout = { isAcquired: false, isTimedOut: false };
    const released = this.#run(checkout, work);
    return { result: this.#withTimeout(checkout, released), released };
  }

  async #run<T>(checkout: Checkout, work: (client: ClickHouseClient) => Promise<T>): Promise<StoreResult<T>> {
    const isFree = this.#free.length > 0;
    if (!isFree && this.#leaked === this.#clients.length) return NO_ANSWER;
    if (!isFree && this.#waiting.length >= MAX_WAITING) {
      return notStored('busy', `${MAX_WAITING} queries are waiting`);
    }
    const client = this.#free.pop() ?? (await this.#waitForClient(checkout));
    if (client === undefined) return NO_ANSWER;
    checkout.isAcquired = true;
    try {
      return stored(await work(client));
    } catch (error) {
      return { ok: false, fault: storeFault(error) };
    } finally {
      if (checkout.isTimedOut) this.#leaked -= 1;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(client);
      else next(client);
    }
  }

  #waitForClient(checkout: Checkout): Promise<ClickHouseClient | undefined> {
    return new Promise((waiter) => {
      checkout.waiter = waiter;
      this.#waiting.push(waiter);
    });
  }

  #withTimeout<T>(checkout: Checkout, released: Promise<StoreResult<T>>): Promise<StoreResult<T>> {
    if (this.#timeoutMs === undefined) return released;
    return withTimeout(released, this.#timeoutMs, () => this.#timeOut(checkout));
  }

  #timeOut(checkout: Checkout): StoreResult<never> {
    checkout.isTimedOut = true;
    if (checkout.isAcquired) {
      this.#leaked += 1;
      // Every client has leaked: waiting is useless.
      if (this.#leaked === this.#clients.length)
        for (const waiter of this.#waiting.splice(0)) waiter(undefined);
      return NO_ANSWER;
    }
    this.#waiting = this.#waiting.filter((waiter) => waiter !== checkout.waiter);
    checkout.waiter?.(undefined);
    return NO_ANSWER;
  }
}

/** A connection pool by role: hands out clients, tracks what is in flight, and closes them when that has ended. */
export class ConnectionPool {
  readonly #clients: readonly ClickHouseClient[];
  readonly #pools: Readonly<Record<ConnectionRole, RolePool>>;
  readonly #closeTimeoutMs: number | undefined;
  readonly #ping: ClickHouseClient | undefined;
  readonly #inFlight = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  /**
   * @param closeTimeoutMs longest wait for queries in flight when closing; undefined = until they end
   * @param readTimeoutMs a reader fails after this time where the store does not answer
   * @param ping asks a server whether it is there, with a short timeout of its own
   */
  constructor(
    pools: ClientsByRole,
    closeTimeoutMs?: number,
    readTimeoutMs: number = READ_TIMEOUT_MS,
    ping?: ClickHouseClient,
  ) {
    this.#clients = [
      ...pools.read,
      ...pools.write,
      ...pools.maintain,
      ...pools.control,
      ...(ping === undefined ? [] : [ping]),
    ];
    this.#ping = ping;
    this.#closeTimeoutMs = closeTimeoutMs;
    this.#pools = {
      read: new RolePool(pools.read, readTimeoutMs),
      write: new RolePool(pools.write),
      maintain: new RolePool(pools.maintain),
      control: new RolePool(pools.control),
    };
  }

  use<T>(role: ConnectionRole, work: (client: ClickHouseClient) => Promise<T>): Promise<StoreResult<T>> {
    if (this.#closed !== undefined) return Promise.resolve(notStored('unavailable', 'the store is closed'));
    const { result, released } = this.#pools[role].use(work);
    this.#inFlight.add(released);
    void released.finally(() => this.#inFlight.delete(released));
    return result;
  }

  /** True if a server answers, however busy it is. */
  async isAlive(): Promise<boolean> {
    return this.#ping === undefined || (await this.#ping.ping()).success;
  }

  /** A query of the embedded engine cannot be cut short without hanging the process, so it is awaited. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    const released = Promise.all(this.#inFlight);
    if (this.#closeTimeoutMs !== undefined)
      await withTimeout(released, this.#closeTimeoutMs, () => undefined);
    else await released;
    await Promise.all(this.#clients.map((client) => client.close()));
    await released;
  }
}
