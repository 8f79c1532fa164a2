import Type from 'typebox';
import { RWA_CLASSES, rwaCoverage } from '../../analytics/rwa-coverage.ts';
import { ok } from '../../domain/errors.ts';
import { handlerResult } from '../answers/handler-result.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/rwa-perp-coverage.json' with { type: 'json' };
import type { Services } from '../route.ts';
import {
  assetClass,
  canonicalIdName,
  contractFields,
  integer,
  interestTimeField,
  markTimeField,
  nullable,
  number,
  oneOf,
  rateTimeField,
  text,
  tickerName,
  tickerParameter,
  timestamp,
  venueName,
} from '../schema.ts';
import { intervalHours } from '../schema-funding.ts';

const venue = Type.Object({
  venue: venueName,
  symbol: text('The venue’s own symbol'),
  mark_price: nullable(number('Quote currency per unit of the asset')),
  open_interest_usd: nullable(number('Open interest, USD')),
  volume_24h_usd: nullable(number('Traded in 24 hours, USD')),
  funding_rate: nullable(number('Fraction per interval of the venue')),
  funding_interval_hours: intervalHours,
  oracle_family: text('Family of the venue’s index price'),
  updated_at: timestamp('Time of the mark price'),
  ...contractFields,
  ...rateTimeField,
  ...markTimeField,
  ...interestTimeField,
});

const query = Type.Object({
  asset_class: Type.Optional(oneOf(RWA_CLASSES, { description: 'Only assets of this class' })),
  ticker: Type.Optional(tickerParameter),
});

const cover = (asked: Type.Static<typeof query>, { market }: Services) =>
  rwaCoverage(market, { assetClass: asked.asset_class, ticker: asked.ticker });

export const rwaPerpCoverage = defineRoute({
  id: 'rwa-perp-coverage',
  path: '/v1/rwa/perp-coverage',
  access: 'paid',
  summary: 'Perpetuals on real-world assets',
  description:
    'Perpetual futures on shares, indices, commodities, currencies, funds and pre-IPO names: per asset the venues that list it with mark, open interest, volume, funding and oracle family.',
  tags: ['real-world-assets', 'coverage', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query,
  output: Type.Object({
    count: integer('Assets returned'),
    assets: Type.Array(
      Type.Object({
        canonical_id: canonicalIdName,
        ticker: tickerName,
        asset_class: assetClass,
        venues_count: integer('Venues in venues'),
        venues: Type.Array(venue),
      }),
    ),
    note: text('What the figures leave out'),
  }),
  example: { request: '/v1/rwa/perp-coverage?ticker=index:SPX', answer: example },
  resolve: (asked, services) => {
    const covered = cover(asked, services);
    return covered.ok ? ok(asked) : covered;
  },
  answer: (asked, services) => handlerResult(cover(asked, services)),
});
