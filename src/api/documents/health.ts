import type { Static } from 'typebox';
import { SHED_ORDER } from '../../collect/load-shedding.ts';
import type { LoadState } from '../../collect/load-watch.ts';
import { iso } from '../../domain/clock.ts';
import { ok } from '../../domain/errors.ts';
import type { VenueStatus } from '../../domain/venue.ts';
import { type FeedState, ROLES } from '../../feed/ports.ts';
import { defineProduct, type Product } from '../../products/define-product.ts';
import example from '../../products/examples/health.json' with { type: 'json' };
import { collectedVenues } from '../../products/rows/select.ts';
import type { Services } from '../route.ts';
import type { StoreState } from '../store-state.ts';
import { exampleOf, type HealthPart, schemaWith, stateWith } from './health-part.ts';
import { coreHealth } from './health-schema.ts';

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

type Answer = Static<typeof coreHealth>;

function storeOf(history: StoreState | undefined): Answer['store'] {
  return {
    ok: history?.ok ?? null,
    part: history?.part ?? null,
    engine: history?.engine ?? null,
    lag_seconds: history?.lagSeconds ?? null,
    mode: history?.mode ?? null,
    reason: history?.reason ?? null,
    waiting_rows: history?.waitingRows ?? null,
    lost_rows: history?.lostRows ?? null,
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
  payments.node_behind !== true &&
  identities?.ok !== false &&
  (overload?.level ?? 0) === 0 &&
  (feed === null || (feed.ok && feed.behind.length === 0));

function coreState(services: Services): Answer {
  const { market, clock, payments, service } = services;
  const load = services.load?.();
  const { mode, facilitator_ok, settlement_proof, ledger, ledger_ok, node_behind } = payments.health();
  const parts: Parts = {
    stopping: services.isStopping?.() ?? false,
    venues: countVenues(services),
    feed: feedOf(services.feed?.()),
    identities: services.identities?.() ?? null,
    overload: overloadOf(load),
    store: storeOf(services.store?.()),
    payments: { mode, facilitator_ok, settlement_proof, ledger, ledger_ok, node_behind },
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

/** The health document with the parts that modules bring. */
export function healthWith(brought: readonly HealthPart[]): Product<Services> {
  const answer = schemaWith(coreHealth, brought);
  return defineProduct({
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
    example: { request: '/v1/health', answer: exampleOf(example, answer) },
    compute: (_, services: Services) =>
      ok({ content: { json: stateWith(coreState(services), brought, services) } }),
  });
}

/** The core's own. */
export const health = healthWith([]);
