import { LOCAL_SUFFIX } from '../node-store.ts';
import { KEEP_REPLACED_PARTS } from '../table-spec.ts';

/** Every node has all of them: they are few, and each answer needs them. */
const CORRECTIONS =
  'CREATE TABLE IF NOT EXISTS corrections (id String, revision UInt32, venue String, metric String, origin String, ' +
  "factor Nullable(Float64), recorded_from DateTime64(3, 'UTC'), recorded_before DateTime64(3, 'UTC'), " +
  "known_at DateTime64(3, 'UTC'), reason String) " +
  `ENGINE = MergeTree ORDER BY (id, revision) SETTINGS fsync_after_insert = 1, ${KEEP_REPLACED_PARTS}, fsync_part_directory = 1`;

/** A service samples a minute as it passes; what a venue reports afterwards is recorded at any time before the roll-up. */
const HOUR_COLUMNS = [
  "recorded_first DateTime64(3, 'UTC') DEFAULT toDateTime64(ts, 3, 'UTC') CODEC(Delta(8), ZSTD(1))",
  "recorded_last DateTime64(3, 'UTC') DEFAULT if(origin = 'sampled', least(recorded_at, toDateTime64(ts, 3, 'UTC') + INTERVAL 1 HOUR), recorded_at) CODEC(Delta(8), ZSTD(1))",
];

const addTo = (table: string): string =>
  `ALTER TABLE ${table} ${HOUR_COLUMNS.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')}`;

/** Adds the table of corrections, and to each hour of the roll-ups the recording time of its samples. */
export function correctionStatements(cluster: string | undefined): readonly string[] {
  const tables = cluster === undefined ? ['hours'] : [`hours${LOCAL_SUFFIX}`, 'hours'];
  return [CORRECTIONS, ...tables.map(addTo)];
}

/** They add the time by which payments were made later than stored, ms; 0 for corrections of values. */
export const SHIFT_STATEMENTS: readonly string[] = [
  'ALTER TABLE corrections ADD COLUMN IF NOT EXISTS shift_ms Int64 DEFAULT 0',
];
