import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { sleep, systemTimer } from '../runtime/timer.ts';
import type { ConnectionPool } from './connection-pool.ts';
import {
  type Cells,
  type ConnectionRole,
  type HistoryStore,
  notStored,
  type Query,
  type Rows,
  type StoreResult,
  stored,
} from './store.ts';

type LocalTable = (table: string) => string;
/** @param cut aborts where the node hangs */
type Work<T> = (client: ClickHouseClient, cut: AbortSignal) => Promise<T>;

/** Suffix of the tables that hold a node's share of the rows, in a cluster. */
export const LOCAL_SUFFIX = '_local';

/** A statement that takes longer has its node asked whether it is there, and again each time. */
const POLL_MS = 1000;
/**
 * Rows that go to another node wait in the spool of the one that took them: the writer waits no longer for that
 * node.
 */
const FLUSH_MS = 2000;
const HUNG = notStored('unavailable', 'the node hangs');

export interface NodeStoreOptions {
  readonly engine: HistoryStore['engine'];
  /** One pool a node. The first that answers is asked; the others take its place when it does not. */
  readonly pools: readonly ConnectionPool[];
}

/** A store over the clients of one engine or of the nodes of a cluster. */
export class NodeStore implements HistoryStore {
  readonly engine: HistoryStore['engine'];
  readonly #pools: readonly ConnectionPool[];
  /** Place of the node that answered last. */
  #preferred = 0;

  constructor({ engine, pools }: NodeStoreOptions) {
    this.engine = engine;
    this.#pools = pools;
  }

  run(query: Query, role: ConnectionRole = 'maintain'): Promise<StoreResult<void>> {
    return this.#onAnyNode(role, async (client, cut) => {
      await client.command({ query: query.sql, query_params: { ...query.params }, abort_signal: cut });
    });
  }

  select(query: Query, role: ConnectionRole = 'read'): Promise<StoreResult<readonly Cells[]>> {
    return this.#onAnyNode(role, (client, cut) => readCells(client, query, cut));
  }

  insert(rows: Rows): Promise<StoreResult<void>> {
    return this.#onAnyNode('write', async (client, cut) => {
      await writeRows(client, this.#named(rows), cut);
      if (this.engine !== 'cluster') return;
      const late = AbortSignal.any([cut, AbortSignal.timeout(FLUSH_MS)]);
      // A shard that is down takes its rows later: they are accepted all the same.
      await flush(client, rows.table, late).catch(() => undefined);
    });
  }

  async deliver(table: string): Promise<StoreResult<void>> {
    if (this.engine !== 'cluster') return stored(undefined);
    return done(await this.#onEachNode((client, cut) => flush(client, table, cut)));
  }

  async selectOnNodes(query: (local: LocalTable) => Query): Promise<StoreResult<readonly Cells[]>> {
    const rows = await this.#onEachNode((client, cut) => readCells(client, query(this.#local), cut));
    return rows.ok ? stored(rows.value.flat()) : rows;
  }

  async runOnNodes(sql: (local: LocalTable) => string): Promise<StoreResult<void>> {
    const run: Work<unknown> = (client, cut) =>
      client.command({ query: sql(this.#local), abort_signal: cut });
    return done(await this.#onEachNode(run));
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  /** The table that holds a node's share of the rows. */
  readonly #local: LocalTable = (table) => (this.engine === 'cluster' ? table + LOCAL_SUFFIX : table);

  /** The embedded engine keeps a setting for its session: the name of one statement would be that of all after it. */
  #named(rows: Rows): Rows {
    return this.engine === 'embedded' ? { ...rows, token: rows.token ?? '' } : rows;
  }

  /** The answer of the first node that can be reached, beginning with the one that answered last. */
  async #onAnyNode<T>(role: ConnectionRole, work: Work<T>): Promise<StoreResult<T>> {
    let result: StoreResult<T> = notStored('unavailable', 'no node');
    for (let i = 0; i < this.#pools.length; i++) {
      const at = (this.#preferred + i) % this.#pools.length;
      const pool = this.#pools[at];
      if (pool === undefined) continue;
      result = await this.#use(pool, role, work);
      if (result.ok || result.fault.kind !== 'unavailable') {
        this.#preferred = at;
        return result;
      }
    }
    return result;
  }

  /** The answers of all nodes; the first fault where one does not answer. */
  async #onEachNode<T>(work: Work<T>): Promise<StoreResult<readonly T[]>> {
    const answers: T[] = [];
    for (const pool of this.#pools) {
      const result = await this.#use(pool, 'maintain', work);
      if (!result.ok) return result;
      answers.push(result.value);
    }
    return stored(answers);
  }

  /** A node that hangs is not waited for where others can take its place. A read has a timeout of its own. */
  async #use<T>(pool: ConnectionPool, role: ConnectionRole, work: Work<T>): Promise<StoreResult<T>> {
    const cut = new AbortController();
    const use = (): Promise<StoreResult<T>> => pool.use(role, (client) => work(client, cut.signal));
    if (role === 'read' || this.#pools.length === 1) return use();
    const ended = new AbortController();
    void cutWhereHung(pool, cut, ended.signal);
    const result = await use().finally(() => ended.abort());
    return !result.ok && cut.signal.aborted ? HUNG : result;
  }
}

async function cutWhereHung(pool: ConnectionPool, cut: AbortController, ended: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(systemTimer, POLL_MS, ended);
    if (ended.aborted) return;
    if (await pool.isAlive()) continue;
    cut.abort();
    return;
  }
}

const done = (result: StoreResult<unknown>): StoreResult<void> => (result.ok ? stored(undefined) : result);

/** Rows read between two turns of the event loop: about a millisecond. */
const ROWS_A_TURN = 500;

async function readCells(
  client: ClickHouseClient,
  { sql, params }: Query,
  cut: AbortSignal,
): Promise<readonly Cells[]> {
  const format = 'JSONCompactEachRow';
  const result = await client.query({ query: sql, query_params: { ...params }, format, abort_signal: cut });
  return readLines(await result.text());
}

/** Rows of a text with one a line. A long one is read in parts: requests are answered in between. */
async function readLines(text: string): Promise<readonly Cells[]> {
  const rows: Cells[] = [];
  let lines = 0;
  let from = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines += 1;
    if (lines % ROWS_A_TURN !== 0) continue;
    append(rows, text.slice(from, at));
    from = at + 1;
    await nextTurn();
  }
  append(rows, text.slice(from).trimEnd());
  return rows;
}

function append(rows: Cells[], lines: string): void {
  if (lines === '') return;
  const read = JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as Cells[];
  for (const row of read) rows.push(row);
}

async function flush(client: ClickHouseClient, table: string, cut: AbortSignal): Promise<void> {
  await client.command({ query: `SYSTEM FLUSH DISTRIBUTED ${table}`, abort_signal: cut });
}

async function writeRows(
  client: ClickHouseClient,
  { table, columns, lines, token }: Rows,
  cut: AbortSignal,
): Promise<void> {
  const [first, ...others] = columns;
  if (first === undefined || lines.length === 0) return;
  await client.insert({
    table,
    columns: [first, ...others],
    values: Readable.from([`${lines.join('\n')}\n`], { objectMode: false }),
    format: 'TabSeparated',
    abort_signal: cut,
    ...(token !== undefined && { clickhouse_settings: { insert_deduplication_token: token } }),
  });
}
