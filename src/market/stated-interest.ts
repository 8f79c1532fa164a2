import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import { type ContractState, SLOT } from './contract.ts';
import type { Group } from './table-state.ts';

/** USD open interest that the contracts of each venue last stated within an hour. Venues that stated none are not there. */
export function interestByVenue(groups: readonly Group[], now: UnixMs): ReadonlyMap<VenueId, number> {
  const byVenue = new Map<VenueId, number>();
  for (const { track, contracts } of groups) {
    for (const state of contracts) {
      const usd = lastInterestUsd(state, now);
      if (usd !== undefined) byVenue.set(track.info.id, (byVenue.get(track.info.id) ?? 0) + usd);
    }
  }
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
