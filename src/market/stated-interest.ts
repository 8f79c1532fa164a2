import type { StatedInterest } from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import { type ContractState, SLOT } from './contract.ts';
import type { Table } from './table-state.ts';

/**
 * Open interest that was stored before the process began. It stands for the values that venues stated within the
 * last hour until the process has listened for an hour itself: a venue that was not heard since is as large as it
 * was.
 */
export class StoredInterest {
  #byAsset: ReadonlyMap<string, ReadonlyMap<VenueId, number>> = new Map();
  #rememberedAt = asMs(0);

  remember(stated: readonly StatedInterest[], now: UnixMs): void {
    const byAsset = new Map<string, Map<VenueId, number>>();
    for (const { canonicalId, venue, usd } of stated) {
      const ofAsset = byAsset.get(canonicalId) ?? new Map<VenueId, number>();
      byAsset.set(canonicalId, ofAsset.set(venue, (ofAsset.get(venue) ?? 0) + usd));
    }
    this.#byAsset = byAsset;
    this.#rememberedAt = now;
  }

  of(canonicalId: string, now: UnixMs): ReadonlyMap<VenueId, number> {
    if (now - this.#rememberedAt > HOUR_MS) this.#byAsset = new Map();
    return this.#byAsset.get(canonicalId) ?? new Map();
  }
}

/**
 * USD open interest of an asset that the contracts of each venue last stated within an hour, or before the process began.
 * Venues that stated none are not there.
 */
export function interestByVenue(
  { assets, venues }: Pick<Table, 'assets' | 'venues'>,
  before: StoredInterest,
  canonicalId: string,
  now: UnixMs,
): ReadonlyMap<VenueId, number> {
  const heard = new Map<VenueId, number>();
  for (const { track, contracts } of assets.get(canonicalId)?.groups ?? []) {
    for (const state of contracts) {
      const usd = lastInterestUsd(state, now);
      if (usd !== undefined) heard.set(track.info.id, (heard.get(track.info.id) ?? 0) + usd);
    }
  }
  const byVenue = new Map<VenueId, number>();
  for (const [venue, usd] of before.of(canonicalId, now)) {
    const track = venues.get(venue);
    // A venue that has listed its contracts says itself whether it still has the asset.
    const isLeft =
      track !== undefined &&
      (track.isRetired || (track.contracts.size > 0 && !track.groups.has(canonicalId)));
    if (!isLeft) byVenue.set(venue, usd);
  }
  for (const [venue, usd] of heard) byVenue.set(venue, usd);
  return byVenue;
}

/** As the venue stated it in USD, else its base amount at the mark that it last stated, however old that is. */
function lastInterestUsd(state: ContractState, now: UnixMs): number | undefined {
  const usd = lastWithinAnHour(state, SLOT.openInterestUsd, now);
  if (usd !== undefined) return usd;
  const base = lastWithinAnHour(state, SLOT.openInterestBase, now);
  const mark = state.values[SLOT.markPrice] ?? Number.NaN;
  return base === undefined || Number.isNaN(mark) ? undefined : base * mark;
}

function lastWithinAnHour(state: ContractState, slot: number, now: UnixMs): number | undefined {
  const value = state.values[slot] ?? Number.NaN;
  return Number.isNaN(value) || now - (state.times[slot] ?? 0) > HOUR_MS ? undefined : value;
}
