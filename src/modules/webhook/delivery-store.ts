import type { StoreFormat } from '../../storage/store-folder.ts';
import { FolderTables } from '../tables/folder-tables.ts';
import type { Tables } from '../tables/tables.ts';
import type { DeliveryRecord } from './delivery-record.ts';

/** Keeps the state of each watch's delivery. A record is durable over a kill when `write` resolves. */
export interface DeliveryRecords {
  read(watchId: string): DeliveryRecord | undefined;
  /** False where a later tenure has written one. Rejects where the store does not take it. */
  write(watchId: string, record: DeliveryRecord): Promise<boolean>;
  remove(watchId: string): Promise<void>;
  close(): Promise<void>;
}

export const DELIVERY_FORMAT: StoreFormat = {
  name: 'the store of deliveries',
  whenLost: 'receivers are challenged again then, and may get firings again under the same ids.',
  tables: ['records'],
  upgrades: [],
};

/**
 * Opens the records of an LMDB folder.
 *
 * @param path directory of the environment; made when missing
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export const openDeliveryRecords = (path: string): DeliveryRecords =>
  deliveryRecordsIn(new FolderTables(path, DELIVERY_FORMAT));

/** The records in tables that processes share. */
export function deliveryRecordsIn(tables: Tables): DeliveryRecords {
  const records = tables.table<DeliveryRecord>('records');
  return {
    read: (watchId) => records.get(watchId),
    write: async (watchId, record) =>
      tables.transact(() => {
        const { term = 0 } = records.get(watchId) ?? {};
        if (term > (record.term ?? 0)) return false;
        records.put(watchId, record);
        return true;
      }),
    remove: async (watchId) => {
      await tables.transact(() => records.remove(watchId));
    },
    close: () => tables.close(),
  };
}
