import { isWithin } from '../domain/factor.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { QuotePatch } from '../domain/quote.ts';
import { asMs, asRate, type RatePerInterval, type UnixMs } from '../domain/units.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import type { Assignment } from './decide-identity.ts';

/** Values of a contract that patches state. */
export type QuoteField = Exclude<keyof QuotePatch, 'symbol' | 'venueTime' | 'restated'>;

/** The slot of each value. A field of a patch without a slot does not compile: it would be lost. */
export const SLOT: Readonly<Record<QuoteField, number>> = {
  markPrice: 0,
  indexPrice: 1,
  fundingRate: 2,
  fundingIntervalHours: 3,
  nextFundingTime: 4,
  openInterestRaw: 5,
  openInterestBase: 6,
  openInterestUsd: 7,
  volume24hRaw: 8,
  volume24hBase: 9,
  volume24hUsd: 10,
  bestBid: 11,
  bestAsk: 12,
  fundingCap: 13,
  fundingFloor: 14,
  marketOpen: 15,
  opensAt: 16,
  rateSettled: 17,
  maxLeverage: 18,
  openInterestLimitUsd: 19,
};

/** In the order of their slots. */
export const QUOTE_FIELDS = Object.keys(SLOT) as readonly QuoteField[];

/** A value that takes another by this factor, either way, makes a step; prices of one asset never differ so much. */
export const STEP_FACTOR = 1.5;

/** The values of a contract that one patch changed. Each patch overwrites it: who keeps something of it copies that. */
export interface QuoteChange {
  /** Receipt of the patch. */
  at: UnixMs;
  /** The bit `1 << slot` of each value that is another one now, or is known now, or is none now. */
  slots: number;
  /** By slot, of the changed ones alone: the value until now; NaN = unknown. */
  readonly before: Float64Array;
  /** Time of that value. */
  readonly beforeAt: Float64Array;
}

export function createChange(): QuoteChange {
  const slots = QUOTE_FIELDS.length;
  return { at: asMs(0), slots: 0, before: new Float64Array(slots), beforeAt: new Float64Array(slots) };
}

/** True if the patch changed this value. */
export const hasChanged = ({ slots }: Pick<QuoteChange, 'slots'>, field: QuoteField): boolean =>
  (slots & (1 << SLOT[field])) !== 0;

/** A field that was not restated for this long is unknown again. */
export const FIELD_MAX_AGE_MS = 15 * MINUTE_MS;

/** A venue stamp older than the one we hold is a late message, unless the venue's clock was set back by more. */
const LATE_MESSAGE_MS = 120_000;

/**
 * The state of one contract. Changed in place: thousands of patches a second pass through here. Plain arrays:
 * so short a typed array is one fifth numbers, the rest is its header.
 */
export interface ContractState {
  instrument: Instrument;
  /** The asset that it was last found to be; undefined while only a mark can tell. */
  assignment: Assignment | undefined;
  /** Values by slot; NaN = unknown. */
  readonly values: number[];
  /** Time of each value: the venue's stamp, else receipt. */
  readonly times: number[];
  /** The venue's own stamp of each value; 0 where it gave none. */
  readonly stamps: number[];
  /** When the mark last took another value. */
  markChangedAt: number;
  /** Receipt of the last patch; 0 = never. */
  takenAt: number;
}

export function createContract(instrument: Instrument): ContractState {
  return {
    instrument,
    assignment: undefined,
    values: QUOTE_FIELDS.map(() => Number.NaN),
    times: QUOTE_FIELDS.map(() => 0),
    stamps: QUOTE_FIELDS.map(() => 0),
    markChangedAt: 0,
    takenAt: 0,
  };
}

/** The value of a patch for a slot; 1 and 0 for true and false, NaN where it states that there is none. */
function valueIn(patch: QuotePatch, slot: number): number | undefined {
  const stated = patch[QUOTE_FIELDS[slot] as QuoteField];
  if (stated === null) return Number.NaN;
  return typeof stated === 'boolean' ? Number(stated) : stated;
}

/**
 * Takes over what a patch states, field by field, with the time of each. A stamp ahead of our clock counts as
 * receipt; a value stamped before the one held, or before one without a stamp was received, is dropped.
 *
 * @param change is overwritten with the values that changed
 * @returns whether a value or the time of a value changed
 */
export function mergePatch(
  state: ContractState,
  patch: QuotePatch,
  at: UnixMs,
  change: QuoteChange = createChange(),
): boolean {
  change.at = at;
  change.slots = 0;
  const stamp = patch.venueTime ?? 0;
  const time = stamp > 0 && stamp < at ? stamp : at;
  if (patch.restated === true) return restate(state, patch, at);
  const { values, times, stamps } = state;
  let changed = false;
  state.takenAt = at;
  for (let slot = 0; slot < QUOTE_FIELDS.length; slot++) {
    const value = valueIn(patch, slot);
    if (value === undefined) continue;
    // A preview of the last minute must not displace what a stream said a second ago.
    const held = stamps[slot] || times[slot] || 0;
    if (stamp > 0 && stamp < held && held - stamp < LATE_MESSAGE_MS) continue;
    stamps[slot] = stamp;
    const before = values[slot] as number;
    const beforeAt = times[slot] as number;
    times[slot] = time;
    if (Object.is(before, value)) {
      changed ||= beforeAt !== time;
      continue;
    }
    values[slot] = value;
    changed = true;
    change.slots |= 1 << slot;
    change.before[slot] = before;
    change.beforeAt[slot] = beforeAt;
    if (slot === SLOT.markPrice) state.markChangedAt = time;
  }
  return changed;
}

/**
 * Values that still are what they were when the venue stated them are as young as this moment. Stamps stay, so that what
 * the venue stamps next is no late message.
 *
 * @returns whether the time of a value changed
 */
function restate({ values, times }: ContractState, patch: QuotePatch, at: UnixMs): boolean {
  let changed = false;
  for (let slot = 0; slot < QUOTE_FIELDS.length; slot++) {
    const value = valueIn(patch, slot);
    if (value === undefined || values[slot] !== value || (times[slot] ?? 0) >= at) continue;
    times[slot] = at;
    changed = true;
  }
  return changed;
}

/** True if values of this ratio are no step apart; that of a value to one that is not known, NaN, is not near. */
export const isNear = (factor: number): boolean => isWithin(factor, STEP_FACTOR);

/** True if a known price became one that prices of one asset never differ by. */
export const isStep = (before: number, after: number): boolean =>
  before !== after && !Number.isNaN(before) && !isNear(after / before);

/** Brings every time of a contract that lies ahead back to now. */
export function clampTimes(state: ContractState, now: UnixMs): void {
  state.times.forEach((time, slot) => {
    state.times[slot] = Math.min(time, now);
  });
  state.markChangedAt = Math.min(state.markChangedAt, now);
  state.takenAt = Math.min(state.takenAt, now);
}

/** The value of a field, unless it is unknown or too old. */
export function fieldValue(state: ContractState, name: QuoteField, now: number): number | undefined {
  const slot = SLOT[name];
  const value = state.values[slot] ?? Number.NaN;
  if (Number.isNaN(value) || now - (state.times[slot] ?? 0) > FIELD_MAX_AGE_MS) return undefined;
  return value;
}

/** The last digits of a bound and of a rate at it may be rounded otherwise, by this share of the bound. */
const ROUNDED = 1e-6;

/** The bounds of a contract's rate that its venue publishes, with quotes or in its list; they do not age. */
export function fundingBounds(state: ContractState): {
  readonly fundingCap: RatePerInterval | undefined;
  readonly fundingFloor: RatePerInterval | undefined;
} {
  const { values, instrument } = state;
  const cap = values[SLOT.fundingCap];
  const floor = values[SLOT.fundingFloor];
  return {
    fundingCap: isStated(cap) ? asRate(cap) : instrument.fundingCap,
    fundingFloor: isStated(floor) ? asRate(floor) : instrument.fundingFloor,
  };
}

const isStated = (value: number | undefined): value is number => value !== undefined && !Number.isNaN(value);

/**
 * True if a contract's rate lies beyond the bounds that its venue publishes; an unpublished bound bounds no
 * rate.
 */
export function isBeyondBounds(state: ContractState, now: number): boolean {
  const rate = fieldValue(state, 'fundingRate', now);
  if (rate === undefined) return false;
  const { fundingCap: cap, fundingFloor: floor } = fundingBounds(state);
  if (cap !== undefined && rate > cap + Math.abs(cap) * ROUNDED) return true;
  return floor !== undefined && rate < floor - Math.abs(floor) * ROUNDED;
}

/** Time of a field's value; undefined where the value is. */
export function fieldTime(state: ContractState, name: QuoteField, now: number): number | undefined {
  return fieldValue(state, name, now) === undefined ? undefined : state.times[SLOT[name]];
}

/**
 * True if the venue states that orders trade now, false if it states that they do not; undefined where it
 * states neither.
 */
export function isMarketOpen(state: ContractState, now: number): boolean | undefined {
  const stated = fieldValue(state, 'marketOpen', now);
  return stated === undefined ? undefined : stated === 1;
}

/** True if the held rate was stated as the one last charged, and by no other patch than its own. */
export function isRateSettled({ values, times }: ContractState): boolean {
  return values[SLOT.rateSettled] === 1 && times[SLOT.rateSettled] === times[SLOT.fundingRate];
}

/** Rolling 24 h volume in USD: as published, else base volume x mark. */
export function volumeUsd(state: ContractState, now: number): number | undefined {
  const stated = fieldValue(state, 'volume24hUsd', now);
  if (stated !== undefined) return stated;
  const base = fieldValue(state, 'volume24hBase', now);
  const mark = fieldValue(state, 'markPrice', now);
  return base === undefined || mark === undefined ? undefined : base * mark;
}
