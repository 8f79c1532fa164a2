import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { ok, type Result } from '../domain/errors.ts';
import { asMs } from '../domain/units.ts';
import type { BookQuote, BookView } from '../market/books/book-view.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import { canonicalIdName, integer, number, text, tickerName, timestamp, venueName } from './answer/schema.ts';
import {
  assetBookAnswer,
  assetBooks,
  bookCoverageFields,
  booksOfAsset,
  statedBookCoverage,
} from './books/asset-books.ts';
import type { VenueBook } from './books/book-source.ts';
import { choosesVenues } from './choice/chooses.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/orderbook-aggregate.json' with { type: 'json' };
import { findSymbol, symbolParameter } from './rows/asked.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import type { AssetRows } from './rows/select.ts';

const side = (what: string) =>
  Type.Object(
    {
      price: number('Quote currency per unit of the base asset'),
      size: number('Units of the base asset at that price on that venue'),
      venue: venueName,
      ...contractFields,
    },
    { description: what },
  );

const answer = Type.Object({
  symbol: tickerName,
  canonical_id: canonicalIdName,
  best_bid: side('Highest bid'),
  best_ask: side('Lowest ask'),
  spread_bps: number('(best ask - best bid) / mid x 10000; negative where venues overlap'),
  venues_count: integer('Venues with a fresh book', 1),
  ...bookCoverageFields,
  updated_at: timestamp('Time of the older of the two books'),
  note: text('What the figures leave out'),
});

type OrderbookAggregate = Static<typeof answer>;

export const orderbookAggregate = defineProduct({
  id: 'orderbook-aggregate',
  path: '/v1/orderbook/aggregate/{symbol}',
  access: 'paid',
  summary: 'Best bid and ask across venues',
  description:
    'Consolidated best bid and best ask of one symbol over all venues with a live order book confirmed within 60 seconds, each with its size and venue. Contracts that are not comparable are left out; venues can overlap.',
  tags: ['orderbook', 'best-bid-ask', 'perpetual-futures'],
  dependsOn: 'books',
  choice: choosesVenues,
  revisedAt: '2026-11-29T07:00:00.000Z',
  params: Type.Object({ symbol: symbolParameter }),
  answer,
  example: { request: '/v1/orderbook/aggregate/BTC', answer: example },
  find: findSymbol,
  books: booksOfAsset,
  compute: (asset, { books }) => bestOfVenues(asset, books),
});

const NOTE =
  'Highest bid and lowest ask over fresh books of comparable contracts; size is that venue’s best level. Prices are in the currency that each venue quotes, which can differ by the worth of a stable coin. Venues can overlap (negative spread_bps). Naive baseline before fees, funding and latency; not a profit forecast.';

/** Consolidated best bid and ask of an asset; equal prices go to the larger size. 503 not_ready without a fresh book. */
export function bestOfVenues(asset: AssetRows, books: BookView): Result<ProductAnswer<OrderbookAggregate>> {
  const found = assetBooks(asset, books);
  if (!found.ok) return found;
  const { offers } = found.value;
  const { quote: bid, row: bidRow } = best(offers, (a, b) => a.bestBid - b.bestBid || a.bidSize - b.bidSize);
  const { quote: ask, row: askRow } = best(offers, (a, b) => b.bestAsk - a.bestAsk || a.askSize - b.askSize);
  const mid = (bid.bestBid + ask.bestAsk) / 2;
  const body: OrderbookAggregate = {
    symbol: asset.ticker,
    canonical_id: asset.canonicalId,
    best_bid: { price: bid.bestBid, size: bid.bidSize, venue: bid.venue, ...contractName(bidRow) },
    best_ask: { price: ask.bestAsk, size: ask.askSize, venue: ask.venue, ...contractName(askRow) },
    spread_bps: ((ask.bestAsk - bid.bestBid) / mid) * 10_000,
    venues_count: offers.length,
    ...statedBookCoverage(found.value),
    updated_at: iso(asMs(Math.min(bid.confirmedAt, ask.confirmedAt))),
    note: NOTE,
  };
  return ok(assetBookAnswer(body, found.value));
}

/** The greatest by `compare`, the first among equals. */
function best(offers: readonly VenueBook[], compare: (a: BookQuote, b: BookQuote) => number): VenueBook {
  return offers.reduce((top, offer) => (compare(offer.quote, top.quote) > 0 ? offer : top));
}
