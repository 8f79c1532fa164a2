import { type Clock, systemClock } from '../domain/clock.ts';
import { createOwner } from '../storage/process-owner.ts';
import { Ledger } from './ledger.ts';
import { openLmdbStore } from './ledger-lmdb.ts';
import type { LedgerKind, LedgerStore } from './ledger-store.ts';
import type { SchemeFormat } from './scheme.ts';
import { FORMATS } from './schemes/list.ts';

export interface LedgerPlaceOptions {
  /** Of all schemes whose payments may be stored. */
  readonly formats: readonly SchemeFormat[];
  /** The store need not answer yet: calls reject until it does. */
  readonly mayBeAway?: boolean;
}

/** A store of payments that is not in a folder of this machine. */
export interface LedgerPlace {
  readonly kind: LedgerKind;
  /** The setting that names it, for messages. */
  readonly setting: string;
  /** Rejects with what is wrong. */
  open(options: LedgerPlaceOptions): Promise<LedgerStore>;
}

/** Payments are kept in a folder of this machine, or in another place if one is given. */
export interface LedgerLocation {
  readonly ledgerPath: string;
  readonly place?: LedgerPlace | undefined;
  /** The place need not answer yet: calls reject until it does. */
  readonly mayBeAway?: boolean;
}

/** Opens the store of payments. Rejects with what is wrong. */
export async function openLedgerStore({
  ledgerPath,
  place,
  mayBeAway = false,
}: LedgerLocation): Promise<LedgerStore> {
  if (place === undefined) return openLmdbStore(ledgerPath, { formats: FORMATS });
  return place.open({ formats: FORMATS, mayBeAway });
}

/**
 * The ledger of a location, by the clock of all who share it.
 *
 * @param clock of a ledger that has none of its own
 */
export async function openLedgerAt(location: LedgerLocation, clock: Clock = systemClock): Promise<Ledger> {
  const store = await openLedgerStore(location);
  return new Ledger({ store, clock: store.clock ?? clock, owner: createOwner() });
}
