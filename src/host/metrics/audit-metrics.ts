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
}
