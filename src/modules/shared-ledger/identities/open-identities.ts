import { existsSync } from 'node:fs';
import type { IdentityPlaceOptions } from '../../../market/open-store.ts';
import { openMarketStore } from '../../../market/store-lmdb.ts';
import type { MarketStore } from '../../../market/stores.ts';
import { StoreOpenError } from '../../../storage/store-folder.ts';
import { openSharedStore } from './shared-store.ts';

/**
 * Opens the identities of a server. One that has no identity yet is refused where the folder has some: decided again, they might
 * not be the same. So is one to which they are being carried.
 *
 * @param url postgres://user:password@host:port/database
 * @throws StoreOpenError where the tables cannot be used; StoreUnreachable where there is no answer, unless that may be
 */
export async function openIdentities(
  url: string,
  { folder, ...options }: IdentityPlaceOptions,
): Promise<MarketStore> {
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
