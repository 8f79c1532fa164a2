import type { NameReading } from './base-names.ts';
import type { ContractTerms } from './contract-terms.ts';
import type { Bps, Hours, RatePerInterval, UnixMs } from './units.ts';
import type { VenueId } from './venue.ts';

export const ASSET_CLASSES = [
  'crypto',
  'equity',
  'index',
  'commodity',
  'fx',
  'etf',
  'prelaunch',
  'unknown',
] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

/** The class that a canonical id begins with; `unknown` where it begins with none. */
export const classOfId = (canonicalId: string): AssetClass =>
  ASSET_CLASSES.find((name) => canonicalId.startsWith(`${name}:`)) ?? 'unknown';

/** One live linear perpetual as its venue lists it. */
export interface Instrument {
  readonly venue: VenueId;
  /** The venue's own symbol, spelled as the venue spells it. */
  readonly symbol: string;
  /** The base as the venue names it: `1000PEPE`, `kPEPE`, `XBT`. */
  readonly base: string;
  /** Upper-case base asset with multiplier and aliases removed: `PEPE`, `BTC`. */
  readonly ticker: string;
  /** Units of `ticker` in one unit of `base`: 1000 for `1000PEPE`, else 1. */
  readonly multiplier: number;
  /** Present where the name alone says `ticker` and `multiplier` and is not known: prices of other venues have to agree. */
  readonly nameReading?: NameReading;
  /** Units of `base` (as named) in one contract; 1 where the venue counts in base. */
  readonly contractSize: number;
  readonly quote: string;
  readonly settle: string;
  /** The asset class by the venue itself, if it states one; `unknown`: no coin, and no more is known. */
  readonly assetClass?: AssetClass;
  /** When the venue says that it listed the contract, or lists it; a symbol that is used again states another time. */
  readonly listedAt?: UnixMs;
  /** Interval where the instrument list states it. */
  readonly fundingIntervalHours?: Hours;
  /** Largest and smallest rate that the venue lets the contract have, fractions per interval, where the list states them. */
  readonly fundingCap?: RatePerInterval;
  readonly fundingFloor?: RatePerInterval;
  /** Key under which the venue publishes the index, where it is not the symbol. */
  readonly indexId?: string;
  /** Venue's internal number or id, where calls or frames use it instead of the symbol. */
  readonly altId?: string;
  /** True where orders meet quotes on request: the book that the venue shows is indicative, and is not read. */
  readonly indicativeBook?: boolean;
  /** Taker fee of this contract where it differs from the venue's. */
  readonly takerFeeBps?: Bps;
  /** Terms on which it is traded, as far as the list states them. */
  readonly terms?: ContractTerms;
}
