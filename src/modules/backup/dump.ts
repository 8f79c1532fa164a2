import { readText } from '../../domain/read.ts';
import { type HistoryStore, type StoreResult, stored } from '../../history/store.ts';
import { DAY_SECONDS } from '../../runtime/duration.ts';
import type { Correction } from '../corrections/correction.ts';

/** Tables of a backup, with how much time one file of each holds, seconds. */
export const DUMPED: Readonly<Record<string, number>> = {
  samples: 3600,
  hours: DAY_SECONDS,
  settlements: DAY_SECONDS,
  venue_status: DAY_SECONDS,
  gaps: DAY_SECONDS,
  fees: DAY_SECONDS,
  second_reads: DAY_SECONDS,
};

/** One file of a backup: the rows of a table in a span of time. */
export interface Chunk {
  readonly table: string;
  /** Unix seconds; the span ends where the next of its table would begin. */
  readonly from: number;
  readonly file: string;
  readonly rows: number;
  /** Sum of the hashes of the rows as the engine works it out, whatever their order. */
  readonly hash: string;
}

export interface Manifest {
  readonly format: 1;
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly chunks: readonly Chunk[];
  /** Corrections of the rows; absent in a backup of a build that knew none. */
  readonly corrections?: readonly Correction[] | undefined;
}

export const MANIFEST = 'manifest.json';

/** Columns that are stored; those that follow from others are not. */
export async function storedColumns(
  store: HistoryStore,
  table: string,
): Promise<StoreResult<readonly string[]>> {
  const sql =
    "SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String} AND default_kind != 'ALIAS' ORDER BY position";
  const rows = await store.select({ sql, params: { table } }, 'maintain');
  return rows.ok ? stored(rows.value.flatMap(([name]) => readText(name) ?? [])) : rows;
}

const lineOf = (columns: readonly string[]): string =>
  `formatRowNoNewline('TabSeparated', ${columns.join(', ')})`;

const span = (table: string): number => DUMPED[table] ?? 3600;

/** A range of rows of a table; all without it. */
export interface Extent {
  /** Those of the span that begins there, Unix seconds. */
  readonly from?: number;
  /** Those that were recorded by then, Unix milliseconds. */
  readonly recordedBy?: number;
}

/** When the newest row of a table was recorded, Unix milliseconds; 0 where there is none. */
export async function newestRecord(store: HistoryStore, table: string): Promise<StoreResult<number>> {
  const sql = `SELECT toUnixTimestamp64Milli(max(recorded_at)) FROM ${table}`;
  const rows = await store.select({ sql, params: {} }, 'maintain');
  return rows.ok ? stored(Number(rows.value[0]?.[0] ?? 0)) : rows;
}

/** The condition of an extent, and the values of its names. */
function within(table: string, { from, recordedBy }: Extent) {
  const conditions = [
    ...(from === undefined
      ? []
      : ["ts >= toDateTime({from:UInt32}, 'UTC') AND ts < toDateTime({to:UInt32}, 'UTC')"]),
    ...(recordedBy === undefined ? [] : ['recorded_at <= fromUnixTimestamp64Milli({recorded_by:Int64})']),
  ];
  return {
    where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    params: {
      ...(from !== undefined && { from, to: from + span(table) }),
      ...(recordedBy !== undefined && { recorded_by: recordedBy }),
    },
  };
}

/** Rows and hash of every span of a table that has rows. */
export async function chunksOf(
  store: HistoryStore,
  table: string,
  columns: readonly string[],
  extent: Extent = {},
): Promise<StoreResult<readonly Chunk[]>> {
  const seconds = span(table);
  const { where, params } = within(table, extent);
  const sql =
    `SELECT intDiv(toUnixTimestamp(ts), ${seconds}) * ${seconds} AS start, count(), toString(sum(cityHash64(${lineOf(columns)}))) ` +
    `FROM ${table} ${where} GROUP BY start ORDER BY start`;
  const rows = await store.select({ sql, params }, 'maintain');
  if (!rows.ok) return rows;
  return stored(
    rows.value.map(([start, count, hash]) => ({
      table,
      from: Number(start),
      file: `${table}-${Number(start)}.tsv.gz`,
      rows: Number(count),
      hash: String(hash),
    })),
  );
}

/** Rows of a table as lines that can be inserted again. */
export async function linesOf(
  store: HistoryStore,
  table: string,
  columns: readonly string[],
  extent: Extent,
): Promise<StoreResult<readonly string[]>> {
  const { where, params } = within(table, extent);
  const sql = `SELECT ${lineOf(columns)} FROM ${table} ${where}`;
  const rows = await store.select({ sql, params }, 'maintain');
  return rows.ok ? stored(rows.value.map(([line]) => String(line))) : rows;
}
