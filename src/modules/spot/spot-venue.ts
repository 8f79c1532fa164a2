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

/** The spot side of a venue: data and pure functions. */
export interface SpotVenue {
  readonly id: VenueId;
  /** Base-tier taker fee, basis points. */
  readonly takerFeeBps: Bps;
  readonly calls: readonly SpotCall[];
  readonly evidence: {
    /** The unit, sides and time of the bulk call. */
    readonly tickers: Evidence;
    readonly fee: Evidence;
    /** The unit of the borrow rate, or why there is none. */
    readonly borrow: Evidence;
  };
  readonly verified: VerifiedInterface;
}

/** A call by its path. */
export function spotCall(path: string, decode: SpotDecoder, more: Partial<SpotCall> = {}): SpotCall {
  return { name: path.split('/').at(-1) ?? path, path, decode, ...more };
}
