import type { UnixMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import { DAY_MS } from '../../../runtime/duration.ts';
import { openStoreFolder, type StoreFormat } from '../../../storage/store-folder.ts';

/** Rates of a day by hour of UTC, fractions an hour; null where none was known. */
export type DayOfRates = readonly (number | null)[];

/** Keeps a rate an hour of each coin of each venue. */
export interface BorrowStore {
  /** The rates of a day; undefined where nothing is stored of it. @param day days since 1970 */
  day(venue: VenueId, ticker: string, day: number): DayOfRates | undefined;
  /** Writes all or none, and returns when it is safe. @throws where the disk does not take it */
  save(days: readonly StoredDay[]): void;
  /** Removes all days before this one. */
  dropBefore(day: number): void;
  close(): Promise<void>;
}

export interface StoredDay {
  readonly venue: VenueId;
  readonly ticker: string;
  readonly day: number;
  readonly rates: DayOfRates;
}

const FORMAT: StoreFormat = {
  name: 'the store of borrow rates',
  whenLost: 'rates of before are not known then, and are sampled from then on.',
  tables: ['days'],
  upgrades: [],
};

export const dayOf = (time: UnixMs): number => Math.floor(time / DAY_MS);

/**
 * A day of a coin a value, since a mean reads a week of them.
 *
 * @param path directory of the environment; made when missing
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export function openBorrowStore(path: string): BorrowStore {
  const root = openStoreFolder(path, FORMAT);
  const days = root.openDB<DayOfRates, [number, VenueId, string]>({
    name: 'days',
    encoding: 'msgpack',
    keyEncoding: 'ordered-binary',
  });
  return {
    day: (venue, ticker, day) => days.get([day, venue, ticker]),
    save: (stored) => {
      root.transactionSync(() => {
        for (const { venue, ticker, day, rates } of stored) days.putSync([day, venue, ticker], rates);
      });
    },
    dropBefore: (day) => {
      const old = [...days.getKeys({ end: [day, '', ''] })];
      root.transactionSync(() => {
        for (const key of old) days.removeSync(key);
      });
    },
    close: () => root.close(),
  };
}
