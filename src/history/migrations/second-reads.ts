import type { TableSpec } from '../table-spec.ts';

const name = (column: string) => `${column} LowCardinality(String) CODEC(ZSTD(1))`;
const time = (column: string) => `${column} DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1))`;
const number = (column: string) => `${column} Float64 CODEC(ZSTD(1))`;

/** The shown value beside that of another way, field by field. */
export const SECOND_READS: TableSpec = {
  name: 'second_reads',
  columns: [
    ...['venue', 'symbol', 'field', 'way'].map(name),
    time('ts'),
    ...['shown', 'second'].map(number),
    ...['shown_at', 'second_at'].map(time),
    ...['difference', 'tolerance'].map(number),
    'agrees UInt8 CODEC(ZSTD(1))',
    time('recorded_at'),
  ],
  partitionBy: 'toYYYYMM(ts)',
  primaryKey: 'venue, field, ts, symbol',
  revisionKey: 'negate(toUnixTimestamp64Milli(recorded_at))',
  shardBy: 'venue',
};
