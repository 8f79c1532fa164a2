import type { VenueId } from '../../../domain/venue.ts';
import { openStoreFolder, type StoreFormat } from '../../../storage/store-folder.ts';
import type { StoredHour } from './spot-hour.ts';

/** A spot market as an asset of the perpetuals. */
export interface MarketKey {
  readonly venue: VenueId;
  readonly canonicalId: string;
  /** The venue's own symbol. */
  readonly symbol: string;
}

/** The hours of a market in one day of UTC. */
export interface MarketDay {
  readonly quote: string;
  /** The name under which the venue's borrow rates have the coin. */
  readonly ticker: string;
  readonly relation?: 'wrapped';
  /** By hour of the day; null where nothing is known. */
  readonly hours: readonly (StoredHour | null)[];
}

export interface StoredDay extends MarketKey {
  /** Days since 1970. */
  readonly day: number;
  readonly value: MarketDay;
}

/** Keeps the hours of spot markets. */
export interface HourStore {
  day(key: MarketKey, day: number): MarketDay | undefined;
  /** All markets of the asset at the venue in the days from one to another, both included; days in order. */
  days(venue: VenueId, canonicalId: string, from: number, to: number): readonly StoredDay[];
  /** Writes all or none, and returns when it is safe. @throws where the disk does not take it */
  save(days: readonly StoredDay[]): void;
  /** Removes all days before this one. */
  dropBefore(day: number): void;
  close(): Promise<void>;
}

const FORMAT: StoreFormat = {
  name: 'the store of spot hours',
  whenLost: 'the past of spot is not known then; venues that publish candles are asked for it again.',
  tables: ['days'],
  upgrades: [],
};

/** Behind the last symbol, in the order of the keys. */
const LAST = '\u{10ffff}';

type Key = [day: number, venue: VenueId, canonicalId: string, symbol: string];

/**
 * A day of a market a value: a month of it is thirty reads, and retention drops keys from the front.
 *
 * @param path directory of the environment; made when missing
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export function openHourStore(path: string): HourStore {
  const root = openStoreFolder(path, FORMAT);
  const days = root.openDB<MarketDay, Key>({
    name: 'days',
    encoding: 'msgpack',
    keyEncoding: 'ordered-binary',
  });
  const ofDay = (day: number, venue: VenueId, canonicalId: string): readonly StoredDay[] => {
    const range = days.getRange({
      start: [day, venue, canonicalId, ''],
      end: [day, venue, canonicalId, LAST],
    });
    return [...range].map(({ key: [, , , symbol], value }) => ({ venue, canonicalId, symbol, day, value }));
  };
  return {
    day: ({ venue, canonicalId, symbol }, day) => days.get([day, venue, canonicalId, symbol]),
    days: (venue, canonicalId, from, to) =>
      Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i).flatMap((day) =>
        ofDay(day, venue, canonicalId),
      ),
    save: (stored) => {
      root.transactionSync(() => {
        for (const { venue, canonicalId, symbol, day, value } of stored)
          days.putSync([day, venue, canonicalId, symbol], value);
      });
    },
    dropBefore: (day) => {
      const old = [...days.getKeys({ end: [day, '', '', ''] })];
      root.transactionSync(() => {
        for (const key of old) days.removeSync(key);
      });
    },
    close: () => root.close(),
  };
}
