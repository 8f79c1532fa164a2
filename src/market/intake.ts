import type { MarketSink } from '../collect/ports.ts';
import type { Instrument } from '../domain/instrument.ts';
import { isRelisted } from '../domain/listing.ts';
import type { QuotePatch } from '../domain/quote.ts';
import { asPrice, type UnixMs } from '../domain/units.ts';
import type { VenueId, VenueInfo } from '../domain/venue.ts';
import { createContract, isBeyondBounds, isStep, mergePatch, SLOT, type StepListener } from './contract.ts';
import type { InstrumentIdentities } from './identity.ts';
import type { SourceIdStore } from './stores.ts';
import {
  attach,
  detach,
  type Group,
  invalidateJudgements,
  markDirty,
  primaryOf,
  type Table,
  type TrackedContract,
  type VenueTrack,
} from './table-state.ts';

/** A venue that the shared store has not numbered yet, with the last list of its contracts. */
interface NumberlessVenue {
  readonly info: VenueInfo;
  readonly refreshMs: number;
  listed?: { readonly list: readonly Instrument[]; readonly at: UnixMs };
}

export interface Intake {
  readonly sink: MarketSink;
  /** Begins with venues that have a number by now. */
  takeNumbers(): void;
}

/** The write side of the live table. */
export function createIntake(
  table: Table,
  identity: InstrumentIdentities,
  sourceIds: SourceIdStore,
  listener: StepListener | undefined,
): Intake {
  const waiting = new Map<VenueId, NumberlessVenue>();
  const parts = { table, identity, listener };
  const venue: MarketSink['venue'] = (info, refreshMs) => {
    if (trackVenue(table, sourceIds, info, refreshMs)) waiting.delete(info.id);
    else waiting.set(info.id, { ...waiting.get(info.id), info, refreshMs });
  };
  const instruments: MarketSink['instruments'] = (id, list, at) => {
    const track = table.venues.get(id);
    const numberless = waiting.get(id);
    if (track !== undefined) listInstruments(parts, track, list, at);
    else if (numberless !== undefined) numberless.listed = { list, at };
  };
  const takeNumbers = (): void => {
    for (const { info, refreshMs, listed } of [...waiting.values()]) {
      venue(info, refreshMs);
      if (listed !== undefined && !waiting.has(info.id)) instruments(info.id, listed.list, listed.at);
    }
  };
  const sink: MarketSink = {
    venue,
    instruments,
    quotes(venue, patches, at) {
      const track = table.venues.get(venue);
      if (track === undefined) {
        table.unlistedPatches += patches.length;
        return;
      }
      takeQuotes(parts, track, patches, at);
    },
  };
  return { sink, takeNumbers };
}

/** False where the venue has no number yet. */
function trackVenue(table: Table, sourceIds: SourceIdStore, info: VenueInfo, refreshMs: number): boolean {
  const known = table.venues.get(info.id);
  if (known !== undefined) {
    known.info = info;
    known.refreshMs = refreshMs;
    // Sweeps sum up the venue's facts.
    invalidateJudgements(known);
    table.unjudged = true;
    table.version += 1;
    return true;
  }
  const sourceId = info.sourceId ?? sourceIds.idOf(info.id);
  if (sourceId === undefined) return false;
  table.venues.set(info.id, {
    info,
    sourceId,
    refreshMs,
    contracts: new Map(),
    groups: new Map(),
    lastQuoteAt: 0,
    status: 'down',
    isRetired: false,
    freshSymbols: 0,
  });
  table.unjudged = true;
  table.version += 1;
  return true;
}

interface Parts {
  readonly table: Table;
  readonly identity: InstrumentIdentities;
  readonly listener: StepListener | undefined;
}

function listInstruments(
  { table, identity, listener }: Parts,
  track: VenueTrack,
  list: readonly Instrument[],
  at: UnixMs,
): void {
  const listed = new Set(list.map((instrument) => instrument.symbol));
  for (const [symbol, tracked] of track.contracts) {
    if (listed.has(symbol)) continue;
    detach(table, tracked);
    track.contracts.delete(symbol);
  }
  for (const instrument of list) {
    const tracked = takeInstrument(table, track, instrument, listener);
    identify(table, identity, track, tracked, at);
  }
  identity.keepOnly(track.info.id, listed, at);
  identity.commit();
}

function takeInstrument(
  table: Table,
  track: VenueTrack,
  instrument: Instrument,
  listener: StepListener | undefined,
): TrackedContract {
  const known = track.contracts.get(instrument.symbol);
  if (known !== undefined && isSame(known.state.instrument, instrument)) {
    known.state.instrument = instrument;
    return known;
  }
  // Values held in other units, or of a listing before, are values of another contract.
  if (known !== undefined) detach(table, known);
  const tracked: TrackedContract = { state: createContract(instrument), group: undefined };
  if (known !== undefined) listener?.replaced(known.state, tracked.state);
  track.contracts.set(instrument.symbol, tracked);
  return tracked;
}

function isSame(held: Instrument, listed: Instrument): boolean {
  const isOther = held.listedAt !== undefined && isRelisted(held.listedAt, listed.listedAt);
  return (
    !isOther &&
    held.multiplier === listed.multiplier &&
    held.contractSize === listed.contractSize &&
    held.quote === listed.quote
  );
}

function identify(
  table: Table,
  identity: InstrumentIdentities,
  track: VenueTrack,
  tracked: TrackedContract,
  at: UnixMs,
): void {
  const mark = tracked.state.values[SLOT.markPrice] ?? Number.NaN;
  const known = Number.isNaN(mark) ? undefined : asPrice(mark);
  const assignment = identity.assign(tracked.state.instrument, at, known);
  if (assignment === undefined) return;
  if (tracked.group?.canonicalId === assignment.canonicalId) tracked.state.assignment = assignment;
  else attach(table, track, tracked, assignment);
}

function takeQuotes(
  { table, identity, listener }: Parts,
  track: VenueTrack,
  patches: readonly QuotePatch[],
  at: UnixMs,
): void {
  track.lastQuoteAt = Math.max(track.lastQuoteAt, at);
  let identified = false;
  for (const patch of patches) {
    const tracked = track.contracts.get(patch.symbol);
    if (tracked === undefined) {
      table.unlistedPatches += 1;
      continue;
    }
    const { values } = tracked.state;
    const mark = values[SLOT.markPrice] as number;
    const index = values[SLOT.indexPrice] as number;
    if (!mergePatch(tracked.state, patch, at, listener)) continue;
    if (tracked.group === undefined && patch.markPrice !== undefined) {
      identify(table, identity, track, tracked, at);
      identified = true;
    }
    const group = tracked.group;
    if (group === undefined || primaryOf(group) !== tracked.state) continue;
    markShown(table, group);
    const leapt = isStep(mark, values[SLOT.markPrice] as number);
    // By what was found of the price before, this one would be shown as comparable until the next sweep.
    const isDoubtful = leapt || isStep(index, values[SLOT.indexPrice] as number);
    if (group.comparable && (isDoubtful || isBeyondBounds(tracked.state, at))) table.unjudged = true;
  }
  if (identified) identity.commit();
}

/** The contract that a group shows has new values. */
function markShown(table: Table, group: Group): void {
  markDirty(table, group);
  group.standsUntil = 0;
  if (group.visible) return;
  group.visible = true;
  table.reordered = true;
  table.unjudged = true;
  // A group that has never been shown is dirty already.
  table.version += 1;
}
