import Type from 'typebox';
import { freshQuote } from '../../analytics/book-source.ts';
import { snapshot } from '../../analytics/snapshot.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-snapshot.json' with { type: 'json' };
import {
  assetClass,
  canonicalIdName,
  canonicalIdParameter,
  integer,
  nullable,
  number,
  text,
  tickerName,
  tickerParameter,
  timestamp,
} from '../schema.ts';
import { fundingRowSchema } from '../schema-funding.ts';
import { aboutAsset } from './about.ts';

const venue = Type.Object({
  ...fundingRowSchema.properties,
  index_price: nullable(
    number('Quote currency per unit of the base asset; null where the venue has no index'),
  ),
  basis_bps: nullable(number('(mark_price - index_price) / index_price x 10000')),
  next_funding_time: nullable(timestamp('Next settlement')),
  best_bid: nullable(number('Best bid, where known')),
  best_ask: nullable(number('Best ask, where known')),
  spread_bps: nullable(number('(best_ask - best_bid) / mid x 10000')),
  slippage_10k_bps: nullable(number('Slippage of 10,000 USD over the mid, worse side; null without a book')),
});

export const perpSnapshot = defineRoute({
  id: 'perp-snapshot',
  path: '/v1/perp/snapshot',
  access: 'paid',
  summary: 'One asset on all venues',
  description:
    'Everything that is known now of one asset: per venue funding, interval, mark, index, basis, next settlement, open interest, volume and best prices, with totals and weighted means over the venues that are fresh and comparable.',
  tags: ['snapshot', 'funding', 'open-interest', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: Type.Object({ ticker: tickerParameter, canonical_id: canonicalIdParameter }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    asset_class: assetClass,
    venues_count: integer('Venues in venues'),
    total_open_interest_usd: nullable(number('Sum over the venues that state it')),
    total_volume_24h_usd: nullable(number('Sum over the venues that state it')),
    contracts_count: integer('Contracts that the totals count: all of the asset on each venue'),
    oi_weighted_rate_8h: nullable(number('Mean of rate_8h weighted by open interest')),
    volume_weighted_mark_price: nullable(number('Mean of mark_price weighted by 24 h volume')),
    venues: Type.Array(venue),
    note: text('What the figures leave out'),
  }),
  example: { request: '/v1/perp/snapshot?ticker=BTC', answer: example },
  ...aboutAsset((asset, { clock, books }) =>
    snapshot(asset, { now: clock.now(), book: ({ venue, symbol }) => freshQuote(books, venue, symbol) }),
  ),
});
