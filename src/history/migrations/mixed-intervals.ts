import { LOCAL_SUFFIX } from '../node-store.ts';

/** Hours in which a contract had several intervals; of hours rolled up before it is not known, and they say 0. */
const COLUMN = 'interval_mixed UInt8 CODEC(ZSTD(1))';

export function mixedIntervalStatements(cluster: string | undefined): readonly string[] {
  const tables = cluster === undefined ? ['hours'] : [`hours${LOCAL_SUFFIX}`, 'hours'];
  return tables.map((table) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${COLUMN}`);
}
