import type { CallStats } from '../../collect/call-stats.ts';
import type { CollectorStats } from '../../collect/collector.ts';
import type { VenueHealth } from '../../collect/ports.ts';
import type { VenueStats } from '../../collect/venue-runner.ts';
import { systemClock } from '../../domain/clock.ts';
import type { TrackedVenue } from '../../market/view.ts';
import type { Service } from '../options.ts';
import { type MetricSet, onceATurn } from './metric-set.ts';

type Collecting = Pick<Service, 'collector' | 'health' | 'market'>;
type ReadStats = () => CollectorStats;

/** Venues, the calls that are made to them, and the budgets these are made within. */
export function venueMetrics(metrics: MetricSet, service: Collecting): void {
  const stats = onceATurn(() => service.collector.stats());
  healthMetrics(metrics, service);
  contractMetrics(metrics, service);
  callMetrics(metrics, stats);
  failureMetrics(metrics, stats);
  pollMetrics(metrics, stats);
  budgetMetrics(metrics, stats);
}

const STATUS_VALUE = { live: 2, stale: 1, down: 0 } as const;

function healthMetrics(metrics: MetricSet, { health }: Collecting): void {
  const gauge = (name: string, help: string, read: (of: VenueHealth) => number | undefined): void =>
    metrics.gauge({ name, help, labels: ['venue'] }, (set) => {
      for (const of of health.all()) {
        const value = read(of);
        if (value !== undefined) set({ venue: of.venue }, value);
      }
    });
  gauge('perpmeter_venue_status', '2 live, 1 stale, 0 down.', ({ status }) => STATUS_VALUE[status]);
  gauge('perpmeter_venue_status_age_seconds', 'Since when it has this status.', ({ since }) => ageOf(since));
  gauge(
    'perpmeter_venue_data_age_seconds',
    'Age of the newest data; no value before the first.',
    ({ lastUpdateAt }) => (lastUpdateAt === undefined ? undefined : ageOf(lastUpdateAt)),
  );
  gauge(
    'perpmeter_venue_error_ratio',
    'Failed requests over all requests of the last five minutes; no value without a request.',
    ({ errorRate5m }) => errorRate5m,
  );
  metrics.counter(
    { name: 'perpmeter_venue_rejects_total', help: 'Rows left out by reason.', labels: ['venue', 'reason'] },
    (add) => {
      for (const { venue, rejectsByReason } of health.all()) {
        for (const [reason, count] of Object.entries(rejectsByReason)) add({ venue, reason }, count);
      }
    },
  );
}

function contractMetrics(metrics: MetricSet, { market, health }: Omit<Collecting, 'collector'>): void {
  const gauge = (name: string, help: string, read: (of: TrackedVenue) => number): void =>
    metrics.gauge({ name, help, labels: ['venue'] }, (set) => {
      for (const of of market.view.venues()) {
        if (health.of(of.info.id)?.retired !== true) set({ venue: of.info.id }, read(of));
      }
    });
  gauge('perpmeter_venue_contracts', 'Contracts in the live table.', (of) => of.trackedSymbols);
  gauge(
    'perpmeter_venue_fresh_contracts',
    'Contracts whose data is young enough to be sold.',
    (of) => of.freshSymbols,
  );
}

const ageOf = (at: number): number => Math.max(0, systemClock.now() - at) / 1000;

/** All calls of a venue: of its polls, of its discovery and beside them. */
function callsOf({ polls, requests, discovery }: VenueStats): readonly CallStats[] {
  return [...Object.values(polls), requests, ...(discovery === undefined ? [] : [discovery])];
}

function callMetrics(metrics: MetricSet, stats: ReadStats): void {
  const counted = (name: string, help: string, read: (call: CallStats) => number): void =>
    metrics.counter({ name, help, labels: ['venue'] }, (add) => {
      for (const [venue, of] of Object.entries(stats().venues)) {
        add(
          { venue },
          callsOf(of).reduce((sum, call) => sum + read(call), 0),
        );
      }
    });
  counted('perpmeter_venue_requests_total', 'Requests that went out.', ({ requests }) => requests);
  counted('perpmeter_venue_received_bytes_total', 'Bodies as they came over the wire.', ({ bytes }) => bytes);
  counted('perpmeter_venue_weight_total', 'Weight of the requests that went out.', ({ weight }) => weight);
  counted(
    'perpmeter_venue_queue_wait_seconds_total',
    'Time that requests waited for their budget.',
    ({ queueWaitMs }) => queueWaitMs / 1000,
  );
}

function failureMetrics(metrics: MetricSet, stats: ReadStats): void {
  metrics.counter(
    {
      name: 'perpmeter_venue_request_failures_total',
      help: 'Requests without a payload by kind of failure.',
      labels: ['venue', 'failure'],
    },
    (add) => {
      for (const [venue, of] of Object.entries(stats().venues)) {
        for (const { failures } of callsOf(of)) {
          for (const [failure, count] of Object.entries(failures)) add({ venue, failure }, count);
        }
      }
    },
  );
  metrics.gauge(
    { name: 'perpmeter_venue_open_circuits', help: 'Hosts that rest after failures.', labels: ['venue'] },
    (set) => {
      for (const [venue, { circuits }] of Object.entries(stats().venues)) {
        set({ venue }, Object.values(circuits).filter((state) => state !== 'closed').length);
      }
    },
  );
}

function pollMetrics(metrics: MetricSet, stats: ReadStats): void {
  const labels = ['venue', 'poll'] as const;
  metrics.counter(
    {
      name: 'perpmeter_poll_rounds_total',
      help: 'Rounds that ended by result.',
      labels: ['venue', 'poll', 'result'],
    },
    (add) => {
      for (const [venue, { polls }] of Object.entries(stats().venues)) {
        for (const [poll, { rounds, goodRounds }] of Object.entries(polls)) {
          add({ venue, poll, result: 'ok' }, goodRounds);
          add({ venue, poll, result: 'failed' }, Math.max(0, rounds - goodRounds));
        }
      }
    },
  );
  metrics.gauge(
    {
      name: 'perpmeter_poll_round_seconds',
      help: 'Duration of the last round; no value before the first.',
      labels,
    },
    (set) => {
      for (const [venue, { polls }] of Object.entries(stats().venues)) {
        for (const [poll, { lastRoundMs }] of Object.entries(polls)) {
          if (lastRoundMs !== undefined) set({ venue, poll }, lastRoundMs / 1000);
        }
      }
    },
  );
}

type Pool = CollectorStats['budgets'][string]['pools'][string];
type PoolFigure<T> = readonly [name: string, help: string, read: (pool: Pool) => T];

const BUDGET_GAUGES: readonly PoolFigure<number | undefined>[] = [
  ['perpmeter_budget_limit_weight', "The venue's own limit a window.", ({ limit }) => limit],
  ['perpmeter_budget_used_weight', 'Weight in the present window.', ({ used }) => used],
  [
    'perpmeter_budget_reserved_weight',
    'Weight kept for the polls of all contracts.',
    ({ reserved }) => reserved,
  ],
  [
    'perpmeter_budget_reported_weight',
    "The venue's own last count, where it sends one.",
    ({ reported }) => reported,
  ],
  ['perpmeter_budget_waiting_requests', 'Requests that wait for weight.', ({ waiting }) => waiting],
  [
    'perpmeter_budget_pause_seconds',
    'How long nothing is sent yet, because the venue refused.',
    ({ pausedUntil }) =>
      pausedUntil === undefined ? 0 : Math.max(0, pausedUntil - systemClock.now()) / 1000,
  ],
];

const BUDGET_COUNTERS: readonly PoolFigure<number>[] = [
  ['perpmeter_budget_granted_total', 'Requests that were let through.', ({ granted }) => granted],
  ['perpmeter_budget_weight_total', 'Weight that was let through.', ({ weight }) => weight],
  [
    'perpmeter_budget_queue_wait_seconds_total',
    'Time that requests waited.',
    ({ queueWaitMs }) => queueWaitMs / 1000,
  ],
  ['perpmeter_budget_pauses_total', 'Refusals of the venue that made a pause.', ({ pauses }) => pauses],
];

function budgetMetrics(metrics: MetricSet, stats: ReadStats): void {
  const labels = ['budget', 'pool'] as const;
  const each = (read: (pool: Pool) => number | undefined) => {
    return (write: (of: { budget: string; pool: string }, value: number) => void): void => {
      for (const [budget, { pools }] of Object.entries(stats().budgets)) {
        for (const [pool, state] of Object.entries(pools)) {
          const value = read(state);
          if (value !== undefined) write({ budget, pool }, value);
        }
      }
    };
  };
  for (const [name, help, read] of BUDGET_GAUGES) metrics.gauge({ name, help, labels }, each(read));
  for (const [name, help, read] of BUDGET_COUNTERS) metrics.counter({ name, help, labels }, each(read));
}
