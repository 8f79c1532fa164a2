import Type, { type Static } from 'typebox';
import { SHED_ORDER } from '../../collect/load-shedding.ts';
import type { LoadState } from '../../collect/load-watch.ts';
import { iso } from '../../domain/clock.ts';
import { ok } from '../../domain/errors.ts';
import type { VenueStatus } from '../../domain/venue.ts';
import { type FeedState, ROLES } from '../../feed/ports.ts';
import { HISTORY_PARTS } from '../../history/history.ts';
import { STORE_ENGINES } from '../../history/store.ts';
import {
  boolean,
  integer,
  nullable,
  number,
  oneOf,
  text,
  timestamp,
  venueName,
} from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import example from '../../products/examples/health.json' with { type: 'json' };
import { gradeInputsOf, gradeName, gradeOf } from '../../products/quality/grade.ts';
import { collectedVenues } from '../../products/rows/select.ts';
import type { Services } from '../route.ts';
import type { StoreState } from '../store-state.ts';

const answer = Type.Object({
  status: oneOf(['ok', 'degraded'], { description: 'degraded: a part below is not as it should be' }),
  data: oneOf(['live', 'simulated'], { description: 'Whether the venues behind the data are real' }),
  version: text('Version of the service'),
  started_at: timestamp('When the service started'),
  uptime_seconds: integer('Seconds since then'),
  stopping: boolean('Whether it is about to end: a load balancer should give it nothing more'),
  venues: Type.Object(
    { live: integer('Venues live'), stale: integer('Venues stale'), down: integer('Venues down') },
    { description: 'How many venues have which status' },
  ),
  grades: Type.Array(Type.Object({ venue: venueName, grade: gradeName }), {
    description: 'Quality of each venue, by the rule that /v1/data-quality/summary states',
  }),
  rows: integer('Rows in the live table'),
  roles: Type.Array(oneOf(ROLES), {
    description: 'What this process does: read venues, answer for money, keep history',
  }),
  feed: nullable(
    Type.Object(
      {
        kind: oneOf(['embedded', 'nats'], {
          description:
            'What carries data from who collects to who sells: this process itself, or a NATS server',
        }),
        ok: boolean('Whether its server answers'),
        holds: integer('Venues that this process publishes: it holds their lease'),
        behind: Type.Array(venueName, {
          description:
            'Venues of which something published is missing here, or whose holder is silent: nothing of them is sold',
        }),
        unreached: Type.Array(venueName, {
          description:
            'Venues that this process does not reach and has left to another that does: that one publishes them',
        }),
      },
      { description: 'The feed between processes that collect and processes that sell' },
    ),
  ),
  identities: nullable(
    Type.Object(
      {
        kind: oneOf(['embedded', 'postgres'], {
          description: 'On this machine, or on a server that several hosts share',
        }),
        ok: boolean('Whether the store answered when last asked; what is known stays in use without it'),
        waiting: integer('Contracts and venues that have no identity or number until it answers'),
        refused: integer(
          'Contracts and venues that have none since it refuses what they are called; the log has the reason',
        ),
      },
      { description: 'Where it is kept which asset each contract is, and the number of each venue' },
    ),
  ),
  event_loop_lag_seconds: nullable(
    number(
      'The longest that the service itself was late within the last twenty seconds: a slow machine, not slow venues',
    ),
  ),
  overload: nullable(
    Type.Object(
      {
        level: integer('How many kinds of work are given up, 0 to 4'),
        shed: Type.Array(oneOf(SHED_ORDER), {
          description:
            'Which, the first given up first: back-fill, streams of order books that nobody reads, order books over REST in rotation, samples of every minute. Funding, marks and payments never are',
        }),
        since: nullable(timestamp('When the level last changed; null where it did not since start')),
        reason: nullable(text('What was seen of the event loop when work was last given up')),
      },
      { description: 'What is given up for now, because the machine is too slow for all of it' },
    ),
  ),
  store: Type.Object(
    {
      ok: nullable(boolean('Whether history is being written; null without a history store')),
      part: nullable(
        oneOf(HISTORY_PARTS, {
          description:
            'writer: this process writes the history; standby: it reads, and writes as soon as the process that does is gone; reader: it only reads',
        }),
      ),
      engine: nullable(
        oneOf(STORE_ENGINES, {
          description:
            'Where the history lies: in the data folder of this process, on one ClickHouse server, or on a cluster of them; null without a history store',
        }),
      ),
      lag_seconds: nullable(number('Age of the newest stored sample')),
      mode: nullable(
        oneOf(['writing', 'lagging', 'read_only'], {
          description:
            'lagging: samples wait in memory; read_only: no more can wait and new ones are lost, until the store takes them again',
        }),
      ),
      reason: nullable(text('Why it is not writing')),
      waiting_rows: nullable(integer('Rows that wait in memory to be written')),
      lost_rows: nullable(
        integer('Rows since start that came when no more could wait; the spans are noted as gaps'),
      ),
      backfill_pct: nullable(
        integer('Contracts whose past is back-filled to its end, percent; null without a back-fill'),
      ),
      backfill_incomplete: nullable(
        Type.Array(
          Type.Object({
            venue: venueName,
            contracts: nullable(
              integer('Contracts that were asked about and are not whole; null where none is shown yet'),
            ),
          }),
          { description: 'Venues that have not given all of their past; they are asked again' },
        ),
      ),
      backfill_majors_pct: nullable(integer('The same of BTC, ETH, SOL, XRP and DOGE alone')),
    },
    { description: 'The history store' },
  ),
  payments: Type.Object(
    {
      mode: oneOf(['remote', 'self', 'sandbox', 'off'], {
        description: 'Who settles; off means that nothing is charged',
      }),
      facilitator_ok: nullable(boolean('Whether the facilitator answered when last asked')),
      settlement_proof: nullable(
        oneOf(['rpc', 'facilitator'], {
          description: 'What a settlement is believed on: the chain itself, or the word of the facilitator',
        }),
      ),
      ledger: nullable(
        oneOf(['embedded', 'postgres'], {
          description: 'Where payments are kept: on this machine, or on a server that several share',
        }),
      ),
      ledger_ok: nullable(boolean('Whether the ledger answered when last asked; without it nothing is sold')),
    },
    { description: 'The payment gate' },
  ),
});

function countVenues(services: Services): Record<VenueStatus, number> {
  const counts = { live: 0, stale: 0, down: 0 };
  for (const { info, status } of collectedVenues(services.market))
    counts[services.health.of(info.id)?.status ?? status] += 1;
  return counts;
}

/** Seconds to the millisecond. */
const millis = (seconds: number): number => Math.round(seconds * 1000) / 1000;

function overloadOf(load: LoadState | undefined) {
  if (load === undefined) return null;
  const { level, since, reason = null } = load;
  return { level, shed: SHED_ORDER.slice(0, level), since: since === undefined ? null : iso(since), reason };
}

function feedOf(feed: FeedState | undefined) {
  if (feed === undefined) return null;
  const { kind, ok: isOk, held, behind, unreached } = feed;
  return { kind, ok: isOk, holds: held.length, behind: [...behind], unreached: [...unreached] };
}

type Answer = Static<typeof answer>;

function storeOf(history: StoreState | undefined): Answer['store'] {
  const { backfill } = history ?? {};
  const incomplete = backfill?.incomplete.map(({ venue, contracts = null }) => ({ venue, contracts }));
  return {
    ok: history?.ok ?? null,
    part: history?.part ?? null,
    engine: history?.engine ?? null,
    lag_seconds: history?.lagSeconds ?? null,
    mode: history?.mode ?? null,
    reason: history?.reason ?? null,
    waiting_rows: history?.waitingRows ?? null,
    lost_rows: history?.lostRows ?? null,
    backfill_pct: backfill?.percent ?? null,
    backfill_incomplete: incomplete ?? null,
    backfill_majors_pct: backfill?.priorityPercent ?? null,
  };
}

type Parts = Pick<Answer, 'stopping' | 'venues' | 'store' | 'payments' | 'feed' | 'identities' | 'overload'>;

/** A part that is absent (null) does not make the service degraded. */
const isWell = ({ stopping, venues, store, payments, feed, identities, overload }: Parts): boolean =>
  !stopping &&
  venues.live > 0 &&
  venues.down === 0 &&
  store.ok !== false &&
  payments.facilitator_ok !== false &&
  payments.ledger_ok !== false &&
  identities?.ok !== false &&
  (overload?.level ?? 0) === 0 &&
  (feed === null || (feed.ok && feed.behind.length === 0));

function state(services: Services): Answer {
  const { market, clock, payments, service } = services;
  const load = services.load?.();
  const { mode, facilitator_ok, settlement_proof, ledger, ledger_ok } = payments.health();
  const parts: Parts = {
    stopping: services.isStopping?.() ?? false,
    venues: countVenues(services),
    feed: feedOf(services.feed?.()),
    identities: services.identities?.() ?? null,
    overload: overloadOf(load),
    store: storeOf(services.store?.()),
    payments: { mode, facilitator_ok, settlement_proof, ledger, ledger_ok },
  };
  const { stopping, venues, feed, identities, overload, store } = parts;
  return {
    status: isWell(parts) ? 'ok' : 'degraded',
    data: service.data,
    version: service.version,
    started_at: iso(service.startedAt),
    uptime_seconds: Math.max(0, Math.floor((clock.now() - service.startedAt) / 1000)),
    stopping,
    venues,
    grades: collectedVenues(services.market).map((venue) => ({
      venue: venue.info.id,
      grade: gradeOf(gradeInputsOf(venue, services)).grade,
    })),
    rows: market.rows().length,
    roles: [...(service.roles ?? ROLES)],
    feed,
    identities,
    event_loop_lag_seconds: load === undefined ? null : millis(load.lagSeconds),
    overload,
    store,
    payments: parts.payments,
  };
}

export const health = defineProduct({
  id: 'health',
  path: '/v1/health',
  access: 'free',
  summary: 'Health of the service',
  description:
    'State of the service itself: how many venues are live, how many rows the live table has, whether history is written and payments can be settled, how late the event loop is, what is given up because the machine is too slow, and whether the data is live or simulated.',
  tags: ['health'],
  dependsOn: 'second',
  revisedAt: '2026-11-26T14:40:00.000Z',
  answer,
  example: { request: '/v1/health', answer: example },
  compute: (_, services: Services) => ok({ body: state(services) }),
});
