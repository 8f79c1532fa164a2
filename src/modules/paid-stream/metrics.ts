import type { MetricRow } from '../../host/metrics/metric-set.ts';
import type { StreamHall } from './hall.ts';

/** Paid streams that this process serves, and what was used of what was paid. */
export function paidStreamMetrics(
  hall: Pick<StreamHall, 'size' | 'readers' | 'counts'>,
): readonly MetricRow[] {
  const row = (name: string, help: string, read: () => number): MetricRow => ({
    name: `perpmeter_paid_stream${name}`,
    help,
    read: (write) => write({}, read()),
  });
  const { counts } = hall;
  return [
    row('s', 'Paid streams that have readers here.', () => hall.size),
    row('_readers', 'Readers of paid streams.', () => hall.readers),
    row('_readers_opened_total', 'Readers that were taken.', () => counts.opened),
    row('_readers_refused_total', 'Readers that were turned away.', () => counts.refused),
    row(
      '_readers_cut_total',
      'Readers that were cut off, for they did not take what waited.',
      () => counts.cut,
    ),
    row(
      '_conflated_total',
      'Times that a reader got several changes as one, or all rows again.',
      () => counts.conflated,
    ),
    row('_begun_total', 'Paid minutes of the minutes that have begun.', () => counts.begun),
    row(
      '_credited_total',
      'Paid minutes that were given back, as far as readers were told.',
      () => counts.credited,
    ),
    row('_faults_total', 'Writes and events that failed, and are made again.', () => counts.failures),
  ];
}
