import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { type ContractState, fundingBounds, isBeyondBounds, type QuoteField } from '../../market/contract.ts';
import type { ContractStates } from '../../market/live-table.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import { AMOUNT_UNIT } from './amount-units.ts';
import type { Breaches } from './breaches.ts';
import {
  type ContractMemory,
  type ContractMemoryMap,
  dollars,
  hoursOf,
  timeOf,
  valueIn,
} from './contract-memory.ts';
import { frozenFor, frozenRate, type Stillness } from './rules/frozen.ts';
import { ACCEPTED_MS } from './rules/jump.ts';
import { contradictedInterval, passedSettlement } from './rules/settlement-time.ts';
import { MIN_OPEN_INTEREST_USD, unusualTurnover, usualTurnover } from './rules/turnover.ts';

/** Interval and settlements come with different calls: they may disagree for a while after a change. */
const CONTRADICTED_MS = 10 * MINUTE_MS;
/** A value that was restated within this is one that the venue goes on to state. */
const RESTATED_MS = 5 * MINUTE_MS;
/** A value that was not stated for so long counts as unknown. */
const FORGOTTEN_MS = HOUR_MS;

/** Rules that are judged here: one that is not found broken in a minute holds. */
export const MINUTE_RULES: ReadonlySet<string> = new Set([
  'interval',
  'next_passed',
  'frozen',
  'frozen_rate',
  'turnover',
  AMOUNT_UNIT,
  'above_cap',
]);

/** Rules that need time to pass, held against each contract of a venue once a minute. */
export function judgeMinute(
  venue: VenueId,
  contracts: ContractStates,
  memories: ContractMemoryMap,
  breaches: Breaches,
  now: UnixMs,
): void {
  const turnovers: Turnover[] = [];
  const whole = { at: now, markChangedAt: 0, volumeChangedAt: 0, volumeUsd: 0 };
  const judge = (rule: string, field: string, state: ContractState, evidence: string | undefined): void => {
    if (evidence === undefined) return;
    const contract = state.instrument.symbol;
    breaches.broken({ rule, venue, field, contract, evidence }, now, true);
  };
  contracts.each(venue, (state) => {
    if (now - state.takenAt >= FORGOTTEN_MS) return;
    const memory = memories.of(state);
    look(state, memory, now);
    judge('interval', 'funding_interval_hours', state, intervalEvidence(state, memory, now));
    judge('above_cap', 'funding_rate', state, beyondEvidence(state, now));
    judge('next_passed', 'next_funding_time', state, passedEvidence(state, now));
    const still = stillnessOf(state, memory, now);
    if (still !== undefined) addTo(whole, still);
    judge('frozen', '*', state, frozenEvidence(still, 'mark and volume'));
    judge('frozen_rate', 'funding_rate', state, frozenRateEvidence(state, memory, now));
    const log = turnoverOf(state);
    if (log !== undefined) turnovers.push({ state, log });
  });
  const evidence = frozenEvidence(whole, 'marks and volumes of all contracts');
  if (evidence !== undefined) breaches.broken({ rule: 'frozen', venue, field: '*', evidence }, now, false);
  const usual = usualTurnover(turnovers.map(({ log }) => log));
  if (usual === undefined) return;
  for (const { state, log } of turnovers) {
    judge('turnover', 'volume_24h', state, turnoverEvidence(unusualTurnover(log, usual)));
  }
}

/** Notes what is another value than a minute ago. */
function look(state: ContractState, memory: ContractMemory, now: UnixMs): void {
  const rate = valueIn(state, 'fundingRate');
  if (rate !== memory.rate) {
    memory.rate = rate;
    memory.rateChangedAt = now;
    memory.markAtRate = valueIn(state, 'markPrice');
  }
  const volume = valueIn(state, volumeField(state, now));
  if (volume !== memory.volume) {
    memory.volume = volume;
    memory.volumeChangedAt = now;
  }
}

const isRestated = (state: ContractState, field: QuoteField, now: UnixMs): boolean =>
  now - timeOf(state, field) <= RESTATED_MS;

/** The form of the volume that the venue goes on to state. */
const volumeField = (state: ContractState, now: UnixMs): QuoteField =>
  isRestated(state, 'volume24hUsd', now) ? 'volume24hUsd' : 'volume24hBase';

interface Turnover {
  readonly state: ContractState;
  readonly log: number;
}

const turnoverEvidence = (factor: number | undefined): string | undefined =>
  factor === undefined
    ? undefined
    : `volume over open interest is x${Number(factor.toPrecision(3))} of the venue's median`;

function intervalEvidence(state: ContractState, memory: ContractMemory, now: UnixMs): string | undefined {
  const hours = hoursOf(state);
  const next = valueIn(state, 'nextFundingTime');
  if (Number.isNaN(next)) return changedEvidence(hours, memory, now);
  const between = contradictedInterval({ hours, next, last: memory.last }, now);
  if (between === undefined) {
    memory.contradictedSince = 0;
    return undefined;
  }
  if (memory.contradictedSince === 0) memory.contradictedSince = now;
  if (now - memory.contradictedSince < CONTRADICTED_MS) return undefined;
  return `stated ${hours} h, ${Number(between.toPrecision(4))} h between settlements`;
}

/** Where no settlement is named, nothing tells which interval is right: one that changes has to stand for hours. */
function changedEvidence(hours: number, memory: ContractMemory, now: UnixMs): string | undefined {
  if (memory.contradictedSince === 0) memory.contradictedSince = now;
  const isLevel = now - memory.contradictedSince >= ACCEPTED_MS;
  if (isLevel || hours === memory.hours || Number.isNaN(memory.hours) || Number.isNaN(hours)) {
    if (!Number.isNaN(hours)) memory.hours = hours;
    memory.contradictedSince = 0;
    return undefined;
  }
  return `${memory.hours} h -> ${hours} h, and no settlement is named that would tell`;
}

function beyondEvidence(state: ContractState, now: UnixMs): string | undefined {
  if (!isBeyondBounds(state, now)) return undefined;
  const { fundingCap: cap, fundingFloor: floor } = fundingBounds(state);
  return `rate ${valueIn(state, 'fundingRate')}, the venue's own bounds ${floor ?? '-'} and ${cap ?? '-'}`;
}

function passedEvidence(state: ContractState, now: UnixMs): string | undefined {
  if (!isRestated(state, 'nextFundingTime', now)) return undefined;
  const minutes = passedSettlement(valueIn(state, 'nextFundingTime'), now);
  return minutes === undefined ? undefined : `passed ${Math.round(minutes)} min ago`;
}

/** The time for which a contract whose mark and volume are restated stands still. */
function stillnessOf(state: ContractState, memory: ContractMemory, at: UnixMs): Stillness | undefined {
  if (!isRestated(state, volumeField(state, at), at) || !isRestated(state, 'markPrice', at)) return undefined;
  const { markChangedAt } = state;
  const { volumeChangedAt } = memory;
  return { at, markChangedAt, volumeChangedAt, volumeUsd: dollars(state, 'volume24hBase', 'volume24hUsd') };
}

/** A venue stands still since its last contract does, and trades what all of them trade. */
function addTo(whole: { -readonly [Key in keyof Stillness]: Stillness[Key] }, other: Stillness): void {
  whole.markChangedAt = Math.max(whole.markChangedAt, other.markChangedAt);
  whole.volumeChangedAt = Math.max(whole.volumeChangedAt, other.volumeChangedAt);
  if (other.volumeUsd > 0) whole.volumeUsd += other.volumeUsd;
}

function frozenEvidence(still: Stillness | undefined, what: string): string | undefined {
  const minutes = still && frozenFor(still);
  return minutes === undefined ? undefined : `${what} unchanged for ${Math.round(minutes)} min`;
}

function frozenRateEvidence(state: ContractState, memory: ContractMemory, at: UnixMs): string | undefined {
  if (!isRestated(state, 'fundingRate', at) || !isRestated(state, 'markPrice', at)) return undefined;
  const mark = valueIn(state, 'markPrice');
  const { rate, rateChangedAt, markAtRate: markThen } = memory;
  const stood = frozenRate({ at, rate, rateChangedAt, hours: hoursOf(state), mark, markThen });
  return stood === undefined ? undefined : `${rate} for ${Math.round(stood)} h, mark ${markThen} -> ${mark}`;
}

/** Natural logarithm of volume over open interest; undefined where either is unknown or small. */
function turnoverOf(state: ContractState): number | undefined {
  const interest = dollars(state, 'openInterestBase', 'openInterestUsd');
  const volume = dollars(state, 'volume24hBase', 'volume24hUsd');
  if (!(Math.max(interest, volume) >= MIN_OPEN_INTEREST_USD) || !(interest > 0) || !(volume > 0))
    return undefined;
  return Math.log(volume / interest);
}
