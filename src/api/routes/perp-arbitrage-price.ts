import Type from 'typebox';
import { arbitragePrice as scan } from '../../analytics/arbitrage-price.ts';
import { ok } from '../../domain/errors.ts';
import { handlerResult } from '../answers/handler-result.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-arbitrage-price.json' with { type: 'json' };
import {
  assetClass,
  boolean,
  canonicalIdName,
  contractFields,
  integer,
  nullable,
  nullReasons,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../schema.ts';
import { scanLimit } from '../schema-scan.ts';

const leg = (description: string) =>
  Type.Object(
    {
      venue: venueName,
      ...contractFields,
      mark_price: number('As the venue quotes it, per unit of the ticker'),
    },
    { description },
  );

const rates = Type.Object(
  {
    unit: text('What the rates are in: USD where a venue ties USDT to it, else USDT'),
    rates: Type.Array(
      Type.Object({
        quote: text('Quote currency'),
        rate: number('Worth of one in the unit'),
        samples: integer('Comparisons that the rate is the median of', 1),
        venues: Type.Array(venueName),
        updated_at: timestamp('Time of the oldest mark used'),
      }),
    ),
  },
  {
    description:
      'What quote currencies are worth, by contracts of one asset in two of them on one venue and by perpetuals of the currencies themselves; one that is not named is not known',
  },
);

const opportunity = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  max_price: number('Highest mark price, in price_quote'),
  min_price: number('Lowest mark price, in price_quote'),
  mid_price: number('Mean of the two'),
  spread_bps: number('(max_price - min_price) / mid_price x 10000'),
  max_venue: venueName,
  min_venue: venueName,
  venues_count: integer('Venues compared'),
  updated_at: timestamp('Time of the older leg'),
  price_quote: nullable(
    text('Quote currency of both legs, or the unit of quote_rates; null where each price is in its own'),
  ),
  quote_adjusted: boolean('False where quote currencies differ and no measured rate ties them together'),
  max_leg: leg('The dearer contract'),
  min_leg: leg('The cheaper contract'),
  ...nullReasons,
});

export const perpArbitragePrice = defineRoute({
  id: 'perp-arbitrage-price',
  path: '/v1/perp/arbitrage/price',
  access: 'paid',
  summary: 'Mark-price gaps across venues',
  description:
    'Assets whose highest and lowest mark price across venues stand further apart than min_diff_bps, widest first, with both contracts. Unlike quote currencies are compared by rates measured from the venues’ own contracts, or flagged where there is none. Mark prices, not executable ones: fees, slippage and funding differences are excluded; not a profit forecast.',
  tags: ['arbitrage', 'mark-price', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: Type.Object({
    min_diff_bps: Type.Optional(
      Type.Number({ minimum: 0, default: 10, description: 'Least spread in basis points' }),
    ),
    limit: scanLimit,
  }),
  output: Type.Object({
    min_diff_bps: number('The threshold used'),
    count: integer('Opportunities returned'),
    quote_rates: rates,
    opportunities: Type.Array(opportunity),
    naive_note: text('What the figures leave out'),
  }),
  example: { request: '/v1/perp/arbitrage/price?min_diff_bps=1&limit=2', answer: example },
  resolve: (input) => ok(input),
  answer: ({ min_diff_bps: minDiffBps = 10, limit = 50 }, { market }) =>
    handlerResult(ok(scan(market, { minDiffBps, limit }))),
});
