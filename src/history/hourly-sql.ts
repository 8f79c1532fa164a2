import type { Measure } from '../domain/series.ts';
import { AS_STORED, type Reading } from './reading.ts';
import {
  COLUMNS,
  CONTRACT,
  FIRST,
  LAST,
  latestSamples,
  NEWEST_FIRST,
  rollUpCount,
  samplesToRoll,
} from './sample-sql.ts';

const BOOK = [
  'best_bid',
  'best_ask',
  'bid_depth_usd',
  'ask_depth_usd',
  'slippage_1k_bps',
  'slippage_5k_bps',
  'slippage_10k_bps',
];

/** The columns to read of each hour. Columns that are not named are not read from the disk. */
export interface HourParts {
  readonly measures: readonly Measure[];
  readonly book?: boolean;
  readonly lastRate?: boolean;
  /** Adds the number of minutes that each measure covers. */
  readonly coverage?: boolean;
}

/** `HourParts` with the way in which they are read; without it, as they were written. */
export interface ReadParts extends HourParts {
  readonly reading?: Reading;
}

/** A source of hours: the expression of each named column, and the clauses around them. */
interface HourSource {
  readonly hour: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly from: string;
  /** Clauses after FROM, which leave one row an hour and contract. */
  readonly rest: string;
}

/** 1 where the rates of an hour came with several intervals. */
const MIXED = 'interval_mixed';
/** A touch without depth was taken from a ticker: it is no part of a book. */
const IS_BOOK = 'isNotNull(best_bid) AND isNotNull(best_ask) AND isNotNull(bid_depth_usd)';
/** Aggregates skip a NULL inside, so that the last book is taken as one tuple. */
const LAST_BOOK = {
  book: `argMaxIf(tuple(${BOOK.join(', ')}), ts, ${IS_BOOK})`,
  book_n: `countIf(${IS_BOOK})`,
};
/** The interval of the rates of samples; those without a stated interval do not count. */
const STATED = (which: 'min' | 'max'): string => `${which}If(interval_hours, isNotNull(funding_rate))`;
const LAST_RATE = {
  last_rate: 'argMaxIf(tuple(funding_rate, interval_hours), ts, isNotNull(funding_rate))',
  last_rate_n: 'count(funding_rate)',
  [MIXED]: `toUInt8(ifNull(${STATED('min')} != ${STATED('max')}, 0))`,
};

/** The columns of samples behind some parts of an hour. */
function columnsOf(parts: HourParts): readonly string[] {
  const used = new Set(parts.measures.map((measure) => COLUMNS[measure][0]));
  if (parts.book === true) for (const column of BOOK) used.add(column);
  if (parts.lastRate === true) used.add('funding_rate').add('interval_hours');
  return [...used];
}

/** Where an hour has samples of our own, what was back-filled of the same hour is left out. */
function fromSamples(parts: HourParts, samples: string): HourSource {
  const sums = parts.measures.flatMap((measure) => {
    const [column, stem] = COLUMNS[measure];
    return [
      [`${stem}_n`, `count(${column})`],
      [`${stem}_sum`, `ifNull(sum(${column}), 0)`],
    ];
  });
  const key = `${CONTRACT}, hour, origin`;
  return {
    hour: 'toStartOfHour(ts)',
    columns: {
      n: 'count()',
      last_ts: 'max(ts)',
      ...Object.fromEntries(sums),
      ...(parts.book === true && LAST_BOOK),
      ...(parts.lastRate === true && LAST_RATE),
    },
    from: `(${samples})`,
    rest: `GROUP BY ${key} ORDER BY ${key} LIMIT 1 BY ${CONTRACT}, hour`,
  };
}

/** The latest revision of each hour of the roll-ups. */
function fromRollUps(parts: ReadParts, where: string): HourSource {
  const { reading = AS_STORED } = parts;
  const sums = parts.measures.flatMap((measure) => {
    const count = rollUpCount(measure);
    const sum = `${COLUMNS[measure][1]}_sum`;
    return [
      [count, reading.count(count, measure)],
      [sum, reading.sum(sum, measure)],
    ];
  });
  const book = { book: `tuple(${BOOK.join(', ')})`, book_n: `toUInt64(${IS_BOOK})` };
  const last = reading.last('rate_last', 'rate');
  const rate = {
    last_rate: `tuple(${last}, ${last === 'rate_last' ? 'interval_last' : `if(isNull(${last}), NULL, interval_last)`})`,
    last_rate_n: `toUInt64(isNotNull(${last}))`,
    [MIXED]: MIXED,
  };
  return {
    hour: 'ts',
    columns: {
      n: 'n',
      last_ts: 'last_ts',
      ...Object.fromEntries(sums),
      ...(parts.book === true && book),
      ...(parts.lastRate === true && rate),
    },
    from: `hours WHERE ${where}`,
    rest: `ORDER BY ${CONTRACT}, ts, ${NEWEST_FIRST} LIMIT 1 BY ${CONTRACT}, ts`,
  };
}

function hoursOf({ hour, columns, from, rest }: HourSource): string {
  const named = Object.entries(columns).map(([name, what]) => (what === name ? name : `${what} AS ${name}`));
  return `SELECT ${CONTRACT}, ${hour} AS hour, origin, ${named.join(', ')} FROM ${from} ${rest}`;
}

/** Hours from samples: one row an hour and contract. */
const hoursFromSamples = (parts: ReadParts, where: string): string =>
  hoursOf(fromSamples(parts, latestSamples(columnsOf(parts), where, parts.reading)));

/** Hours from the roll-ups, in the same columns. */
export const hoursFromRollUps = (parts: ReadParts, where: string): string =>
  hoursOf(fromRollUps(parts, where));

/** Conditions on the hours of a window: those before some time come from the roll-ups, the others from samples. */
interface HourHalves {
  readonly rolled: string | undefined;
  readonly sampled: string | undefined;
}

/** Minutes of an hour that a count of values stands for: what was back-filled of an hour stands for all of it. */
const covered = (count: string): string => `if(origin = 'backfilled', if(${count} > 0, 60, 0), ${count})`;

/** The mean over hours of a measure, each by the minutes that it stands for. No number where no value is known. */
const meanOverHours = (count: string, sum: string): string =>
  `sum(if(${count} > 0, ${sum} / ${count} * ${covered(count)}, 0)) / sum(${covered(count)})`;

const RATED = 'last_rate_n > 0';
const IN_HOUR = 'tupleElement(last_rate, 2)';
/** True where the rates came with several intervals, within an hour or in different ones. */
const CHANGED =
  `toUInt8(countIf(${RATED} AND ${MIXED} = 1) > 0 OR ` +
  `ifNull(minIf(${IN_HOUR}, ${RATED}) != maxIf(${IN_HOUR}, ${RATED}), 0))`;
/** The interval of all hours with a rate, where they have the same one. */
const INTERVAL =
  `if(countIf(${RATED} AND (${MIXED} = 1 OR isNull(${IN_HOUR}))) = 0 AND minIf(${IN_HOUR}, ${RATED}) = maxIf(${IN_HOUR}, ${RATED}), ` +
  `minIf(${IN_HOUR}, ${RATED}), NULL)`;

/** Buckets of `{step:UInt32}` seconds. Cells: see `readBucket`. */
export function buckets(parts: ReadParts, { rolled, sampled }: HourHalves): string {
  const halves = [
    ...(rolled === undefined ? [] : [hoursFromRollUps(parts, rolled)]),
    ...(sampled === undefined ? [] : [hoursFromSamples(parts, sampled)]),
  ];
  const sums = parts.measures.flatMap((measure) => {
    const stem = COLUMNS[measure][1];
    const mean = [`sum(${stem}_n)`, meanOverHours(`${stem}_n`, `${stem}_sum`)];
    return parts.coverage === true ? [...mean, `sum(${covered(`${stem}_n`)})`] : mean;
  });
  const cells = [
    'venue',
    'symbol',
    'toUnixTimestamp(listed_at)',
    'intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32} AS start',
    'toUnixTimestamp(max(last_ts))',
    "sumIf(n, origin = 'sampled')",
    "sumIf(n, origin = 'backfilled')",
    "countIf(origin = 'backfilled')",
    ...sums,
    ...(parts.book === true ? ['argMaxIf(book, hour, book_n > 0)'] : []),
    ...(parts.lastRate === true ? ['argMaxIf(last_rate, hour, last_rate_n > 0)', INTERVAL, CHANGED] : []),
  ];
  return (
    `SELECT ${cells.join(', ')} FROM (${halves.join(' UNION ALL ')}) ` +
    'GROUP BY canonical_id, venue, symbol, listed_at, start ORDER BY venue, symbol, listed_at, start'
  );
}

/** The cells of `buckets` of single hours. */
function hourCells(parts: HourParts, { hour, columns }: HourSource): readonly (string | undefined)[] {
  return [
    'venue',
    'symbol',
    'toUnixTimestamp(listed_at)',
    `toUnixTimestamp(${hour} AS hour)`,
    `toUnixTimestamp(${columns.last_ts})`,
    `if(origin = 'sampled', ${columns.n}, 0)`,
    `if(origin = 'backfilled', ${columns.n}, 0)`,
    "origin = 'backfilled'",
    ...parts.measures.flatMap((measure) => {
      const stem = COLUMNS[measure][1];
      const count = columns[`${stem}_n`] ?? '0';
      const mean = [count, `(${columns[`${stem}_sum`] ?? '0'}) / (${count})`];
      return parts.coverage === true ? [...mean, covered(count)] : mean;
    }),
    ...(parts.book === true ? [columns.book] : []),
    ...(parts.lastRate === true ? rateCells(columns) : []),
  ];
}

/** The last rate of an hour, the interval of its rates where they came with one, and whether they came with several. */
function rateCells(columns: HourSource['columns']): readonly string[] {
  const { last_rate: last = 'tuple(NULL, NULL)', [MIXED]: mixed = '0' } = columns;
  return [last, `if(${mixed} = 1, NULL, tupleElement(${last}, 2))`, mixed];
}

/**
 * Buckets of one hour from samples alone, in the cells and the order of `buckets`. Hours are such buckets as they are:
 * of a small query most of the time goes into its planning, by its levels.
 *
 * @param where conditions that name one asset
 */
export function sampledHours(parts: ReadParts, where: string): string {
  const source = fromSamples(parts, latestSamples(columnsOf(parts), where, parts.reading));
  return `SELECT ${hourCells(parts, source).join(', ')} FROM ${source.from} ${source.rest}`;
}

/**
 * The same from the roll-ups alone: all revisions, as they lie, with the time of recording as the last cell. See
 * `latestHours`.
 */
export function rolledHours(parts: ReadParts, where: string): string {
  const source = fromRollUps(parts, where);
  const cells = [...hourCells(parts, source), 'toUnixTimestamp64Milli(recorded_at)'];
  return `SELECT ${cells.join(', ')} FROM ${source.from}`;
}

const ROLLED: HourParts = {
  measures: ['rate', 'mark', 'index', 'interest', 'interestUsd', 'volumeUsd'],
  book: true,
  lastRate: true,
};

/**
 * Writes the roll-ups of the hours that fit a condition on samples, as a new revision of `{recorded_at:Int64}` ms.
 *
 * @param reading the way in which parts of an hour may be read
 * @param isAgain whether the hours may be rolled up already: one of samples of our own then stays as it is where
 *   there are none of them any more, and the hour was back-filled after they were dropped
 */
export function rollUp(where: string, reading: Reading, isAgain: boolean): string {
  const sums = ROLLED.measures.flatMap((measure) => [
    `${COLUMNS[measure][1]}_n`,
    `${COLUMNS[measure][1]}_sum`,
  ]);
  const into = [
    CONTRACT,
    'ts',
    'origin',
    'recorded_at',
    'n',
    'last_ts',
    ...sums,
    ...BOOK,
    'rate_last',
    'interval_last',
    MIXED,
    FIRST,
    LAST,
  ];
  const book = BOOK.map((_, at) => `book.${at + 1}`);
  const rate = ['last_rate.1', 'last_rate.2'];
  const recorded = 'fromUnixTimestamp64Milli({recorded_at:Int64})';
  const values = ['n', 'last_ts', ...sums, ...book, ...rate, MIXED, FIRST, LAST];
  const from = [CONTRACT, 'hour', 'origin', recorded, ...values];
  const source = fromSamples(ROLLED, samplesToRoll(columnsOf(ROLLED), where, reading));
  const columns = { ...source.columns, [FIRST]: 'min(recorded_at)', [LAST]: 'max(recorded_at)' };
  const hours = hoursOf({ ...source, columns });
  const own = `SELECT ${CONTRACT}, ts FROM hours WHERE origin = 'sampled' AND ${where}`;
  // On a cluster both are on all shards: asked once, and the answer taken to each.
  const kept = isAgain ? ` WHERE origin = 'sampled' OR (${CONTRACT}, hour) GLOBAL NOT IN (${own})` : '';
  return `INSERT INTO hours (${into.join(', ')}) SELECT ${from.join(', ')} FROM (${hours})${kept}`;
}
