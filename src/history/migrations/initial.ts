import type { TableSpec } from '../table-spec.ts';

/** Names repeat by the thousand: stored once each. */
const name = (column: string) => `${column} LowCardinality(String) CODEC(ZSTD(1))`;
const time = (column: string) => `${column} DateTime('UTC') CODEC(DoubleDelta, ZSTD(1))`;
const RECORDED_AT = "recorded_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1))";
/** Newest revision first. */
const NEWEST_FIRST = 'negate(toUnixTimestamp64Milli(recorded_at))';

const scale = (column: string) => `${column} UInt8 CODEC(ZSTD(1))`;
/** Whole numbers of 10 ** -scale: see `decimal.ts`. */
const mantissa = (column: string) => `${column} Nullable(Int64) CODEC(Delta(8), ZSTD(1))`;
const value = (column: string, formula: string) => `${column} Nullable(Float64) ALIAS ${formula}`;
const decimal = (column: string, bits: 32 | 64, places: number) =>
  `${column} Nullable(Decimal${bits}(${places})) CODEC(T64, ZSTD(1))`;
const float = (column: string) => `${column} Nullable(Float64) CODEC(Delta(8), ZSTD(1))`;
const sum = (column: string) => `${column} Float64 CODEC(Delta(8), ZSTD(1))`;
const count = (column: string) => `${column} UInt32 CODEC(ZSTD(1))`;

/** The subject of a row: the asset, and the contract that stood for it, since when it was listed. */
const CONTRACT = [
  name('canonical_id'),
  name('venue'),
  name('symbol'),
  "listed_at DateTime('UTC') CODEC(ZSTD(1))",
];
const CONTRACT_KEY = 'canonical_id, venue, symbol, listed_at, ts';

/** Where the venue gave only one amount, the other follows from the mark. */
const based = (base: string, usd: string) => `ifNull(${base}, ${usd} / (mark_m / intExp10(price_e)))`;
const valued = (base: string, usd: string) => `ifNull(${usd}, ${base} * (mark_m / intExp10(price_e)))`;
const INTEREST = ['oi_m / intExp10(oi_e)', 'oi_usd_m / intExp10(oi_usd_e)'] as const;
const VOLUME = ['volume_m / intExp10(volume_e)', 'volume_usd_m / intExp10(volume_usd_e)'] as const;

const SAMPLES: TableSpec = {
  name: 'samples',
  columns: [
    ...CONTRACT,
    time('ts'),
    "origin Enum8('sampled' = 1, 'backfilled' = 2) CODEC(ZSTD(1))",
    RECORDED_AT,
    name('ticker'),
    'comparable UInt8 CODEC(ZSTD(1))',
    'interval_hours Nullable(Float64) CODEC(ZSTD(1))',
    ...['rate_e', 'price_e', 'oi_raw_e', 'oi_e', 'oi_usd_e', 'volume_e', 'volume_usd_e'].map(scale),
    ...['rate_m', 'mark_m', 'index_m', 'oi_raw_m', 'oi_m', 'oi_usd_m', 'volume_m', 'volume_usd_m'].map(
      mantissa,
    ),
    ...['bid_m', 'ask_m'].map(mantissa),
    decimal('bid_depth_usd', 64, 0),
    decimal('ask_depth_usd', 64, 0),
    ...['slippage_1k_bps', 'slippage_5k_bps', 'slippage_10k_bps'].map((column) => decimal(column, 32, 4)),
    value('funding_rate', 'rate_m / intExp10(rate_e)'),
    value('mark_price', 'mark_m / intExp10(price_e)'),
    value('index_price', 'index_m / intExp10(price_e)'),
    value('open_interest_raw', 'oi_raw_m / intExp10(oi_raw_e)'),
    value('open_interest_base', based(...INTEREST)),
    value('open_interest_usd', valued(...INTEREST)),
    value('volume_24h_base', based(...VOLUME)),
    value('volume_24h_usd', valued(...VOLUME)),
    value('best_bid', 'bid_m / intExp10(price_e)'),
    value('best_ask', 'ask_m / intExp10(price_e)'),
  ],
  partitionBy: 'toMonday(ts)',
  primaryKey: CONTRACT_KEY,
  revisionKey: `origin, ${NEWEST_FIRST}`,
  shardBy: 'canonical_id',
};

const MEASURES = ['rate', 'mark', 'index', 'oi', 'oi_usd', 'volume_usd'];

export const HOURS: TableSpec = {
  name: 'hours',
  columns: [
    ...CONTRACT,
    time('ts'),
    "origin Enum8('sampled' = 1, 'backfilled' = 2) CODEC(ZSTD(1))",
    RECORDED_AT,
    count('n'),
    time('last_ts'),
    ...MEASURES.flatMap((measure) => [count(`${measure}_n`), sum(`${measure}_sum`)]),
    float('rate_last'),
    'interval_last Nullable(Float64) CODEC(ZSTD(1))',
    ...['best_bid', 'best_ask'].map(float),
    decimal('bid_depth_usd', 64, 0),
    decimal('ask_depth_usd', 64, 0),
    ...['slippage_1k_bps', 'slippage_5k_bps', 'slippage_10k_bps'].map((column) => decimal(column, 32, 4)),
  ],
  partitionBy: 'toMonday(ts)',
  primaryKey: CONTRACT_KEY,
  revisionKey: NEWEST_FIRST,
  shardBy: 'canonical_id',
};

const SETTLEMENTS: TableSpec = {
  name: 'settlements',
  columns: [
    ...CONTRACT,
    time('ts'),
    "origin Enum8('settled' = 1, 'backfilled' = 2) CODEC(ZSTD(1))",
    RECORDED_AT,
    'interval_hours Nullable(Float64) CODEC(ZSTD(1))',
    'rate Float64 CODEC(ZSTD(1))',
    float('mark_price'),
  ],
  partitionBy: 'toYYYYMM(ts)',
  primaryKey: CONTRACT_KEY,
  revisionKey: NEWEST_FIRST,
  shardBy: 'canonical_id',
};

const VENUE_STATUS: TableSpec = {
  name: 'venue_status',
  columns: [
    name('venue'),
    "ts DateTime64(3, 'UTC')",
    "status Enum8('live' = 1, 'stale' = 2, 'down' = 3)",
    RECORDED_AT,
  ],
  partitionBy: 'toYYYYMM(ts)',
  primaryKey: 'venue, ts',
  revisionKey: NEWEST_FIRST,
  shardBy: 'venue',
};

const GAPS: TableSpec = {
  name: 'gaps',
  columns: [name('venue'), time('ts'), "until DateTime('UTC')", name('reason'), 'rows UInt64', RECORDED_AT],
  partitionBy: 'toYYYYMM(ts)',
  primaryKey: 'venue, ts, reason',
  revisionKey: NEWEST_FIRST,
  shardBy: 'venue',
};

/** The tables as they first were. A migration is never changed: what comes later is another one. */
export const INITIAL_TABLES: readonly TableSpec[] = [SAMPLES, HOURS, SETTLEMENTS, VENUE_STATUS, GAPS];
