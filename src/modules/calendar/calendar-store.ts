import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { openStoreFolder, type StoreFormat } from '../../storage/store-folder.ts';
import type { CalendarEvent } from './event.ts';

/** A venue's memory as it is written. */
export interface WrittenVenue {
  readonly text: string;
  /** Receipt of the last whole list that was written. */
  readonly listAt: UnixMs;
}

/** Keeps the calendar over restarts. */
export interface CalendarStore {
  events(): readonly CalendarEvent[];
  venues(): ReadonlyMap<VenueId, WrittenVenue>;
  /** Writes all or none, and returns when it is safe. @throws where the disk does not take it */
  save(changes: {
    readonly venues: ReadonlyMap<VenueId, WrittenVenue>;
    readonly added: readonly CalendarEvent[];
    readonly dropped: readonly number[];
  }): void;
  close(): Promise<void>;
}

const CALENDAR_FORMAT: StoreFormat = {
  name: 'the store of the calendar',
  whenLost: 'events of before are not shown then, and venues are watched from then on.',
  tables: ['events', 'venues'],
  upgrades: [],
};

/**
 * Events, each under its number, and the memory of each venue that its next list is compared with, in one LMDB environment: both
 * are written in one transaction, so that no event is noted twice or lost.
 *
 * @param path directory of the environment; made when missing
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export function openCalendarStore(path: string): CalendarStore {
  const root = openStoreFolder(path, CALENDAR_FORMAT);
  const events = root.openDB<CalendarEvent, number>({
    name: 'events',
    encoding: 'msgpack',
    keyEncoding: 'ordered-binary',
  });
  const venues = root.openDB<WrittenVenue, VenueId>({
    name: 'venues',
    encoding: 'msgpack',
    keyEncoding: 'ordered-binary',
  });
  return {
    events: () => [...events.getRange().map(({ value }) => value)],
    venues: () => new Map(venues.getRange().map(({ key, value }) => [key, value])),
    save: (changes) => {
      root.transactionSync(() => {
        for (const [venue, written] of changes.venues) venues.putSync(venue, written);
        for (const event of changes.added) events.putSync(event.id, event);
        for (const id of changes.dropped) events.removeSync(id);
      });
    },
    close: () => root.close(),
  };
}
