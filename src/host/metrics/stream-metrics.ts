import type { DecodeStats } from '../../collect/decode-pipeline.ts';
import type { StreamReport } from '../../collect/stream.ts';
import { systemClock } from '../../domain/clock.ts';
import type { Service } from '../options.ts';
import { type MetricSet, onceATurn } from './metric-set.ts';

interface StreamRow {
  readonly venue: string;
  readonly stream: string;
  readonly report: StreamReport;
}

interface DecodeRow {
  readonly venue: string;
  readonly source: string;
  readonly stats: DecodeStats;
}

/** Streams of quotes and of books, and what is decoded from everything that comes. */
export function streamMetrics(metrics: MetricSet, { collector }: Pick<Service, 'collector'>): void {
  const venues = onceATurn(() => Object.entries(collector.stats().venues));
  const streams = onceATurn(() =>
    venues().flatMap(([venue, { streams: own, books }]): readonly StreamRow[] => [
      ...Object.entries(own).map(([stream, report]) => ({ venue, stream, report })),
      ...(books?.stream === undefined ? [] : [{ venue, stream: 'stream books', report: books.stream }]),
    ]),
  );
  connectionMetrics(metrics, streams);
  trafficMetrics(metrics, streams);
  const decoded = onceATurn(() =>
    venues().flatMap(([venue, { polls, streams: own, books }]): readonly DecodeRow[] => [
      ...Object.values(polls).map((stats) => ({ venue, source: 'poll', stats })),
      ...Object.values(own).map((stats) => ({ venue, source: 'stream', stats })),
      ...(books?.stream === undefined ? [] : [{ venue, source: 'book stream', stats: books.stream }]),
      ...(books === undefined ? [] : [{ venue, source: 'book request', stats: books.rest }]),
    ]),
  );
  decodeMetrics(metrics, decoded);
}

function connectionMetrics(metrics: MetricSet, streams: () => readonly StreamRow[]): void {
  const gauge = (name: string, help: string, read: (of: StreamReport) => number | undefined): void =>
    metrics.gauge({ name, help, labels: ['venue', 'stream'] }, (set) => {
      for (const { venue, stream, report } of streams()) {
        const value = read(report);
        if (value !== undefined) set({ venue, stream }, value);
      }
    });
  gauge(
    'perpmeter_stream_connections',
    'Connections that there should be.',
    ({ connections }) => connections,
  );
  gauge('perpmeter_stream_open_connections', 'Connections that are open.', ({ open }) => open);
  gauge('perpmeter_stream_topics', 'Topics that are followed.', ({ topics }) => topics);
  gauge(
    'perpmeter_stream_left_out_topics',
    'Topics that no connection has room for.',
    ({ topicsLeftOut }) => topicsLeftOut,
  );
  gauge(
    'perpmeter_stream_data_age_seconds',
    'Age of the last frame with data; no value before the first.',
    ({ lastDataAt }) =>
      lastDataAt === undefined ? undefined : Math.max(0, systemClock.now() - lastDataAt) / 1000,
  );
}

function trafficMetrics(metrics: MetricSet, streams: () => readonly StreamRow[]): void {
  const counter = (name: string, help: string, read: (of: StreamReport) => number): void =>
    metrics.counter({ name, help, labels: ['venue', 'stream'] }, (add) => {
      for (const { venue, stream, report } of streams()) add({ venue, stream }, read(report));
    });
  counter('perpmeter_stream_connects_total', 'Connections that were opened.', ({ connects }) => connects);
  counter('perpmeter_stream_frames_total', 'Frames that came.', ({ frames }) => frames);
  counter('perpmeter_stream_received_bytes_total', 'Bytes before unpacking.', ({ bytes }) => bytes);
  counter('perpmeter_stream_sent_frames_total', 'Frames that were sent.', ({ sent }) => sent);
  counter(
    'perpmeter_stream_unreadable_frames_total',
    'Frames that could not be read.',
    ({ unreadable }) => unreadable,
  );
  counter(
    'perpmeter_stream_faults_total',
    'Frames or subscriptions on which the decoder or the table failed.',
    ({ faults }) => faults,
  );
  metrics.counter(
    {
      name: 'perpmeter_stream_disconnects_total',
      help: 'Connections that ended or could not be opened.',
      labels: ['venue', 'stream'],
    },
    (add) => {
      for (const { venue, stream, report } of streams()) {
        add(
          { venue, stream },
          Object.values(report.reconnects).reduce((sum, count) => sum + count, 0),
        );
      }
    },
  );
}

function decodeMetrics(metrics: MetricSet, rows: () => readonly DecodeRow[]): void {
  const counter = (name: string, help: string, read: (of: DecodeStats) => number): void =>
    metrics.counter({ name, help, labels: ['venue', 'source'] }, (add) => {
      for (const { venue, source, stats } of rows()) add({ venue, source }, read(stats));
    });
  counter('perpmeter_decode_seconds_total', 'CPU time of decoding.', ({ decodeMs }) => decodeMs / 1000);
  counter('perpmeter_decoded_quotes_total', 'Quotes that were decoded.', ({ quotes }) => quotes);
  counter(
    'perpmeter_unreadable_payloads_total',
    'Payloads without one readable row.',
    ({ unreadable }) => unreadable,
  );
}
