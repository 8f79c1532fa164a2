import Type from 'typebox';
import { multiVenueSlippage as product } from '../../analytics/venue-slippage.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/orderbook-multi-venue-slippage.json' with { type: 'json' };
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

export const orderbookMultiVenueSlippage = defineRoute({
  id: 'orderbook-multi-venue-slippage',
  path: '/v1/orderbook/multi-venue-slippage',
  access: 'paid',
  summary: 'Slippage on every venue',
  description:
    'Slippage of 1,000, 5,000 or 10,000 USD of a ticker on every venue with a live order book, lowest first, with taker fee, all-in cost, touch, spread and visible depth of each; of buying, selling or the worse of both. Venues that do not fill the size come last with a null slippage.',
  tags: ['orderbook', 'slippage', 'comparison'],
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
    count: integer('Venues with a fresh book', 1),
    venues: Type.Array(venueSlippageSchema),
    naive_note: text('What the figures leave out'),
  }),
  example: { request: '/v1/orderbook/multi-venue-slippage?ticker=BTC&size_usd=10000', answer: example },
  ...aboutAsset<TermsInput>((asset, { books }, input) => product(asset, books, termsOf(input))),
});
