import { SLOT } from './contract.ts';
import type { InstrumentIdentities } from './identity.ts';
import type { VenueTrack } from './table-state.ts';
import type { TrackedVenue } from './view.ts';

/** A venue's tracked contracts, as of the last sweep. */
export function summarizeVenue(
  track: VenueTrack,
  identity: Pick<InstrumentIdentities, 'waiting' | 'refused'>,
): TrackedVenue {
  return {
    info: track.info,
    sourceId: track.sourceId,
    status: track.status,
    isRetired: track.isRetired,
    refreshMs: track.refreshMs,
    trackedSymbols: track.groups.size,
    freshSymbols: track.freshSymbols,
    undecided: identity.waiting(track.info.id),
    refused: identity.refused(track.info.id),
    // When asked for: few answers say them, and it takes a look at every contract.
    get fundingIntervals() {
      return fundingIntervalsOf(track);
    },
  };
}

function fundingIntervalsOf(track: VenueTrack): readonly number[] {
  const intervals = new Set<number>();
  for (const { state } of track.contracts.values()) {
    const stated = state.values[SLOT.fundingIntervalHours] ?? Number.NaN;
    const hours = Number.isNaN(stated) ? state.instrument.fundingIntervalHours : stated;
    if (hours !== undefined) intervals.add(hours);
  }
  return [...intervals].sort((a, b) => a - b);
}
