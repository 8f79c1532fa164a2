import { systemClock } from '../../domain/clock.ts';
import type { Service } from '../../host/options.ts';
import { TREND_EVERY_MS, type TrendSource, Trends } from './trends.ts';

type Followed = Pick<Service, 'activity' | 'tally' | 'health' | 'load' | 'history'>;

/** Outcomes of payments that want the operator's attention. */
const BAD = ['unknown', 'failed', 'unavailable'] as const;

/** Follows the metrics of a service from now on, until it is ended. */
export function followTrends(service: Followed): { readonly trends: Trends; readonly end: () => void } {
  const trends = new Trends(trendSources(service));
  trends.take(systemClock.now());
  const timer = setInterval(() => trends.take(systemClock.now()), TREND_EVERY_MS).unref();
  return { trends, end: () => clearInterval(timer) };
}

/** Metrics of a service that are followed over time. */
function trendSources(service: Followed): readonly TrendSource[] {
  return [...trafficOf(service), ...moneyOf(service), ...dataOf(service), ...machineOf(service)];
}

function answers({ activity }: Followed, matches: (status: number) => boolean): number {
  let sum = 0;
  for (const { statuses } of activity.requests.routes.values()) {
    for (const [status, count] of statuses) if (matches(Number(status))) sum += count;
  }
  return sum;
}

const trafficOf = (service: Followed): readonly TrendSource[] => [
  {
    name: 'answers',
    title: 'Answers',
    unit: 'a minute',
    isCount: true,
    read: () => answers(service, () => true),
  },
  {
    name: 'server_errors',
    title: 'Answers with a fault of the service (5xx)',
    unit: 'a minute',
    isCount: true,
    read: () => answers(service, (status) => status >= 500),
  },
];

const moneyOf = ({ tally }: Followed): readonly TrendSource[] => [
  {
    name: 'sales',
    title: 'Sold answers',
    unit: 'a minute',
    isCount: true,
    read: () => tally.outcomes.get('delivered') ?? 0,
  },
  {
    name: 'revenue',
    title: 'Revenue',
    unit: 'USD a minute',
    isCount: true,
    read: () => [...tally.revenue.values()].reduce((sum, usd) => sum + usd, 0),
  },
  {
    name: 'failed_payments',
    title: 'Payments unknown, failed, or without a facilitator',
    unit: 'a minute',
    isCount: true,
    read: () => BAD.reduce((sum, outcome) => sum + (tally.outcomes.get(outcome) ?? 0), 0),
  },
];

const dataOf = ({ health, history }: Followed): readonly TrendSource[] => [
  {
    name: 'venues_not_live',
    title: 'Venues not live',
    unit: 'venues',
    read: () => health.all().filter(({ status }) => status !== 'live').length,
  },
  {
    name: 'history_lag',
    title: 'Age of the newest stored sample',
    unit: 's',
    read: () => history?.state().lagSeconds,
  },
];

const machineOf = ({ load }: Followed): readonly TrendSource[] => [
  {
    name: 'event_loop_lag',
    title: 'Event loop late',
    unit: 's',
    read: () => load.state().lagSeconds,
  },
  { name: 'shed', title: 'Kinds of work given up', unit: 'of 4', read: () => load.state().level },
  {
    name: 'cpu',
    title: 'CPU',
    unit: 's a minute',
    isCount: true,
    read: () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  },
  { name: 'memory', title: 'Resident memory', unit: 'MB', read: () => process.memoryUsage().rss / 2 ** 20 },
];
