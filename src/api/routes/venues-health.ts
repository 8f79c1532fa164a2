import Type from 'typebox';
import type { VenueHealth } from '../../collect/ports.ts';
import { iso } from '../../domain/clock.ts';
import { ok } from '../../domain/errors.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { MarketRow, TrackedVenue } from '../../market/view.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
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
  books: integer('Contracts with a live best bid and ask'),
  rejects_5m: integer('Faulty rows or fields in the last five minutes'),
  error_rate_5m: nullable(number('Failed requests over all requests in the last five minutes, 0 to 1')),
  last_error: nullable(text('Why the last request failed; null while the last one succeeded')),
  since: timestamp('When the present status began'),
});

interface Times {
  readonly now: UnixMs;
  readonly startedAt: UnixMs;
}

/** How many contracts of each venue have both sides of a book. */
function countBooks(rows: readonly MarketRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { venue, bestBid, bestAsk } of rows) {
    if (bestBid !== undefined && bestAsk !== undefined) counts.set(venue, (counts.get(venue) ?? 0) + 1);
  }
  return counts;
}

function entry(tracked: TrackedVenue, health: VenueHealth | undefined, books: number, at: Times) {
  const last = health?.lastUpdateAt;
  return {
    source_id: tracked.sourceId,
    venue: tracked.info.id,
    type: tracked.info.kind,
    status: health?.status ?? tracked.status,
    last_update_at: last === undefined ? null : iso(last),
    age_seconds: last === undefined ? null : Math.max(0, Math.round((at.now - last) / 100) / 10),
    tracked_symbols: tracked.trackedSymbols,
    fresh_symbols: tracked.freshSymbols,
    books,
    rejects_5m: health?.rejects5m ?? 0,
    error_rate_5m: health?.errorRate5m ?? null,
    last_error: health?.lastError ?? null,
    since: iso(health?.since ?? at.startedAt),
  };
}

export const venuesHealth = defineRoute({
  id: 'venues-health',
  path: '/v1/venues/health',
  sale: 'free',
  summary: 'Health of each venue',
  description:
    'Liveness and freshness of every tracked venue, judged by the age of its data and never by the connection: status, age, rejected rows and failed requests of the last five minutes.',
  tags: ['venues', 'health'],
  freshness: 'second',
  revisedAt: '2026-11-20T00:00:00.000Z',
  query: NO_PARAMETERS,
  output: Type.Array(venue),
  example: { request: '/v1/venues/health', answer: [] },
  resolve: (_input, { market }) => ok(market.venues()),
  answer: (venues, { market, health, clock, service }) => {
    const at = { now: clock.now(), startedAt: service.startedAt };
    const books = countBooks(market.rows());
    const ordered = [...venues].sort((a, b) => a.sourceId - b.sourceId);
    const json = ordered.map((tracked) => {
      const { id } = tracked.info;
      return entry(tracked, health.of(id), books.get(id) ?? 0, at);
    });
    return ok({ content: { json } });
  },
});
