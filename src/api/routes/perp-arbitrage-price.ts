import Type from 'typebox';
import { arbitragePrice as scan } from '../../analytics/arbitrage-price.ts';
import { ok } from '../../domain/errors.ts';
import { factsOf } from '../answers/facts.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-arbitrage-price.json' with { type: 'json' };
import {
  assetClass,
  canonicalIdName,
  integer,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../schema.ts';
import { scanLimit } from '../schema-scan.ts';

const opportunity = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  max_price: number('Highest mark price'),
  min_price: number('Lowest mark price'),
  mid_price: number('Mean of the two'),
  spread_bps: number('(max_price - min_price) / mid_price x 10000'),
  max_venue: venueName,
  min_venue: venueName,
  venues_count: integer('Venues compared'),
  updated_at: timestamp('Time of the older leg'),
});

export const perpArbitragePrice = defineRoute({
  id: 'perp-arbitrage-price',
  path: '/v1/perp/arbitrage/price',
  sale: 'paid',
  summary: 'Mark-price gaps across venues',
  description:
    'Assets whose highest and lowest mark price across venues stand further apart than min_diff_bps, widest first, with both venues. Mark prices, not executable ones: fees, slippage and funding differences are excluded; not a profit forecast.',
  tags: ['arbitrage', 'mark-price', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({
    min_diff_bps: Type.Optional(
      Type.Number({ minimum: 0, default: 10, description: 'Least spread in basis points' }),
    ),
    limit: scanLimit,
  }),
  output: Type.Object({
    min_diff_bps: number('The threshold used'),
    count: integer('Opportunities returned'),
    opportunities: Type.Array(opportunity),
    naive_note: text('What the figures leave out'),
  }),
  example: { request: '/v1/perp/arbitrage/price?min_diff_bps=1&limit=2', answer: example },
  resolve: (input) => ok(input),
  answer: ({ min_diff_bps: minDiffBps = 10, limit = 50 }, { market }) =>
    factsOf(ok(scan(market, { minDiffBps, limit }))),
});
