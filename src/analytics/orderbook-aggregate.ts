import { iso } from '../domain/clock.ts';
import { ok, type Result } from '../domain/errors.ts';
import { asMs } from '../domain/units.ts';
import type { BookQuote, BookView } from '../market/books/book-view.ts';
import { assetOffers, bookAnswer, listing } from './book-source.ts';
import { type ContractName, contractName } from './contract-name.ts';
import type { ProductAnswer } from './product-answer.ts';
import type { AssetRows } from './select.ts';

/** Price in quote currency per unit of the base asset, size in units of the base asset. */
export interface AggregateSide extends Partial<ContractName> {
  readonly price: number;
  readonly size: number;
  readonly venue: string;
}

export interface OrderbookAggregate {
  readonly symbol: string;
  readonly canonical_id: string;
  readonly best_bid: AggregateSide;
  readonly best_ask: AggregateSide;
  /** (best ask - best bid) / mid x 10000; negative where venues' books overlap. */
  readonly spread_bps: number;
  readonly venues_count: number;
  readonly updated_at: string;
  readonly note: string;
}

const NOTE =
  'Highest bid and lowest ask over fresh books of comparable contracts; size is that venue’s best level. Venues can overlap (negative spread_bps). Naive baseline before fees, funding and latency; not a profit forecast.';

/** Consolidated best bid and ask of an asset; equal prices go to the larger size. 503 not_ready without a fresh book. */
export function orderbookAggregate(
  asset: AssetRows,
  books: BookView,
): Result<ProductAnswer<OrderbookAggregate>> {
  const found = assetOffers(asset, books);
  if (!found.ok) return found;
  const quotes = found.value.map(({ quote }) => quote);
  const bid = best(quotes, (a, b) => a.bestBid - b.bestBid || a.bidSize - b.bidSize);
  const ask = best(quotes, (a, b) => b.bestAsk - a.bestAsk || a.askSize - b.askSize);
  const nameOf = ({ venue }: BookQuote) =>
    asset.rows.filter((row) => row.venue === venue).map(contractName)[0];
  const mid = (bid.bestBid + ask.bestAsk) / 2;
  const body: OrderbookAggregate = {
    symbol: asset.ticker,
    canonical_id: asset.canonicalId,
    best_bid: { price: bid.bestBid, size: bid.bidSize, venue: bid.venue, ...nameOf(bid) },
    best_ask: { price: ask.bestAsk, size: ask.askSize, venue: ask.venue, ...nameOf(ask) },
    spread_bps: ((ask.bestAsk - bid.bestBid) / mid) * 10_000,
    venues_count: quotes.length,
    updated_at: iso(asMs(Math.min(bid.confirmedAt, ask.confirmedAt))),
    note: NOTE,
  };
  return ok(bookAnswer(body, quotes, listing(asset)));
}

/** The greatest by `compare`, the first among equals. */
function best(quotes: readonly BookQuote[], compare: (a: BookQuote, b: BookQuote) => number): BookQuote {
  return quotes.reduce((top, quote) => (compare(quote, top) > 0 ? quote : top));
}
