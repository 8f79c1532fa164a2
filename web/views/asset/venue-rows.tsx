import type { ComponentChildren, JSX } from 'preact';
import type { PerpSnapshotAnswer } from '../../../packages/client/src/routes.ts';
import type { SnapshotVenue } from '../../data/asset.ts';
import { Part } from '../../parts/part.tsx';
import { Bps, Rate } from '../../parts/rate.tsx';
import { Age } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { WatchLink } from '../../parts/watch-link.tsx';
import { cost, count, percentOf, price, usd } from '../../text/number.ts';
import { countdown, moment, useNow } from '../../text/time.ts';

/** Time to the next settlement; venues that settle all the time have none, others may not say it. */
function Settlement({ row }: { row: SnapshotVenue }): JSX.Element {
  const now = useNow();
  if (row.next_funding_time === null) {
    const reason = row.null_reasons?.next_funding_time ?? 'unknown';
    const text = reason === 'continuous_funding' ? 'continuous' : reason;
    return <span class="unknown">{text.replaceAll('_', ' ')}</span>;
  }
  return (
    <time title={moment(row.next_funding_time)}>{countdown(Date.parse(row.next_funding_time) - now)}</time>
  );
}

type Numbered = {
  [Name in keyof Required<SnapshotVenue>]: SnapshotVenue[Name] extends number | null ? Name : never;
}[keyof SnapshotVenue];

const number = (
  id: Numbered,
  title: string,
  unit: string | undefined,
  show: (value: number | null) => JSX.Element | string,
): Column<SnapshotVenue> => ({
  id,
  title,
  numeric: true,
  ...(unit !== undefined && { unit }),
  value: (row) => row[id],
  show: (row) => show(row[id]),
});

export const VENUE_COLUMNS: readonly Column<SnapshotVenue>[] = [
  {
    id: 'venue',
    title: 'Venue',
    value: ({ venue }) => venue,
    show: ({ venue, venue_symbol }) => <span title={venue_symbol}>{venue}</span>,
  },
  number('rate', 'Rate', '% per interval', (value) => <Rate value={value} />),
  number('funding_interval_hours', 'Interval', 'h', (value) => count(value)),
  number('rate_8h', '8 h', '%', (value) => <Rate value={value} />),
  number('annualized_pct', 'Year', '%', (value) => percentOf(value)),
  {
    id: 'next_funding_time',
    title: 'Next settlement',
    numeric: true,
    value: (row) => row.next_funding_time,
    show: (row) => <Settlement row={row} />,
  },
  number('mark_price', 'Mark', undefined, price),
  number('index_price', 'Index', undefined, price),
  number('basis_bps', 'Basis', 'bps', (value) => <Bps value={value} />),
  number('open_interest', 'Open interest', undefined, usd),
  number('volume_24h', 'Volume 24 h', undefined, usd),
  number('best_bid', 'Bid', undefined, price),
  number('best_ask', 'Ask', undefined, price),
  number('spread_bps', 'Spread', 'bps', cost),
  number('slippage_10k_bps', 'Slippage $10K', 'bps', cost),
  {
    id: 'age',
    title: 'Age',
    numeric: true,
    value: ({ mark_updated_at }) => (mark_updated_at === null ? null : -Date.parse(mark_updated_at)),
    csv: ({ mark_updated_at }) => mark_updated_at,
    show: ({ mark_updated_at }) => <Age at={mark_updated_at} />,
  },
];

/** Leads from a row to a watch of its rate. */
const watchColumn = ({ canonical_id, ticker }: PerpSnapshotAnswer): Column<SnapshotVenue> => ({
  id: 'watch',
  title: 'Watch',
  about: 'An alert when its rate passes a level',
  isControl: true,
  value: () => null,
  show: ({ venue, rate_8h }) => (
    <WatchLink
      kind="funding"
      ticker={canonical_id}
      venue={venue}
      now={rate_8h}
      what={`funding of ${ticker} on ${venue}`}
    />
  ),
});

interface VenueRowsProps {
  readonly snapshot: PerpSnapshotAnswer;
  /** Stands below the table, and is passed over with it. */
  readonly children: ComponentChildren;
}

/** One asset on each of its venues. */
export function VenueRows({ snapshot, children }: VenueRowsProps): JSX.Element {
  return (
    <Part title="Venues">
      <Table
        id="venues"
        caption={`${snapshot.ticker} on each venue`}
        columns={[...VENUE_COLUMNS.slice(0, 1), watchColumn(snapshot), ...VENUE_COLUMNS.slice(1)]}
        rows={snapshot.venues}
        keyOf={({ venue }) => venue}
        first="-open_interest"
      />
      <p class="fine">{snapshot.note}</p>
      {children}
    </Part>
  );
}
