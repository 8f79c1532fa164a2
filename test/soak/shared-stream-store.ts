import { join } from 'node:path';
import { STREAM_FORMAT, StreamStore } from '../../src/modules/paid-stream/stream-store.ts';
import { SharedPlace } from '../../src/modules/shared-ledger/tables/open-tables.ts';
import type { Tables } from '../../src/modules/tables/tables.ts';

/** A store of streams that is asked whether its server has answered. */
export class SharedStreams extends StreamStore {
  readonly #place: SharedPlace;
  readonly #tables: Tables;

  constructor(place: SharedPlace, tables: Tables) {
    super(tables);
    this.#place = place;
    this.#tables = tables;
  }

  /** All that was asked before is answered: transactions are made in turn. */
  async answered(): Promise<void> {
    await this.#tables.transact(() => {});
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#place.close();
  }
}

/** The store of streams on a server, with a copy in a folder, once the server has answered; closed it ends its connections, too. */
export async function openSharedStreams(url: string, folder: string): Promise<SharedStreams> {
  const place = new SharedPlace(url);
  const tables = await place.open('streams', join(folder, 'copy'), STREAM_FORMAT);
  const store = new SharedStreams(place, tables);
  await store.answered();
  return store;
}
