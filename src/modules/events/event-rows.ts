import type { RejectReason } from '../../domain/reject.ts';
import type { BaseQty, Price, UnixMs, Usd } from '../../domain/units.ts';
import type { DecodeContext } from '../../venues/call.ts';

/** The position that was liquidated. A liquidated long is sold. */
export type PositionSide = 'long' | 'short';
/** The aggressor of a trade. */
export type TakerSide = 'buy' | 'sell';

/**
 * The meaning of an event's price. `fill`: one execution in the book. `average`: of all executions of the order.
 * `limit`: the order's own limit. `bankruptcy`: where the position's margin is used up. `takeover`: at which another
 * account took the position over, without an order in the book. `mark`: the mark of that moment, since nothing was
 * executed. `unstated`: the venue does not say. `none`: the venue states no price.
 */
export type PriceKind =
  | 'fill'
  | 'average'
  | 'limit'
  | 'bankruptcy'
  | 'takeover'
  | 'mark'
  | 'unstated'
  | 'none';

/** Units of the venue's own number: base coins as named, contracts, or money of the quote currency. */
export type SizeUnit = 'base' | 'contracts' | 'quote';

/** The reason for which an event has no value in dollars. */
export type UnknownValue = 'contract_size_unknown' | 'no_price';

/** Facts that trades and liquidations share. Prices are per unit of the ticker and amounts count tickers, as in rows. */
interface MarketEvent {
  /** The contract as rows of the same venue name it. */
  readonly symbol: string;
  readonly time: UnixMs;
  /** The venue's own id, digit by digit. */
  readonly id?: string;
  readonly price?: Price;
  /** The venue's own number, without its sign. */
  readonly sizeRaw: number;
  readonly sizeUnit: SizeUnit;
  readonly sizeBase?: BaseQty;
  readonly sizeUsd?: Usd;
  readonly unknownValue?: UnknownValue;
  /** The frame repeats the past, as venues do on subscribing. */
  readonly isHistory?: true;
  /** The base coin of a coin-margined contract, which rows do not have. */
  readonly inverseBase?: string;
}

/** One liquidation. */
export interface LiquidationEvent extends MarketEvent {
  readonly side: PositionSide;
  readonly priceKind: PriceKind;
  /** The limit of the order, where the venue states it beside what was paid. */
  readonly limitPrice?: Price;
}

/** A property of a trade that counts in taker volume. */
export type TradeMark = 'rpi' | 'combo' | 'self_trade';

/** One trade, or all fills of one order that the venue merges. */
export interface TradeEvent extends MarketEvent {
  readonly takerSide: TakerSide;
  /** A number that rises by one with each event of the contract, so that a gap shows. */
  readonly sequence?: number;
  /** Fills in the row, where the venue merges and counts them. */
  readonly fills?: number;
  readonly mark?: TradeMark;
  /** The position that the trade closed by force: the same row is a liquidation. */
  readonly liquidated?: PositionSide;
}

/** Rows that are rightly left out, besides the reasons of perpetuals. */
export type EventReason =
  | RejectReason
  /** A transfer between accounts, of an insurance fund or within the venue. */
  | 'transfer'
  /** Positions closed against each other. */
  | 'deleveraging'
  | 'settlement'
  /** A block trade or a quote on request, which is no taker volume. */
  | 'off_book'
  /** The maker's side of a trade that is listed twice. */
  | 'maker_row'
  /** The insurance fund passes on what it took over. */
  | 'claim'
  /** Sums of an interval, which are no events. */
  | 'totals'
  /** The venue publishes no events of the kind that was asked for. */
  | 'not_published';

export interface EventReject {
  readonly symbol: string | null;
  readonly reason: EventReason;
  readonly detail?: string;
}

/** The content of one frame or answer. */
export interface EventsDecoded {
  readonly liquidations: LiquidationEvent[];
  readonly trades: TradeEvent[];
  readonly rejects: EventReject[];
}

export const emptyEvents = (): EventsDecoded => ({ liquidations: [], trades: [], rejects: [] });

/** Pure, as decoders of rows are: what cannot be read becomes a reject, never an exception. */
export type EventDecoder = (payload: unknown, context: DecodeContext) => EventsDecoded;
