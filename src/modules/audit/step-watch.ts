import { asMs, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import {
  type ContractState,
  hasChanged,
  isNear,
  type QuoteChange,
  type QuoteField,
  SLOT,
} from '../../market/contract.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import type { Breaches } from './breaches.ts';
import { type ContractMemoryMap, hoursOf, valueIn } from './contract-memory.ts';
import { ACCEPTED_MS, hasReturned, isMirrored, judgeStep, type Quantity, type Step } from './rules/jump.ts';

/** The next settlement is named again within so much; a longer silence hides settlements. */
const SEEN_MS = 30 * MINUTE_MS;

/**
 * Values whose steps are judged, with the row's name of each and what kind of quantity it is: not the touch, nor what
 * repeats another one in the venue's own unit.
 */
const STEPS = {
  markPrice: ['mark_price', 'price'],
  indexPrice: ['index_price', 'price'],
  fundingRate: ['funding_rate', 'rate'],
  openInterestBase: ['open_interest', 'amount'],
  openInterestUsd: ['open_interest_usd', 'amount'],
  volume24hBase: ['volume_24h', 'amount'],
  volume24hUsd: ['volume_24h_usd', 'amount'],
} as const satisfies Partial<Record<QuoteField, readonly [field: string, quantity: Quantity]>>;
type SteppingField = keyof typeof STEPS;

/** With the slot of each and its bit in a change: to look them up by name for each patch costs more than the rule. */
const STEPPING = (Object.keys(STEPS) as readonly SteppingField[]).map((field) => ({
  field,
  slot: SLOT[field],
  bit: 1 << SLOT[field],
}));
/** The bits of all that is watched in a change. */
const WATCHED = STEPPING.reduce((slots, { bit }) => slots | bit, 1 << SLOT.nextFundingTime);

/** So many contracts of a venue whose rates of few digits become their opposite within this time have another sign. */
const MIRRORED = 3;
const MIRRORED_MS = 5 * MINUTE_MS;

/** A value that jumped, and stands. */
interface Jump {
  readonly state: ContractState;
  readonly field: SteppingField;
  /** The value before. */
  readonly trusted: number;
  readonly at: number;
}

/**
 * Checks what patches change against the rule of jumps: a value that makes no step costs no more than the comparison that
 * finds this out.
 */
export class StepWatch {
  readonly #breaches: Breaches;
  readonly #memories: ContractMemoryMap;
  /** Jumps that stand, by contract and field. */
  readonly #jumps = new Map<string, Jump>();
  /** Rates of few digits that became their opposite of late, by venue. */
  readonly #mirrors = new Map<VenueId, readonly { readonly state: ContractState; readonly step: Step }[]>();
  /** The state of a contract before it was listed in other units. */
  readonly #before = new WeakMap<ContractState, ContractState>();

  constructor(breaches: Breaches, memories: ContractMemoryMap) {
    this.#breaches = breaches;
    this.#memories = memories;
  }

  /** A patch changed values of a contract, which has them already. */
  changed(state: ContractState, change: QuoteChange): void {
    if ((change.slots & WATCHED) === 0) return;
    for (const { field, slot, bit } of STEPPING) {
      if ((change.slots & bit) === 0) continue;
      const before = change.before[slot] as number;
      if (!isNear((state.values[slot] as number) / before))
        this.#stepped(state, field, before, change.beforeAt[slot] as number);
    }
    if (hasChanged(change, 'nextFundingTime'))
      this.#settles(state, change.before[SLOT.nextFundingTime] as number, change.at);
  }

  /** A value made a step, or is the first (`before` is NaN then). */
  #stepped(state: ContractState, field: SteppingField, before: number, beforeAt: number): void {
    const old = Number.isNaN(before) ? this.#before.get(state) : undefined;
    if (old !== undefined) this.#step(state, field, valueIn(old, field), old.times[SLOT[field]] ?? 0);
    else this.#step(state, field, before, beforeAt);
  }

  /** Another next settlement: the one before has passed, or is not known. */
  #settles(state: ContractState, before: number, at: UnixMs): void {
    const memory = this.#memories.of(state);
    const next = valueIn(state, 'nextFundingTime');
    // By our clock the venue may be early.
    const hasPassed = before <= at + MINUTE_MS && next > before;
    if (hasPassed && at - before < SEEN_MS) memory.last = before;
    else if (hasPassed || Number.isNaN(memory.last) || at - memory.last > (hoursOf(state) + 1) * HOUR_MS) {
      // The first word is believed, also the first after a silence that hid settlements: later ones are held against it.
      memory.last = next - hoursOf(state) * HOUR_MS;
    }
  }

  /** A contract was listed again: jumps that stood are jumps of the new one. */
  relisted(before: ContractState, after: ContractState): void {
    this.#before.set(after, before);
    for (const [key, jump] of this.#jumps)
      if (jump.state === before) this.#jumps.set(key, { ...jump, state: after });
  }

  /** Forgets jumps of contracts that are not listed any more. */
  keepOnly(venue: VenueId, listed: ReadonlySet<string>): void {
    for (const [key, { state }] of this.#jumps) {
      const { instrument } = state;
      if (instrument.venue === venue && !listed.has(instrument.symbol)) this.#jumps.delete(key);
    }
  }

  /** A jump stands until the value is back, or the level has stood for hours. Once a minute. */
  review(): void {
    for (const [key, jump] of this.#jumps) this.#review(key, jump);
  }

  #step(state: ContractState, field: SteppingField, before: number, beforeAt: number): void {
    const key = this.#jumps.size === 0 ? '' : keyOf(state, field);
    const jump = this.#jumps.get(key);
    if (jump !== undefined) this.#review(key, jump);
    else if (!Number.isNaN(before)) this.#judge(state, field, before, beforeAt);
  }

  #judge(state: ContractState, field: SteppingField, before: number, beforeAt: number): void {
    const after = valueIn(state, field);
    const at = asMs(state.times[SLOT[field]] ?? 0);
    const usd = (dollarsOf(state, field) * before) / after;
    const step = { before, after, beforeAt, at, usd };
    if (judgeStep(STEPS[field][1], step) !== undefined) this.#jumped(state, field, step);
    else if (field === 'fundingRate' && isMirrored(step)) this.#mirrored(state, step);
  }

  #jumped(state: ContractState, field: SteppingField, { before, after, beforeAt, at }: Step): void {
    this.#jumps.set(keyOf(state, field), { state, field, trusted: before, at });
    const seconds = Math.round((at - beforeAt) / 1000);
    const evidence = `${before} -> ${after}, x${Number((after / before).toPrecision(4))} within ${seconds} s`;
    this.#breaches.broken({ ...aboutOf(state, field), evidence }, asMs(at), true);
  }

  #mirrored(state: ContractState, step: Step): void {
    const { venue } = state.instrument;
    const recent = this.#mirrors.get(venue)?.filter((entry) => step.at - entry.step.at <= MIRRORED_MS) ?? [];
    this.#mirrors.set(venue, [...recent, { state, step }]);
    if (recent.length + 1 < MIRRORED) return;
    for (const one of this.#mirrors.get(venue) ?? []) this.#jumped(one.state, 'fundingRate', one.step);
    this.#mirrors.delete(venue);
  }

  #review(key: string, { state, field, trusted, at: since }: Jump): void {
    const at = asMs(state.times[SLOT[field]] ?? 0);
    if (!hasReturned(STEPS[field][1], trusted, valueIn(state, field)) && at - since < ACCEPTED_MS) return;
    this.#jumps.delete(key);
    this.#breaches.holds(aboutOf(state, field), at);
  }
}

const keyOf = ({ instrument: { venue, symbol } }: ContractState, field: SteppingField): string =>
  `${venue}\n${symbol}\n${field}`;

const aboutOf = ({ instrument: { venue, symbol } }: ContractState, field: SteppingField) => ({
  rule: 'jump',
  venue,
  field: STEPS[field][0],
  contract: symbol,
});

/** The amount that a field is about, US dollars; NaN where it is none, or not known. */
function dollarsOf(state: ContractState, field: SteppingField): number {
  const value = valueIn(state, field);
  if (field === 'openInterestBase' || field === 'volume24hBase') return value * valueIn(state, 'markPrice');
  return field === 'openInterestUsd' || field === 'volume24hUsd' ? value : Number.NaN;
}
