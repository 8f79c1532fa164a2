import Type from 'typebox';
import { orderbookDepth as depth } from '../../analytics/depth-quote.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/orderbook-depth.json' with { type: 'json' };
import {
  canonicalIdName,
  integer,
  symbolParameter,
  text,
  tickerName,
  venueName,
  venueParameter,
} from '../schema.ts';
import {
  depthQuoteSchema,
  sideField,
  sideParameter,
  sizeParameter,
  type TermsInput,
  termsOf,
} from '../schema-book.ts';
import { aboutVenueSymbol } from './about.ts';

export const orderbookDepth = defineRoute({
  id: 'orderbook-depth',
  path: '/v1/orderbook/depth/{venue}/{symbol}',
  access: 'paid',
  summary: 'Sized quote on one venue',
  description:
    'What trading 1,000, 5,000 or 10,000 USD of one symbol costs on one venue now: slippage over the mid in basis points (of buying, selling or the worse of both), the same with the taker fee, spread, visible depth within 100 bps on each side, and the most that fills.',
  tags: ['orderbook', 'depth', 'slippage', 'perpetual-futures'],
  freshness: 'books',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: Type.Object({ size_usd: sizeParameter, side: sideParameter }),
  params: Type.Object({ venue: venueParameter, symbol: symbolParameter }),
  output: Type.Object({
    venue: venueName,
    symbol: tickerName,
    canonical_id: canonicalIdName,
    size_usd: integer('Size the quote is for'),
    side: sideField,
    quote: depthQuoteSchema,
    naive_note: text('What the figures leave out'),
  }),
  example: { request: '/v1/orderbook/depth/binance/BTC?size_usd=10000', answer: example },
  ...aboutVenueSymbol<{ venue: string; symbol: string } & Omit<TermsInput, 'ticker'>>(
    (pair, { books }, input) => depth(pair, books, termsOf(input)),
  ),
});
