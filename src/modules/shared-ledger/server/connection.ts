import pg from 'pg';
import { DurationCounts } from '../../../domain/duration-counts.ts';
import { wait } from '../../../runtime/timer.ts';
import { type RemoteState, StoreUnreachable, StoreWriteError } from '../../../storage/remote-state.ts';

/** The server gives up first, so that a statement without an answer was most likely not made. */
const STATEMENT_MS = 2_000;
const ANSWER_MS = 2_500;
const CONNECT_MS = 2_000;
/** Pauses before a call is made again. */
const READ_AGAIN_MS = [0] as const;
const WRITE_AGAIN_MS = [0, 200, 600] as const;

/** A write, as often as it may have to be made: each time it has the same effect at most once. */
export interface Write {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Reads back if the stored row equals the one written; asked only after a call without an answer. */
  readonly isMade: { readonly sql: string; readonly values: readonly unknown[] };
}

/** SQLSTATE: the role may not do that. */
export const INSUFFICIENT_PRIVILEGE = '42501';
/** `isMade` of a write that can be made any number of times. */
export const REPEATABLE = { sql: 'SELECT', values: [] } as const;

export type Row = Readonly<Record<string, unknown>>;

/** The tables kept on a server, and their requirements. */
export interface ServerOptions {
  /** As it is called in messages. */
  readonly name: string;
  /** Connections at most. */
  readonly connections: number;
  /** Rejects where the server cannot be used; asked again with the next call then. */
  readonly check: (server: UncheckedServer) => Promise<void>;
}

/** Calls of a server that nobody has looked at yet. */
export interface UncheckedServer {
  /** Rejects as `Connection.read` does. */
  read(sql: string): Promise<readonly Row[]>;
  /** Statements of an operator, without repetition. */
  run(sql: string): Promise<void>;
}

/** Calls of one PostgreSQL server, over a few connections. It may be away at first: no call is made before it was checked. */
export class Connection implements RemoteState {
  readonly #pool: pg.Pool;
  readonly place: string;
  readonly durations = { read: new DurationCounts(), write: new DurationCounts() };
  readonly #served: ServerOptions;
  /** Connections whose last statement came with a warning. */
  readonly #warned = new WeakSet<pg.PoolClient>();
  #checked: Promise<void> | undefined;
  failures = 0;
  ok = true;

  /** @param url postgres://user:password@host:port/database, with libpq's sslmode and options */
  constructor(url: string, served: ServerOptions) {
    this.#served = served;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: served.connections,
      allowExitOnIdle: true,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      statement_timeout: STATEMENT_MS,
      application_name: 'perpmeter',
      onConnect: expectWritable,
    });
    this.#pool.on('connect', (client) => {
      // A broken connection emits an error to its listeners; an error without a listener would end the
      // process.
      client.on('error', () => {});
      client.on('notice', ({ code }) => {
        if (code === WARNING) this.#warned.add(client);
      });
    });
    this.#pool.on('error', () => {});
    this.place = placeOf(url);
  }

  /** Resolved once the server is found to be usable. Rejects with `StoreUnreachable`, or as its check does. */
  ready(): Promise<void> {
    const server: UncheckedServer = {
      read: (sql) => this.#read(sql, []),
      run: async (sql) => void (await this.#call(sql, undefined, false)),
    };
    this.#checked ??= this.#served.check(server).catch((cause: unknown) => {
      this.#checked = undefined;
      this.ok = false;
      throw cause;
    });
    return this.#checked;
  }

  /** Rows of a statement that changes nothing. Rejects as `ready` does. */
  async read(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    await this.ready();
    return this.#read(sql, values);
  }

  #read(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#timed('read', () => this.#repeat(READ_AGAIN_MS, () => this.#call(sql, values, false)));
  }

  /**
   * Resolves with true if the statement returned `done`. Where no answer comes it is made again, on another
   * connection. Rejects with `StoreWriteError` where it certainly was not made for another reason than its
   * condition.
   */
  async write({ sql, values, isMade }: Write): Promise<boolean> {
    await this.ready();
    let isDoubtful = false;
    const attempt = async (): Promise<boolean> => {
      try {
        const [row] = await this.#call(sql, values, true);
        if (row?.done === true || !isDoubtful) return row?.done === true;
        return (await this.#call(isMade.sql, isMade.values, false)).length > 0;
      } catch (cause) {
        isDoubtful ||= cause instanceof StoreUnreachable && cause.isInDoubt;
        const lost = cause instanceof StoreUnreachable ? cause.cause : cause;
        throw isDoubtful ? new StoreUnreachable(this.#served.name, lost, true) : cause;
      }
    };
    return this.#timed('write', () => this.#repeat(WRITE_AGAIN_MS, attempt));
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #timed<T>(kind: 'read' | 'write', call: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await call();
    } finally {
      this.durations[kind].add((performance.now() - began) / 1000);
    }
  }

  async #repeat<T>(pauses: readonly number[], call: () => Promise<T>): Promise<T> {
    for (const pause of pauses) {
      try {
        return await call();
      } catch (cause) {
        if (!(cause instanceof StoreUnreachable)) throw cause;
        await wait(pause);
      }
    }
    return call();
  }

  async #call(sql: string, values: readonly unknown[] | undefined, writes: boolean): Promise<readonly Row[]> {
    const client = await this.#connected();
    try {
      this.#warned.delete(client);
      const { rows } = await client.query<Row>(sql, values === undefined ? undefined : [...values]);
      if (this.#warned.has(client)) throw new Error('a wait for a stand-by was ended');
      client.release();
      this.ok = true;
      return rows;
    } catch (cause) {
      const fate = fateOf(cause);
      client.release(fate !== 'refused');
      if (fate === 'refused') throw new StoreWriteError(this.#served.name, cause);
      throw this.#unreachable(cause, writes && fate === 'lost');
    }
  }

  async #connected(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (cause) {
      throw this.#unreachable(cause, false);
    }
  }

  #unreachable(cause: unknown, isInDoubt: boolean): StoreUnreachable {
    this.ok = false;
    this.failures++;
    return new StoreUnreachable(this.#served.name, cause, isInDoubt);
  }
}

/** SQLSTATE by which a server says that a write is made, though the wait for its stand-by was ended. */
const WARNING = '01000';

/** A payment is written durably before money is asked for, so it survives a loss of power. */
const CONNECTED = `SELECT set_config('synchronous_commit', 'on', false),
  current_setting('transaction_read_only') = 'on' AS is_read_only`;

/**
 * A stand-by answers reads, though with what it has got so far: neither that it answers nor what it says is the
 * primary's. Refused at once, and connected again with the next call, so that nothing of it is left once it is
 * promoted.
 */
async function expectWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Row>(CONNECTED);
  if (rows[0]?.is_read_only !== true) return;
  // A silent network would let a goodbye wait for good.
  if (client instanceof pg.Client) client.connection.stream.destroy();
  throw new Error('the server takes no writes: a stand-by');
}

/**
 * The fate of a statement that failed. `refused`: the server says no, and nothing was changed; `turned_away`:
 * it does not take it now (a standby, a start, too many connections, a conflict); `lost`: it may have been
 * made.
 */
function fateOf(cause: unknown): 'refused' | 'turned_away' | 'lost' {
  const code = cause instanceof pg.DatabaseError ? cause.code : undefined;
  if (code === undefined || /^(?:08|57P0[12])/.test(code)) return 'lost';
  return /^(?:25006|40|57|53300)/.test(code) ? 'turned_away' : 'refused';
}

/** SQLSTATE of a refusal; undefined of anything else. */
export function refusalCode(cause: unknown): string | undefined {
  const inner = cause instanceof StoreWriteError ? cause.cause : undefined;
  return inner instanceof pg.DatabaseError ? inner.code : undefined;
}

/** Classes of SQLSTATE by which the server refuses what a row holds: invalid data (a NUL), or more than it has room for. */
const REFUSED_DATA = /^(?:22|54)/;

/** Writes rows at once; where the server refuses what one of them holds, in halves, until that one alone is left out. */
export async function writeParts<T>(
  rows: readonly T[],
  least: number,
  write: (some: readonly T[]) => Promise<void>,
  leaveOut: (some: readonly T[], cause: unknown) => void,
): Promise<void> {
  if (rows.length === 0) return;
  try {
    await write(rows);
  } catch (cause) {
    if (!REFUSED_DATA.test(refusalCode(cause) ?? '')) throw cause;
    if (rows.length <= least) return leaveOut(rows, cause);
    const half = Math.ceil(rows.length / 2);
    await writeParts(rows.slice(0, half), least, write, leaveOut);
    await writeParts(rows.slice(half), least, write, leaveOut);
  }
}

/** Host, port and database of an address, for logs. */
export function placeOf(url: string): string {
  const { host, port, database } = new pg.Client(url);
  return `${host}:${port}/${database ?? ''}`;
}
