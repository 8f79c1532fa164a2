import { resolve } from 'node:path';
import type { Seams } from '../seams.ts';
import { historyEngine } from './history-settings.ts';
import type { SettingSpecs, Settings } from './settings.ts';

/**
 * The effective configuration for a person, secrets masked, and which stores and feed follow from it.
 *
 * @param specs settings of the core and of modules, in the order in which they are printed
 * @param seams parts of the spine that modules give by these settings
 */
export function printableSettings(
  specs: SettingSpecs,
  settings: Settings & Readonly<Record<string, unknown>>,
  seams: Seams,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const value = settings[name];
    shown[name] = value === undefined ? null : spec.secret === true ? '***' : value;
  }
  shown.dataDir = resolve(settings.dataDir);
  shown.ledger = seams.ledger?.kind ?? 'embedded';
  shown.identities = seams.identities?.kind ?? 'embedded';
  shown.feed = seams.feed?.kind ?? 'embedded';
  shown.historyStore = historyStore(settings);
  return shown;
}

/** As `/v1/health` says it in `store.engine`; null: this process has no history. */
function historyStore(settings: Settings) {
  if (settings.history === 'off') return null;
  const engine = historyEngine(settings);
  if (engine.engine === 'server') return engine.cluster === undefined ? 'server' : 'cluster';
  // Data that another process keeps in its folder cannot be read.
  return settings.role.some((role) => role === 'all' || role === 'record') ? 'embedded' : null;
}
