import type { Instrument } from '../domain/instrument.ts';
import type { QuotePatch } from '../domain/quote.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueInfo } from '../domain/venue.ts';
import { type ContractState, QUOTE_FIELDS, type QuoteField } from './contract.ts';
import type { VenueTrack } from './table-state.ts';

/** Patches that were received at one time. */
export interface TimedPatches {
  readonly at: UnixMs;
  readonly patches: readonly QuotePatch[];
}

/** All that the table holds of one venue: a table that takes it in holds the same. */
export interface VenueState {
  /** With the number that the venue has here. */
  readonly info: VenueInfo;
  readonly refreshMs: number;
  readonly instruments: readonly Instrument[];
  readonly quotes: readonly TimedPatches[];
}

/** All that the table knows of a venue, as another table can take it; quotes that came together stay together. */
export function venueState({ info, sourceId, refreshMs, contracts }: VenueTrack): VenueState {
  const quotes = new Map<number, QuotePatch[]>();
  for (const { state } of contracts.values()) {
    for (const [at, patch] of patchesOf(state)) {
      const together = quotes.get(at);
      if (together === undefined) quotes.set(at, [patch]);
      else together.push(patch);
    }
  }
  return {
    info: { ...info, sourceId },
    refreshMs,
    instruments: [...contracts.values()].map(({ state }) => state.instrument),
    quotes: [...quotes].map(([at, patches]) => ({ at: asMs(at), patches })),
  };
}

/** Fields that are true or false. */
const IS_FLAG: ReadonlySet<QuoteField> = new Set(['marketOpen', 'rateSettled']);

/** The values of a contract as patches: one for each time and stamp that some of them share. */
function patchesOf({
  instrument,
  values,
  times,
  stamps,
}: ContractState): Iterable<readonly [number, QuotePatch]> {
  const patches = new Map<string, readonly [number, QuotePatch]>();
  for (const [slot, field] of QUOTE_FIELDS.entries()) {
    const value = values[slot] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const at = times[slot] ?? 0;
    const stamp = stamps[slot] ?? 0;
    const key = `${at} ${stamp}`;
    const [, patch] = patches.get(key) ?? [
      at,
      { symbol: instrument.symbol, ...(stamp > 0 && { venueTime: asMs(stamp) }) },
    ];
    Object.assign(patch, { [field]: IS_FLAG.has(field) ? value === 1 : value });
    patches.set(key, [at, patch]);
  }
  return patches.values();
}
