import type { NameReading } from '../../domain/base-names.ts';
import type { BookUpdate } from '../../domain/book.ts';
import type { RejectReason } from '../../domain/reject.ts';
import type { BaseQty, Bps, Price, UnixMs, Usd } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { VenueRequest } from '../../venues/call.ts';

/** One spot market as its venue lists it. Prices are per one unit of the ticker and amounts count tickers. */
export interface SpotMarket {
  readonly venue: VenueId;
  /** The venue's own symbol. Perpetuals of the same venue may have the same one. */
  readonly symbol: string;
  /** The venue's number of the market, where calls name it by that. */
  readonly altId?: string;
  /** The base as the venue names it: `1000SATS`, `XBT`. */
  readonly base: string;
  readonly quote: string;
  /** Upper-case base asset with multiplier and aliases removed: `SATS`, `BTC`. */
  readonly ticker: string;
  /** Units of `ticker` in one unit of `base`. */
  readonly multiplier: number;
  readonly nameReading?: NameReading;
  /** The id of the base token, where names are no identity because anybody may take one. */
  readonly tokenId?: string;
  /** The base is a bridged claim on the coin of the ticker, and not that coin. */
  readonly relation?: 'wrapped';
  /** Smallest step of a limit price, quote currency. */
  readonly tick?: Price;
  /** Most significant digits of a price that is no whole number, where the venue limits these beside the step. */
  readonly priceDigits?: number;
  /** Smallest step of an order's size. */
  readonly lot?: BaseQty;
  /** Smallest size of an order. */
  readonly minSize?: BaseQty;
  /** Smallest value of an order, quote currency. */
  readonly minQuote?: number;
  /** The same where the quote currency is a dollar, or the venue states dollars. */
  readonly minUsd?: Usd;
  /** Taker fee of this market where its list states what is charged. */
  readonly takerFeeBps?: Bps;
  /** True where the list says that the base can be borrowed or sold on margin. */
  readonly canShort?: boolean;
  readonly listedAt?: UnixMs;
}

/** The present state of a market, in units of the ticker. A side of which nothing is stated is absent. */
export interface SpotTicker {
  readonly symbol: string;
  /** Asset and quote currency as far as the list of markets, or a symbol with a separator, tells them. */
  readonly ticker?: string;
  readonly quote?: string;
  readonly bestBid?: Price;
  readonly bestBidSize?: BaseQty;
  readonly bestAsk?: Price;
  readonly bestAskSize?: BaseQty;
  /** The middle between the sides, of venues that state it alone. */
  readonly midPrice?: Price;
  readonly lastPrice?: Price;
  readonly volume24hBase?: BaseQty;
  /** In the quote currency. */
  readonly volume24hQuote?: number;
  /** The same where the quote currency is known to be a dollar, or the venue states dollars. */
  readonly volume24hUsd?: Usd;
  /** Taker fee where the row states it. */
  readonly takerFeeBps?: Bps;
  readonly venueTime?: UnixMs;
}

/** The period that a venue's borrow rate is for. */
export type BorrowPeriod = 'hour' | '4h' | 'day' | 'year';

/** The reason for which a coin has no borrow rate though its venue lists it. */
export type BorrowRefusal = 'not_borrowable' | 'closed' | 'out_of_range';

/** The cost of borrowing one coin at a venue, at its lowest tier. */
export interface BorrowRow {
  /** The coin as the venue names it. */
  readonly asset: string;
  /** Upper-case name with multiplier and aliases removed. */
  readonly ticker: string;
  /** Fraction an hour, simple. */
  readonly ratePerHour?: number;
  /** The venue's own figure and its period. */
  readonly rateRaw?: number;
  readonly period?: BorrowPeriod;
  /** The venue's name of the tier: `No VIP`, `Lv1`, `0`. */
  readonly tier?: string;
  /** The most that one account may borrow, in units of the ticker. */
  readonly limit?: BaseQty;
  /** The same where the venue states dollars. */
  readonly limitUsd?: Usd;
  /** The units that the whole venue can still lend; absent where its inventory is not known. */
  readonly available?: BaseQty;
  readonly refused?: BorrowRefusal;
  /** The call needs a key, or no document promises it; absent of public documented calls. */
  readonly access?: 'key' | 'undocumented';
  readonly venueTime?: UnixMs;
}

/** Trades of one market in one hour, as its venue publishes them; of the hour that goes on, so far. */
export interface SpotCandle {
  readonly symbol: string;
  readonly start: UnixMs;
  /** First and last trade. */
  readonly open: Price;
  readonly close: Price;
}

/** Rows that are rightly left out of spot, besides the reasons of perpetuals. */
export type SpotReason =
  | RejectReason
  | 'perpetual'
  | 'leveraged_token'
  | 'tokenized_share'
  /** A token of a venue at which names are no identity, and whose id is not known. */
  | 'unknown_token'
  /** Interest that lenders get is no cost of borrowing. */
  | 'lending_rate';

export interface SpotReject {
  readonly symbol: string | null;
  readonly reason: SpotReason;
  readonly detail?: string;
}

/** The content of one payload. */
export interface SpotDecoded {
  readonly markets: SpotMarket[];
  readonly tickers: SpotTicker[];
  readonly borrow: BorrowRow[];
  /** Snapshots of books, best levels first. */
  readonly books: BookUpdate[];
  readonly candles: SpotCandle[];
  readonly rejects: SpotReject[];
}

export const emptySpot = (): SpotDecoded => ({
  markets: [],
  tickers: [],
  borrow: [],
  books: [],
  candles: [],
  rejects: [],
});

/** Inputs of a decoder besides the payload. */
export interface SpotContext {
  /** Markets by the venue's symbol; empty before the first list. */
  readonly markets: ReadonlyMap<string, SpotMarket>;
  /** The request that was answered, where the payload does not repeat what was asked. */
  readonly request?: VenueRequest;
}

/** Pure, as decoders of perpetuals are: bad rows become rejects, never an exception. */
export type SpotDecoder = (payload: unknown, context: SpotContext) => SpotDecoded;
