import { openMarketStore } from './store-lmdb.ts';
import type { IdentityStoreState, MarketStore } from './stores.ts';

export interface IdentityPlaceOptions {
  /** The folder of identities that are not in another place. */
  readonly folder: string;
  /** True if ranges end here (`SharedStoreListener`). */
  readonly ends: boolean;
  /** The store need not answer yet: until it does, nothing is known. */
  readonly mayBeAway?: boolean;
  readonly onError?: (reason: string) => void;
}

/** A store of identities that is not in a folder of this machine. */
export interface IdentityPlace {
  readonly kind: IdentityStoreState['kind'];
  /** Rejects with what is wrong. */
  open(options: IdentityPlaceOptions): Promise<MarketStore>;
}

/** Identities are kept in a folder of this machine, or in another place if one is given. */
export interface IdentityStoreOptions extends IdentityPlaceOptions {
  readonly place?: IdentityPlace | undefined;
}

/** Opens the store of identities. Rejects with what is wrong. */
export async function openIdentityStore({ place, ...options }: IdentityStoreOptions): Promise<MarketStore> {
  return place === undefined ? openMarketStore(options.folder) : place.open(options);
}
