import type { VenueId } from '../../src/domain/venue.ts';
import {
  FIRST_DISCOVERED_ID,
  type IdentityRecord,
  type IdentityStore,
  type SourceIdStore,
} from '../../src/market/stores.ts';

/** Keeps identities while the process lives. */
export function memoryIdentityStore(): IdentityStore {
  const records = new Map<string, IdentityRecord>();
  return {
    load: () => [...records.values()],
    save: (changes) => {
      for (const it of changes.flatMap(({ after }) => after))
        records.set(JSON.stringify([it.venue, it.symbol, it.validFrom]), it);
    },
  };
}

/** Keeps the numbers of discovered venues while the process lives. */
export function memorySourceIdStore(): SourceIdStore {
  const ids = new Map<VenueId, number>();
  return {
    idOf: (venue) => {
      const known = ids.get(venue);
      if (known !== undefined) return known;
      const id = FIRST_DISCOVERED_ID + ids.size;
      ids.set(venue, id);
      return id;
    },
  };
}
