import Type from 'typebox';
import { bestExecution as product } from '../../analytics/venue-slippage.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/orderbook-best-execution.json' with { type: 'json' };
import { canonicalIdName, integer, text, tickerName, tickerParameter } from '../schema.ts';
import {
  rankByField,
  rankByParameter,
  sideField,
  sideParameter,
  sizeParameter,
  type TermsInput,
  termsOf,
  venueSlippageSchema,
} from '../schema-book.ts';
import { aboutAsset } from './about.ts';

export const orderbookBestExecution = defineRoute({
  id: 'orderbook-best-execution',
  path: '/v1/orderbook/best-execution',
  access: 'paid',
  summary: 'Cheapest venue for a size',
  description:
    'The one venue with the lowest slippage for 1,000, 5,000 or 10,000 USD of a ticker, out of all venues with a live order book, with its taker fee, all-in cost, touch, spread and depth; rank_by=all_in finds the one that is cheapest with fees. A 404 says that no single venue fills the size. Funding and latency are excluded.',
  tags: ['orderbook', 'execution', 'slippage'],
  freshness: 'books',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: Type.Object({
    ticker: tickerParameter,
    size_usd: sizeParameter,
    side: sideParameter,
    rank_by: rankByParameter,
  }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    size_usd: integer('Size in USD'),
    side: sideField,
    rank_by: rankByField,
    venues_considered: integer('Venues with a fresh book', 1),
    best: venueSlippageSchema,
    naive_note: text('What the figures leave out'),
  }),
  example: { request: '/v1/orderbook/best-execution?ticker=BTC&size_usd=10000', answer: example },
  ...aboutAsset<TermsInput>((asset, { books }, input) => product(asset, books, termsOf(input))),
});
