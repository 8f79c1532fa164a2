/** A store of this browser (IndexedDB) with one list of records, which its tabs share and which outlives them. */

/** Resolves with what a request of the store gives. */
export function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when all that a transaction wrote is on disk. */
export function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Opens a store once, and again after it could not be opened. @param keyPath names each record */
export function opener(name: string, list: string, keyPath: string): () => Promise<IDBDatabase> {
  let opened: Promise<IDBDatabase> | undefined;
  return () => {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(list, { keyPath });
      request.onsuccess = () => {
        const database = request.result;
        // A request to remove or change the store waits until it is closed here.
        database.onversionchange = () => {
          database.close();
          opened = undefined;
        };
        resolve(database);
      };
      request.onerror = () => reject(request.error);
    }).catch((cause) => {
      opened = undefined;
      throw cause;
    });
    return opened;
  };
}
