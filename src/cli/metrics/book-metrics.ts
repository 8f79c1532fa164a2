import type { BookReport } from '../../collect/books/book-runner.ts';
import type { Service } from '../../service/options.ts';
import { type MetricSet, onceATurn } from './metric-set.ts';

type ReadReports = () => readonly (readonly [venue: string, report: BookReport])[];
type Counts = Readonly<Record<string, number>>;

/** Order books: how many are in order, what was read, and what broke. */
export function bookMetrics(
  metrics: MetricSet,
  { books, collector }: Pick<Service, 'books' | 'collector'>,
): void {
  const reports: ReadReports = onceATurn(() =>
    Object.entries(collector.stats().venues).flatMap(([venue, stats]) =>
      stats.books === undefined ? [] : [[venue, stats.books] as const],
    ),
  );
  metrics.gauge(
    { name: 'perpmeter_books', help: 'Order books by state.', labels: ['venue', 'state'] },
    (set) => {
      for (const [venue, { contracts, streamed, live, waiting, stream }] of reports()) {
        const no_room = stream?.topicsLeftOut ?? 0;
        for (const [state, count] of Object.entries({ contracts, streamed, live, waiting, no_room })) {
          set({ venue, state }, count);
        }
      }
    },
  );
  const counter = (name: string, help: string, label: string, read: (report: BookReport) => Counts): void =>
    metrics.counter({ name, help, labels: ['venue', label] }, (add) => {
      for (const [venue, report] of reports()) {
        for (const [value, count] of Object.entries(read(report))) add({ venue, [label]: value }, count);
      }
    });
  counter('perpmeter_book_messages_total', 'Book messages by how they were read.', 'read', (report) => {
    const { scanned, decoded, unfollowed } = report;
    return { scanned, decoded, unfollowed };
  });
  counter(
    'perpmeter_book_breaks_total',
    'Books that were resynchronised, by fault.',
    'fault',
    ({ breaks }) => breaks,
  );
  counter('perpmeter_book_comparisons_total', 'Streamed books held against REST.', 'result', (report) => {
    const { same, different, undecided } = report;
    return { same, different, undecided };
  });
  counter('perpmeter_book_repairs_total', 'Means by which breaks were mended.', 'means', (report) => {
    const { resubscribed, initialRequested } = report;
    return { resubscribed, seeded: initialRequested };
  });
  counter('perpmeter_book_fetches_total', 'Whole books asked for over REST.', 'result', (report) => {
    const { fetched, fetchFailures } = report;
    return { ok: fetched, failed: fetchFailures };
  });
  metrics.gauge({ name: 'perpmeter_book_bytes', help: 'Memory of order-book levels.' }, (set) =>
    set({}, books.memory().bytes),
  );
  metrics.gauge({ name: 'perpmeter_book_levels', help: 'Levels of all books.' }, (set) =>
    set({}, books.memory().levels),
  );
}
