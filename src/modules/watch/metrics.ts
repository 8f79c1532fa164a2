import type { MetricRow } from '../../host/metrics/metric-set.ts';
import type { WatchEngine } from './engine.ts';
import type { WatchStream } from './watch-stream.ts';

interface Measured {
  readonly engine: WatchEngine;
  readonly stream: Pick<WatchStream, 'counts'>;
}

/** Watches that this process holds, and what holding them costs. */
export function watchMetrics({ engine, stream }: Measured): readonly MetricRow[] {
  const row = (name: string, help: string, read: () => number): MetricRow => ({
    name,
    help,
    read: (write) => write({}, read()),
  });
  return [
    row('perpmeter_watches', 'Watches that this process holds.', () => engine.size),
    row('perpmeter_watch_questions', 'Questions that they rest on.', () => engine.questions),
    row('perpmeter_watch_looks_total', 'Looks at a question.', () => engine.counts.looks),
    row('perpmeter_watch_firings_total', 'Firings of all kinds.', () => engine.counts.firings),
    row(
      'perpmeter_watch_turns_crowded_total',
      'Turns with more to look at than fits into one.',
      () => engine.counts.crowded,
    ),
    row(
      'perpmeter_watch_faults_total',
      'Looks and writes that failed, and are made again.',
      () => engine.counts.failures,
    ),
    row('perpmeter_watch_readers', 'Open streams of firings.', () => stream.counts.readers),
  ];
}
