import Type from 'typebox';
import { carry } from '../../analytics/carry.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-carry.json' with { type: 'json' };
import {
  assetClass,
  canonicalIdName,
  canonicalIdParameter,
  contractFields,
  integer,
  markTimeField,
  nullable,
  number,
  rateTimeField,
  text,
  tickerName,
  tickerParameter,
  timestamp,
  venueName,
} from '../schema.ts';
import { intervalHours, structure } from '../schema-funding.ts';
import { aboutAsset } from './about.ts';

const item = Type.Object({
  venue: venueName,
  asset_class: assetClass,
  funding_rate: number('Fraction per interval of the venue; positive: longs pay shorts'),
  funding_interval_hours: intervalHours,
  annualized_carry_pct: nullable(
    number('funding_rate x (24 / funding_interval_hours) x 365 x 100; null when the interval is unknown'),
  ),
  structure,
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  updated_at: timestamp('Time of the rate'),
  ...contractFields,
  ...rateTimeField,
  ...markTimeField,
});

export const perpCarry = defineRoute({
  id: 'perp-carry',
  path: '/v1/perp/carry',
  access: 'paid',
  summary: 'Funding carry per venue',
  description:
    'What one perpetual future earns or costs a year in funding on each venue: the present rate annualized over the venue interval in percent, with its sign as contango or backwardation. A naive baseline before fees, slippage and basis; not a profit forecast.',
  tags: ['carry', 'funding', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({ ticker: tickerParameter, canonical_id: canonicalIdParameter }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    venues_count: integer('Venues in items'),
    methodology: text('How the figures are made and what they leave out'),
    items: Type.Array(item),
  }),
  example: { request: '/v1/perp/carry?ticker=BTC', answer: example },
  ...aboutAsset(carry),
});
