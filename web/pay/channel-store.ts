import type { ChannelRecord, ChannelStore } from '../../packages/client/src/index.ts';

/** The visitor's channels at this service, in this browser: tabs share them, and they outlive all of them. */

const DATABASE = 'perpmeter-channels';
const CHANNELS = 'channels';

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(CHANNELS, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  }).catch((cause) => {
    opened = undefined;
    throw cause;
  });
  return opened;
}

/** Resolves when all that a transaction wrote is on disk. */
function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

export const browserChannels: ChannelStore = {
  async load() {
    const transaction = (await database()).transaction(CHANNELS, 'readonly');
    return answered<ChannelRecord[]>(transaction.objectStore(CHANNELS).getAll());
  },
  async save(record) {
    const transaction = (await database()).transaction(CHANNELS, 'readwrite', { durability: 'strict' });
    const end = done(transaction);
    const channels = transaction.objectStore(CHANNELS);
    const before = await answered<ChannelRecord | undefined>(channels.get(record.id));
    const isNext = (before?.version ?? 0) === record.version - 1;
    if (isNext) channels.put(record);
    await end;
    return isNext;
  },
};
