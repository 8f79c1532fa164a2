import { fail, ok, type Result } from '../domain/errors.ts';
import type { BookTop, BookView } from '../market/books/book-view.ts';
import { bookAnswer, lineageOf, OLDEST_BOOK_MS, pairBookMissing, type QuoteLineage } from './book-source.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import type { ProductAnswer } from './product-answer.ts';
import type { Pair } from './select.ts';

/** Prices in quote currency per unit of the base asset, sizes in units of the base asset; null on an empty side. */
export interface OrderbookTop extends QuoteLineage, ContractName, WithReasons {
  readonly venue: string;
  readonly symbol: string;
  readonly canonical_id: string;
  readonly bid_price: number | null;
  readonly bid_size: number | null;
  readonly ask_price: number | null;
  readonly ask_size: number | null;
  readonly timestamp: string;
}

/** Best bid and ask of one pair, at most 15 minutes old. 503 without a book in order, 404 when both sides are empty. */
export function orderbookTop(pair: Pair, books: BookView): Result<ProductAnswer<OrderbookTop>> {
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
  const body = {
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
  return withReasons(body, { bid_price: empty, bid_size: empty, ask_price: empty, ask_size: empty });
}
