import { MEASURES, type Measure } from '../domain/series.ts';
import { AS_STORED, type Expression, type PaymentTimes, type Reading } from './reading.ts';

/** Column of a sample, and stem of the roll-up's columns, of each measure. */
export const COLUMNS: Readonly<Record<Measure, readonly [sample: string, rollUp: string]>> = {
  rate: ['funding_rate', 'rate'],
  mark: ['mark_price', 'mark'],
  index: ['index_price', 'index'],
  interest: ['open_interest_base', 'oi'],
  interestUsd: ['open_interest_usd', 'oi_usd'],
  volumeUsd: ['volume_24h_usd', 'volume_usd'],
};

/** Columns that name a contract. */
export const CONTRACT = 'canonical_id, venue, symbol, listed_at';
export const NEWEST_FIRST = 'negate(toUnixTimestamp64Milli(recorded_at))';

/** When all samples of an hour were recorded: columns of the roll-ups, and of samples that are being rolled up. */
export const FIRST = 'recorded_first';
export const LAST = 'recorded_last';

/** The latest revision of every row of a table, read in the order in which it lies on the disk. */
function latest(table: string, columns: readonly string[], key: string, where: string): string {
  return `SELECT ${key}, ${columns.join(', ')} FROM ${table} WHERE ${where} ORDER BY ${key}, ${NEWEST_FIRST} LIMIT 1 BY ${key}`;
}

export function sampleColumn(measure: Measure): string {
  return COLUMNS[measure][0];
}

export function rollUpCount(measure: Measure): string {
  return `${COLUMNS[measure][1]}_n`;
}

const SAMPLE_KEY = `${CONTRACT}, ts, origin`;

/**
 * Columns of samples as they read. They are read a level above the table: some are worked out of others where they
 * are read, on every node of a cluster, under the same names.
 */
function readRows(columns: readonly string[], read: Expression, rows: string): string {
  const named = columns.map((column) => {
    const measure = MEASURES.find((name) => sampleColumn(name) === column);
    const what = measure === undefined ? column : read(column, measure);
    return what === column ? column : `${what} AS ${column}`;
  });
  return `SELECT ${SAMPLE_KEY}, recorded_at, ${named.join(', ')} FROM (${rows})`;
}

/** The latest revision of the samples that fit a condition. */
export function latestSamples(
  columns: readonly string[],
  where: string,
  reading: Reading = AS_STORED,
): string {
  if (reading.changes.length === 0) return latest('samples', columns, SAMPLE_KEY, where);
  const rows = latest('samples', [...columns, 'recorded_at'], SAMPLE_KEY, where);
  return readRows(columns, reading.sample, rows);
}

/** Latest revisions of samples for a roll-up: only hours that are read otherwise in part differ from what was written. */
export function samplesToRoll(columns: readonly string[], where: string, reading: Reading): string {
  const rows = latest('samples', [...columns, 'recorded_at'], SAMPLE_KEY, where);
  if (reading.changes.length === 0) return rows;
  const hour = `OVER (PARTITION BY ${CONTRACT}, toStartOfHour(ts), origin)`;
  const spans = `min(recorded_at) ${hour} AS ${FIRST}, max(recorded_at) ${hour} AS ${LAST}`;
  return readRows(columns, reading.part, `SELECT *, ${spans} FROM (${rows})`);
}

/** A span of payments: its ends are seconds in SQL, `from` included and `to` not, and conditions stand beside the time. */
export interface PaymentSpan {
  readonly from: string;
  readonly to: string;
  readonly conditions: readonly string[];
}

const within = (at: string, from: string, to: string): string =>
  `${at} >= toDateTime(${from}, 'UTC') AND ${at} < toDateTime(${to}, 'UTC')`;

/**
 * The settlements of a span at the times at which they were paid. Where they are read at other times than stored, the rows that lie about
 * the span are read, and the span is cut out a level above, where `ts` is when they were paid.
 */
export function paymentRows(
  columns: readonly string[],
  { from, to, conditions }: PaymentSpan,
  times: PaymentTimes | undefined,
): string {
  const select = (at: string, where: readonly string[]): string =>
    `SELECT ${[CONTRACT, at, 'recorded_at', ...columns].join(', ')} FROM settlements WHERE ${where.join(' AND ')}`;
  if (times === undefined) return select('ts', [...conditions, within('ts', from, to)]);
  const { at, isMade, latestBy, earliestBy } = times;
  const about = within('ts', `greatest(toInt64(${from}) - ${latestBy}, 0)`, `${to} + ${earliestBy}`);
  const rows = select(`${at} AS paid`, [...conditions, about, isMade]);
  const moved = [CONTRACT, 'paid AS ts', 'recorded_at', ...columns].join(', ');
  return `SELECT ${moved} FROM (${rows}) WHERE ${within('paid', from, to)}`;
}

/** The latest revision of the settlements of a span. */
export function latestSettlements(
  columns: readonly string[],
  span: PaymentSpan,
  times: PaymentTimes | undefined,
): string {
  const key = `${CONTRACT}, ts`;
  return `SELECT ${key}, ${columns.join(', ')} FROM (${paymentRows(columns, span, times)}) ORDER BY ${key}, ${NEWEST_FIRST} LIMIT 1 BY ${key}`;
}
