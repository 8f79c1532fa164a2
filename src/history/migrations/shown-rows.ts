import { LOCAL_SUFFIX } from '../node-store.ts';

const lag = (column: string): string => `${column} Nullable(Int32) CODEC(T64, ZSTD(1))`;

/** Facts that a sampled row showed beside its values; older samples have none. */
const COLUMNS = [
  ...['row_age_ms', 'rate_lag_ms', 'oi_lag_ms', 'volume_lag_ms'].map(lag),
  'rate_fresh UInt8 CODEC(ZSTD(1))',
  'quote LowCardinality(String) CODEC(ZSTD(1))',
  'multiplier Float64 CODEC(ZSTD(1))',
];

export function shownRowStatements(cluster: string | undefined): readonly string[] {
  const added = COLUMNS.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ');
  const tables = cluster === undefined ? ['samples'] : [`samples${LOCAL_SUFFIX}`, 'samples'];
  return tables.map((table) => `ALTER TABLE ${table} ${added}`);
}
