import Type, { type Static } from 'typebox';
import { ok, type Result } from '../domain/errors.ts';
import type { BookQuote, BookView } from '../market/books/book-view.ts';
import { nullReasons, withReasons } from './answer/null-reason.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import { canonicalIdName, integer, nullable, number, text, tickerName, venueName } from './answer/schema.ts';
import { bookAnswer, lineageOf, pairBook, pairQuote, quoteLineage } from './books/book-source.ts';
import {
  costFields,
  costReasons,
  depthFields,
  maxFillable,
  sizedSlippage,
  takingCost,
  touchFields,
} from './books/execution-cost.ts';
import { fillableUsd } from './books/leg-book.ts';
import {
  type ExecutionTerms,
  notionalParameter,
  sideField,
  sideParameter,
  sizeOf,
  sizeParameter,
} from './books/terms.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/orderbook-depth.json' with { type: 'json' };
import { findVenueSymbol, symbolParameter, venueParameter } from './rows/asked.ts';
import {
  type AskedFees,
  feesField,
  feesNote,
  feesQuery,
  PUBLIC_FEES,
  readFees,
  statedFees,
  takerFeeOf,
} from './rows/asked-fees.ts';
import type { Pair } from './rows/select.ts';

/** Everything in USD or bps of the mid. */
const depthQuoteSchema = Type.Object({
  venue: venueName,
  ...costFields,
  ...touchFields,
  est_slippage_for_size_usd_bps: nullable(
    number('Fill price against the mid, of the side or the worse of both, bps; null above max_fillable_usd'),
  ),
  ...depthFields,
  max_fillable_usd: maxFillable,
  ...quoteLineage,
  ...nullReasons,
});
type DepthQuote = Static<typeof depthQuoteSchema>;

const answer = Type.Object({
  venue: venueName,
  symbol: tickerName,
  canonical_id: canonicalIdName,
  size_usd: integer('Size the quote is for: notional_usd where it was asked for'),
  side: sideField,
  ...feesField,
  quote: depthQuoteSchema,
  naive_note: text('What the figures leave out'),
});

type OrderbookDepth = Static<typeof answer>;

export const orderbookDepth = defineProduct({
  id: 'orderbook-depth',
  path: '/v1/orderbook/depth/{venue}/{symbol}',
  access: 'paid',
  summary: 'Sized quote on one venue',
  description:
    'What trading 1,000, 5,000 or 10,000 USD, or up to 250,000, of one symbol costs on one venue now: slippage over the mid in basis points (of buying, selling or the worse of both), the same with the taker fee, spread, visible depth within 100 bps on each side, and the most that fills.',
  tags: ['orderbook', 'depth', 'slippage', 'perpetual-futures'],
  dependsOn: 'books',
  revisedAt: '2026-11-29T11:00:00.000Z',
  query: Type.Object({
    size_usd: sizeParameter,
    notional_usd: notionalParameter,
    side: sideParameter,
    ...feesQuery,
  }),
  params: Type.Object({ venue: venueParameter, symbol: symbolParameter }),
  answer,
  example: { request: '/v1/orderbook/depth/binance/BTC?size_usd=10000', answer: example },
  find: (asked, ports) => {
    const pair = findVenueSymbol(asked, ports);
    if (!pair.ok) return pair;
    const fees = readFees(asked, ports.market);
    return fees.ok ? ok({ pair: pair.value, fees: fees.value }) : fees;
  },
  books: ({ pair }, { notional_usd: usd }) =>
    pairBook(pair).map(({ venue, symbol }) => ({ venue, symbol, ...(usd !== undefined && { usd }) })),
  compute: ({ pair, fees }, { books }, asked) =>
    sizedQuote(pair, books, { ...sizeOf(asked), side: asked.side, fees }),
});

const NOTE =
  'Slippage is the volume-weighted fill price against the mid, of the side asked for or the worse of buying and selling, from visible levels within 100 bps of the mid; all_in_bps adds the public taker fee. Naive baseline: funding and latency are excluded; not a profit forecast.';

/** Sized quote of one pair; formulas in `DepthFigures`. 503 not_ready without a book that is in order. */
export function sizedQuote(
  pair: Pair,
  books: BookView,
  terms: Pick<ExecutionTerms, 'size' | 'capUsd' | 'side' | 'fees'>,
): Result<ProductAnswer<OrderbookDepth>> {
  const { fees = PUBLIC_FEES } = terms;
  const found = pairQuote(pair, books);
  if (!found.ok) return found;
  const quote = found.value;
  const body: OrderbookDepth = {
    venue: quote.venue,
    symbol: pair.ticker,
    canonical_id: pair.canonicalId,
    size_usd: terms.size,
    side: terms.side,
    ...statedFees(fees),
    quote: depthQuote(pair, quote, { ...terms, fees }, sizedSlippage({ quote }, books, terms)),
    naive_note: NOTE + feesNote(fees),
  };
  return ok(bookAnswer(body, [quote], [quote.venue]));
}

function depthQuote(
  { row, venue }: Pair,
  quote: BookQuote,
  { side, capUsd, fees }: Pick<ExecutionTerms, 'side' | 'capUsd'> & { readonly fees: AskedFees },
  slippage: number | undefined,
): DepthQuote {
  const takerFeeBps = takerFeeOf(row, venue, fees);
  const makerFeeBps = fees.maker.get(row.venue);
  const shown: DepthQuote = {
    venue: quote.venue,
    ...takingCost({ row, takerFeeBps, makerFeeBps }, slippage),
    best_bid: quote.bestBid,
    best_ask: quote.bestAsk,
    spread_bps: quote.spreadBps,
    est_slippage_for_size_usd_bps: slippage ?? null,
    bid_depth_usd: quote.bidDepthUsd,
    ask_depth_usd: quote.askDepthUsd,
    max_fillable_usd: fillableUsd(quote, side, capUsd),
    ...lineageOf(quote),
  };
  return withReasons(shown, {
    est_slippage_for_size_usd_bps: 'too_thin',
    ...costReasons(slippage),
  });
}
