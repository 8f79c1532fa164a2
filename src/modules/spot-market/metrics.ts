import type { Clock } from '../../domain/clock.ts';
import type { MetricRow } from '../../host/metrics/metric-set.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import type { SpotBooks } from './books/spot-books.ts';
import type { SpotView } from './market/spot-table.ts';
import type { SpotCollector, SpotCounts } from './spot-collector.ts';

/** Metrics by which an operator sees the spot side of each venue. */
export function spotMetrics(
  { counts }: Pick<SpotCollector, 'counts'>,
  spot: Pick<SpotView, 'venues'>,
  clock: Clock,
): readonly MetricRow[] {
  const counter = (name: string, help: string, label: string, of: keyof SpotCounts): MetricRow => ({
    name,
    help,
    labels: ['venue', label],
    read: (add) => {
      for (const [venue, counted] of counts)
        for (const [key, value] of counted[of]) add({ venue, [label]: key }, value);
    },
  });
  return [
    counter('perpmeter_spot_answers_total', 'Answers of spot calls that were read', 'call', 'answers'),
    counter('perpmeter_spot_failures_total', 'Spot calls that gave no answer', 'call', 'failures'),
    counter('perpmeter_spot_rejects_total', 'Rows of spot answers that were left out', 'reason', 'rejects'),
    {
      name: 'perpmeter_spot_markets',
      help: 'Spot markets in dollars that a venue lists, and those that are offered as an asset',
      labels: ['venue', 'state'],
      read: (set) => {
        for (const { venue, listed, offered } of spot.venues()) {
          set({ venue, state: 'listed' }, listed);
          set({ venue, state: 'offered' }, offered);
        }
      },
    },
    {
      name: 'perpmeter_spot_markets_left_out',
      help: 'Spot markets in dollars that are offered as no asset',
      labels: ['venue', 'reason'],
      read: (set) => {
        for (const { venue, refused } of spot.venues())
          for (const [reason, value] of refused) set({ venue, reason }, value);
      },
    },
    {
      name: 'perpmeter_spot_tickers_age_seconds',
      help: 'Time since the last spot tickers of a venue were received',
      labels: ['venue'],
      read: (set) => {
        for (const { venue, tickersAt } of spot.venues())
          if (tickersAt !== undefined) set({ venue }, (clock.now() - tickersAt) / SECOND_MS);
      },
    },
  ];
}

/** Metrics of the books that readers asked for. */
export function spotBookMetrics(books: Pick<SpotBooks, 'counts' | 'size'>): readonly MetricRow[] {
  return [
    {
      name: 'perpmeter_spot_books_total',
      help: 'Spot books that were asked for, by what came of it',
      labels: ['venue', 'outcome'],
      read: (add) => {
        for (const [venue, { read, failed }] of books.counts) {
          add({ venue, outcome: 'read' }, read);
          add({ venue, outcome: 'failed' }, failed);
        }
      },
    },
    {
      name: 'perpmeter_spot_books',
      help: 'Spot books that are held, since somebody read them within a quarter of an hour',
      read: (set) => set({}, books.size),
    },
  ];
}
