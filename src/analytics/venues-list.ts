import type { PublishedAmount, VerifiedInterface } from '../domain/amount.ts';
import type { VenueSource } from '../domain/venue.ts';
import type { TrackedVenue } from '../market/view.ts';

/** One entry of /v1/venues/list. Fee in basis points, intervals in hours. */
export interface VenueEntry {
  readonly source_id: number;
  readonly name: string;
  readonly display_name: string;
  readonly type: 'cex' | 'dex';
  readonly tracked_symbols: number;
  readonly funding_intervals: readonly number[];
  readonly taker_fee_bps: number | null;
  readonly parent: string | null;
  readonly has_index: boolean;
  readonly source: VenueSource;
  readonly open_interest: PublishedAmount;
  readonly volume_24h: PublishedAmount;
  readonly verified: VerifiedInterface;
}

/** The tracked venues by source_id. */
export function venuesList(venues: readonly TrackedVenue[]): readonly VenueEntry[] {
  return venues.map(({ info, sourceId, trackedSymbols, fundingIntervals }) => ({
    source_id: sourceId,
    name: info.id,
    display_name: info.displayName,
    type: info.kind,
    tracked_symbols: trackedSymbols,
    funding_intervals: fundingIntervals,
    taker_fee_bps: info.takerFeeBps ?? null,
    parent: info.parent ?? null,
    has_index: info.hasIndex,
    source: info.source ?? 'native',
    open_interest: info.openInterest,
    volume_24h: info.volume,
    verified: info.verified,
  }));
}
