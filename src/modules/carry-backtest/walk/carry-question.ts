import type { FundingPayment, TakerFee } from '../../../domain/series.ts';
import type { UnixMs } from '../../../domain/units.ts';
import type { PairRule } from '../../pair-backtest/pair-backtest.ts';
import type { AlignedPrices, PerpHour, PriceMoment } from '../../spot-history/prices/aligned-prices.ts';
import type { SpotHour } from '../../spot-history/store/spot-hour.ts';

/** The side of the spot leg; the perpetual has the other one. */
export const DIRECTIONS = ['long_spot', 'short_spot'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The known past of the perpetual, and the cost of trading it. */
export interface PerpPast {
  /** Of one contract, by time. */
  readonly payments: readonly FundingPayment[];
  /** By the start of the hour. */
  readonly hours: ReadonlyMap<number, PerpHour>;
  /** Charged where no fee was noted, basis points. */
  readonly feeBps: number;
  /** Taker fees as they were noted, by time; the first counts for the time before it, too. */
  readonly fees: readonly Pick<TakerFee, 'since' | 'takerBps'>[];
}

/** The known past of the spot market, and the cost of trading it. */
export interface SpotLegPast {
  /** By the start of the hour; an hour of which nothing is known is not there. */
  readonly hours: ReadonlyMap<number, SpotHour>;
  /** Cost of borrowing the coin, fractions an hour, by the start of the hour. */
  readonly borrow: ReadonlyMap<number, number>;
  readonly feeBps: number;
}

export interface CarryQuestion {
  /** Whole hours; the end is not included. */
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly sizeUsd: number;
  readonly direction: Direction;
  /** Basis points per eight hours. */
  readonly rule: PairRule;
  readonly perp: PerpPast;
  readonly spot: SpotLegPast;
  /** Slippage of a fill where nothing that is stored tells it, bps; undefined = it stays unknown. */
  readonly assumedSlippageBps?: number | undefined;
  /** Cost of borrowing in hours without a stored rate, fraction an hour; undefined = it stays unknown. */
  readonly assumedBorrowHourly?: number | undefined;
}

/** Money that came in or went out, US dollars. */
export interface CarryFlow {
  readonly at: UnixMs;
  readonly kind: 'funding' | 'borrow' | 'fees' | 'slippage' | 'price';
  readonly usd: number;
}

/** The parts of a trade that may be unknown; its flows lack them then. */
export type UnknownPart = 'slippage' | 'price' | 'borrow';

export type CarryExit = 'threshold' | 'holding_time' | 'window_end';

/** The source of the slippage of a fill. */
export interface FillSources {
  /** Of stored books of the perpetual. */
  readonly book: number;
  /** Half of the spread at the touch of the spot market. */
  readonly touch: number;
  /** Of these, fills of which the touch is smaller than the size, or not known to hold it. */
  readonly thin: number;
  readonly assumed: number;
}

export interface CarryTrade {
  readonly openedAt: UnixMs;
  readonly closedAt: UnixMs;
  /** The reason that first asked for the exit. */
  readonly left: CarryExit;
  /** Hours by which the exit was late, since no price of both legs was known. */
  readonly postponed: number;
  /** Carry, basis points per eight hours; undefined where it was not known at the exit. */
  readonly entryBps: number;
  readonly exitBps: number | undefined;
  readonly entryPriceOf: PriceMoment;
  /** Undefined where the exit had no price. */
  readonly exitPriceOf: PriceMoment | undefined;
  readonly flows: readonly CarryFlow[];
  readonly unknown: readonly UnknownPart[];
  readonly fills: FillSources;
  /** Settlements while it was held of which no payment is known. */
  readonly missingPayments: number;
  /** Hours held without a stored borrow rate; 0 of trades that borrow nothing. */
  readonly missingBorrow: number;
}

/** The trades of a rule, and the hours in which it could not trade. */
export interface CarryWalk {
  readonly trades: readonly CarryTrade[];
  /** Hours in which the carry asked for an entry and no price of both legs was known. */
  readonly skipped: number;
}

/** A position that is held. */
export interface Opened {
  readonly at: UnixMs;
  readonly entryBps: number;
  readonly prices: AlignedPrices;
}

/** An exit that is due. */
export interface DueExit {
  readonly since: UnixMs;
  readonly reason: CarryExit;
}
