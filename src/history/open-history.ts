import { mkdirSync } from 'node:fs';
import { History } from './history.ts';
import type { HistoryOptions } from './history-options.ts';
import { type EngineOptions, openStore } from './open-store.ts';
import { type StoreResult, stored } from './store.ts';

export interface OpenHistoryOptions extends Omit<HistoryOptions, 'store'> {
  readonly engine: EngineOptions;
}

/** Where history is kept, for how long and how, and the time it lives in where that is not the service's. */
export type HistorySettings = Pick<OpenHistoryOptions, 'engine' | 'retention' | 'maxWaitingRows' | 'timer'> &
  Partial<Pick<OpenHistoryOptions, 'clock'>>;

/** Opens the store, makes the history over it and begins to keep it. Nothing is left open on a fault. */
export async function openHistory({ engine, ...options }: OpenHistoryOptions): Promise<StoreResult<History>> {
  if (engine.engine === 'embedded') mkdirSync(engine.path, { recursive: true });
  const { records = true, logger } = options;
  const settings = engine.engine === 'server' ? { ...engine, readsOnly: !records } : engine;
  const store = await openStore(settings, logger);
  if (!store.ok) return store;
  const history = new History({ ...options, store: store.value });
  const started = await history.start();
  if (started.ok) return stored(history);
  await history.stop();
  return started;
}
