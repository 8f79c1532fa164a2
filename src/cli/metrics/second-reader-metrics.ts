import type { SecondReading } from '../../audit/second-reading.ts';
import type { MetricSet } from './metric-set.ts';

/** What the second reader asked and found. */
export function secondReaderMetrics(metrics: MetricSet, reading: SecondReading): void {
  metrics.counter(
    {
      name: 'perpmeter_second_reader_requests_total',
      help: 'Requests of the second reader by outcome.',
      labels: ['outcome'],
    },
    (add) => {
      const { requests, failures } = reading.state;
      add({ outcome: 'answered' }, requests - failures);
      add({ outcome: 'failed' }, failures);
    },
  );
  metrics.counter(
    {
      name: 'perpmeter_second_reader_comparisons_total',
      help: 'Values compared with a second reading or a payment, by verdict; lost: agreed or not, and not kept in history.',
      labels: ['verdict'],
    },
    (add) => {
      const { compared, disagreed, lost } = reading.state;
      add({ verdict: 'agreed' }, compared - disagreed);
      add({ verdict: 'disagreed' }, disagreed);
      add({ verdict: 'lost' }, lost);
    },
  );
}
