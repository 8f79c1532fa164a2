import Type from 'typebox';
import { fundingSignal } from '../../analytics/funding-signal.ts';
import { legBooksOf } from '../../analytics/leg-book.ts';
import { ok } from '../../domain/errors.ts';
import { factsOf } from '../answers/facts.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-arbitrage-funding-signal.json' with { type: 'json' };
import {
  assetClass,
  boolean,
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
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
  short_venue: venueName,
  long_venue: venueName,
  gross_funding_spread_bps: number('Raw rate difference of the two legs'),
  normalized_spread_8h_bps: number('The same legs, both scaled to eight hours'),
  round_trip_fee_bps: number('Public taker fees of entry and exit on both legs'),
  net_of_fees_positive: boolean('gross_funding_spread_bps > round_trip_fee_bps'),
  funding_periods_to_breakeven: nullable(
    number('Eight-hour periods until spread has paid fees and slippage; null without books'),
  ),
  max_notional_usd: integer('Largest of 1000, 5000 and 10000 that both books fill, else 0'),
  entry_slippage_bps: nullable(number('Both legs together at that size; null without books')),
  depth_class: oneOf(['deep', 'medium', 'thin', 'none'], {
    description:
      'deep: 10,000 USD at no more than 5 bps on each leg; medium: 10,000; thin: 1,000; none: less',
  }),
  signal_score: number('Ranks the rows'),
  venues_count: integer('Venues compared'),
  updated_at: timestamp('Time of the older leg'),
});

export const perpArbitrageFundingSignal = defineRoute({
  id: 'perp-arbitrage-funding-signal',
  path: '/v1/perp/arbitrage/funding-signal',
  sale: 'paid',
  summary: 'Funding arbitrage net of fees, sized to books',
  description:
    'Ranked funding pairs: per asset the two venues between which eight-hour funding differs most, net of public round-trip taker fees and sized to live order-book depth at 1,000, 5,000 and 10,000 USD, with entry slippage and periods to break even. A derived outcome from present values, not a profit forecast.',
  tags: ['arbitrage', 'funding', 'signal', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({
    min_diff: Type.Optional(
      Type.Number({ minimum: 0, default: 0.0001, description: 'Least raw rate difference, a fraction' }),
    ),
    limit: scanLimit,
    include_below_1k: Type.Optional(
      Type.Boolean({ default: false, description: 'Also pairs whose books do not fill 1,000 USD' }),
    ),
  }),
  output: Type.Object({
    count: integer('Opportunities returned'),
    methodology: text('Inputs and exclusions'),
    opportunities: Type.Array(opportunity),
  }),
  example: { request: '/v1/perp/arbitrage/funding-signal?limit=2', answer: example },
  resolve: (input) => ok(input),
  answer: (
    { min_diff: minDiff = 0.0001, limit = 50, include_below_1k: includeBelow1k = false },
    { market, books },
  ) => factsOf(ok(fundingSignal(market, legBooksOf(books), { minDiff, limit, includeBelow1k }))),
});
