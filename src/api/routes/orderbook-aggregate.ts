import Type from 'typebox';
import { orderbookAggregate as aggregate } from '../../analytics/orderbook-aggregate.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import example from '../examples/orderbook-aggregate.json' with { type: 'json' };
import {
  canonicalIdName,
  contractFields,
  integer,
  number,
  symbolParameter,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../schema.ts';
import { aboutSymbol } from './about.ts';

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

export const orderbookAggregate = defineRoute({
  id: 'orderbook-aggregate',
  path: '/v1/orderbook/aggregate/{symbol}',
  access: 'paid',
  summary: 'Best bid and ask across venues',
  description:
    'Consolidated best bid and best ask of one symbol over all venues with a live order book confirmed within 60 seconds, each with its size and venue. Contracts that are not comparable are left out; venues can overlap.',
  tags: ['orderbook', 'best-bid-ask', 'perpetual-futures'],
  freshness: 'books',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: NO_PARAMETERS,
  params: Type.Object({ symbol: symbolParameter }),
  output: Type.Object({
    symbol: tickerName,
    canonical_id: canonicalIdName,
    best_bid: side('Highest bid'),
    best_ask: side('Lowest ask'),
    spread_bps: number('(best ask - best bid) / mid x 10000; negative where venues overlap'),
    venues_count: integer('Venues with a fresh book', 1),
    updated_at: timestamp('Time of the older of the two books'),
    note: text('What the figures leave out'),
  }),
  example: { request: '/v1/orderbook/aggregate/BTC', answer: example },
  ...aboutSymbol((asset, { books }) => aggregate(asset, books)),
});
