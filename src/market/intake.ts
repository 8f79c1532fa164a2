import type { MarketSink } from '../collect/ports.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { ListReport } from '../domain/list-report.ts';
import { isRelisted } from '../domain/listing.ts';
import type { QuotePatch } from '../domain/quote.ts';
import { asPrice, type UnixMs } from '../domain/units.ts';
import type { VenueId, VenueInfo } from '../domain/venue.ts';
import {
  type ContractState,
  createChange,
  createContract,
  hasChanged,
  isBeyondBounds,
  isStep,
  mergePatch,
  type QuoteChange,
  SLOT,
} from './contract.ts';
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

/** Receives the changes that a patch makes to a contract, as soon as the table holds them. */
export type TellChange = (state: ContractState, change: QuoteChange) => void;

/** Receives a contract that was listed again, in other units or anew: the table has no value of its new state yet. */
export type TellRelisted = (before: ContractState, after: ContractState) => void;

/** The table as a receiver, which tells on request what became of what it received. */
export interface TableSink extends MarketSink {
  instruments(
    venue: VenueId,
    list: readonly Instrument[],
    at: UnixMs,
    report?: ListReport,
    tell?: TellRelisted,
  ): void;
  quotes(venue: VenueId, patches: readonly QuotePatch[], at: UnixMs, tell?: TellChange): void;
}

export interface Intake {
  readonly sink: TableSink;
  /** Begins with venues that have a number by now. */
  takeNumbers(): void;
}

/** The write side of the live table. */
export function createIntake(table: Table, identity: InstrumentIdentities, sourceIds: SourceIdStore): Intake {
  const waiting = new Map<VenueId, NumberlessVenue>();
  const parts = { table, identity, change: createChange() };
  const venue: MarketSink['venue'] = (info, refreshMs) => {
    if (trackVenue(table, sourceIds, info, refreshMs)) waiting.delete(info.id);
    else waiting.set(info.id, { ...waiting.get(info.id), info, refreshMs });
  };
  const instruments: TableSink['instruments'] = (id, list, at, _report, tell) => {
    const track = table.venues.get(id);
    const numberless = waiting.get(id);
    if (track !== undefined) listInstruments(parts, track, list, at, tell);
    else if (numberless !== undefined) numberless.listed = { list, at };
  };
  const takeNumbers = (): void => {
    for (const { info, refreshMs, listed } of [...waiting.values()]) {
      venue(info, refreshMs);
      if (listed !== undefined && !waiting.has(info.id)) instruments(info.id, listed.list, listed.at);
    }
  };
  const sink: TableSink = {
    venue,
    instruments,
    quotes(venue, patches, at, tell) {
      const track = table.venues.get(venue);
      if (track === undefined) {
        table.unlistedPatches += patches.length;
        return;
      }
      takeQuotes(parts, track, patches, at, tell);
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
  /** The changes of the last patch. */
  readonly change: QuoteChange;
}

function listInstruments(
  { table, identity }: Parts,
  track: VenueTrack,
  list: readonly Instrument[],
  at: UnixMs,
  tell: TellRelisted | undefined,
): void {
  const listed = new Set(list.map((instrument) => instrument.symbol));
  for (const [symbol, tracked] of track.contracts) {
    if (listed.has(symbol)) continue;
    detach(table, tracked);
    track.contracts.delete(symbol);
  }
  for (const instrument of list) {
    const tracked = takeInstrument(table, track, instrument, tell);
    identify(table, identity, track, tracked, at);
  }
  identity.keepOnly(track.info.id, listed, at);
  identity.commit();
}

function takeInstrument(
  table: Table,
  track: VenueTrack,
  instrument: Instrument,
  tell: TellRelisted | undefined,
): TrackedContract {
  const known = track.contracts.get(instrument.symbol);
  if (known !== undefined && isSame(known.state.instrument, instrument)) {
    known.state.instrument = instrument;
    return known;
  }
  // Values held in other units, or of a listing before, are values of another contract.
  if (known !== undefined) detach(table, known);
  const tracked: TrackedContract = { state: createContract(instrument), group: undefined };
  track.contracts.set(instrument.symbol, tracked);
  if (known !== undefined) tell?.(known.state, tracked.state);
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
  { table, identity, change }: Parts,
  track: VenueTrack,
  patches: readonly QuotePatch[],
  at: UnixMs,
  tell: TellChange | undefined,
): void {
  track.lastQuoteAt = Math.max(track.lastQuoteAt, at);
  let identified = false;
  for (const patch of patches) {
    const tracked = track.contracts.get(patch.symbol);
    if (tracked === undefined) {
      table.unlistedPatches += 1;
      continue;
    }
    if (!mergePatch(tracked.state, patch, at, change)) continue;
    if (tracked.group === undefined && patch.markPrice !== undefined) {
      identify(table, identity, track, tracked, at);
      identified = true;
    }
    const { group, state } = tracked;
    if (group !== undefined && primaryOf(group) === state) showChange(table, group, state, change);
    if (change.slots !== 0) tell?.(state, change);
  }
  if (identified) identity.commit();
}

/** The contract that a group shows has new values, or new times of them. */
function showChange(table: Table, group: Group, state: ContractState, change: QuoteChange): void {
  markShown(table, group);
  // By what was found of the price before, this one would be shown as comparable until the next sweep.
  const isDoubtful = hasStepped(state, change, 'markPrice') || hasStepped(state, change, 'indexPrice');
  if (group.comparable && (isDoubtful || isBeyondBounds(state, change.at))) table.unjudged = true;
}

const hasStepped = (state: ContractState, change: QuoteChange, field: 'markPrice' | 'indexPrice'): boolean =>
  hasChanged(change, field) &&
  isStep(change.before[SLOT[field]] as number, state.values[SLOT[field]] as number);

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
