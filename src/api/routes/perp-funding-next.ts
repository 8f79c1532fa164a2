import Type from 'typebox';
import { fundingNext } from '../../analytics/funding-next.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-funding-next.json' with { type: 'json' };
import {
  canonicalIdName,
  canonicalIdParameter,
  contractFields,
  markTimeField,
  nullable,
  nullReasons,
  number,
  rateTimeField,
  tickerName,
  tickerParameter,
  timestamp,
  venueName,
  venueParameter,
} from '../schema.ts';
import { intervalHours } from '../schema-funding.ts';
import { aboutPair } from './about.ts';

export const perpFundingNext = defineRoute({
  id: 'perp-funding-next',
  path: '/v1/perp/funding-next',
  access: 'paid',
  summary: 'Next funding settlement on a venue',
  description:
    'When one venue settles funding of one ticker next, over which interval, and the rate it shows for that settlement, which may still move before it; with the mark price. Takes no position side or size.',
  tags: ['funding', 'perpetual-futures'],
  freshness: 'second',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: Type.Object({ ticker: tickerParameter, venue: venueParameter, canonical_id: canonicalIdParameter }),
  output: Type.Object({
    venue: venueName,
    ticker: tickerName,
    canonical_id: canonicalIdName,
    ...contractFields,
    next_funding_time: nullable(timestamp('Next settlement; null where the venue does not say')),
    funding_interval_hours: intervalHours,
    current_rate: nullable(number('Rate shown for the next settlement, fraction per interval, indicative')),
    mark_price: nullable(number('Quote currency per unit of the base asset')),
    updated_at: timestamp('Time of the rate'),
    ...rateTimeField,
    ...markTimeField,
    ...nullReasons,
  }),
  example: { request: '/v1/perp/funding-next?ticker=BTC&venue=binance', answer: example },
  ...aboutPair((pair, { clock }) => fundingNext(pair, clock.now())),
});
