import Type from 'typebox';
import { orderbookTop as top } from '../../analytics/orderbook-top.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import example from '../examples/orderbook-top.json' with { type: 'json' };
import {
  canonicalIdName,
  contractFields,
  nullable,
  nullReasons,
  number,
  symbolParameter,
  tickerName,
  timestamp,
  venueName,
  venueParameter,
} from '../schema.ts';
import { quoteLineage } from '../schema-book.ts';
import { aboutVenueSymbol } from './about.ts';

export const orderbookTop = defineRoute({
  id: 'orderbook-top',
  path: '/v1/orderbook/{venue}/{symbol}/top',
  access: 'paid',
  summary: 'Top of book on one venue',
  description:
    'Best bid and best ask of one symbol on one venue with their sizes, from the venue’s order book: how the book was obtained and when the venue last confirmed it. A book whose continuity is broken is never served.',
  tags: ['orderbook', 'top-of-book', 'perpetual-futures'],
  freshness: 'books',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: NO_PARAMETERS,
  params: Type.Object({ venue: venueParameter, symbol: symbolParameter }),
  output: Type.Object({
    venue: venueName,
    symbol: tickerName,
    canonical_id: canonicalIdName,
    ...contractFields,
    bid_price: nullable(number('Quote currency per unit of the base asset; null without bids')),
    bid_size: nullable(number('Units of the base asset')),
    ask_price: nullable(number('Quote currency per unit of the base asset; null without asks')),
    ask_size: nullable(number('Units of the base asset')),
    timestamp: timestamp('When the venue last confirmed the book'),
    ...contractFields,
    ...quoteLineage,
    ...nullReasons,
  }),
  example: { request: '/v1/orderbook/binance/BTC/top', answer: example },
  ...aboutVenueSymbol((pair, { books }) => top(pair, books)),
});
