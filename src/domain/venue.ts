import type { Published } from './amount.ts';
import type { StatedTerms } from './contract-terms.ts';
import type { Bps } from './units.ts';

/** Lower-case identifier used in requests: `binance`, `hyperliquid-xyz`. */
export type VenueId = string;
export type VenueKind = 'cex' | 'dex';
/** A venue's rows are read by this project's own decoders, or by the ccxt library's unified calls. */
export type VenueSource = 'native' | 'ccxt';

/** Where a venue's index price comes from, with the evidence in its VENUE.md. */
export interface IndexSource {
  /** Oracle family: `own-cex-basket`, `pyth`, `chainlink`, `stork`, `validator-cex-basket`, `deployer-oracle`, … */
  readonly family: string;
  readonly description: string;
  readonly evidence: 'documented' | 'unknown';
}

/** Facts about a venue, without its calls. */
export interface VenueInfo extends Published {
  readonly id: VenueId;
  readonly displayName: string;
  readonly kind: VenueKind;
  /** Fixed number of a known venue; undefined for discovered ones, which get a stored one. */
  readonly sourceId?: number;
  /** The venue this one is a sub-venue of. */
  readonly parent?: VenueId;
  /** Base-tier taker fee in basis points; undefined = unknown. */
  readonly takerFeeBps?: Bps;
  /** False where the index is the venue's own mark, or missing. */
  readonly hasIndex: boolean;
  readonly index: IndexSource;
  /** Set where funding accrues every moment: a rate per interval, but no time of a next payment. */
  readonly continuousFunding?: true;
  /**
   * Period of the slowest call that states a contract's rate, ms; absent where rates come as often as marks.
   */
  readonly rateEveryMs?: number;
  /** Terms of contracts that its list states; absent where the venue is not described. */
  readonly terms?: StatedTerms;
  /** Native when absent. */
  readonly source?: VenueSource;
}

/** live = data within 3 refresh periods, stale = older but within 15 minutes, down = older or never. */
export type VenueStatus = 'live' | 'stale' | 'down';
