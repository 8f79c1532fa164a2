import { openStoreFolder, type StoreFormat } from '../../storage/store-folder.ts';
import type { DeliveryRecord } from './delivery-record.ts';

/** Keeps the state of each watch's delivery. A record is durable over a kill when `write` resolves. */
export interface DeliveryRecords {
  read(watchId: string): DeliveryRecord | undefined;
  /** Rejects where the disk does not take it. */
  write(watchId: string, record: DeliveryRecord): Promise<void>;
  remove(watchId: string): Promise<void>;
  close(): Promise<void>;
}

const DELIVERY_FORMAT: StoreFormat = {
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
export function openDeliveryRecords(path: string): DeliveryRecords {
  const root = openStoreFolder(path, DELIVERY_FORMAT);
  const records = root.openDB<DeliveryRecord, string>({
    name: 'records',
    encoding: 'msgpack',
    keyEncoding: 'ordered-binary',
  });
  return {
    read: (watchId) => records.get(watchId),
    write: async (watchId, record) => {
      await records.put(watchId, record);
    },
    remove: async (watchId) => {
      await records.remove(watchId);
    },
    close: () => root.close(),
  };
}
