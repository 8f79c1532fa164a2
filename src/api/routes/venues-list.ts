import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import type { TrackedVenue } from '../../market/view.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import { boolean, integer, nullable, number, oneOf, text, venueName } from '../schema.ts';

const venue = Type.Object({
  source_id: integer('Number of the venue: fixed, never reused', 1),
  name: venueName,
  display_name: text('Name as the venue writes it'),
  type: oneOf(['cex', 'dex'], { description: 'Centralized or decentralized' }),
  tracked_symbols: integer('Live linear perpetuals that are tracked'),
  funding_intervals: Type.Array(Type.Number(), { description: 'Funding intervals seen, hours, ascending' }),
  taker_fee_bps: nullable(number('Taker fee of the base tier, basis points')),
  parent: nullable(text('The venue this one is a sub-venue of')),
  has_index: boolean('Whether the venue publishes an index price that is not its own mark'),
});

const entry = ({ info, sourceId, trackedSymbols, fundingIntervals }: TrackedVenue) => ({
  source_id: sourceId,
  name: info.id,
  display_name: info.displayName,
  type: info.kind,
  tracked_symbols: trackedSymbols,
  funding_intervals: [...fundingIntervals],
  taker_fee_bps: info.takerFeeBps ?? null,
  parent: info.parent ?? null,
  has_index: info.hasIndex,
});

export const venuesList = defineRoute({
  id: 'venues-list',
  path: '/v1/venues/list',
  sale: 'free',
  summary: 'Tracked venues',
  description:
    'All venues whose perpetual futures are tracked, with the identifier to use in requests, the number of live contracts, the funding intervals seen and the base-tier taker fee.',
  tags: ['venues'],
  freshness: 'table',
  revisedAt: '2026-11-20T00:00:00.000Z',
  query: NO_PARAMETERS,
  output: Type.Array(venue),
  example: { request: '/v1/venues/list', answer: [] },
  resolve: (_input, { market }) => ok(market.venues()),
  answer: (venues) =>
    ok({ content: { json: [...venues].sort((a, b) => a.sourceId - b.sourceId).map(entry) } }),
});
