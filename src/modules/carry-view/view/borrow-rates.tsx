import type { JSX } from 'preact';
import type { SpotBorrowAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import { ages, plain } from '../../../../web/parts/columns.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { Unknown } from '../../../../web/parts/unknown.tsx';
import { rounded, usd } from '../../../../web/text/number.ts';
import { SpotShown } from './spot-shown.tsx';

type Rate = SpotBorrowAnswer['venues'][number];

const HOURS_A_YEAR = 8760;
const EVERY_MS = 60_000;

/** A mean of hourly samples, percent a year; below it how many hours it is of. */
const mean = (id: 'mean_24h_hourly' | 'mean_7d_hourly', title: string, hours: number): Column<Rate> => {
  const samples = hours === 24 ? 'samples_24h' : 'samples_7d';
  const yearly = (row: Rate): number | null => {
    const hourly = row[id];
    return hourly === null ? null : hourly * HOURS_A_YEAR * 100;
  };
  return {
    id,
    title,
    unit: '% a year',
    numeric: true,
    about: `Of the samples of ${hours} hours, the first of each`,
    value: yearly,
    show: (row) => (
      <>
        {rounded(yearly(row))} {row[samples] < hours && <small>{row[samples]} h</small>}
      </>
    ),
  };
};

const COLUMNS: readonly Column<Rate>[] = [
  plain('venue', 'Venue'),
  {
    id: 'borrow_apr_pct',
    title: 'Now',
    unit: '% a year',
    numeric: true,
    about: 'Cost of borrowing the coin, of the lowest tier; else why it is not known',
    value: (row) => row.borrow_apr_pct,
    show: (row) => (row.borrow_apr_pct === null ? <Unknown why={row.reason} /> : rounded(row.borrow_apr_pct)),
  },
  mean('mean_24h_hourly', 'Mean of a day', 24),
  mean('mean_7d_hourly', 'Mean of a week', 168),
  {
    id: 'limit',
    title: 'An account may borrow',
    unit: 'coins',
    numeric: true,
    value: ({ limit }) => limit,
    show: ({ limit }) => rounded(limit),
  },
  {
    id: 'limit_usd',
    title: 'The same',
    unit: 'USD',
    numeric: true,
    value: (row) => row.limit_usd,
    show: (row) => usd(row.limit_usd),
  },
  {
    id: 'available',
    title: 'Left to lend',
    unit: 'coins',
    numeric: true,
    about: 'Coins that the venue can still lend; unknown where it does not say',
    value: ({ available }) => available,
    show: ({ available }) => rounded(available),
  },
  plain('tier', 'Tier'),
  ages('received_at', 'Age'),
];

/** The cost of borrowing a coin, by venue. */
export function BorrowRates({ ticker, query }: { ticker: string; query: string }): JSX.Element {
  const path = `/v1/spot/borrow?${query}`;
  return (
    <Part title="Borrow rates">
      <SpotShown answer={useAnswer<SpotBorrowAnswer>(path, EVERY_MS)} what={`the borrow rates of ${ticker}`}>
        {({ venues, note }) => (
          <>
            <Listing
              name={`${ticker}-borrow`}
              id="borrow"
              caption={`Borrow rates of ${ticker}`}
              columns={COLUMNS}
              rows={venues}
              keyOf={({ venue }) => venue}
              first="borrow_apr_pct"
              paths={[path]}
            />
            <p class="fine">{note}</p>
          </>
        )}
      </SpotShown>
    </Part>
  );
}
