import Type, { type Static } from 'typebox';
import type { VenueHealth } from '../collect/ports.ts';
import { iso } from '../domain/clock.ts';
import { ok } from '../domain/errors.ts';
import { FAULT_REASONS } from '../domain/reject.ts';
import type { SettledSpans } from '../domain/series.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { TrackedVenue } from '../market/view.ts';
import { integer, nullable, number, oneOf, text, timestamp, venueName } from './answer/schema.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/venues-health.json' with { type: 'json' };
import { isCovered } from './funding/settled-means.ts';
import { collectedVenues } from './rows/select.ts';

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
  tracked_symbols: integer('Assets of which live linear perpetuals are tracked'),
  fresh_symbols: integer('Tracked assets with a fresh mark'),
  books: integer('Order books kept live'),
  rejects_5m: integer('Faulty rows or fields in the last five minutes'),
  rejects_by_reason: Type.Unsafe<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
    description: `What was left out since the service started, by reason; faults are ${FAULT_REASONS.join(', ')}, identity_undecided counts contracts that wait now for the store of identities, identity_refused those whose name it refuses, the rest is rightly out of scope`,
  }),
  settled_contracts: nullable(
    integer(
      'Contracts of which funding payments are stored; null without a history, and before they are counted',
    ),
  ),
  settled_contracts_30d: nullable(
    integer('Those of which nine tenths of the payments of the last 30 days are stored'),
  ),
  error_rate_5m: nullable(number('Failed requests over all requests in the last five minutes, 0 to 1')),
  last_error: nullable(text('Why the last request failed; null while the last one succeeded')),
  since: nullable(timestamp('When the present status began')),
});

const answer = Type.Array(venue);
type Entry = Static<typeof venue>;

export const venuesHealth = defineProduct({
  id: 'venues-health',
  path: '/v1/venues/health',
  access: 'free',
  summary: 'Health of each venue',
  description:
    'Liveness and freshness of every tracked venue, judged by the age of its data and never by the connection: status, age, rejected rows and failed requests of the last five minutes, what was left out by reason, and how much of the funding history is stored.',
  tags: ['venues', 'health'],
  dependsOn: 'second',
  revisedAt: '2026-11-27T12:00:00.000Z',
  answer,
  example: { request: '/v1/venues/health', answer: example },
  compute: (_, { market, health, clock, books, history }) => {
    const sources = {
      now: clock.now(),
      health: (id: string) => health.of(id),
      books: (id: string) => books.liveBooks(id),
      payments: history?.reader.lastSettledSpans(),
    };
    return ok({ body: judgeVenues(collectedVenues(market), sources) });
  },
});

interface HealthSources {
  readonly now: UnixMs;
  readonly health: (venue: VenueId) => VenueHealth | undefined;
  /** Live order books of a venue. */
  readonly books?: (venue: VenueId) => number;
  /** Payments that are stored of each contract; undefined where they are not counted. */
  readonly payments?: readonly SettledSpans[] | undefined;
}

/** Health of each tracked venue by source_id. A venue that the health board does not know is as the table sees it. */
export function judgeVenues(venues: readonly TrackedVenue[], sources: HealthSources): Static<typeof answer> {
  return venues.map((venue) => healthEntry(venue, sources));
}

/** Numbers of a venue's contracts with stored payments, and of those with a whole month of them. */
function settledOf(
  venue: VenueId,
  { payments }: HealthSources,
): Pick<Entry, 'settled_contracts' | 'settled_contracts_30d'> {
  if (payments === undefined) return { settled_contracts: null, settled_contracts_30d: null };
  const own = payments.filter((payment) => payment.venue === venue);
  const whole = own.filter((listing) => {
    const month = listing.spans.at(-1);
    return month !== undefined && isCovered(month);
  });
  return { settled_contracts: own.length, settled_contracts_30d: whole.length };
}

function healthEntry(venue: TrackedVenue, sources: HealthSources): Entry {
  const { now, health, books } = sources;
  const { info } = venue;
  const known = health(info.id);
  const last = known?.lastUpdateAt;
  return {
    source_id: venue.sourceId,
    venue: info.id,
    type: info.kind,
    status: known?.status ?? venue.status,
    last_update_at: last === undefined ? null : iso(last),
    age_seconds: last === undefined ? null : Math.max(0, (now - last) / 1000),
    tracked_symbols: venue.trackedSymbols,
    fresh_symbols: venue.freshSymbols,
    books: books?.(info.id) ?? 0,
    rejects_5m: known?.rejects5m ?? 0,
    rejects_by_reason: {
      ...known?.rejectsByReason,
      ...(venue.undecided && { identity_undecided: venue.undecided }),
      ...(venue.refused && { identity_refused: venue.refused }),
    },
    ...settledOf(info.id, sources),
    error_rate_5m: known?.errorRate5m ?? null,
    last_error: known?.lastError ?? null,
    since: known === undefined ? null : iso(known.since),
  };
}
