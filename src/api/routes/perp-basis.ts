import Type from 'typebox';
import { basis } from '../../analytics/basis.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-basis.json' with { type: 'json' };
import {
  assetClass,
  boolean,
  canonicalIdName,
  canonicalIdParameter,
  contractFields,
  integer,
  markTimeField,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  tickerParameter,
  timestamp,
  venueName,
} from '../schema.ts';
import { aboutAsset } from './about.ts';

const item = Type.Object({
  venue: venueName,
  asset_class: assetClass,
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  index_price: nullable(number('The venue’s own index; null where it has none besides its mark')),
  basis_bps: nullable(number('(mark_price - index_price) / index_price x 10000')),
  structure: oneOf(['contango', 'backwardation', 'flat', 'unknown'], {
    description: 'Sign of the basis; unknown without an index',
  }),
  liquidity_state: oneOf(['live', 'dead', 'unknown'], {
    description: 'dead: nothing traded and the mark unmoved for 24 hours, or an empty book',
  }),
  basis_reliable: boolean('Live, fresh, traded, and an index that is not the mark'),
  updated_at: timestamp('Time of the mark price'),
  ...contractFields,
  ...markTimeField,
});

export const perpBasis = defineRoute({
  id: 'perp-basis',
  path: '/v1/perp/basis',
  access: 'paid',
  summary: 'Mark against index per venue',
  description:
    'Distance of the mark price of one perpetual future from the index price of the same venue, in basis points, for each venue; says which venues publish no index and flags markets without trading as unreliable whatever their basis looks like.',
  tags: ['basis', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({ ticker: tickerParameter, canonical_id: canonicalIdParameter }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    venues_count: integer('Venues in items'),
    methodology: text('How the figures are made and what they leave out'),
    venues_without_index: Type.Array(Type.String(), { description: 'Venues in items that have no index' }),
    items: Type.Array(item),
  }),
  example: { request: '/v1/perp/basis?ticker=BTC', answer: example },
  ...aboutAsset(basis),
});
