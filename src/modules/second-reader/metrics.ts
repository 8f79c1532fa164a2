import type { MetricRow } from '../../host/metrics/metric-set.ts';
import type { SecondReading } from './second-reading.ts';

/** Requests and findings of the second reader. */
export const secondReaderMetrics = (reading: Pick<SecondReading, 'state'>): readonly MetricRow[] => [
  {
    name: 'perpmeter_second_reader_requests_total',
    help: 'Requests of the second reader by outcome.',
    labels: ['outcome'],
    read: (add) => {
      const { requests, failures } = reading.state;
      add({ outcome: 'answered' }, requests - failures);
      add({ outcome: 'failed' }, failures);
    },
  },
  {
    name: 'perpmeter_second_reader_comparisons_total',
    help: 'Values compared with a second reading or a payment, by verdict; lost: agreed or not, and not kept in history.',
    labels: ['verdict'],
    read: (add) => {
      const { compared, disagreed, lost } = reading.state;
      add({ verdict: 'agreed' }, compared - disagreed);
      add({ verdict: 'disagreed' }, disagreed);
      add({ verdict: 'lost' }, lost);
    },
  },
];
