import type { Confidence } from './amount.ts';
import type { BaseQty, Price, UnixMs, Usd } from './units.ts';

/**
 * The terms on which a venue lets one contract be traded, as its list of contracts states them. Absent = the list does
 * not say. Prices are per one unit of the ticker and amounts count tickers, as everywhere.
 */
export interface ContractTerms {
  /** Smallest step of a limit price. */
  readonly tick?: Price;
  /** Most significant digits of a price that is no whole number, where the venue limits these beside the step. */
  readonly priceDigits?: number;
  /** Smallest step of an order's size. */
  readonly lot?: BaseQty;
  /** Smallest size of an order. */
  readonly minSize?: BaseQty;
  /** Smallest value of an order. */
  readonly minNotionalUsd?: Usd;
  /** Largest leverage of the smallest position. */
  readonly maxLeverage?: number;
  /** Margin that opens the smallest position, a fraction of its value. */
  readonly initialMargin?: number;
  /** Margin below which the smallest position is liquidated, a fraction of its value. */
  readonly maintenanceMargin?: number;
  /** Largest position of one account. */
  readonly positionLimit?: BaseQty;
  readonly positionLimitUsd?: Usd;
  /** Largest open interest of the contract. */
  readonly openInterestLimit?: BaseQty;
  readonly openInterestLimitUsd?: Usd;
  /** When orders trade, in the venue's own words. */
  readonly tradingHours?: string;
  /** When the venue has announced that it ends the contract. */
  readonly delistsAt?: UnixMs;
}

export type TermName = keyof ContractTerms;

/** The place of a term in a venue's list of contracts. */
export interface StatedTerm {
  /** The wire field, or the venue's rule where it holds for all contracts. */
  readonly place: string;
  /** The unit of the wire field. */
  readonly unit: string;
}

/** Terms that one call or stream states, and how that is known. */
interface TermSource {
  readonly call: string;
  readonly evidence: string;
  readonly confidence: Confidence;
  readonly fields: Readonly<Partial<Record<TermName, StatedTerm>>>;
}

/** The terms that a venue states of its contracts: in its list, and beside their metrics. */
export interface StatedTerms extends TermSource {
  readonly besideMetrics?: TermSource;
}
