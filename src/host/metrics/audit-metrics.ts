import type { SecondReading } from '../../audit/second-reading.ts';
import type { Service } from '../options.ts';
import type { MetricSet } from './metric-set.ts';

/** Faults found by rules and comparisons. */
export function auditMetrics(metrics: MetricSet, { audit, market }: Pick<Service, 'audit' | 'market'>): void {
  const { incidents, rules } = audit;
  metrics.counter(
    {
      name: 'perpmeter_incidents_total',
      help: 'Incidents of data quality that were opened.',
      labels: ['rule'],
    },
    (add) => {
      for (const [rule, count] of incidents.counts().opened) add({ rule }, count);
    },
  );
  metrics.gauge({ name: 'perpmeter_incidents_open', help: 'Incidents of data quality that last.' }, (set) =>
    set({}, incidents.counts().open),
  );
  metrics.counter(
    {
      name: 'perpmeter_incidents_folded_total',
      help: 'Findings that an incident of the whole venue stands for.',
    },
    (add) => add({}, incidents.counts().folded),
  );
  metrics.gauge(
    {
      name: 'perpmeter_suspect_rows',
      help: 'Contracts that break a rule of data quality.',
      labels: ['venue'],
    },
    (set) => {
      for (const { info } of market.view.venues()) set({ venue: info.id }, rules.suspects(info.id));
    },
  );
  secondReaderMetrics(metrics, audit.secondReading);
}

/** Requests and findings of the second reader. */
function secondReaderMetrics(metrics: MetricSet, reading: SecondReading): void {
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
