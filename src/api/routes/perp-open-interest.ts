import Type from 'typebox';
import { openInterest } from '../../analytics/open-interest.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-open-interest.json' with { type: 'json' };
import {
  canonicalIdName,
  canonicalIdParameter,
  contractFields,
  integer,
  interestTimeField,
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

export const perpOpenInterest = defineRoute({
  id: 'perp-open-interest',
  path: '/v1/perp/open-interest',
  access: 'paid',
  summary: 'Open interest on a venue',
  description:
    'Open interest of one ticker on one venue: the venue’s own number with a note on what it counts, and the same in units of the base asset and in US dollars, so that venues can be compared.',
  tags: ['open-interest', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({ venue: venueParameter, ticker: tickerParameter, canonical_id: canonicalIdParameter }),
  output: Type.Object({
    venue: venueName,
    ticker: tickerName,
    canonical_id: canonicalIdName,
    ...contractFields,
    open_interest_raw: nullable(number('The venue’s own number; units_note says what it counts')),
    open_interest_base: nullable(number('Units of the base asset')),
    open_interest_usd: nullable(number('US dollars at the mark price')),
    mark_price: nullable(number('Quote currency per unit of the base asset')),
    contracts: integer('Contracts of the asset on the venue that the totals count'),
    total_open_interest_base: nullable(number('All of them, units of the base asset')),
    total_open_interest_usd: nullable(number('All of them, US dollars')),
    updated_at: timestamp('Time of the open interest'),
    ...interestTimeField,
    ...markTimeField,
    units_note: text('What the figures count'),
  }),
  example: { request: '/v1/perp/open-interest?venue=binance&ticker=BTC', answer: example },
  ...aboutPair((pair) => openInterest(pair)),
});
