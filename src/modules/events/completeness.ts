import file from './liquidations.json' with { type: 'json' };

/**
 * The share of a venue's liquidations that its public interface shows. `all`: every one that the venue lists. `sampled`: a
 * rule of the venue lets a part through, so a sum is a lower bound. `unverified`: documented, and not seen. `not_published`:
 * none, so a sum is unknown and never zero.
 */
export type Completeness = 'all' | 'sampled' | 'unverified' | 'not_published';

/** The thing that a venue's field of the side names. `taker`: the aggressor, which is the order of the liquidation. */
export type SideMeaning = 'position' | 'order' | 'taker' | 'none';

/** The reading of a side is shown by a recorded event and its price or position, or by documents alone, or not at all. */
export type SideProof = 'recorded' | 'documented' | 'unproven' | 'none';

/** The liquidations that one venue publishes. The evidence is in the venue's VENUE.md. */
export interface PublishedLiquidations {
  readonly completeness: Completeness;
  /** The rule of a sample, or what the venue leaves out of its list. */
  readonly rule?: string;
  /** The stream or call that is read. No other host is read beside it. */
  readonly from?: string;
  readonly side: SideMeaning;
  readonly sideProof: SideProof;
  /** The past can be read from the venue after a break. */
  readonly backfill?: string;
}

/** By venue; nothing but these words stands in the file. */
export const LIQUIDATIONS = file as Readonly<Record<string, PublishedLiquidations>>;

/** The liquidations that a venue publishes; a dex of Hyperliquid is as its parent. Undefined of an unknown venue. */
export const completenessOf = (venue: string): PublishedLiquidations | undefined =>
  LIQUIDATIONS[venue.startsWith('hyperliquid-') ? 'hyperliquid' : venue];
