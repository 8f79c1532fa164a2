import type { HistoryStore, StoreResult } from '../history/store.ts';
import type { GivenSettings, SettingFlags } from './command.ts';
import { historyEngine } from './settings/history-settings.ts';
import type { Settings } from './settings/settings.ts';

/** Settings that say where the history is kept. */
export const HISTORY_PLACE = ['dataDir', 'clickhouseUrl', 'clickhouseCluster', 'clickhouseDatabase'] as const;

/** Flags of commands on the history. */
export type HistoryFlags = Partial<Record<(typeof HISTORY_PLACE)[number], string>>;

/**
 * Runs a command on the history that these flags and the environment name; sets the exit code, 2 where a setting is wrong.
 *
 * @param read reads settings, after printing what is wrong with them
 */
export async function withHistoryPlace(
  flags: HistoryFlags,
  read: (flags: SettingFlags) => GivenSettings | undefined,
  task: (settings: Settings) => Promise<number>,
): Promise<void> {
  const place = HISTORY_PLACE.map((name) => [name, flags[name]] as const);
  const given = read(Object.fromEntries(place));
  process.exitCode = given === undefined ? 2 : await task(given.settings);
}

/**
 * Runs an operator's work on the history of these settings. Exit code 1 where it cannot be opened or done. Engines are
 * loaded here: every start of the program reads this file for its options.
 */
export async function onStore(
  settings: Settings,
  work: (store: HistoryStore) => Promise<StoreResult<number>>,
): Promise<number> {
  const { openStore } = await import('../history/open-store.ts');
  const store = await openStore(historyEngine(settings));
  const result = store.ok ? await work(store.value) : store;
  if (store.ok) await store.value.close();
  if (result.ok) return result.value;
  process.stderr.write(`history: ${result.fault.message}\n`);
  return 1;
}
