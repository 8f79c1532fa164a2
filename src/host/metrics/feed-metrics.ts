import { type FeedState, MOVE_REASONS } from '../../feed/ports.ts';
import type { Service } from '../options.ts';
import { type MetricSet, onceATurn } from './metric-set.ts';

const GAUGES: readonly (readonly [name: string, help: string, read: (state: FeedState) => number])[] = [
  [
    'up',
    'Whether the server of the feed answers, and decides about leases; 1 where none is needed.',
    ({ ok }) => Number(ok),
  ],
  ['held_venues', 'Venues that this process publishes: it holds their lease.', ({ held }) => held.length],
  [
    'behind_venues',
    'Venues of which this process has not all that is published.',
    ({ behind }) => behind.length,
  ],
  [
    'unreached_venues',
    'Venues that this process gave to another, since it could not reach them, and does not reach yet.',
    ({ unreached }) => unreached.length,
  ],
];

const COUNTERS = [
  ['sent_messages', 'Messages published.', 'sent'],
  ['sent_characters', 'Characters of messages published.', 'sentCharacters'],
  ['taken_messages', 'Messages of lease holders taken in.', 'taken'],
  ['old_messages', 'Messages of former lease holders, or heard before: not taken in.', 'old'],
  ['rejected_messages', 'Messages that cannot be read: not taken in.', 'rejected'],
  ['gaps', 'Times that something was missing and the whole state was asked for.', 'gaps'],
] as const;

/** Traffic between processes that collect and processes that sell. */
export function feedMetrics(metrics: MetricSet, { feed }: Pick<Service, 'feed'>): void {
  const state = onceATurn(() => feed.state());
  for (const [name, help, read] of GAUGES)
    metrics.gauge({ name: `perpmeter_feed_${name}`, help }, (set) => set({}, read(state())));
  for (const [name, help, field] of COUNTERS)
    metrics.counter({ name: `perpmeter_feed_${name}_total`, help }, (add) => add({}, state().counts[field]));
  const name = 'perpmeter_feed_given_leases_total';
  const help = 'Leases given to another collector, by the reason.';
  metrics.counter({ name, help, labels: ['reason'] }, (add) => {
    for (const reason of MOVE_REASONS) add({ reason }, state().counts.given[reason]);
  });
  metrics.durations(
    {
      name: 'perpmeter_feed_lag_seconds',
      help: 'From when a collector received the oldest change of a message to when it was in the table here, by the clocks of both.',
      label: 'kind',
    },
    () => [[state().kind, state().counts.lag]],
  );
}
