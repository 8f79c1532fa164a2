import type { IdentityPlace } from '../../market/open-store.ts';
import type { LedgerPlace } from '../../pay/open-ledger.ts';

/** Names the server in a configuration. */
export const SETTING = 'LEDGER_URL';

/**
 * Payments on a server, whose client is loaded when they are opened.
 *
 * @param url postgres://user:password@host:port/database
 */
export const ledgerOn = (url: string): LedgerPlace => ({
  kind: 'postgres',
  setting: SETTING,
  open: async (options) => (await import('./payments/ledger-postgres.ts')).openPostgresStore(url, options),
});

/**
 * Identities on a server, whose client is loaded when they are opened.
 *
 * @param url postgres://user:password@host:port/database
 */
export const identitiesOn = (url: string): IdentityPlace => ({
  kind: 'postgres',
  open: async (options) => (await import('./identities/open-identities.ts')).openIdentities(url, options),
});
