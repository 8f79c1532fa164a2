import type { BaseQty, Bps, Hours, Price, RatePerInterval, UnixMs, Usd } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { MINUTE_MS } from '../runtime/duration.ts';

/** Time between samples of a row. */
export const SAMPLE_STEP_MS = MINUTE_MS;

/** Depth of an order book at a moment, where books are followed. */
export interface SampledDepth {
  /** Visible notional within 100 bps of the mid. */
  readonly bidDepthUsd?: Usd | undefined;
  readonly askDepthUsd?: Usd | undefined;
  /** Worse of both sides; undefined where the book cannot fill the size. */
  readonly slippage1kBps?: Bps | undefined;
  readonly slippage5kBps?: Bps | undefined;
  readonly slippage10kBps?: Bps | undefined;
}

/** The touch of the same book, in quote currency per base unit. */
export interface SampledBook extends SampledDepth {
  readonly bestBid: Price;
  readonly bestAsk: Price;
}

/** The contract that stood for an asset on a venue, since when it was listed. */
export interface Contract {
  readonly canonicalId: string;
  readonly ticker: string;
  readonly venue: VenueId;
  readonly symbol: string;
  /** Begin of the identity range: a relisted contract has another one. */
  readonly listedAt: UnixMs;
}

/** Facts that a row of the live table shows beside its values: answers as of then show them again. */
export interface ShownRow {
  readonly updatedAt: UnixMs;
  readonly fundingUpdatedAt?: UnixMs | undefined;
  readonly openInterestUpdatedAt?: UnixMs | undefined;
  readonly volumeUpdatedAt?: UnixMs | undefined;
  readonly rateFresh: boolean;
  readonly quote: string;
  readonly multiplier: number;
}

/** The values of one contract at one moment. Absent = unknown. */
export interface Sample extends Contract {
  readonly at: UnixMs;
  /** Taken from the live table, or back-filled from the venue. */
  readonly origin: 'sampled' | 'backfilled';
  readonly comparable: boolean;
  readonly fundingRate?: RatePerInterval | undefined;
  readonly fundingIntervalHours?: Hours | undefined;
  readonly markPrice?: Price | undefined;
  readonly indexPrice?: Price | undefined;
  readonly openInterestRaw?: number | undefined;
  readonly openInterestBase?: BaseQty | undefined;
  readonly openInterestUsd?: Usd | undefined;
  readonly volume24hBase?: BaseQty | undefined;
  readonly volume24hUsd?: Usd | undefined;
  readonly bestBid?: Price | undefined;
  readonly bestAsk?: Price | undefined;
  readonly depth?: SampledDepth | undefined;
  /** Of a row of the live table alone. */
  readonly shown?: ShownRow | undefined;
}

/** One funding payment after the event. */
export interface Settlement extends Contract {
  /** Settlement time. */
  readonly at: UnixMs;
  /** Reported as it happened, or requested afterwards. */
  readonly origin: 'settled' | 'backfilled';
  readonly rate: RatePerInterval;
  readonly intervalHours?: Hours | undefined;
  readonly markPrice?: Price | undefined;
}
