import type { VenueHealth } from '../collect/ports.ts';
import { iso } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId, VenueStatus } from '../domain/venue.ts';
import type { TrackedVenue } from '../market/view.ts';

/** One entry of /v1/venues/health. Ages in seconds; counts and rates over the last five minutes. */
export interface VenueHealthEntry {
  readonly source_id: number;
  readonly venue: string;
  readonly type: 'cex' | 'dex';
  readonly status: VenueStatus;
  readonly last_update_at: string | null;
  readonly age_seconds: number | null;
  readonly tracked_symbols: number;
  readonly fresh_symbols: number;
  readonly books: number;
  readonly rejects_5m: number;
  readonly error_rate_5m: number | null;
  readonly last_error: string | null;
  readonly since: string | null;
}

export interface HealthSources {
  readonly now: UnixMs;
  readonly health: (venue: VenueId) => VenueHealth | undefined;
  /** Live order books of a venue. */
  readonly books?: (venue: VenueId) => number;
}

/** Health of each tracked venue by source_id. A venue that the health board does not know is as the table sees it. */
export function venuesHealth(
  venues: readonly TrackedVenue[],
  sources: HealthSources,
): readonly VenueHealthEntry[] {
  return venues.map((venue) => healthEntry(venue, sources));
}

function healthEntry(venue: TrackedVenue, { now, health, books }: HealthSources): VenueHealthEntry {
  const { info } = venue;
  const known = health(info.id);
  const last = known?.lastUpdateAt;
  return {
    source_id: venue.sourceId,
    venue: info.id,
    type: info.kind,
    status: known?.status ?? venue.status,
    last_update_at: last === undefined ? null : iso(last),
    age_seconds: last === undefined ? null : Math.max(0, (now - last) / 1000),
    tracked_symbols: venue.trackedSymbols,
    fresh_symbols: venue.freshSymbols,
    books: books?.(info.id) ?? 0,
    rejects_5m: known?.rejects5m ?? 0,
    error_rate_5m: known?.errorRate5m ?? null,
    last_error: known?.lastError ?? null,
    since: known === undefined ? null : iso(known.since),
  };
}
