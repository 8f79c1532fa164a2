import type { VenueId, VenueKind } from '../../domain/venue.ts';

/** Unified calls of ccxt that are asked again and again. */
export const CCXT_CALLS = [
  'loadMarkets',
  'fetchFundingRates',
  'fetchFundingRate',
  'fetchFundingIntervals',
  'fetchTickers',
  'fetchTicker',
  'fetchMarkPrices',
  'fetchBidsAsks',
  'fetchOpenInterests',
  'fetchOpenInterest',
] as const;

export type CcxtCall = (typeof CCXT_CALLS)[number];

/** Properties of a ccxt exchange that are known before any request. */
export interface CcxtProfile {
  /** ccxt's id of the exchange, which is the venue's identifier as well. */
  readonly id: VenueId;
  readonly displayName: string;
  readonly kind: VenueKind;
  readonly fees: CcxtFees;
  /**
   * True if the exchange offers a call. May turn false: some exchanges refuse a call only when they are
   * asked.
   */
  readonly offers: (call: CcxtCall) => boolean;
}

/** Taker fees that ccxt holds as constants, fractions of the notional. */
export interface CcxtFees {
  /** Of swaps. */
  readonly swap: number | undefined;
  /** Filled in by ccxt for markets that state none: where there are spot markets, theirs. */
  readonly spotDefault: number | undefined;
}
