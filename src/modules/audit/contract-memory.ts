import { type ContractState, type QuoteField, SLOT } from '../../market/contract.ts';

/** The rules' memory of one contract beside the live table's state of it. NaN = unknown; times in ms. */
export interface ContractMemory {
  /** The settlement that passed last. */
  last: number;
  /** The interval, of contracts that name no settlement. */
  hours: number;
  /** Since when the interval contradicts the settlements, or is another one; 0 = it does not. */
  contradictedSince: number;
  volume: number;
  volumeChangedAt: number;
  rate: number;
  rateChangedAt: number;
  /** The mark when the rate last changed. */
  markAtRate: number;
}

/** The rules' memory, for as long as the live table holds the contract. */
export class ContractMemoryMap {
  readonly #memories = new WeakMap<ContractState, ContractMemory>();

  of(state: ContractState): ContractMemory {
    const known = this.#memories.get(state);
    if (known !== undefined) return known;
    const unknown = Number.NaN;
    const made: ContractMemory = {
      last: unknown,
      hours: unknown,
      contradictedSince: 0,
      volume: unknown,
      volumeChangedAt: 0,
      rate: unknown,
      rateChangedAt: 0,
      markAtRate: unknown,
    };
    this.#memories.set(state, made);
    return made;
  }
}

/** A value as it was last stated, whatever its age; NaN where none was. */
export const valueIn = (state: ContractState, field: QuoteField): number =>
  state.values[SLOT[field]] ?? Number.NaN;

/** Unix ms of that statement; 0 = never. */
export const timeOf = (state: ContractState, field: QuoteField): number => state.times[SLOT[field]] ?? 0;

/** The interval as the venue states it with quotes, else in its list; NaN where it states none. */
export function hoursOf(state: ContractState): number {
  const stated = valueIn(state, 'fundingIntervalHours');
  return Number.isNaN(stated) ? (state.instrument.fundingIntervalHours ?? Number.NaN) : stated;
}

/** An amount in US dollars, of either form; NaN where it is not known. */
export function dollars(state: ContractState, base: QuoteField, usd: QuoteField): number {
  const stated = valueIn(state, usd);
  return Number.isNaN(stated) ? valueIn(state, base) * valueIn(state, 'markPrice') : stated;
}
