import { statfsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { PoolStats } from '../../collect/budget-pool.ts';
import type { CallStats } from '../../collect/call-stats.ts';
import type { LoadState } from '../../collect/load-watch.ts';
import type { VenueStats } from '../../collect/venue-runner.ts';
import { iso, systemClock } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import { PAST_FILL } from '../../history/past-fill.ts';
import type { Service } from '../../host/options.ts';
import { VERSION } from '../../host/version.ts';
import type { Feed, OperatorHistory, OperatorState, RejectSample } from './schemas/state.ts';

/** The operator's view of a running service, as of now. Sizes in bytes, times in ISO 8601 or seconds. */
export function operatorState(service: Service): OperatorState {
  const { collector, health, market, activity, load } = service;
  const stats = collector.stats();
  return {
    at: iso(systemClock.now()),
    version: VERSION,
    node: process.version,
    process: processState(service),
    overload: overloadOf(load.state()),
    disks: [...service.folders].map(([folder, path]) => ({ folder, ...spaceOf(path) })),
    http: {
      open: activity.open(),
      broken: activity.requests.broken,
      kept: activity.kept(),
      routes: [...activity.requests.routes].map(([route, { statuses }]) => ({
        route,
        statuses: Object.fromEntries(statuses),
      })),
    },
    venues: health.all().map((state) => ({
      venue: state.venue,
      status: state.status,
      since: iso(state.since),
      last_update_at: isoOrNull(state.lastUpdateAt),
      rejects_5m: state.rejects5m,
      rejects: state.rejectsByReason,
      error_rate_5m: state.errorRate5m ?? null,
      last_error: state.lastError ?? null,
      ...feedsOf(stats.venues[state.venue]),
    })),
    budgets: Object.entries(stats.budgets).flatMap(([venue, { pools }]) =>
      Object.entries(pools).map(([pool, one]) => ({ venue, pool, ...budgetOf(one) })),
    ),
    identities: uncomparable(market.view.rows()),
    history: historyState(service),
  };
}

function overloadOf({ since, reason, ...known }: LoadState): OperatorState['overload'] {
  return { ...known, ...(since !== undefined && { since }), ...(reason !== undefined && { reason }) };
}

const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : iso(asMs(at)));

function processState({ load }: Service) {
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    uptime_seconds: Math.floor(process.uptime()),
    rss_bytes: rss,
    heap_bytes: heapUsed,
    external_bytes: external,
    event_loop_lag_seconds: load.state().lagSeconds,
    event_loop_active_seconds: performance.eventLoopUtilization().active / 1000,
    cpu_seconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  };
}

/** A folder that cannot be looked at has no sizes. */
function spaceOf(path: string): { free_bytes: number | null; size_bytes: number | null } {
  try {
    const { bavail, blocks, bsize } = statfsSync(path);
    return { free_bytes: bavail * bsize, size_bytes: blocks * bsize };
  } catch {
    return { free_bytes: null, size_bytes: null };
  }
}

const failuresOf = ({ failures }: CallStats): number =>
  Object.values(failures).reduce((sum, count) => sum + count, 0);

/** Polls and streams of a venue, each as one line. */
function feedsOf(stats: VenueStats | undefined): {
  readonly feeds: Feed[];
  readonly circuits: number;
  readonly sample: RejectSample | null;
} {
  if (stats === undefined) return { feeds: [], circuits: 0, sample: null };
  const polls = Object.entries(stats.polls).map(([name, poll]) => ({
    kind: 'poll' as const,
    name,
    every_seconds: poll.everyMs / 1000,
    rounds: poll.rounds,
    good_rounds: poll.goodRounds,
    requests: poll.requests,
    failures: failuresOf(poll),
    quotes: poll.quotes,
    rejects: poll.rejects,
    last_data_at: null,
  }));
  const streams = Object.entries(stats.streams).map(([name, stream]) => ({
    kind: 'stream' as const,
    name,
    open: stream.open,
    connections: stream.connections,
    topics: stream.topics,
    reconnects: Object.values(stream.reconnects).reduce((sum, count) => sum + count, 0),
    frames: stream.frames,
    quotes: stream.quotes,
    rejects: stream.rejects,
    last_data_at: isoOrNull(stream.lastDataAt),
  }));
  const circuits = Object.values(stats.circuits).filter((state) => state !== 'closed').length;
  return { feeds: [...polls, ...streams], circuits, sample: sampleOf(stats) };
}

function sampleOf({ rejectSample }: VenueStats): RejectSample | null {
  if (rejectSample === undefined) return null;
  const { at, source, reject, payload } = rejectSample;
  const { symbol, reason, detail = null } = reject;
  return { at: iso(at), source, symbol, reason, detail, payload };
}

const budgetOf = ({ limit, perMs, used, waiting, queueWaitMs }: PoolStats) => ({
  limit,
  per_seconds: perMs / 1000,
  used,
  waiting,
  waited_seconds: queueWaitMs / 1000,
});

/** Rows that are not compared, by reason. */
function uncomparable(rows: ReturnType<Service['market']['view']['rows']>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { uncomparableReason: reason } of rows) {
    if (reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

function historyState({ history, readPort }: Service): OperatorHistory | null {
  if (history === undefined) return null;
  const { ok, lagSeconds, write, skippedSamples } = history.state();
  const filled = readPort(PAST_FILL)();
  return {
    ok,
    lag_seconds: lagSeconds ?? null,
    mode: write.mode,
    reason: write.reason ?? null,
    waiting_rows: write.queuedRows,
    written_rows: write.writtenRows,
    lost_rows: write.lostRows,
    refused_rows: write.refusedRows,
    skipped_samples: skippedSamples,
    backfill: filled === undefined ? null : { contracts: filled.contracts, done: filled.done },
  };
}
