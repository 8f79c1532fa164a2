import type { Confidence, VerifiedInterface } from '../../domain/amount.ts';
import type { Bps } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { VenueCall } from '../../venues/call.ts';
import type { SpotDecoder } from './spot-rows.ts';

/** A call of a spot interface, found by its path as those of perpetuals are. */
export interface SpotCall extends Pick<VenueCall, 'name' | 'path' | 'alsoAt' | 'answers' | 'frames'> {
  readonly decode: SpotDecoder;
}

/** A fact about a venue's interface, and how it is known. */
export interface Evidence {
  readonly said: string;
  readonly confidence: Confidence;
}

/** A coin that a venue's spot side calls by another name than the venues of its perpetuals do. */
export interface OwnName {
  /** Base of its markets, as the venue spells it. */
  readonly name: string;
  /** The asset of the perpetuals. */
  readonly asset: string;
  /** The token is a bridged claim on the coin, and not that coin. */
  readonly relation?: 'wrapped';
}

/** The spot side of a venue: data and pure functions. */
export interface SpotVenue {
  readonly id: VenueId;
  /** Base-tier taker fee, basis points. */
  readonly takerFeeBps: Bps;
  readonly calls: readonly SpotCall[];
  /** Its own names of coins. */
  readonly ownNames?: readonly OwnName[];
  readonly evidence: {
    /** The unit, sides and time of the bulk call. */
    readonly tickers: Evidence;
    readonly fee: Evidence;
    /** The unit of the borrow rate, or why there is none. */
    readonly borrow: Evidence;
    /** The form of its candles of one hour, of venues that are asked for them. */
    readonly candles?: Evidence;
  };
  readonly verified: VerifiedInterface;
}

/** A call by its path. */
export function spotCall(path: string, decode: SpotDecoder, more: Partial<SpotCall> = {}): SpotCall {
  return { name: path.split('/').at(-1) ?? path, path, decode, ...more };
}

/** Own names out of a table from name to asset. */
export const ownNames = (assets: Readonly<Record<string, string>>): readonly OwnName[] =>
  Object.entries(assets).map(([name, asset]) => ({ name, asset }));
