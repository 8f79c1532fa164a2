import { existsSync } from 'node:fs';
import { StoreOpenError } from '../storage/store-folder.ts';
import type { SharedStoreOptions } from './postgres/shared-store.ts';
import { openMarketStore } from './store-lmdb.ts';
import type { MarketStore } from './stores.ts';

/** Where identities are kept: in a folder of this machine, or on a PostgreSQL server where one is named. */
export interface IdentityStoreOptions extends Omit<SharedStoreOptions, 'check'> {
  readonly folder: string;
  /** postgres://user:password@host:port/database */
  readonly url?: string | undefined;
}

/**
 * Opens the store of identities; the client of a server is loaded only for one. A server that has no identity yet is refused
 * where the folder has some: decided again, they might not be the same. So is one to which they are being carried.
 */
export async function openIdentityStore({
  folder,
  url,
  ...options
}: IdentityStoreOptions): Promise<MarketStore> {
  if (url === undefined) return openMarketStore(folder);
  const { openSharedStore } = await import('./postgres/shared-store.ts');
  const hasOwn = await holdsIdentities(folder);
  return openSharedStore(url, {
    ...options,
    async check(server) {
      const [head] = await server.read('SELECT revision, is_moving FROM perpmeter.identity_head');
      if (head?.is_moving === true)
        throw new StoreOpenError(
          'identities are being carried to the server: `perpmeter identity move` has not ended',
        );
      if (!hasOwn || Number(head?.revision) > 0) return;
      throw new StoreOpenError(
        `the server has no identities and ${folder} has some: run \`perpmeter identity move\` once, or move the folder away`,
      );
    },
  });
}

async function holdsIdentities(folder: string): Promise<boolean> {
  if (!existsSync(folder)) return false;
  const store = openMarketStore(folder);
  try {
    return store.identities.load().length > 0;
  } finally {
    await store.close();
  }
}
