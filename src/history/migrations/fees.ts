import type { TableSpec } from '../table-spec.ts';

/** Taker fees as they were seen to change: a few rows a contract, which are never dropped. */
export const FEES: TableSpec = {
  name: 'fees',
  columns: [
    'venue LowCardinality(String)',
    'symbol LowCardinality(String)',
    "ts DateTime('UTC')",
    'taker_bps Float64',
    "recorded_at DateTime64(3, 'UTC')",
  ],
  partitionBy: 'tuple()',
  primaryKey: 'venue, symbol, ts',
  revisionKey: 'negate(toUnixTimestamp64Milli(recorded_at))',
  shardBy: 'venue',
};
