import type { IdentityPlace } from '../../market/open-store.ts';
import type { LedgerPlace } from '../../pay/open-ledger.ts';

/**
 * Payments on a server, whose client is loaded when they are opened.
 *
 * @param url postgres://user:password@host:port/database
 */
export const ledgerOn = (url: string): LedgerPlace => ({
  kind: 'postgres',
  setting: 'LEDGER_URL',
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
