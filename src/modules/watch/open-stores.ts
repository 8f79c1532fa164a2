import { join } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import type { Host } from '../../host/module.ts';
import { carryOver } from '../tables/carry-over.ts';
import { once } from '../tables/once.ts';
import { TABLES_PLACE } from '../tables/port.ts';
import type { Soon } from '../tables/soon.ts';
import type { Tables } from '../tables/tables.ts';
import {
  DELIVERY_FORMAT,
  type DeliveryRecords,
  deliveryRecordsIn,
  openDeliveryRecords,
} from '../webhook/delivery-store.ts';
import { openWatchStore, WATCH_FORMAT, type WatchStore, WatchTables } from './watch-store.ts';

/** The stores of watches: in the data folder, or on the server that hosts share. */
export interface WatchStores {
  readonly store: WatchStore;
  readonly records: DeliveryRecords;
  /** The time by which hosts grant each other leases, and of all that is kept here: of the server that they share, else this host's. */
  readonly clock: Clock;
  /** Carries the watches that this host has kept for itself to the server; done once. Rejects where that does not answer. */
  readonly carry: () => Soon<void>;
}

/** @throws StoreOpenError where a store is a newer build's, or could not be upgraded */
export async function openStores({
  options,
  readPort,
  clock,
}: Pick<Host, 'options' | 'readPort' | 'clock'>): Promise<WatchStores> {
  const { dataDir } = options;
  const place = readPort(TABLES_PLACE);
  const own = { watches: join(dataDir, 'watches'), deliveries: join(dataDir, 'watch-deliveries') };
  if (place === undefined)
    return {
      store: openWatchStore(own.watches),
      records: openDeliveryRecords(own.deliveries),
      clock,
      carry: () => {},
    };
  const watches = await place.open('watches', join(dataDir, 'shared-watches'), WATCH_FORMAT);
  const deliveries = await place.open('deliveries', join(dataDir, 'shared-deliveries'), DELIVERY_FORMAT);
  const store = new WatchTables(watches);
  const carry = once(async () => {
    // A watch is held as soon as others see it: what it has told, and who knows it, is there before.
    await carryOver({
      folder: own.deliveries,
      format: DELIVERY_FORMAT,
      names: ['records'],
      to: deliveries,
    });
    await carryWatches(own.watches, store, watches);
  });
  return { store, records: deliveryRecordsIn(deliveries), clock: watches.serverClock ?? clock, carry };
}

/**
 * Carries watches that a host has kept for itself. Its sales that nobody has heard yet are those of the shared store from then on.
 *
 * @param folder of its store
 */
export const carryWatches = (folder: string, store: WatchStore, to: Tables): Promise<void> =>
  carryOver({
    folder,
    format: WATCH_FORMAT,
    names: ['firings', 'acknowledged', 'watches'],
    to,
    begin: (from) => store.adopt(new WatchTables(from).mark),
  });
