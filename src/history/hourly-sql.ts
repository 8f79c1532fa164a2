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

function sumsOf(measure: Measure): string {
  const [column, stem] = COLUMNS[measure];
  return `count(${column}) AS ${stem}_n, ifNull(sum(${column}), 0) AS ${stem}_sum`;
}

/** Aggregates skip a NULL inside, so that the last book is taken as one tuple. */
const LAST_BOOK = `argMaxIf(tuple(${BOOK.join(', ')}), ts, isNotNull(best_bid) AND isNotNull(best_ask)) AS book, countIf(isNotNull(best_bid) AND isNotNull(best_ask)) AS book_n`;
const LAST_RATE =
  'argMaxIf(tuple(funding_rate, interval_hours), ts, isNotNull(funding_rate)) AS last_rate, count(funding_rate) AS last_rate_n';

/**
 * Hours from samples: one row an hour and contract. Where an hour has samples of our own, what the venue told
 * afterwards of the same hour is left out.
 */
export function hoursFromSamples(parts: HourParts, where: string): string {
  const columns = new Set(parts.measures.map((measure) => COLUMNS[measure][0]));
  const values = parts.measures.map(sumsOf);
  if (parts.book === true) {
    for (const column of BOOK) columns.add(column);
    values.push(LAST_BOOK);
  }
  if (parts.lastRate === true) {
    columns.add('funding_rate').add('interval_hours');
    values.push(LAST_RATE);
  }
  const head = `${CONTRACT}, toStartOfHour(ts) AS hour, origin`;
  const key = `${CONTRACT}, hour, origin`;
  return (
    `SELECT ${head}, count() AS n, max(ts) AS last_ts, ${values.join(', ')} ` +
    `FROM (${latestSamples([...columns], where)}) GROUP BY ${key} ORDER BY ${key} LIMIT 1 BY ${CONTRACT}, hour`
  );
}

/** Hours from the roll-ups, in the same columns. */
export function hoursFromRollUps(parts: HourParts, where: string): string {
  const stems = parts.measures.map((measure) => COLUMNS[measure][1]);
  const stored = stems.flatMap((stem) => [`${stem}_n`, `${stem}_sum`]);
  const columns = ['origin', 'n', 'last_ts', ...stored];
  const values = [...columns];
  if (parts.book === true) {
    columns.push(...BOOK);
    values.push(`tuple(${BOOK.join(', ')}) AS book, toUInt64(isNotNull(best_bid)) AS book_n`);
  }
  if (parts.lastRate === true) {
    columns.push('rate_last', 'interval_last');
    values.push(
      'tuple(rate_last, interval_last) AS last_rate, toUInt64(isNotNull(rate_last)) AS last_rate_n',
    );
  }
  const [origin, ...rest] = values;
  return (
    `SELECT ${CONTRACT}, ts AS hour, ${origin}, ${rest.join(', ')} ` +
    `FROM (${latest('hours', [...new Set(columns)], `${CONTRACT}, ts`, where)})`
  );
}

/** Buckets of `{step:UInt32}` seconds from hours. Cells: see `readBucket`. */
export function bucketsOfHours(parts: HourParts, hours: string): string {
  const means = parts.measures.map((measure) => {
    const stem = COLUMNS[measure][1];
    return `sum(${stem}_n), if(sum(${stem}_n) > 0, sum(${stem}_sum) / sum(${stem}_n), NULL)`;
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
    ...means,
    ...(parts.book === true ? ['argMaxIf(book, hour, book_n > 0)'] : []),
    ...(parts.lastRate === true ? ['argMaxIf(last_rate, hour, last_rate_n > 0)'] : []),
  ];
  return (
    `SELECT ${cells.join(', ')} FROM (${hours}) ` +
    'GROUP BY canonical_id, venue, symbol, listed_at, start ORDER BY venue, symbol, listed_at, start'
  );
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
