import type { Instrument } from '../domain/instrument.ts';
import type { QuotePatch } from '../domain/quote.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import type { Breaches } from './breaches.ts';
import {
  CHANGED,
  ContractMemory,
  INDEX,
  INTEREST,
  INTEREST_USD,
  MARK,
  RATE,
  STEPS,
  STRIDE,
  TIME,
  VOLUME,
  VOLUME_USD,
} from './contract-memory.ts';
import { hasReturned, isQuiet, judgeStep } from './laws/jump.ts';

/** A level that has stood for so long is the level. */
const ACCEPTED_MS = 6 * HOUR_MS;
/** What was not stated for so long is not known any more. */
const FORGOTTEN_MS = HOUR_MS;
/** The next settlement is named anew within so much; a longer silence hides settlements. */
const SEEN_MS = 30 * MINUTE_MS;

/**
 * Holds what one venue states against the laws that need no other row, patch by patch. The cost of a patch is a look-up
 * and some comparisons; laws are only judged where a value moved by half.
 */
export class ContractWatch {
  readonly venue: VenueId;
  readonly contracts = new Map<string, ContractMemory>();
  readonly #breaches: Breaches;

  constructor(venue: VenueId, breaches: Breaches) {
    this.venue = venue;
    this.#breaches = breaches;
  }

  /** The venue's list: what is not on it is forgotten. */
  instruments(list: readonly Instrument[], at: UnixMs): void {
    const known = new Map(list.map((one) => [one.symbol, one]));
    for (const symbol of this.contracts.keys()) {
      if (known.has(symbol)) continue;
      this.contracts.delete(symbol);
      this.#breaches.gone(this.venue, symbol, at);
    }
    for (const [symbol, one] of known) {
      const memory = this.contracts.get(symbol);
      if (memory === undefined) this.contracts.set(symbol, new ContractMemory(symbol, one));
      else if (one.fundingIntervalHours !== undefined) memory.hours = one.fundingIntervalHours;
    }
  }

  /** What is stated of a contract, before it is shown. */
  take(patch: QuotePatch, at: UnixMs): void {
    const memory = this.contracts.get(patch.symbol);
    if (memory === undefined) return;
    memory.seenAt = at;
    const { markPrice, indexPrice, fundingRate, openInterestBase, openInterestUsd } = patch;
    if (markPrice !== undefined) this.#step(memory, MARK, markPrice, at);
    if (indexPrice !== undefined) this.#step(memory, INDEX, indexPrice, at);
    if (fundingRate !== undefined) this.#step(memory, RATE, fundingRate, at);
    if (openInterestBase !== undefined) this.#step(memory, INTEREST, openInterestBase, at);
    if (openInterestUsd !== undefined) this.#step(memory, INTEREST_USD, openInterestUsd, at);
    if (patch.volume24hBase !== undefined) this.#step(memory, VOLUME, patch.volume24hBase, at);
    if (patch.volume24hUsd !== undefined) this.#step(memory, VOLUME_USD, patch.volume24hUsd, at);
    if (patch.fundingIntervalHours !== undefined) memory.hours = patch.fundingIntervalHours;
    const next = patch.nextFundingTime;
    if (next !== undefined && next !== memory.next) this.#advance(memory, next, at);
  }

  #step(memory: ContractMemory, slot: number, value: number, at: UnixMs): void {
    const { facts } = memory;
    const place = slot * STRIDE;
    const before = facts[place] ?? Number.NaN;
    const beforeAt = facts[place + TIME] ?? 0;
    facts[place + TIME] = at;
    if (value === before && memory.jumps === undefined) return;
    facts[place] = value;
    if (value !== before) {
      facts[place + CHANGED] = at;
      if (slot === RATE) memory.markAtRate = memory.value(MARK);
    }
    const jump = memory.jumps?.get(slot);
    if (jump !== undefined) this.#standing(memory, slot, jump.trusted, jump.at);
    // NaN, where nothing is known of before, is not quiet.
    else if (!isQuiet(value / before)) this.#judge(memory, slot, before, beforeAt);
  }

  #judge(memory: ContractMemory, slot: number, before: number, beforeAt: number): void {
    const step = STEPS[slot];
    if (step === undefined || Number.isNaN(before)) return;
    const [after, at] = [memory.value(slot), asMs(memory.statedAt(slot))];
    const usd = (dollarsOf(memory, slot) * before) / after;
    const factor = judgeStep(step.quantity, { before, after, beforeAt, at, usd });
    if (factor === undefined) return;
    memory.jumps ??= new Map();
    memory.jumps.set(slot, { trusted: before, at });
    const seconds = Math.round((at - beforeAt) / 1000);
    const evidence = `${before} -> ${after}, x${Number(factor.toPrecision(4))} within ${seconds} s`;
    this.#breaches.broken({ ...this.#about(memory, slot), evidence }, at, true);
  }

  /** A jump that stands: until the value is back, or the level has stood for hours. */
  #standing(memory: ContractMemory, slot: number, trusted: number, since: number): void {
    const step = STEPS[slot];
    const at = asMs(memory.statedAt(slot));
    if (step === undefined) return;
    if (!hasReturned(step.quantity, trusted, memory.value(slot)) && at - since < ACCEPTED_MS) return;
    memory.jumps?.delete(slot);
    if (memory.jumps?.size === 0) memory.jumps = undefined;
    this.#breaches.holds(this.#about(memory, slot), at);
  }

  #about(memory: ContractMemory, slot: number) {
    return { rule: 'jump', venue: this.venue, field: STEPS[slot]?.field ?? '', contract: memory.symbol };
  }

  /** Another next settlement: the one before has passed, or is not known. */
  #advance(memory: ContractMemory, next: number, at: UnixMs): void {
    const passed = memory.next <= at && at - memory.next < SEEN_MS && next > memory.next;
    if (passed) memory.last = memory.next;
    else if (Number.isNaN(memory.last) || at - memory.last > (memory.hours + 1) * HOUR_MS) {
      // The first word is believed: later ones are held against it.
      memory.last = next - memory.hours * HOUR_MS;
    }
    memory.next = next;
  }

  /** Contracts that were stated within the last hour. */
  *stated(now: UnixMs): Generator<ContractMemory> {
    for (const memory of this.contracts.values()) if (now - memory.seenAt < FORGOTTEN_MS) yield memory;
  }
}

/** The amount that a slot is about, US dollars; NaN where it is none, or not known. */
function dollarsOf(memory: ContractMemory, slot: number): number {
  const value = memory.value(slot);
  if (slot === INTEREST || slot === VOLUME) return value * memory.value(MARK);
  return slot === INTEREST_USD || slot === VOLUME_USD ? value : Number.NaN;
}
