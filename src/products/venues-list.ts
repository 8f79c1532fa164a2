import Type, { type Static } from 'typebox';
import { ok } from '../domain/errors.ts';
import type { TrackedVenue } from '../market/view.ts';
import { boolean, integer, nullable, number, oneOf, text, venueName } from './answer/schema.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/venues-list.json' with { type: 'json' };
import { collectedVenues } from './rows/select.ts';

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
  tracked_symbols: integer('Assets of which live linear perpetuals are tracked'),
  funding_intervals: Type.Array(Type.Number(), { description: 'Funding intervals seen, hours, ascending' }),
  taker_fee_bps: nullable(number('Taker fee of the base tier, basis points')),
  parent: nullable(text('The venue this one is a sub-venue of')),
  has_index: boolean('Whether the venue publishes an index price that is not its own mark'),
  source: oneOf(['native', 'ccxt'], {
    description: "Whose reading the rows are: native decoders, or the ccxt library's unified calls",
  }),
  open_interest: published('open interest'),
  historical_open_interest: nullable(
    published('open interest of the past, where that call counts otherwise'),
  ),
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

const answer = Type.Array(venue);

export const venuesList = defineProduct({
  id: 'venues-list',
  path: '/v1/venues/list',
  access: 'free',
  summary: 'Tracked venues',
  description:
    'All venues whose perpetual futures are tracked, with the identifier to use in requests, the number of live contracts, the funding intervals seen and the base-tier taker fee.',
  tags: ['venues'],
  dependsOn: 'table',
  revisedAt: '2026-11-27T12:00:00.000Z',
  answer,
  example: { request: '/v1/venues/list', answer: example },
  compute: (_, { market }) => ok({ body: listVenues(collectedVenues(market)) }),
});

/** The tracked venues by source_id. */
export function listVenues(venues: readonly TrackedVenue[]): Static<typeof answer> {
  return venues.map(({ info, sourceId, trackedSymbols, fundingIntervals }) => ({
    source_id: sourceId,
    name: info.id,
    display_name: info.displayName,
    type: info.kind,
    tracked_symbols: trackedSymbols,
    funding_intervals: [...fundingIntervals],
    taker_fee_bps: info.takerFeeBps ?? null,
    parent: info.parent ?? null,
    has_index: info.hasIndex,
    source: info.source ?? 'native',
    open_interest: info.openInterest,
    historical_open_interest: info.historicalOpenInterest ?? null,
    volume_24h: info.volume,
    verified: { version: info.verified.version, date: info.verified.date, source: info.verified.source },
  }));
}
