import type { MetricRow } from '../../host/metrics/metric-set.ts';
import type { CandleFill } from './candles/candle-fill.ts';
import type { HourSampler } from './hour-sampler.ts';

/** Metrics by which an operator sees whether the past of spot is kept. */
export function spotHistoryMetrics(
  sampler: Pick<HourSampler, 'counts'>,
  candles: Pick<CandleFill, 'counts'> | undefined,
): readonly MetricRow[] {
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
    ...(candles === undefined ? [] : candleMetrics(candles)),
  ];
}

/** Metrics of the back-fill from candles. */
const candleMetrics = (candles: Pick<CandleFill, 'counts'>): readonly MetricRow[] => [
  {
    name: 'perpmeter_spot_candle_calls_total',
    help: 'Calls for candles of spot markets, by what came of them',
    labels: ['outcome'],
    read: (add) => {
      const { requests, failures } = candles.counts;
      add({ outcome: 'read' }, requests - failures);
      add({ outcome: 'failed' }, failures);
    },
  },
  {
    name: 'perpmeter_spot_candles_total',
    help: 'Candles of hours that were not seen, by what became of them',
    labels: ['outcome'],
    read: (add) => {
      const { kept, leftOut } = candles.counts;
      add({ outcome: 'kept' }, kept);
      add({ outcome: 'left_out' }, leftOut);
    },
  },
];
