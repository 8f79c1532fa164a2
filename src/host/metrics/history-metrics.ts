import type { Backfill } from '../../history/backfill/backfill.ts';
import type { History } from '../../history/history.ts';
import { HOUR_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { Service } from '../options.ts';
import type { MetricSet } from './metric-set.ts';

/** The store of the past and its back-fill, where there is one. */
export function historyMetrics(
  metrics: MetricSet,
  { history, backfill }: Pick<Service, 'history' | 'backfill'>,
): void {
  if (history !== undefined) storeMetrics(metrics, history);
  if (backfill !== undefined) backfillMetrics(metrics, backfill);
}

function storeMetrics(metrics: MetricSet, history: History): void {
  metrics.gauge({ name: 'perpmeter_history_writing', help: '2 writing, 1 lagging, 0 read-only.' }, (set) =>
    set({}, { writing: 2, lagging: 1, read_only: 0 }[history.state().write.mode]),
  );
  metrics.gauge(
    {
      name: 'perpmeter_history_writer',
      help: 'Whether this process writes the history: 1, or 0 of a reader or stand-by.',
    },
    (set) => set({}, Number(history.state().part === 'writer')),
  );
  metrics.gauge(
    {
      name: 'perpmeter_history_lag_seconds',
      help: 'Age of the newest stored sample; no value before the first.',
    },
    (set) => {
      const { lagSeconds } = history.state();
      if (lagSeconds !== undefined) set({}, lagSeconds);
    },
  );
  metrics.gauge(
    { name: 'perpmeter_history_waiting_rows', help: 'Rows that wait in memory to be written.' },
    (set) => set({}, history.state().write.queuedRows),
  );
  metrics.counter(
    {
      name: 'perpmeter_history_skipped_samples_total',
      help: 'Minutes that were not sampled, because the machine was too slow.',
    },
    (add) => add({}, history.state().skippedSamples),
  );
  metrics.counter(
    {
      name: 'perpmeter_history_rows_total',
      help: 'Rows by fate: written; lost, because no more could wait; refused by the store.',
      labels: ['fate'],
    },
    (add) => {
      const { writtenRows, lostRows, refusedRows } = history.state().write;
      add({ fate: 'written' }, writtenRows);
      add({ fate: 'lost' }, lostRows);
      add({ fate: 'refused' }, refusedRows);
    },
  );
}

function backfillMetrics(metrics: MetricSet, backfill: Backfill): void {
  metrics.gauge(
    {
      name: 'perpmeter_backfill_contracts',
      help: 'Contracts of the back-fill by state: all, and those that are whole.',
      labels: ['state'],
    },
    (set) => {
      const { contracts, done } = backfill.state();
      set({ state: 'all' }, contracts);
      set({ state: 'done' }, done);
    },
  );
  metrics.gauge(
    {
      name: 'perpmeter_backfill_incomplete',
      help: 'Contracts that were asked about and are not whole.',
      labels: ['venue'],
    },
    (set) => {
      for (const { venue, contracts } of backfill.state().incomplete)
        if (contracts !== undefined) set({ venue }, contracts);
    },
  );
  metrics.gauge(
    {
      name: 'perpmeter_backfill_missing_seconds',
      help: 'Seconds of the past that venues gave nothing of though they answered, over contracts and kinds of values.',
      labels: ['venue'],
    },
    (set) => {
      for (const { venue, hours } of backfill.state().missing) set({ venue }, (hours * HOUR_MS) / SECOND_MS);
    },
  );
  metrics.gauge(
    { name: 'perpmeter_backfill_waiting_venues', help: 'Venues that show no contract yet.' },
    (set) => {
      const { incomplete } = backfill.state();
      set({}, incomplete.filter(({ contracts }) => contracts === undefined).length);
    },
  );
  metrics.counter({ name: 'perpmeter_backfill_requests_total', help: 'Requests of the back-fill.' }, (add) =>
    add({}, backfill.state().requests),
  );
  metrics.counter(
    { name: 'perpmeter_backfill_points_total', help: 'Samples and settlements that were written.' },
    (add) => add({}, backfill.state().points),
  );
}
