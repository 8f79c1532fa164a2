import type { MetricRow } from '../../host/metrics/metric-set.ts';
import type { MarketView } from '../../market/view.ts';
import type { Audit } from './audit.ts';
import type { Incidents } from './incidents/incidents.ts';

interface Sources {
  readonly incidents: Pick<Incidents, 'counts'>;
  readonly rules: Pick<Audit, 'suspects'>;
  readonly view: Pick<MarketView, 'venues'>;
}

/** Faults found by rules and comparisons. */
export const auditMetrics = ({ incidents, rules, view }: Sources): readonly MetricRow[] => [
  {
    name: 'perpmeter_incidents_total',
    help: 'Incidents of data quality that were opened.',
    labels: ['rule'],
    read: (add) => {
      for (const [rule, count] of incidents.counts().opened) add({ rule }, count);
    },
  },
  {
    name: 'perpmeter_incidents_open',
    help: 'Incidents of data quality that last.',
    read: (set) => set({}, incidents.counts().open),
  },
  {
    name: 'perpmeter_incidents_folded_total',
    help: 'Findings that an incident of the whole venue stands for.',
    read: (add) => add({}, incidents.counts().folded),
  },
  {
    name: 'perpmeter_suspect_rows',
    help: 'Contracts that break a rule of data quality.',
    labels: ['venue'],
    read: (set) => {
      for (const { info } of view.venues()) set({ venue: info.id }, rules.suspects(info.id));
    },
  },
];
