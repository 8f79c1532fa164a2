import type { Instrument } from '../domain/instrument.ts';
import type { Quantity } from './laws/jump.ts';

/** Fields whose steps are judged: the row's name of each, what kind of quantity it is, and its slot. */
export const STEPS = [
  { field: 'mark_price', quantity: 'price' },
  { field: 'index_price', quantity: 'price' },
  { field: 'funding_rate', quantity: 'rate' },
  { field: 'open_interest', quantity: 'amount' },
  { field: 'open_interest_usd', quantity: 'amount' },
  { field: 'volume_24h', quantity: 'amount' },
  { field: 'volume_24h_usd', quantity: 'amount' },
] as const satisfies readonly { readonly field: string; readonly quantity: Quantity }[];

export const [MARK, INDEX, RATE, INTEREST, INTEREST_USD, VOLUME, VOLUME_USD] = [0, 1, 2, 3, 4, 5, 6] as const;

/** What is kept of a field, side by side: its last value, when it was last stated, when it last changed. */
export const STRIDE = 3;
export const [VALUE, TIME, CHANGED] = [0, 1, 2] as const;

/** A value that jumped, and stands. */
interface Jump {
  /** The value before. */
  readonly trusted: number;
  readonly at: number;
}

/**
 * What laws remember of one contract. NaN = unknown; times in ms. Changed in place: every patch passes through here, and
 * the fields lie in one plain array, so that a patch touches little memory.
 */
export class ContractMemory {
  readonly symbol: string;
  readonly facts: number[] = STEPS.flatMap(() => [Number.NaN, 0, 0]);
  /** By slot; absent while none stands. */
  jumps: Map<number, Jump> | undefined;
  hours: number;
  next = Number.NaN;
  /** The settlement that passed last. */
  last = Number.NaN;
  /** Since when the interval contradicts the settlements; 0 = it does not. */
  contradictedSince = 0;
  markAtRate = Number.NaN;
  seenAt = 0;

  constructor(symbol: string, instrument: Instrument | undefined) {
    this.symbol = symbol;
    this.hours = instrument?.fundingIntervalHours ?? Number.NaN;
  }

  value(slot: number): number {
    return this.facts[slot * STRIDE + VALUE] ?? Number.NaN;
  }

  statedAt(slot: number): number {
    return this.facts[slot * STRIDE + TIME] ?? 0;
  }

  changedAt(slot: number): number {
    return this.facts[slot * STRIDE + CHANGED] ?? 0;
  }

  /** An amount in US dollars, of either form; NaN where it is not known. */
  usd(base: number, usd: number): number {
    const stated = this.value(usd);
    return Number.isNaN(stated) ? this.value(base) * this.value(MARK) : stated;
  }
}
