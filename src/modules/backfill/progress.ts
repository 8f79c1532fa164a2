import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { openStoreFolder, rootEntries, type StoreFormat } from '../../storage/store-folder.ts';

/** The filled span of each contract, over restarts. */
export interface Progress {
  /** End of what was filled; undefined = nothing yet. */
  filledTo(venue: VenueId, symbol: string, listedAt: UnixMs): UnixMs | undefined;
  /** Resolved once it is written: a commit waits for the disk, which the event loop must not. */
  fill(venue: VenueId, symbol: string, listedAt: UnixMs, to: UnixMs): Promise<void>;
  close(): Promise<void>;
}

const CONTRACTS = 'contracts';

export const BACKFILL_FORMAT: StoreFormat = {
  name: 'the notes of the back-fill',
  whenLost: 'past funding is asked for again, and nothing else is lost.',
  tables: [CONTRACTS],
  upgrades: [
    // Notes lay among the names of the tables. They go: builds of then dated payments by the hours before them, so
    // what was filled is asked for again.
    (tables) => {
      for (const [key] of [...rootEntries(tables, BACKFILL_FORMAT)]) tables.root.removeSync(key);
    },
  ],
};

/**
 * Keeps it in a folder of its own.
 * @throws StoreOpenError where the folder is a newer build's, or could not be upgraded
 */
export function openProgress(path: string): Progress {
  const root = openStoreFolder(path, BACKFILL_FORMAT);
  const contracts = root.openDB<UnixMs, [string, string, number]>({
    name: CONTRACTS,
    encoding: 'msgpack',
    keyEncoding: 'ordered-binary',
  });
  return {
    filledTo: (...contract) => contracts.get(contract),
    fill: async (venue, symbol, listedAt, to) => {
      await contracts.put([venue, symbol, listedAt], to);
    },
    close: () => root.close(),
  };
}
