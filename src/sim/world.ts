import type { AssetClass } from '../domain/instrument.ts';

/** An asset of the simulated world. */
export interface SimAsset {
  /** Identity: two assets may share a ticker (a planted collision). */
  readonly id: string;
  readonly ticker: string;
  readonly assetClass: AssetClass;
  /** 0 = the most traded. */
  readonly rank: number;
}

export type ContractKind = 'perp' | 'dated' | 'inverse' | 'spot';
export type ContractStatus = 'live' | 'delisted' | 'prelisting';

/** One contract as a simulated venue lists it. Values asked of the world are in ticker units, per ticker unit. */
export interface SimContract {
  readonly venue: string;
  readonly symbol: string;
  readonly asset: SimAsset;
  /** Base as this venue names it (`1000PEPE`), and the ticker units in one of it. */
  readonly base: string;
  readonly multiplier: number;
  /** Base units (as named) in one contract. */
  readonly contractSize: number;
  readonly quote: string;
  readonly settle: string;
  readonly kind: ContractKind;
  readonly status: ContractStatus;
  readonly intervalHours: number;
  /** Price increment in venue price units, and size increment in contracts. */
  readonly tick: number;
  readonly lot: number;
}

/** How a venue lists the world's assets. */
export interface SimListing {
  readonly venue: string;
  readonly quotes: readonly string[];
  /** How many live perpetuals in the first quote; fewer in the others. */
  readonly count: number;
  readonly classes: readonly AssetClass[];
  /** Tickers that must be listed, whatever their rank. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Name and multiplier under which a low-priced asset is listed; default: none (multiplier 1). */
  readonly baseName?: (
    ticker: string,
    price: number,
  ) => { readonly base: string; readonly multiplier: number };
  readonly contractSize?: (ticker: string, price: number) => number;
  readonly intervalHours: (rank: number) => number;
  readonly symbol: (base: string, quote: string) => string;
  /** Foreign and dead rows to add, by symbol spelling. */
  readonly dated?: (base: string, quote: string) => string;
  readonly inverse?: (base: string) => string;
  readonly delisted?: number;
}

/** Book of a contract: [price per ticker unit, size in ticker units], best first. */
export interface SimBook {
  readonly bids: readonly (readonly [number, number])[];
  readonly asks: readonly (readonly [number, number])[];
}

/** The one world. Every value is a pure function of seed and time, so that past and present agree. */
export interface World {
  readonly seed: number;
  readonly assets: readonly SimAsset[];
  /** All contracts of a listing: live perpetuals by rank, then foreign and dead rows. Cached by venue. */
  contracts(listing: SimListing): readonly SimContract[];
  /** Spot price of the asset in USD. */
  spot(asset: SimAsset, t: number): number;
  index(contract: SimContract, t: number): number;
  mark(contract: SimContract, t: number): number;
  /** Rate that will be charged at the next settlement, fraction per interval of the contract. */
  fundingRate(contract: SimContract, t: number): number;
  /** Rate settled at a settlement time. */
  settledRate(contract: SimContract, settlement: number): number;
  nextFunding(contract: SimContract, t: number): number;
  /** Open interest, one side, ticker units. */
  openInterest(contract: SimContract, t: number): number;
  /** Rolling 24 h volume, ticker units. */
  volume24h(contract: SimContract, t: number): number;
  book(contract: SimContract, t: number, depth: number): SimBook;
}
