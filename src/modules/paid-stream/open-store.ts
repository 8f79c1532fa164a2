import { join } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import type { Host } from '../../host/module.ts';
import { carryOver } from '../tables/carry-over.ts';
import { once } from '../tables/once.ts';
import { TABLES_PLACE } from '../tables/port.ts';
import type { Soon } from '../tables/soon.ts';
import type { Tables } from '../tables/tables.ts';
import { openStreamStore, STREAM_FORMAT, StreamStore } from './stream-store.ts';

/** The store of paid streams: in the data folder, or on the server that hosts share. */
export interface OpenedStore {
  readonly store: StreamStore;
  /** The time by which minutes run: of the server that hosts share, else this host's. */
  readonly clock: Clock;
  /** Carries the streams that this host has kept for itself to the server; done once. Rejects where that does not answer. */
  readonly carry: () => Soon<void>;
}

/** @throws StoreOpenError where the store is a newer build's, or could not be upgraded */
export async function openStore({
  options,
  readPort,
  clock,
}: Pick<Host, 'options' | 'readPort' | 'clock'>): Promise<OpenedStore> {
  const { dataDir } = options;
  const place = readPort(TABLES_PLACE);
  const own = join(dataDir, 'paid-streams');
  if (place === undefined) return { store: openStreamStore(own), clock, carry: () => {} };
  const tables = await place.open('streams', join(dataDir, 'shared-streams'), STREAM_FORMAT);
  const store = new StreamStore(tables);
  const carry = once(() => carryStreams(own, store, tables));
  return { store, clock: tables.serverClock ?? clock, carry };
}

/**
 * Carries streams that a host has kept for itself. Its sales that nobody has heard yet are those of the shared store from then on.
 *
 * @param folder of its store
 */
export async function carryStreams(folder: string, store: StreamStore, to: Tables): Promise<void> {
  await store.keepMark();
  await carryOver({
    folder,
    format: STREAM_FORMAT,
    // A sale counts in no stream a second time; and what a process broke off is credited once its streams are there.
    names: ['sales', 'streams', 'processes'],
    to,
    begin: (from) => store.adopt(new StreamStore(from).mark),
  });
}
