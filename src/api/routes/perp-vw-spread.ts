import Type from 'typebox';
import { vwSpread } from '../../analytics/vw-spread.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-vw-spread.json' with { type: 'json' };
import {
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
  venueName,
} from '../schema.ts';
import { aboutAsset } from './about.ts';

const venue = Type.Object({
  venue: venueName,
  weight: number('Share of the 24 h volume of all venues counted, 0 to 1'),
  rate_8h: nullable(number('Funding rate scaled to eight hours; null where it is unknown or too old')),
  deviation_rate_8h_bps: nullable(number('rate_8h less the weighted mean, basis points')),
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  deviation_price_bps: nullable(number('mark_price against the weighted mean, basis points')),
  volume_24h_usd: number('Traded in 24 hours, USD'),
  ...contractFields,
  ...rateTimeField,
  ...markTimeField,
});

export const perpVwSpread = defineRoute({
  id: 'perp-vw-spread',
  path: '/v1/perp/vw-spread',
  access: 'paid',
  summary: 'Venues against the volume-weighted mean',
  description:
    'How far each venue stands from the volume-weighted mean of one asset, in funding (scaled to eight hours) and in mark price, over the venues that are fresh, comparable and trade. A naive baseline before fees and slippage; not a profit forecast.',
  tags: ['spread', 'volume', 'funding', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({ ticker: tickerParameter, canonical_id: canonicalIdParameter }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    venues_count: integer('Venues in venues'),
    vw_rate_8h: nullable(number('Volume-weighted mean of rate_8h')),
    vw_mark_price: nullable(number('Volume-weighted mean of mark_price')),
    venues: Type.Array(venue),
    max_deviation_venue: nullable(venueName),
    min_deviation_venue: nullable(venueName),
    note: text('What the figures leave out'),
  }),
  example: { request: '/v1/perp/vw-spread?ticker=BTC', answer: example },
  ...aboutAsset(vwSpread),
});
