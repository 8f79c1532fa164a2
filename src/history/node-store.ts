import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import type { ConnectionPool } from './connection-pool.ts';
import {
  type Cells,
  type HistoryStore,
  notStored,
  type Query,
  type Role,
  type Rows,
  type StoreResult,
  stored,
} from './store.ts';

type LocalTable = (table: string) => string;

/** Suffix of the tables that hold a node's share of the rows, in a cluster. */
export const LOCAL_SUFFIX = '_local';

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

  run(query: Query, role: Role = 'maintain'): Promise<StoreResult<void>> {
    return this.#onAnyNode(role, async (client) => {
      await client.command({ query: query.sql, query_params: { ...query.params } });
    });
  }

  select(query: Query, role: Role = 'read'): Promise<StoreResult<readonly Cells[]>> {
    return this.#onAnyNode(role, (client) => readCells(client, query));
  }

  insert(rows: Rows): Promise<StoreResult<void>> {
    return this.#onAnyNode('write', async (client) => {
      await writeRows(client, rows);
      // A shard that is down takes its rows later: they are accepted all the same.
      if (this.engine === 'cluster') await flush(client, rows.table).catch(() => undefined);
    });
  }

  async deliver(table: string): Promise<StoreResult<void>> {
    if (this.engine !== 'cluster') return stored(undefined);
    return done(await this.#onEachNode((client) => flush(client, table)));
  }

  async selectOnNodes(query: (local: LocalTable) => Query): Promise<StoreResult<readonly Cells[]>> {
    const rows = await this.#onEachNode((client) => readCells(client, query(this.#local)));
    return rows.ok ? stored(rows.value.flat()) : rows;
  }

  async runOnNodes(sql: (local: LocalTable) => string): Promise<StoreResult<void>> {
    return done(await this.#onEachNode((client) => client.command({ query: sql(this.#local) })));
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  /** The table that holds a node's share of the rows. */
  readonly #local: LocalTable = (table) => (this.engine === 'cluster' ? table + LOCAL_SUFFIX : table);

  /** What the first node that can be reached answers, beginning with the one that answered last. */
  async #onAnyNode<T>(role: Role, work: (client: ClickHouseClient) => Promise<T>): Promise<StoreResult<T>> {
    let result: StoreResult<T> = notStored('unavailable', 'no node');
    for (let i = 0; i < this.#pools.length; i++) {
      const at = (this.#preferred + i) % this.#pools.length;
      const pool = this.#pools[at];
      if (pool === undefined) continue;
      result = await pool.use(role, work);
      if (result.ok || result.fault.kind !== 'unavailable') {
        this.#preferred = at;
        return result;
      }
    }
    return result;
  }

  /** What all nodes answer; the first fault where one does not. */
  async #onEachNode<T>(work: (client: ClickHouseClient) => Promise<T>): Promise<StoreResult<readonly T[]>> {
    const answers: T[] = [];
    for (const pool of this.#pools) {
      const result = await pool.use('maintain', work);
      if (!result.ok) return result;
      answers.push(result.value);
    }
    return stored(answers);
  }
}

const done = (result: StoreResult<unknown>): StoreResult<void> => (result.ok ? stored(undefined) : result);

/** Rows read between two turns of the event loop: about a millisecond. */
const ROWS_A_TURN = 500;

async function readCells(client: ClickHouseClient, { sql, params }: Query): Promise<readonly Cells[]> {
  const format = 'JSONCompactEachRow';
  const result = await client.query({ query: sql, query_params: { ...params }, format });
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

async function flush(client: ClickHouseClient, table: string): Promise<void> {
  await client.command({ query: `SYSTEM FLUSH DISTRIBUTED ${table}` });
}

async function writeRows(client: ClickHouseClient, { table, columns, lines, token }: Rows): Promise<void> {
  const [first, ...others] = columns;
  if (first === undefined || lines.length === 0) return;
  await client.insert({
    table,
    columns: [first, ...others],
    values: Readable.from([`${lines.join('\n')}\n`], { objectMode: false }),
    format: 'TabSeparated',
    ...(token !== undefined && { clickhouse_settings: { insert_deduplication_token: token } }),
  });
}
