import type { BookReport } from '../../collect/books/book-runner.ts';
import type { Service } from '../options.ts';
import { type MetricSet, onceATurn } from './metric-set.ts';

type ReadReports = () => readonly (readonly [venue: string, report: BookReport])[];
type Counts = Readonly<Record<string, number>>;

/** A counter of book work, by the values of one label. */
interface BookCounter {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly read: (report: BookReport) => Counts;
}

const COUNTERS: readonly BookCounter[] = [
  {
    name: 'perpmeter_book_messages_total',
    help: 'Book messages by how they were read.',
    label: 'read',
    read: ({ scanned, decoded, unfollowed }) => ({ scanned, decoded, unfollowed }),
  },
  {
    name: 'perpmeter_book_breaks_total',
    help: 'Books that were resynchronised, by fault.',
    label: 'fault',
    read: ({ breaks }) => breaks,
  },
  {
    name: 'perpmeter_book_comparisons_total',
    help: 'Streamed books held against REST.',
    label: 'result',
    read: ({ same, different, undecided }) => ({ same, different, undecided }),
  },
  {
    name: 'perpmeter_book_repairs_total',
    help: 'Means by which breaks were mended.',
    label: 'means',
    read: ({ resubscribed, initialRequested }) => ({ resubscribed, seeded: initialRequested }),
  },
  {
    name: 'perpmeter_book_fetches_total',
    help: 'Snapshots asked for over REST.',
    label: 'result',
    read: ({ fetched, fetchFailures }) => ({ ok: fetched, failed: fetchFailures }),
  },
];

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
  for (const { name, help, label, read } of COUNTERS)
    metrics.counter({ name, help, labels: ['venue', label] }, (add) => {
      for (const [venue, report] of reports())
        for (const [value, count] of Object.entries(read(report))) add({ venue, [label]: value }, count);
    });
  metrics.gauge({ name: 'perpmeter_book_bytes', help: 'Memory of order-book levels.' }, (set) =>
    set({}, books.memory().bytes),
  );
  metrics.gauge({ name: 'perpmeter_book_levels', help: 'Levels of all books.' }, (set) =>
    set({}, books.memory().levels),
  );
}
