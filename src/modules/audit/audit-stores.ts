import { join } from 'node:path';
import type { UnixMs } from '../../domain/units.ts';
import { CoverageTracker } from './coverage/coverage.ts';
import { openCoverageStore } from './coverage/coverage-store.ts';
import { openIncidentStore } from './incidents/incident-store.ts';
import { Incidents } from './incidents/incidents.ts';

/** Data that the audit keeps over restarts. */
export interface AuditStores {
  readonly incidents: Incidents;
  readonly coverage: CoverageTracker;
  /** Writes what has changed. @throws where the disk does not take it; it is tried again */
  flush(now: UnixMs): void;
  stop(now: UnixMs): Promise<void>;
}

/**
 * Opens all, or none.
 *
 * @throws StoreOpenError where a store is a newer build's, or could not be upgraded
 */
export async function openAuditStores(dataDir: string): Promise<AuditStores> {
  const opened: { close(): Promise<void> }[] = [];
  const kept = <Store extends (typeof opened)[number]>(store: Store): Store => {
    opened.push(store);
    return store;
  };
  try {
    const incidents = new Incidents(kept(openIncidentStore(join(dataDir, 'incidents'))));
    const coverage = new CoverageTracker(kept(openCoverageStore(join(dataDir, 'coverage'))));
    const all = [incidents, coverage];
    return {
      incidents,
      coverage,
      flush: (now) => all.forEach((store) => void store.flush(now)),
      stop: async (now) => void (await Promise.all(all.map((store) => store.stop(now)))),
    };
  } catch (cause) {
    await Promise.all(opened.map((store) => store.close()));
    throw cause;
  }
}
