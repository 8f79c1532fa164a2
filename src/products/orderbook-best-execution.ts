import Type, { type Static } from 'typebox';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { BookView } from '../market/books/book-view.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import { text } from './answer/schema.ts';
import {
  assetBookAnswer,
  assetBooks,
  bookCoverageFields,
  sizedBooksOfAsset,
  statedBookCoverage,
} from './books/asset-books.ts';
import { fillableUsd } from './books/leg-book.ts';
import {
  type ExecutionTerms,
  findExecution,
  statedTerms,
  termsFields,
  termsOf,
  termsQuery,
} from './books/terms.ts';
import { ranked, slippageNote, venueSlippage, venueSlippageSchema } from './books/venue-slippage.ts';
import { choosesVenues } from './choice/chooses.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/orderbook-best-execution.json' with { type: 'json' };
import type { AssetRows } from './rows/select.ts';

const answer = Type.Object({
  ...termsFields,
  ...bookCoverageFields,
  best: venueSlippageSchema,
  naive_note: text('What the figures leave out'),
});

export const orderbookBestExecution = defineProduct({
  id: 'orderbook-best-execution',
  path: '/v1/orderbook/best-execution',
  access: 'paid',
  summary: 'Cheapest venue for a size',
  description:
    'The one venue with the lowest slippage for 1,000, 5,000 or 10,000 USD of a ticker, out of all venues with a live order book, with its taker fee, all-in cost, touch, spread and depth; rank_by=all_in finds the one that is cheapest with fees. A 404 says that no single venue fills the size. Funding and latency are excluded.',
  tags: ['orderbook', 'execution', 'slippage'],
  dependsOn: 'books',
  choice: choosesVenues,
  revisedAt: '2026-11-29T07:35:00.000Z',
  query: termsQuery,
  answer,
  example: { request: '/v1/orderbook/best-execution?ticker=BTC&size_usd=10000', answer: example },
  find: findExecution,
  books: ({ asset }, asked) => sizedBooksOfAsset(asset, asked),
  compute: ({ asset, fees }, { books }, asked) => bestExecution(asset, books, termsOf(asked, fees)),
});

/** The cheapest venue at the size. 404 no_data where no venue fills it. */
export function bestExecution(
  asset: AssetRows,
  books: BookView,
  terms: ExecutionTerms,
): Result<ProductAnswer<Static<typeof answer>>> {
  const found = assetBooks(asset, books, terms.fees);
  if (!found.ok) return found;
  const { offers } = found.value;
  const [best] = ranked(offers, books, terms);
  if (best?.slippageBps === undefined) {
    const most = Math.max(...offers.map(({ quote }) => fillableUsd(quote, terms.side, terms.size)));
    const detail = `None of the ${offers.length} venues with a fresh book of ${asset.canonicalId} fills ${terms.size} USD within 100 bps of its mid, the deepest ${Math.floor(most)}; multi-venue-execution says what can be filled together`;
    return fail({ code: 'no_data', detail });
  }
  const body: Static<typeof answer> = {
    ...statedTerms(asset, terms),
    ...statedBookCoverage(found.value),
    best: venueSlippage(best, terms),
    naive_note: slippageNote(terms),
  };
  return ok(assetBookAnswer(body, found.value));
}
