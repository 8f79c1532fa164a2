import Type from 'typebox';
import { fundingSpread } from '../../analytics/funding-spread.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-funding-spread.json' with { type: 'json' };
import {
  canonicalIdName,
  canonicalIdParameter,
  integer,
  nullable,
  nullReasons,
  number,
  text,
  tickerName,
  tickerParameter,
  timestamp,
  venueName,
} from '../schema.ts';
import { intervalHours, normalizedSpread, rateLegSchema } from '../schema-funding.ts';
import { aboutAsset } from './about.ts';

const spread = Type.Object(
  {
    ticker: tickerName,
    long_venue: venueName,
    long_rate: number('Lowest rate, fraction per interval of that venue'),
    short_venue: venueName,
    short_rate: number('Highest rate, fraction per interval of that venue'),
    spread_bps: number('(short_rate - long_rate) x 10000, raw rates'),
    updated_at: timestamp('Time of the older leg'),
    short_interval_hours: intervalHours,
    long_interval_hours: intervalHours,
    normalized_spread_8h_bps: nullable(
      number('The same two legs scaled to eight hours; can be negative; null when an interval is unknown'),
    ),
    apr_spread_pct: nullable(number('normalized_spread_8h_bps in percent a year')),
    short: rateLegSchema,
    long: rateLegSchema,
    ...nullReasons,
  },
  { description: 'The two ends: long where funding is lowest, short where it is highest' },
);

export const perpFundingSpread = defineRoute({
  id: 'perp-funding-spread',
  path: '/v1/perp/funding-spread',
  access: 'paid',
  summary: 'Widest funding spread of one ticker',
  description:
    'The highest- and the lowest-paying venue for one ticker: their raw funding rates and intervals, the raw spread in basis points, and the same spread with both legs scaled to eight hours and to percent a year; normalized is the pair that differs most by eight-hour rates. Before fees, slippage and price differences.',
  tags: ['funding', 'spread', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: Type.Object({ ticker: tickerParameter, canonical_id: canonicalIdParameter }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    venues_count: integer('Venues with a fresh comparable rate', 2),
    spread,
    normalized: normalizedSpread,
    note: text('What the figures leave out'),
    ...nullReasons,
  }),
  example: { request: '/v1/perp/funding-spread?ticker=BTC', answer: example },
  ...aboutAsset(fundingSpread),
});
