import Type from 'typebox';
import { venuesList as listVenues } from '../../analytics/venues-list.ts';
import { ok } from '../../domain/errors.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import example from '../examples/venues-list.json' with { type: 'json' };
import { boolean, integer, nullable, number, oneOf, text, venueName } from '../schema.ts';

const published = (figure: string) =>
  Type.Object(
    {
      field: text("Call and field of the venue's own number"),
      unit: oneOf(['contracts', 'base', 'quote', 'mixed'], { description: 'What it counts' }),
      sides: oneOf(['one', 'two', 'unknown'], {
        description: 'Whether each contract is counted once or twice; what is served is counted once',
      }),
      evidence: text('What the sides are known by'),
      date: text('Month or day of the evidence'),
      confidence: oneOf(['high', 'medium', 'low'], { description: 'How sure the sides are' }),
    },
    { description: `What the venue publishes as ${figure}` },
  );

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
  source: oneOf(['native', 'ccxt'], {
    description: "Whose reading the rows are: native decoders, or the ccxt library's unified calls",
  }),
  open_interest: published('open interest'),
  volume_24h: published('24 h volume'),
  verified: Type.Object(
    {
      version: text('Version of the interface, and host where that tells versions apart'),
      date: text('Day of the newest public evidence that it is current'),
      source: text('That evidence'),
    },
    { description: 'Interface that the rows are read from' },
  ),
});

export const venuesList = defineRoute({
  id: 'venues-list',
  path: '/v1/venues/list',
  access: 'free',
  summary: 'Tracked venues',
  description:
    'All venues whose perpetual futures are tracked, with the identifier to use in requests, the number of live contracts, the funding intervals seen and the base-tier taker fee.',
  tags: ['venues'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: NO_PARAMETERS,
  output: Type.Array(venue),
  example: { request: '/v1/venues/list', answer: example },
  resolve: () => ok(undefined),
  answer: (_nothing, { market }) => ok({ content: { json: listVenues(market.venues()) } }),
});
