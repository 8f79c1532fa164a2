import Type, { type Static } from 'typebox';
import { iso } from '../../../domain/clock.ts';
import { QUOTE_SIZES_USD } from '../../../domain/depth-quote.ts';
import type { BookQuote, BookView } from '../../../market/books/book-view.ts';
import { type NullReason, nullReasons, withReasons } from '../../../products/answer/null-reason.ts';
import {
  integer,
  nullable,
  number,
  oneOf,
  text,
  timestamp,
  venueName,
} from '../../../products/answer/schema.ts';
import { slippageBps } from '../../../products/books/leg-book.ts';
import type { SpotMarket } from '../../spot/spot-rows.ts';
import { bookStateOf, bookWord, NULL_OF_NO_BOOK } from './book-state.ts';
import type { SpotBookView } from './spot-book-view.ts';

const fill = Type.Object({
  usd: integer('Size, USD; the quote currency is counted as dollars'),
  buy_price: nullable(number('Mean price of buying it from the asks, quote currency per coin')),
  sell_price: nullable(number('Mean price of selling it into the bids')),
  buy_slippage_bps: nullable(number('buy_price against the middle, basis points')),
  sell_slippage_bps: nullable(number('sell_price against the middle, basis points')),
  ...nullReasons,
});

export const depthRowSchema = Type.Object({
  venue: venueName,
  venue_symbol: text("The venue's symbol of the pair; a perpetual may have the same one"),
  quote: text('Currency of the prices: USD, USDT or USDC'),
  relation: oneOf(['same', 'wrapped'], {
    description: 'wrapped: a bridged claim on the coin, and not that coin',
  }),
  book: bookWord,
  best_bid: nullable(number('Best bid of the book, per coin')),
  best_ask: nullable(number('Best ask of the book, per coin')),
  mid_price: nullable(number('Middle of both')),
  spread_bps: nullable(number('(best_ask - best_bid) / mid_price x 10000')),
  bid_depth_usd: nullable(number('Visible bids within 100 bps of the middle, USD')),
  ask_depth_usd: nullable(number('Visible asks within 100 bps of the middle, USD')),
  max_notional_usd: nullable(number('The smaller of both: what can be bought and sold again, USD')),
  fills: Type.Array(fill, { description: 'At 1,000, 5,000 and 10,000 USD, and at notional_usd' }),
  updated_at: nullable(timestamp('When the book was received')),
  ...nullReasons,
});
type DepthRow = Static<typeof depthRowSchema>;

/** One market as its book stands: null with a reason where there is no fresh one. @param notionalUsd a size of the buyer's own */
export function depthRow(market: SpotMarket, books: SpotBookView, notionalUsd: number | undefined): DepthRow {
  const { quote, reason } = bookStateOf(market, books);
  const sizes = [...new Set([...QUOTE_SIZES_USD, ...(notionalUsd === undefined ? [] : [notionalUsd])])];
  const why = reason === undefined ? 'unknown' : NULL_OF_NO_BOOK[reason];
  const row: DepthRow = {
    venue: market.venue,
    venue_symbol: market.symbol,
    quote: market.quote,
    relation: market.relation ?? 'same',
    book: reason ?? 'fresh',
    best_bid: quote?.bestBid ?? null,
    best_ask: quote?.bestAsk ?? null,
    mid_price: quote === undefined ? null : (quote.bestBid + quote.bestAsk) / 2,
    spread_bps: quote?.spreadBps ?? null,
    bid_depth_usd: quote?.bidDepthUsd ?? null,
    ask_depth_usd: quote?.askDepthUsd ?? null,
    max_notional_usd: quote === undefined ? null : Math.min(quote.bidDepthUsd, quote.askDepthUsd),
    fills: sizes.map((usd) => fillOf(quote, books, usd, why)),
    updated_at: quote === undefined ? null : iso(quote.confirmedAt),
  };
  return withReasons(row, {
    best_bid: why,
    best_ask: why,
    mid_price: why,
    spread_bps: why,
    bid_depth_usd: why,
    ask_depth_usd: why,
    max_notional_usd: why,
    updated_at: why,
  });
}

/** Both sides at one size; a side that does not fill it within 100 bps has no price. */
function fillOf(
  quote: BookQuote | undefined,
  books: BookView,
  usd: number,
  why: NullReason,
): Static<typeof fill> {
  const costOf = (side: 'buy' | 'sell'): number | undefined =>
    quote && slippageBps(quote, books, side, usd, usd);
  const mid = quote === undefined ? Number.NaN : (quote.bestBid + quote.bestAsk) / 2;
  const buy = costOf('buy');
  const sell = costOf('sell');
  const shown = {
    usd,
    buy_price: buy === undefined ? null : mid * (1 + buy / 10_000),
    sell_price: sell === undefined ? null : mid * (1 - sell / 10_000),
    buy_slippage_bps: buy ?? null,
    sell_slippage_bps: sell ?? null,
  };
  const reason = quote === undefined ? why : 'too_thin';
  return withReasons(shown, {
    buy_price: reason,
    sell_price: reason,
    buy_slippage_bps: reason,
    sell_slippage_bps: reason,
  });
}
