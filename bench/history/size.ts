import type { HistoryStore } from '../../src/history/store.ts';
import { valueIn } from './load.ts';

/** Bytes a row on the disk, by what the columns are for. */
export interface RowSize {
  /** Rate, mark, index, open interest and volume. */
  readonly values: number;
  /** Contract, time, and time of recording. */
  readonly keys: number;
  readonly book: number;
  /** Facts that the row showed beside its values. */
  readonly shown: number;
  /** All files of the table. */
  readonly all: number;
}

const SHOWN = /_(age|lag)_ms$|^(rate_fresh|quote|multiplier)$/;
const BOOK = /^(bid|ask|slippage)_/;
const VALUE = /^(rate|price|mark|index|oi|volume|interval)_/;

export async function bytesPerRow(store: HistoryStore): Promise<RowSize> {
  const where = "database = currentDatabase() AND table = 'samples' AND active";
  const columns = `SELECT column, sum(column_bytes_on_disk) FROM system.parts_columns WHERE ${where} GROUP BY column`;
  const whole = `SELECT sum(rows), sum(bytes_on_disk) FROM system.parts WHERE ${where}`;
  const [rows, bytes] = (valueIn(await store.select({ sql: whole, params: {} }))[0] ?? []).map(Number);
  const sums = { values: 0, keys: 0, book: 0, shown: 0 };
  for (const [column, size] of valueIn(await store.select({ sql: columns, params: {} }))) {
    const kind = SHOWN.test(String(column))
      ? 'shown'
      : BOOK.test(String(column))
        ? 'book'
        : VALUE.test(String(column))
          ? 'values'
          : 'keys';
    sums[kind] += Number(size);
  }
  const count = rows ?? Number.NaN;
  return {
    values: sums.values / count,
    keys: sums.keys / count,
    book: sums.book / count,
    shown: sums.shown / count,
    all: (bytes ?? Number.NaN) / count,
  };
}
