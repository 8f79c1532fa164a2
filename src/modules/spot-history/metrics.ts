import type { MetricRow } from '../../host/metrics/metric-set.ts';
import type { HourSampler } from './hour-sampler.ts';

/** Metrics by which an operator sees whether the past of spot is kept. */
export function spotHistoryMetrics(sampler: Pick<HourSampler, 'counts'>): readonly MetricRow[] {
  return [
    {
      name: 'perpmeter_spot_samples_total',
      help: 'Samples of spot markets that were taken',
      read: (add) => add({}, sampler.counts.samples),
    },
    {
      name: 'perpmeter_spot_write_failures_total',
      help: 'Writes of spot hours that the disk did not take',
      read: (add) => add({}, sampler.counts.failures),
    },
  ];
}
