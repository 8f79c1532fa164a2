import Type from 'typebox';
import { venuesHealth as judgeVenues } from '../../analytics/venues-health.ts';
import { ok } from '../../domain/errors.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import example from '../examples/venues-health.json' with { type: 'json' };
import { integer, nullable, number, oneOf, text, timestamp, venueName } from '../schema.ts';

const venue = Type.Object({
  source_id: integer('Number of the venue: fixed, never reused', 1),
  venue: venueName,
  type: oneOf(['cex', 'dex'], { description: 'Centralized or decentralized' }),
  status: oneOf(['live', 'stale', 'down'], {
    description:
      'live: data within three refresh periods; stale: older, up to 15 minutes; down: older or never',
  }),
  last_update_at: nullable(timestamp('When data last came in')),
  age_seconds: nullable(number('Seconds since data last came in')),
  tracked_symbols: integer('Live linear perpetuals that are tracked'),
  fresh_symbols: integer('Tracked contracts whose mark is fresh'),
  books: integer('Order books kept live'),
  rejects_5m: integer('Faulty rows or fields in the last five minutes'),
  error_rate_5m: nullable(number('Failed requests over all requests in the last five minutes, 0 to 1')),
  last_error: nullable(text('Why the last request failed; null while the last one succeeded')),
  since: nullable(timestamp('When the present status began')),
});

export const venuesHealth = defineRoute({
  id: 'venues-health',
  path: '/v1/venues/health',
  access: 'free',
  summary: 'Health of each venue',
  description:
    'Liveness and freshness of every tracked venue, judged by the age of its data and never by the connection: status, age, rejected rows and failed requests of the last five minutes.',
  tags: ['venues', 'health'],
  freshness: 'second',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: NO_PARAMETERS,
  output: Type.Array(venue),
  example: { request: '/v1/venues/health', answer: example },
  resolve: () => ok(undefined),
  answer: (_nothing, { market, health, clock, books }) => {
    const sources = {
      now: clock.now(),
      health: (id: string) => health.of(id),
      books: (id: string) => books.liveBooks(id),
    };
    return ok({ content: { json: judgeVenues(market.venues(), sources) } });
  },
});
