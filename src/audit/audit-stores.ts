import { join } from 'node:path';
import type { UnixMs } from '../domain/units.ts';
import { openIncidentStore } from './incident-store.ts';
import { Incidents } from './incidents.ts';
import { QualityDays } from './quality-days.ts';
import { openQualityStore } from './quality-store.ts';

/** What the audit keeps over restarts. */
export interface AuditStores {
  readonly incidents: Incidents;
  readonly quality: QualityDays;
  /** Writes what has changed. @throws where the disk does not take it; it is tried again */
  flush(now: UnixMs): void;
  stop(now: UnixMs): Promise<void>;
}

/**
 * Opens both, or neither.
 *
 * @throws StoreRefused where a store is a newer build's, or could not be upgraded
 */
export async function openAudit(dataDir: string): Promise<AuditStores> {
  const kept = openIncidentStore(join(dataDir, 'incidents'));
  try {
    const [incidents, quality] = [
      new Incidents(kept),
      new QualityDays(openQualityStore(join(dataDir, 'quality'))),
    ];
    const both = [incidents, quality];
    return {
      incidents,
      quality,
      flush: (now) => both.forEach((one) => void one.flush(now)),
      stop: async (now) => void (await Promise.all(both.map((one) => one.stop(now)))),
    };
  } catch (cause) {
    await kept.close();
    throw cause;
  }
}
