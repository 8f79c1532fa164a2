import Type from 'typebox';
import { multiVenueExecution as product } from '../../analytics/multi-venue-execution.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/orderbook-multi-venue-execution.json' with { type: 'json' };
import { canonicalIdName, integer, number, text, tickerName, tickerParameter } from '../schema.ts';
import { routeLegSchema, sizeParameter } from '../schema-book.ts';
import { aboutAsset } from './about.ts';

export const orderbookMultiVenueExecution = defineRoute({
  id: 'orderbook-multi-venue-execution',
  path: '/v1/orderbook/multi-venue-execution',
  sale: 'paid',
  summary: 'Route of a size over venues',
  description:
    'Greedy route of 1,000, 5,000 or 10,000 USD of a ticker: venues in the order of their slippage, each filled up to its visible depth until the size is filled, with the slippage of each leg at its allocation, the blend, and what stays unfilled.',
  tags: ['orderbook', 'execution', 'routing'],
  freshness: 'books',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({ ticker: tickerParameter, size_usd: sizeParameter }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    size_usd: integer('Size in USD'),
    total_filled_usd: number('Filled by all legs'),
    unfilled_usd: number('Left over'),
    venues_used: integer('Legs', 1),
    blended_slippage_bps: number('Mean of the legs weighted by allocation'),
    route: Type.Array(routeLegSchema),
    naive_note: text('What the figures leave out'),
  }),
  example: { request: '/v1/orderbook/multi-venue-execution?ticker=BTC&size_usd=10000', answer: example },
  ...aboutAsset<{ ticker: string; size_usd?: 1000 | 5000 | 10_000 }>(
    (asset, { books }, { size_usd: size = 10_000 }) => product(asset, books, size),
  ),
});
