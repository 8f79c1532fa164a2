import Type from 'typebox';
import { arbitrageFunding as scan } from '../../analytics/arbitrage-funding.ts';
import { ok } from '../../domain/errors.ts';
import { handlerResult } from '../answers/handler-result.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-arbitrage-funding.json' with { type: 'json' };
import {
  assetClass,
  canonicalIdName,
  integer,
  nullable,
  nullReasons,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../schema.ts';
import { normalizedSpread, rateLegSchema } from '../schema-funding.ts';
import { scanLimit } from '../schema-scan.ts';

const opportunity = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  max_rate: number('Highest rate, fraction per interval of its venue'),
  min_rate: number('Lowest rate, fraction per interval of its venue'),
  spread: number('max_rate - min_rate'),
  spread_bps: number('spread x 10000'),
  normalized_spread_8h_bps: nullable(
    number('Spread with both legs scaled to eight hours; null when an interval is unknown'),
  ),
  max_venue: venueName,
  min_venue: venueName,
  venues_count: integer('Venues compared'),
  updated_at: timestamp('Time of the older leg'),
  max_leg: rateLegSchema,
  min_leg: rateLegSchema,
  normalized: normalizedSpread,
  ...nullReasons,
});

const SORTS = ['raw', 'normalized'] as const;

export const perpArbitrageFunding = defineRoute({
  id: 'perp-arbitrage-funding',
  path: '/v1/perp/arbitrage/funding',
  access: 'paid',
  summary: 'Funding-rate gaps across venues',
  description:
    'Assets whose highest and lowest funding rate across venues stand further apart than min_diff, widest first, with both venues, and beside them the best pair with both legs scaled to eight hours (sort=normalized ranks by it). A gross spread of raw rates per interval: before fees, slippage and interval differences; not a profit forecast.',
  tags: ['arbitrage', 'funding', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: Type.Object({
    min_diff: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 0.0001,
        description: 'Least spread, as a fraction (0.0001 = 1 bp)',
      }),
    ),
    limit: scanLimit,
    sort: Type.Optional(
      oneOf(SORTS, {
        default: 'raw',
        description: 'What min_diff and the order are of: raw rates, or rates scaled to eight hours',
      }),
    ),
  }),
  output: Type.Object({
    min_diff: number('The threshold used'),
    sort: oneOf(SORTS, { description: 'What min_diff and the order are of' }),
    count: integer('Opportunities returned'),
    opportunities: Type.Array(opportunity),
    naive_note: text('What the figures leave out'),
  }),
  example: { request: '/v1/perp/arbitrage/funding?min_diff=0.00001&limit=2', answer: example },
  resolve: (input) => ok(input),
  answer: ({ min_diff: minDiff = 0.0001, limit = 50, sort = 'raw' }, { market }) =>
    handlerResult(ok(scan(market, { minDiff, limit, sort }))),
});
