import type { Service } from '../../service/options.ts';
import type { MetricSet } from './metric-set.ts';

/** What laws and comparisons have found wrong. */
export function auditMetrics(metrics: MetricSet, { audit, market }: Pick<Service, 'audit' | 'market'>): void {
  const { incidents, laws } = audit;
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
    { name: 'perpmeter_suspect_rows', help: 'Contracts that break a law of the data.', labels: ['venue'] },
    (set) => {
      for (const { info } of market.view.venues()) set({ venue: info.id }, laws.suspects(info.id));
    },
  );
}
