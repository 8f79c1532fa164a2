import Type, { type Static } from 'typebox';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import type { ProductAnswer } from '../../products/answer/product-answer.ts';
import { canonicalIdName, integer, text, tickerName } from '../../products/answer/schema.ts';
import { bookMissing } from '../../products/books/book-source.ts';
import { notional } from '../../products/books/terms.ts';
import { choosesVenuesOfOne } from '../../products/choice/chooses.ts';
import { defineProduct } from '../../products/define-product.ts';
import { assetQuery } from '../../products/rows/asked.ts';
import { bookNames, bookStateOf } from './books/book-state.ts';
import { depthRow, depthRowSchema } from './books/depth-row.ts';
import example from './examples/spot-depth.json' with { type: 'json' };
import { type FoundSpot, findSpot } from './select-spot.ts';

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  notional_usd: Type.Optional(integer('Size that was asked for beside the usual ones, USD')),
  markets_count: integer('Spot markets in markets', 1),
  books_count: integer('Those of them with a fresh book', 1),
  markets: Type.Array(depthRowSchema, { description: 'By venue and symbol' }),
  note: text('What is left out'),
});

const NOTE =
  'Books that are fetched when they are asked for, none older than a minute; visible levels within 100 bps of the middle. Prices are before fees; USDT and USDC count as dollars. No forecast.';

export const spotDepth = defineProduct({
  id: 'spot-depth',
  path: '/v1/spot/depth',
  access: 'paid',
  summary: 'Depth of spot markets',
  description:
    'Order books of the spot markets of an asset, fetched when asked for: touch, visible depth, and the executable price and slippage of buying and selling 1,000, 5,000, 10,000 or any other USD at each venue. Where a book cannot be had, why.',
  tags: ['spot', 'depth', 'slippage', 'cash-and-carry'],
  dependsOn: 'second',
  choice: choosesVenuesOfOne,
  revisedAt: '2026-11-30T23:10:00.000Z',
  query: Type.Object({
    ...assetQuery.properties,
    notional_usd: Type.Optional(notional('A size of my own beside the usual ones, USD')),
  }),
  answer,
  example: { request: '/v1/spot/depth?ticker=BTC', answer: example },
  find: findSpot,
  books: ({ rows, side }) =>
    bookNames(
      rows.map(({ market }) => market),
      side.books,
    ),
  compute: (found, _, { notional_usd: usd }) => depthOf(found, usd),
});

/** 503 not_ready where no book has come. */
function depthOf(
  { ticker, canonicalId, rows, side, venues }: FoundSpot,
  notionalUsd: number | undefined,
): Result<ProductAnswer<Static<typeof answer>>> {
  const markets = rows.map(({ market }) => market);
  const quotes = markets.flatMap((market) => bookStateOf(market, side.books).quote ?? []);
  if (quotes.length === 0)
    return fail(bookMissing(`No order book of a spot market of ${canonicalId} has come`));
  const body: Static<typeof answer> = {
    ticker,
    canonical_id: canonicalId,
    ...(notionalUsd !== undefined && { notional_usd: notionalUsd }),
    markets_count: markets.length,
    books_count: quotes.length,
    markets: markets.map((market) => depthRow(market, side.books, notionalUsd)),
    note: NOTE,
  };
  const used = [...new Set(quotes.map(({ venue }) => venue))];
  const asOf = asMs(Math.min(...quotes.map(({ confirmedAt }) => confirmedAt)));
  return ok({ body, asOf, sources: { used, missing: venues.filter((venue) => !used.includes(venue)) } });
}
