import Type from 'typebox';
import { previewFundingSignal as preview } from '../../analytics/preview-funding-signal.ts';
import { ok } from '../../domain/errors.ts';
import { handlerResult } from '../answers/handler-result.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import example from '../examples/preview-funding-signal.json' with { type: 'json' };
import {
  assetClass,
  boolean,
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../schema.ts';

const signal = Type.Object(
  {
    ticker: tickerName,
    canonical_id: canonicalIdName,
    asset_class: assetClass,
    short_venue: venueName,
    long_venue: venueName,
    gross_funding_spread_bps: number('Raw rate difference of the two legs'),
    round_trip_fee_bps: number('Public taker fees of entry and exit on both legs'),
    normalized_spread_8h_bps: number('The same legs, both scaled to eight hours'),
    apr_spread_pct: nullable(number('normalized_spread_8h_bps x 10.95')),
    net_of_fees_positive: boolean('gross_funding_spread_bps > round_trip_fee_bps'),
    short_interval_hours: nullable(integer('Funding interval of the short leg')),
    long_interval_hours: nullable(integer('Funding interval of the long leg')),
    venues_count: integer('Venues compared'),
    as_of: timestamp('Real time of the older leg'),
  },
  { description: 'The top pair that clears its fees; null while there is none' },
);

export const previewFundingSignal = defineRoute({
  id: 'preview-funding-signal',
  path: '/v1/preview/funding-signal',
  access: 'free',
  summary: 'Preview of the funding signal',
  description:
    'Free sample of the funding signal: the one pair of venues with the largest gross funding spread among those that clear their round-trip fees, and what the paid answer has beyond it.',
  tags: ['preview'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: NO_PARAMETERS,
  output: Type.Object({
    preview: Type.Unsafe<true>({ type: 'boolean', const: true, description: 'Always true' }),
    signal: nullable(signal),
    withheld_in_preview: Type.Array(Type.String(), { description: 'What only the paid answer has' }),
    ranked_by: text('How the preview and the paid answer rank'),
    methodology: text('Inputs and exclusions'),
    note: text('How to read this'),
    paid_full_endpoint: text('Path of the paid answer'),
  }),
  example: { request: '/v1/preview/funding-signal', answer: example },
  resolve: () => ok(undefined),
  answer: (_nothing, { market }) => handlerResult(ok(preview(market))),
});
