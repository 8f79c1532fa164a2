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

/** Suffix of the tables that hold a node's share of the rows, in a cluster. */
export const LOCAL_SUFFIX = '_local';

export interface NodeStoreOptions {
  readonly engine: HistoryStore['engine'];
  /** One pool a node. The first that answers is asked; the others take its place when it does not. */
  readonly pools: readonly ConnectionPool[];
}

/** A store over the clients of one engine or of the nodes of a cluster. */
export function createNodeStore({ engine, pools }: NodeStoreOptions): HistoryStore {
  let preferred = 0;
  const onAnyNode = async <T>(
    role: Role,
    work: (client: ClickHouseClient) => Promise<T>,
  ): Promise<StoreResult<T>> => {
    let result: StoreResult<T> = notStored('unavailable', 'no node');
    for (let i = 0; i < pools.length; i++) {
      const at = (preferred + i) % pools.length;
      const pool = pools[at];
      if (pool === undefined) continue;
      result = await pool.use(role, work);
      if (result.ok || result.fault.kind !== 'unavailable') {
        preferred = at;
        return result;
      }
    }
    return result;
  };
  const local = (table: string) => (engine === 'cluster' ? table + LOCAL_SUFFIX : table);
  const run = (query: Query, role: Role = 'maintain') =>
    onAnyNode(role, async (client) => {
      await client.command({ query: query.sql, query_params: { ...query.params } });
    });
  return {
    engine,
    run,
    select: (query, role = 'read') => onAnyNode(role, (client) => readCells(client, query)),
    insert: (rows) =>
      onAnyNode('write', async (client) => {
        await writeRows(client, rows);
        // A shard that is down takes its rows later: they are accepted all the same.
        if (engine === 'cluster') await flush(client, rows.table).catch(() => undefined);
      }),
    async deliver(table) {
      if (engine !== 'cluster') return stored(undefined);
      for (const pool of pools) {
        const result = await pool.use('maintain', (client) => flush(client, table));
        if (!result.ok) return result;
      }
      return stored(undefined);
    },
    async selectOnNodes(query) {
      const all: Cells[] = [];
      for (const pool of pools) {
        const rows = await pool.use('maintain', (client) => readCells(client, query(local)));
        if (!rows.ok) return rows;
        all.push(...rows.value);
      }
      return stored(all);
    },
    async runOnNodes(sql) {
      for (const pool of pools) {
        const result = await pool.use('maintain', async (client) => {
          await client.command({ query: sql(local) });
        });
        if (!result.ok) return result;
      }
      return stored(undefined);
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

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

async function writeRows(client: ClickHouseClient, { table, columns, lines }: Rows): Promise<void> {
  const [first, ...others] = columns;
  if (first === undefined || lines.length === 0) return;
  await client.insert({
    table,
    columns: [first, ...others],
    values: Readable.from([`${lines.join('\n')}\n`], { objectMode: false }),
    format: 'TabSeparated',
  });
}
