import type { History } from '../../history/history.ts';
import type { Service } from '../options.ts';
import type { MetricSet } from './metric-set.ts';

/** The store of the past, where there is one. */
export function historyMetrics(metrics: MetricSet, { history }: Pick<Service, 'history'>): void {
  if (history !== undefined) storeMetrics(metrics, history);
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
