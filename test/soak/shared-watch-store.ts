import { SharedPlace } from '../../src/modules/shared-ledger/tables/open-tables.ts';
import { WATCH_FORMAT, type WatchStore, WatchTables } from '../../src/modules/watch/watch-store.ts';

/** The store of watches on a server, with a copy in a folder, once the server has answered; closed it ends its connections, too. */
export async function openSharedStore(url: string, folder: string): Promise<WatchStore> {
  const place = new SharedPlace(url);
  const tables = await place.open('watches', folder, WATCH_FORMAT);
  const store = new WatchTables(tables);
  // Transactions are made in turn: its first is over when this one is.
  await tables.transact(() => {});
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    await place.close();
  };
  return store;
}
