import { join } from 'node:path';
import type { EngineOptions } from '../../history/open-store.ts';
import type { Retention } from '../../history/retention.ts';
import type { Settings } from './settings.ts';

/** The engine of the history: in the data folder, or the ClickHouse that is named. */
export function historyEngine(settings: Settings): EngineOptions {
  const { clickhouseUrl: urls, clickhouseCluster: cluster, clickhouseDatabase: database } = settings;
  if (urls !== undefined && urls.length > 0) return { engine: 'server', urls, cluster, database };
  const path = join(settings.dataDir, 'history');
  return { engine: 'embedded', path, database, minFreeBytes: settings.historyMinFreeMb * 2 ** 20 };
}

export function historySettings(settings: Settings) {
  const { sampleDays, rollUpDays } = settings;
  const retention: Retention = { sampleDays, rollUpDays };
  return { engine: historyEngine(settings), retention };
}
