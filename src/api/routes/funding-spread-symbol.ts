import Type from 'typebox';
import { fundingSpreadSnapshot } from '../../analytics/funding-spread.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import example from '../examples/funding-spread-symbol.json' with { type: 'json' };
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  symbolParameter,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../schema.ts';
import { rateLegSchema } from '../schema-funding.ts';
import { aboutSymbol } from './about.ts';

export const fundingSpreadSymbol = defineRoute({
  id: 'funding-spread-symbol',
  path: '/v1/funding/spread/{symbol}',
  access: 'paid',
  summary: 'Snapshot of a funding spread',
  description:
    'Snapshot of the cross-venue funding spread of one symbol: highest and lowest raw rate, the venues that quote them, their difference in basis points, and how many venues were compared.',
  tags: ['funding', 'spread', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: NO_PARAMETERS,
  params: Type.Object({ symbol: symbolParameter }),
  output: Type.Object({
    symbol: tickerName,
    canonical_id: canonicalIdName,
    venues_count: integer('Venues with a fresh comparable rate', 2),
    max_rate: number('Highest rate, fraction per interval of that venue'),
    min_rate: number('Lowest rate, fraction per interval of that venue'),
    spread_bps: number('(max_rate - min_rate) x 10000, raw rates'),
    max_venue: venueName,
    min_venue: venueName,
    max_contract: rateLegSchema,
    min_contract: rateLegSchema,
    normalized_spread_8h_bps: nullable(
      number('The same two legs scaled to eight hours; can be negative; null when an interval is unknown'),
    ),
    updated_at: timestamp('Time of the older leg'),
    note: text('What the figures leave out'),
  }),
  example: { request: '/v1/funding/spread/BTC', answer: example },
  ...aboutSymbol(fundingSpreadSnapshot),
});
