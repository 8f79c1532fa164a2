import Type from 'typebox';
import { bestExecution as product } from '../../analytics/venue-slippage.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/orderbook-best-execution.json' with { type: 'json' };
import { canonicalIdName, integer, text, tickerName, tickerParameter } from '../schema.ts';
import { sizeParameter, venueSlippageSchema } from '../schema-book.ts';
import { aboutAsset } from './about.ts';

export const orderbookBestExecution = defineRoute({
  id: 'orderbook-best-execution',
  path: '/v1/orderbook/best-execution',
  sale: 'paid',
  summary: 'Cheapest venue for a size',
  description:
    'The one venue with the lowest slippage for 1,000, 5,000 or 10,000 USD of a ticker, out of all venues with a live order book, with its touch, spread and depth. A 404 says that no single venue fills the size. Fees, funding and latency are excluded.',
  tags: ['orderbook', 'execution', 'slippage'],
  freshness: 'books',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({ ticker: tickerParameter, size_usd: sizeParameter }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    size_usd: integer('Size in USD'),
    venues_considered: integer('Venues with a fresh book', 1),
    best: venueSlippageSchema,
    naive_note: text('What the figures leave out'),
  }),
  example: { request: '/v1/orderbook/best-execution?ticker=BTC&size_usd=10000', answer: example },
  ...aboutAsset<{ ticker: string; size_usd?: 1000 | 5000 | 10_000 }>(
    (asset, { books }, { size_usd: size = 10_000 }) => product(asset, books, size),
  ),
});
