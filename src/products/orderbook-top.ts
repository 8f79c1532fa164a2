import Type, { type Static } from 'typebox';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { BookTop, BookView } from '../market/books/book-view.ts';
import { nullReasons, withReasons } from './answer/null-reason.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import { canonicalIdName, nullable, number, tickerName, timestamp, venueName } from './answer/schema.ts';
import {
  bookAnswer,
  lineageOf,
  OLDEST_BOOK_MS,
  pairBook,
  pairBookMissing,
  quoteLineage,
} from './books/book-source.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/orderbook-top.json' with { type: 'json' };
import { findVenueSymbol, symbolParameter, venueParameter } from './rows/asked.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import type { Pair } from './rows/select.ts';

const answer = Type.Object({
  venue: venueName,
  symbol: tickerName,
  canonical_id: canonicalIdName,
  ...contractFields,
  bid_price: nullable(number('Quote currency per unit of the base asset; null without bids')),
  bid_size: nullable(number('Units of the base asset')),
  ask_price: nullable(number('Quote currency per unit of the base asset; null without asks')),
  ask_size: nullable(number('Units of the base asset')),
  timestamp: timestamp('When the venue last confirmed the book'),
  ...contractFields,
  ...quoteLineage,
  ...nullReasons,
});

type OrderbookTop = Static<typeof answer>;

export const orderbookTop = defineProduct({
  id: 'orderbook-top',
  path: '/v1/orderbook/{venue}/{symbol}/top',
  access: 'paid',
  summary: 'Top of book on one venue',
  description:
    'Best bid and best ask of one symbol on one venue with their sizes, from the venue’s order book: how the book was obtained and when the venue last confirmed it. A book whose continuity is broken is never served.',
  tags: ['orderbook', 'top-of-book', 'perpetual-futures'],
  dependsOn: 'books',
  revisedAt: '2026-11-22T09:00:00.000Z',
  params: Type.Object({ venue: venueParameter, symbol: symbolParameter }),
  answer,
  example: { request: '/v1/orderbook/binance/BTC/top', answer: example },
  find: findVenueSymbol,
  books: pairBook,
  compute: (pair, { books }) => topOfBook(pair, books),
});

/** Best bid and ask of one pair, at most 15 minutes old. 503 without a book in order, 404 when both sides are empty. */
export function topOfBook(pair: Pair, books: BookView): Result<ProductAnswer<OrderbookTop>> {
  const { row, ticker } = pair;
  const top = books.top(row.venue, row.symbol);
  if (top === undefined || top.ageMs > OLDEST_BOOK_MS) return fail(pairBookMissing(pair));
  if (top.bestBid === undefined && top.bestAsk === undefined) {
    return fail({ code: 'no_data', detail: `The order book of ${ticker} on ${row.venue} is empty` });
  }
  return ok(bookAnswer(bodyOf(top, pair), [top], [row.venue]));
}

function bodyOf(top: BookTop, { row, ticker, canonicalId }: Pair): OrderbookTop {
  const lineage = lineageOf(top);
  const body: OrderbookTop = {
    venue: top.venue,
    symbol: ticker,
    canonical_id: canonicalId,
    ...contractName(row),
    bid_price: top.bestBid ?? null,
    bid_size: top.bidSize ?? null,
    ask_price: top.bestAsk ?? null,
    ask_size: top.askSize ?? null,
    timestamp: lineage.updated_at,
    ...lineage,
  };
  const empty = 'one_sided';
  return withReasons(body, {
    bid_price: empty,
    bid_size: empty,
    ask_price: empty,
    ask_size: empty,
  });
}
