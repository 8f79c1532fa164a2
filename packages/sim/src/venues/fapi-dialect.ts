import type { SimResponse } from '../venue.ts';
import type { SimContract, SimListing } from '../world.ts';

/** Differences between a simulated venue of the Binance futures family and the others. */
export interface FapiDialect {
  readonly listing: SimListing;
  /** Prefixes of the API's versions: `/fapi/v1/`, `/fapi/v3/`. */
  readonly prefixes: readonly string[];
  /** `contractType` of stocks, metals and the like. */
  readonly offchainType: string;
  /** Fields of the contract list that say what a contract follows. */
  readonly underlying: (contract: SimContract) => object;
  /** Funding caps: texts under `adjustedFundingRate…`, or numbers under `fundingFee…`. */
  readonly caps: 'text' | 'number';
  /** Paths of sockets that carry books. */
  readonly bookSockets: RegExp;
  /** Serves `/futures/data/openInterestHist`. */
  readonly interestHistory: boolean;
  /** Listed perpetuals of two coins, priced and margined in the second. */
  readonly crossPairs: readonly CrossPair[];
  /** Rows of the all-symbols answers that the contract list does not have. */
  readonly placeholders: readonly Placeholder[];
}

export interface CrossPair {
  readonly base: string;
  readonly quote: string;
}

export interface Placeholder {
  readonly symbol: string;
  readonly price: string;
}

/** A good answer and its weight. */
export const json = (value: unknown, weight = 1): SimResponse => ({
  status: 200,
  body: JSON.stringify(value),
  weight,
});

export const INVALID_SYMBOL: SimResponse = {
  status: 400,
  body: '{"code":-1121,"msg":"Invalid symbol."}',
};
