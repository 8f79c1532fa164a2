import Type, { type Static } from 'typebox';
import { ok, type Result } from '../domain/errors.ts';
import type { BookView } from '../market/books/book-view.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import { integer, text } from './answer/schema.ts';
import {
  assetBookAnswer,
  assetBooks,
  bookCoverageFields,
  sizedBooksOfAsset,
  statedBookCoverage,
} from './books/asset-books.ts';
import { depthLadder, depthLadderSchema } from './books/depth-ladder.ts';
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
import example from './examples/orderbook-multi-venue-slippage.json' with { type: 'json' };
import type { AssetRows } from './rows/select.ts';

const answer = Type.Object({
  ...termsFields,
  count: integer('Venues with a fresh book', 1),
  ...bookCoverageFields,
  venues: Type.Array(
    Type.Object({ ...venueSlippageSchema.properties, ladder: Type.Optional(depthLadderSchema) }),
  ),
  naive_note: text('What the figures leave out'),
});

export const orderbookMultiVenueSlippage = defineProduct({
  id: 'orderbook-multi-venue-slippage',
  path: '/v1/orderbook/multi-venue-slippage',
  access: 'paid',
  summary: 'Slippage on every venue',
  description:
    'Slippage of 1,000, 5,000 or 10,000 USD of a ticker on every venue with a live order book, lowest first, with taker fee, all-in cost, touch, spread and visible depth of each; of buying, selling or the worse of both. Venues that do not fill the size come last with a null slippage.',
  tags: ['orderbook', 'slippage', 'comparison'],
  dependsOn: 'books',
  choice: choosesVenues,
  revisedAt: '2026-11-29T07:35:00.000Z',
  query: Type.Object({
    ...termsQuery.properties,
    ladder: Type.Boolean({
      default: false,
      description: 'With depth by distance',
    }),
  }),
  answer,
  example: { request: '/v1/orderbook/multi-venue-slippage?ticker=BTC&size_usd=10000', answer: example },
  find: findExecution,
  books: ({ asset }, asked) => sizedBooksOfAsset(asset, asked),
  compute: ({ asset, fees }, { books }, asked) =>
    multiVenueSlippage(asset, books, { ...termsOf(asked, fees), ladder: asked.ladder }),
});

/**
 * Every venue with a fresh book, cheapest first; venues that do not fill the size come last, deepest first.
 *
 * @param terms with `ladder`, each venue has its depth by distance, too
 */
export function multiVenueSlippage(
  asset: AssetRows,
  books: BookView,
  terms: ExecutionTerms & { readonly ladder?: boolean },
): Result<ProductAnswer<Static<typeof answer>>> {
  const found = assetBooks(asset, books, terms.fees);
  if (!found.ok) return found;
  const venues = ranked(found.value.offers, books, terms).map((costed) => ({
    ...venueSlippage(costed, terms),
    ...(terms.ladder === true && { ladder: depthLadder(costed.offer.quote, books) }),
  }));
  const body: Static<typeof answer> = {
    ...statedTerms(asset, terms),
    count: venues.length,
    ...statedBookCoverage(found.value),
    venues,
    naive_note: slippageNote(terms),
  };
  return ok(assetBookAnswer(body, found.value));
}
