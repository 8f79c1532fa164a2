import type { MetricRow } from '../../host/metrics/metric-set.ts';
import type { StreamCounts } from './row-stream.ts';

/** Readers of the streams that this service offers. */
export function readerMetrics(streams: Readonly<Record<string, StreamCounts>>): readonly MetricRow[] {
  const row = (name: string, help: string, read: (counts: StreamCounts) => number): MetricRow => ({
    name,
    help,
    labels: ['stream'],
    read: (write) => {
      for (const [stream, counts] of Object.entries(streams)) write({ stream }, read(counts));
    },
  });
  return [
    row('perpmeter_reader_streams', 'Readers of a stream of rows.', ({ readers }) => readers),
    row('perpmeter_reader_streams_opened_total', 'Streams of rows that were opened.', ({ opened }) => opened),
    row('perpmeter_reader_streams_refused_total', 'Readers that were turned away.', ({ refused }) => refused),
    row(
      'perpmeter_reader_streams_conflated_total',
      'Times that a slow reader got several changes as one, or all rows again.',
      ({ conflated }) => conflated,
    ),
  ];
}
