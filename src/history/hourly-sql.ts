import type { Measure } from '../domain/series.ts';

/** Column of a sample, and stem of the roll-up's columns, of each measure. */
const COLUMNS: Readonly<Record<Measure, readonly [sample: string, rollUp: string]>> = {
  rate: ['funding_rate', 'rate'],
  mark: ['mark_price', 'mark'],
  index: ['index_price', 'index'],
  interest: ['open_interest_base', 'oi'],
  interestUsd: ['open_interest_usd', 'oi_usd'],
  volumeUsd: ['volume_24h_usd', 'volume_usd'],
};

const BOOK = [
  'best_bid',
  'best_ask',
  'bid_depth_usd',
  'ask_depth_usd',
  'slippage_1k_bps',
  'slippage_5k_bps',
  'slippage_10k_bps',
];

/** What of each hour is wanted. Columns that are not named are not read from the disk. */
export interface HourParts {
  readonly measures: readonly Measure[];
  readonly book?: boolean;
  readonly lastRate?: boolean;
}

const CONTRACT = 'canonical_id, venue, symbol, listed_at';
const NEWEST_FIRST = 'negate(toUnixTimestamp64Milli(recorded_at))';

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

/** The latest revision of the samples that fit a condition. */
export function latestSamples(columns: readonly string[], where: string): string {
  return latest('samples', columns, `${CONTRACT}, ts, origin`, where);
}

/** The latest revision of the settlements that fit a condition. */
export function latestSettlements(columns: readonly string[], where: string): string {
  return latest('settlements', columns, `${CONTRACT}, ts`, where);
}

/** Where hours come from: what each named column is, and the clauses around them. */
interface HourSource {
  readonly hour: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly from: string;
  /** Clauses after FROM, which leave one row an hour and contract. */
  readonly rest: string;
}

/** Aggregates skip a NULL inside, so that the last book is taken as one tuple. */
const LAST_BOOK = {
  book: `argMaxIf(tuple(${BOOK.join(', ')}), ts, isNotNull(best_bid) AND isNotNull(best_ask))`,
  book_n: 'countIf(isNotNull(best_bid) AND isNotNull(best_ask))',
};
const LAST_RATE = {
  last_rate: 'argMaxIf(tuple(funding_rate, interval_hours), ts, isNotNull(funding_rate))',
  last_rate_n: 'count(funding_rate)',
};

/** Where an hour has samples of our own, what the venue told afterwards of the same hour is left out. */
function fromSamples(parts: HourParts, where: string): HourSource {
  const used = new Set(parts.measures.map((measure) => COLUMNS[measure][0]));
  if (parts.book === true) for (const column of BOOK) used.add(column);
  if (parts.lastRate === true) used.add('funding_rate').add('interval_hours');
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
    from: `(${latestSamples([...used], where)})`,
    rest: `GROUP BY ${key} ORDER BY ${key} LIMIT 1 BY ${CONTRACT}, hour`,
  };
}

/** The latest revision of each hour of the roll-ups. */
function fromRollUps(parts: HourParts, where: string): HourSource {
  const stems = parts.measures.map((measure) => COLUMNS[measure][1]);
  const names = ['n', 'last_ts', ...stems.flatMap((stem) => [`${stem}_n`, `${stem}_sum`])];
  const book = { book: `tuple(${BOOK.join(', ')})`, book_n: 'toUInt64(isNotNull(best_bid))' };
  const rate = {
    last_rate: 'tuple(rate_last, interval_last)',
    last_rate_n: 'toUInt64(isNotNull(rate_last))',
  };
  return {
    hour: 'ts',
    columns: {
      ...Object.fromEntries(names.map((name) => [name, name])),
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
const hoursFromSamples = (parts: HourParts, where: string): string => hoursOf(fromSamples(parts, where));

/** Hours from the roll-ups, in the same columns. */
export const hoursFromRollUps = (parts: HourParts, where: string): string =>
  hoursOf(fromRollUps(parts, where));

/** Conditions on the hours of a window: those before some time come from the roll-ups, the others from samples. */
interface HourHalves {
  readonly rolled: string | undefined;
  readonly sampled: string | undefined;
}

/** Buckets of `{step:UInt32}` seconds. Cells: see `readBucket`. */
export function buckets(parts: HourParts, { rolled, sampled }: HourHalves): string {
  const halves = [
    ...(rolled === undefined ? [] : [hoursFromRollUps(parts, rolled)]),
    ...(sampled === undefined ? [] : [hoursFromSamples(parts, sampled)]),
  ];
  const sums = parts.measures.flatMap((measure) => {
    const stem = COLUMNS[measure][1];
    return [`sum(${stem}_n)`, `sum(${stem}_sum)`];
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
    ...(parts.lastRate === true ? ['argMaxIf(last_rate, hour, last_rate_n > 0)'] : []),
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
      return [columns[`${stem}_n`], columns[`${stem}_sum`]];
    }),
    ...(parts.book === true ? [columns.book] : []),
    ...(parts.lastRate === true ? [columns.last_rate] : []),
  ];
}

/**
 * Buckets of one hour from samples alone, in the cells and the order of `buckets`. Hours are such buckets as they are:
 * of a small query most of the time goes into its planning, by its levels.
 *
 * @param where conditions that name one asset
 */
export function sampledHours(parts: HourParts, where: string): string {
  const source = fromSamples(parts, where);
  return `SELECT ${hourCells(parts, source).join(', ')} FROM ${source.from} ${source.rest}`;
}

/**
 * The same from the roll-ups alone: all revisions, as they lie, with the time of recording as the last cell. See
 * `latestHours`.
 */
export function rolledHours(parts: HourParts, where: string): string {
  const source = fromRollUps(parts, where);
  const cells = [...hourCells(parts, source), 'toUnixTimestamp64Milli(recorded_at)'];
  return `SELECT ${cells.join(', ')} FROM ${source.from}`;
}

const ROLLED: HourParts = {
  measures: ['rate', 'mark', 'index', 'interest', 'interestUsd', 'volumeUsd'],
  book: true,
  lastRate: true,
};

/** Writes the roll-ups of the hours that fit a condition on samples, as a new revision of `{recorded_at:Int64}` ms. */
export function rollUp(where: string): string {
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
  ];
  const book = BOOK.map((_, at) => `book.${at + 1}`);
  const rate = ['last_rate.1', 'last_rate.2'];
  const recorded = 'fromUnixTimestamp64Milli({recorded_at:Int64})';
  const from = [CONTRACT, 'hour', 'origin', recorded, 'n', 'last_ts', ...sums, ...book, ...rate];
  return `INSERT INTO hours (${into.join(', ')}) SELECT ${from.join(', ')} FROM (${hoursFromSamples(ROLLED, where)})`;
}
