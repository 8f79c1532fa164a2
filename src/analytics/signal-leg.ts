import { iso } from '../domain/clock.ts';
import { QUOTE_SIZES_USD } from '../domain/depth-quote.ts';
import type { VenueInfo } from '../domain/venue.ts';
import type { MarketRow } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { noNextFunding } from './funding-row.ts';
import type { LegBook } from './leg-book.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import { fundingTime } from './product-answer.ts';
import { type MarkTime, markTime, type RateTime, rateTime } from './value-times.ts';

/** One leg of a pair: what is held, what it pays, and what it costs to enter. Fees and slippage in bps. */
export interface SignalLeg extends ContractName, RateTime, MarkTime, WithReasons {
  readonly venue: string;
  readonly rate: number | null;
  readonly funding_interval_hours: number | null;
  readonly rate_8h: number | null;
  readonly next_funding_time: string | null;
  readonly mark_price: number | null;
  readonly best_bid: number | null;
  readonly best_ask: number | null;
  readonly taker_fee_bps: number;
  /** Of selling (short leg) or buying (long leg) at that size; null above what the book fills, or without a book. */
  readonly slippage_1k_bps: number | null;
  readonly slippage_5k_bps: number | null;
  readonly slippage_10k_bps: number | null;
  readonly updated_at: string;
}

/** @param side how the leg is entered: the short one sells into the bids, the long one buys from the asks */
export function signalLeg(
  row: MarketRow,
  side: 'sell' | 'buy',
  takerFeeBps: number,
  book: LegBook | undefined,
  venue: VenueInfo | undefined,
): SignalLeg {
  const [at1k, at5k, at10k] = QUOTE_SIZES_USD.map((size) => book?.slippageBps(side, size) ?? null);
  const leg = {
    venue: row.venue,
    ...contractName(row),
    rate: row.fundingRate ?? null,
    funding_interval_hours: row.fundingIntervalHours ?? null,
    rate_8h: row.rate8h ?? null,
    next_funding_time: row.nextFundingTime === undefined ? null : iso(row.nextFundingTime),
    mark_price: row.markPrice ?? null,
    best_bid: row.bestBid ?? null,
    best_ask: row.bestAsk ?? null,
    taker_fee_bps: takerFeeBps,
    slippage_1k_bps: at1k ?? null,
    slippage_5k_bps: at5k ?? null,
    slippage_10k_bps: at10k ?? null,
    updated_at: iso(fundingTime(row)),
    ...rateTime(row),
    ...markTime(row),
  };
  const unfilled = book === undefined ? 'not_followed' : 'too_thin';
  return withReasons(leg, {
    next_funding_time: noNextFunding(row, venue),
    slippage_1k_bps: unfilled,
    slippage_5k_bps: unfilled,
    slippage_10k_bps: unfilled,
  });
}
