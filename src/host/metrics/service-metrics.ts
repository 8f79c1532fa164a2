import { type StatsFs, statfsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics } from 'prom-client';
import type { RequestTally } from '../../api/http/request-tally.ts';
import type { Service } from '../options.ts';
import { VERSION } from '../version.ts';
import { bookMetrics } from './book-metrics.ts';
import { feedMetrics } from './feed-metrics.ts';
import { historyMetrics } from './history-metrics.ts';
import { identityMetrics } from './identity-metrics.ts';
import { MetricSet } from './metric-set.ts';
import { paymentMetrics } from './payment-metrics.ts';
import { streamMetrics } from './stream-metrics.ts';
import { tapeMetrics } from './tape-metrics.ts';
import { venueMetrics } from './venue-metrics.ts';

/** Gauges of prom-client under names of counters, which Prometheus' own check refuses; others say the same by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** All metrics of a service. */
export function metricsOf(service: Service): MetricSet {
  const metrics = new MetricSet();
  collectDefaultMetrics({ register: metrics.registry });
  for (const name of MISNAMED) metrics.registry.removeSingleMetric(name);
  processMetrics(metrics, service);
  httpMetrics(metrics, service);
  paymentMetrics(metrics, service);
  venueMetrics(metrics, service);
  streamMetrics(metrics, service);
  bookMetrics(metrics, service);
  historyMetrics(metrics, service);
  tapeMetrics(metrics, service);
  feedMetrics(metrics, service);
  identityMetrics(metrics, service.identities);
  metrics.add(service.moduleMetrics);
  return metrics;
}

function processMetrics(metrics: MetricSet, { load, folders }: Service): void {
  metrics.gauge(
    { name: 'perpmeter_build_info', help: 'Always 1, with what runs.', labels: ['version', 'node'] },
    (set) => set({ version: VERSION, node: process.version }, 1),
  );
  metrics.gauge(
    {
      name: 'perpmeter_event_loop_lag_seconds',
      help: 'The longest that the event loop was late within the last twenty seconds.',
    },
    (set) => set({}, load.state().lagSeconds),
  );
  metrics.gauge(
    {
      name: 'perpmeter_overload_level',
      help: 'Kinds of work given up because the machine is too slow: 0 none, 1 back-fill, 2 books that nobody reads, 3 books in rotation, 4 samples of every minute.',
    },
    (set) => set({}, load.state().level),
  );
  metrics.counter(
    { name: 'perpmeter_event_loop_active_seconds_total', help: 'Time that the event loop was not idle.' },
    (add) => add({}, performance.eventLoopUtilization().active / 1000),
  );
  const disk = (read: (of: { bavail: number; blocks: number; bsize: number }) => number) => {
    return (set: (labels: { folder: string }, value: number) => void): void => {
      for (const [folder, path] of folders) {
        const space = spaceOf(path);
        if (space !== undefined) set({ folder }, read(space));
      }
    };
  };
  metrics.gauge(
    { name: 'perpmeter_disk_free_bytes', help: 'Room on the disk of a folder.', labels: ['folder'] },
    disk(({ bavail, bsize }) => bavail * bsize),
  );
  metrics.gauge(
    { name: 'perpmeter_disk_size_bytes', help: 'Size of the disk of a folder.', labels: ['folder'] },
    disk(({ blocks, bsize }) => blocks * bsize),
  );
}

/** A folder that cannot be looked at has no value, rather than none left. */
function spaceOf(path: string): StatsFs | undefined {
  try {
    return statfsSync(path);
  } catch {
    return undefined;
  }
}

function routeMetrics(metrics: MetricSet, { routes }: RequestTally): void {
  metrics.counter(
    {
      name: 'perpmeter_http_requests_total',
      help: 'Answers by route and HTTP status; route none: no route has the path.',
      labels: ['route', 'status'],
    },
    (add) => {
      for (const [route, { statuses }] of routes) {
        for (const [status, count] of statuses) add({ route, status: String(status) }, count);
      }
    },
  );
  metrics.durations(
    {
      name: 'perpmeter_http_request_duration_seconds',
      help: 'From the head of a request to its answer handed to the connection.',
      label: 'route',
    },
    function* () {
      for (const [route, { durations }] of routes) yield [route, durations];
    },
  );
}

function httpMetrics(metrics: MetricSet, { activity, market }: Service): void {
  const { requests } = activity;
  routeMetrics(metrics, requests);
  metrics.counter(
    { name: 'perpmeter_http_broken_requests_total', help: 'Connections that sent what is no request.' },
    (add) => add({}, requests.broken),
  );
  metrics.counter(
    {
      name: 'perpmeter_http_refused_connections_total',
      help: 'Connections beyond the limit in all (total) or of one address (address).',
      labels: ['limit'],
    },
    (add) => {
      for (const [limit, count] of Object.entries(activity.refusedConnections)) add({ limit }, count);
    },
  );
  metrics.gauge({ name: 'perpmeter_http_open_exchanges', help: 'Requests that wait for something.' }, (set) =>
    set({}, activity.open()),
  );
  metrics.gauge({ name: 'perpmeter_kept_answers', help: 'Answers that are kept to be used again.' }, (set) =>
    set({}, activity.kept().answers),
  );
  metrics.gauge({ name: 'perpmeter_kept_answer_bytes', help: 'Memory of the kept answers.' }, (set) =>
    set({}, activity.kept().bytes),
  );
  metrics.gauge({ name: 'perpmeter_rows', help: 'Rows of the live table.' }, (set) =>
    set({}, market.view.size),
  );
}
