import Type from 'typebox';
import { volume24h } from '../../analytics/volume-24h.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-volume-24h.json' with { type: 'json' };
import {
  canonicalIdName,
  canonicalIdParameter,
  contractFields,
  integer,
  markTimeField,
  nullable,
  number,
  text,
  tickerName,
  tickerParameter,
  timestamp,
  venueName,
  venueParameter,
} from '../schema.ts';
import { aboutPair } from './about.ts';

export const perpVolume24h = defineRoute({
  id: 'perp-volume-24h',
  path: '/v1/perp/volume-24h',
  access: 'paid',
  summary: 'Traded in 24 hours on a venue',
  description:
    'Rolling 24-hour volume of one ticker on one venue: the venue’s own number with a note on what it counts, and the same in units of the base asset and in US dollars.',
  tags: ['volume', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({ venue: venueParameter, ticker: tickerParameter, canonical_id: canonicalIdParameter }),
  output: Type.Object({
    venue: venueName,
    ticker: tickerName,
    canonical_id: canonicalIdName,
    ...contractFields,
    volume_24h_raw: nullable(number('The venue’s own number; units_note says what it counts')),
    volume_24h_base: nullable(number('Units of the base asset')),
    volume_24h_usd: nullable(number('US dollars')),
    units_note: text('What the figures count'),
    mark_price: nullable(number('Quote currency per unit of the base asset')),
    contracts: integer('Contracts of the asset on the venue that the totals count'),
    total_volume_24h_base: nullable(number('All of them, units of the base asset')),
    total_volume_24h_usd: nullable(number('All of them, US dollars')),
    updated_at: timestamp('Time of the volume'),
    ...markTimeField,
  }),
  example: { request: '/v1/perp/volume-24h?venue=binance&ticker=BTC', answer: example },
  ...aboutPair((pair) => volume24h(pair)),
});
