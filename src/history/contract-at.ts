import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { IdentityRecord } from '../market/stores.ts';
import type { Contract } from './sample.ts';

/** Finds the contract that a symbol was at a time. */
export type ContractAt = (venue: VenueId, symbol: string, at: UnixMs) => Contract | undefined;

/** All identity ranges of a symbol, oldest first. */
export type RecordsOf = (venue: VenueId, symbol: string) => readonly IdentityRecord[];

/**
 * Contracts by their identity ranges. A time before the first range belongs to it: the service began to look
 * then. A time between two ranges belongs to the later one, which was listed some time before it was seen.
 */
export function contractFinder(recordsOf: RecordsOf): ContractAt {
  return (venue, symbol, at) => {
    const records = recordsOf(venue, symbol);
    const index = Math.max(
      0,
      records.findLastIndex(({ validFrom }) => validFrom <= at),
    );
    const held = records[index];
    const ended = held?.validTo !== undefined && at > held.validTo;
    const record = ended ? (records[index + 1] ?? held) : held;
    if (record === undefined) return undefined;
    const { canonicalId, ticker, validFrom } = record;
    return { canonicalId, ticker, venue, symbol, listedAt: validFrom };
  };
}
