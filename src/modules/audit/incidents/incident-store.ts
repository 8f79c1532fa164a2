import type { Incident } from '../../../host/incident-board.ts';
import { openStoreFolder, type StoreFormat } from '../../../storage/store-folder.ts';

/** Keeps incidents over restarts. */
export interface IncidentStore {
  load(): readonly Incident[];
  /** Writes all or none, and returns when they are safe. */
  save(changed: readonly Incident[], dropped: readonly number[]): void;
  close(): Promise<void>;
}

const INCIDENT_FORMAT: StoreFormat = {
  name: 'the store of incidents',
  whenLost: 'incidents of before are not shown then.',
  tables: ['incidents'],
  upgrades: [],
};

/**
 * Incidents in one LMDB environment, each under its number.
 *
 * @param path directory of the environment; made when missing
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export function openIncidentStore(path: string): IncidentStore {
  const root = openStoreFolder(path, INCIDENT_FORMAT);
  const incidents = root.openDB<Incident, number>({
    name: 'incidents',
    encoding: 'msgpack',
    keyEncoding: 'ordered-binary',
  });
  return {
    load: () => [...incidents.getRange().map(({ value }) => value)],
    save: (changed, dropped) => {
      root.transactionSync(() => {
        for (const incident of changed) incidents.putSync(incident.id, incident);
        for (const id of dropped) incidents.removeSync(id);
      });
    },
    close: () => root.close(),
  };
}
