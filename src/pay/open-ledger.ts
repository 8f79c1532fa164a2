import { type Clock, systemClock } from '../domain/clock.ts';
import { createOwner } from '../storage/process-owner.ts';
import { Ledger } from './ledger.ts';
import { openLmdbStore } from './ledger-lmdb.ts';
import type { LedgerStore } from './ledger-store.ts';
import { FORMATS } from './schemes/list.ts';

/** Where payments are kept: in a folder of this machine, or on a PostgreSQL server where one is named. */
export interface LedgerLocation {
  readonly ledgerPath: string;
  /** postgres://user:password@host:port/database */
  readonly ledgerUrl?: string | undefined;
  /** The server need not answer yet: calls reject until it does. */
  readonly mayBeAway?: boolean;
}

/** Opens the store of payments; the client of a server is loaded only for one. Rejects with what is wrong. */
export async function openLedgerStore({
  ledgerPath,
  ledgerUrl,
  mayBeAway,
}: LedgerLocation): Promise<LedgerStore> {
  if (ledgerUrl === undefined) return openLmdbStore(ledgerPath, { formats: FORMATS });
  const { openPostgresStore } = await import('./postgres/ledger-postgres.ts');
  return openPostgresStore(ledgerUrl, { formats: FORMATS, ...(mayBeAway && { mayBeAway }) });
}

/**
 * The ledger of a place, by the clock of all who share it.
 *
 * @param clock of a ledger that has none of its own
 */
export async function openLedgerAt(place: LedgerLocation, clock: Clock = systemClock): Promise<Ledger> {
  const store = await openLedgerStore(place);
  return new Ledger({ store, clock: store.clock ?? clock, owner: createOwner() });
}
