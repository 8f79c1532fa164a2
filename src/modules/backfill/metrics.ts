import type { MetricRow } from '../../host/metrics/metric-set.ts';
import { HOUR_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { Backfill } from './backfill.ts';

/** Metrics of a back-fill. */
export const backfillMetrics = (backfill: Backfill): readonly MetricRow[] => [
  {
    name: 'perpmeter_backfill_contracts',
    help: 'Contracts of the back-fill by state: all, and those that are whole.',
    labels: ['state'],
    read: (set) => {
      const { contracts, done } = backfill.state();
      set({ state: 'all' }, contracts);
      set({ state: 'done' }, done);
    },
  },
  {
    name: 'perpmeter_backfill_incomplete',
    help: 'Contracts that were asked about and are not whole.',
    labels: ['venue'],
    read: (set) => {
      for (const { venue, contracts } of backfill.state().incomplete)
        if (contracts !== undefined) set({ venue }, contracts);
    },
  },
  {
    name: 'perpmeter_backfill_missing_seconds',
    help: 'Seconds of the past that venues gave nothing of though they answered, over contracts and kinds of values.',
    labels: ['venue'],
    read: (set) => {
      for (const { venue, hours } of backfill.state().missing) set({ venue }, (hours * HOUR_MS) / SECOND_MS);
    },
  },
  {
    name: 'perpmeter_backfill_waiting_venues',
    help: 'Venues that show no contract yet.',
    read: (set) => {
      const { incomplete } = backfill.state();
      set({}, incomplete.filter(({ contracts }) => contracts === undefined).length);
    },
  },
  {
    name: 'perpmeter_backfill_requests_total',
    help: 'Requests of the back-fill.',
    read: (add) => add({}, backfill.state().requests),
  },
  {
    name: 'perpmeter_backfill_points_total',
    help: 'Samples and settlements that were written.',
    read: (add) => add({}, backfill.state().points),
  },
];
