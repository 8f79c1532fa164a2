import type { BaseQty, Hours, Price, RatePerInterval, UnixMs, Usd } from './units.ts';

/**
 * The values that one payload states about one contract. Absent = this payload does not say (or it is
 * unknown). Prices are per one unit of the ticker and base amounts count tickers: contract size and
 * multiplier are already removed. `…Raw` is the venue's own number, untouched.
 */
export interface QuotePatch {
  symbol: string;
  fundingRate?: RatePerInterval;
  /**
   * True if that rate is the one last charged, since the venue states no coming one now; absent where it has
   * no such rows.
   */
  rateSettled?: boolean;
  fundingIntervalHours?: Hours;
  /** Largest and smallest rate that the venue lets the contract have. */
  fundingCap?: RatePerInterval;
  fundingFloor?: RatePerInterval;
  nextFundingTime?: UnixMs;
  markPrice?: Price;
  indexPrice?: Price;
  openInterestRaw?: number;
  openInterestBase?: BaseQty;
  openInterestUsd?: Usd;
  volume24hRaw?: number;
  volume24hBase?: BaseQty;
  volume24hUsd?: Usd;
  bestBid?: Price;
  bestAsk?: Price;
  /** True while orders trade, at venues that state it: stocks, commodities and currencies have closed hours. */
  marketOpen?: boolean;
  /** When a market that is closed opens again. */
  opensAt?: UnixMs;
  /** Terms of the contract that stand beside its metrics and not in the list: `ContractTerms` has what they say. */
  maxLeverage?: number;
  /** Null: the venue states that there is none. */
  openInterestLimitUsd?: Usd | null;
  /** The venue's own timestamp, only where VENUE.md proves that it is a freshness stamp. */
  venueTime?: UnixMs;
  /** Nothing here is new: the venue, which states changes alone, has said so before and nothing else since. */
  restated?: true;
}

/** One funding payment after the event, keyed by settlement time. */
export interface FundingPoint {
  readonly symbol: string;
  /** Settlement time, rounded to the second. */
  readonly time: UnixMs;
  readonly rate: RatePerInterval;
  readonly intervalHours?: Hours;
  readonly markPrice?: Price;
  /** Set where the venue accrues continuously: the rate in force at `time`, no payment. */
  readonly observed?: true;
}

/** A past value of mark, open interest or volume, from a venue's history call. */
export interface HistoryPoint {
  readonly symbol: string;
  readonly time: UnixMs;
  readonly markPrice?: Price;
  readonly indexPrice?: Price;
  readonly openInterestBase?: BaseQty;
  readonly openInterestUsd?: Usd;
  /** Rolling 24 h volume. */
  readonly volumeUsd?: Usd;
  /** Traded in the hour that begins at `time`; a part of the day, not its sum. */
  readonly hourUsd?: Usd;
}
