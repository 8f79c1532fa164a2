import type { JSX } from 'preact';
import type { OrderbookMultiVenueSlippageAnswer } from '../../../packages/client/src/routes.ts';
import { useAnswers } from '../../data/answers.ts';
import type { SizedBook } from '../../data/asset.ts';
import { Part } from '../../parts/part.tsx';
import { Age, Shown } from '../../parts/states.tsx';
import { type Column, csvOf, Table } from '../../parts/table.tsx';
import { Tools } from '../../parts/tools.tsx';
import { cost, usd } from '../../text/number.ts';
import { DepthPlot } from './depth-plot.tsx';

const SIZES = [1000, 5000, 10_000] as const;
/** The books themselves are asked for with one of the sizes. */
const LADDER_SIZE = 10_000;
const EVERY_MS = 5000;

interface VenueCosts {
  readonly venue: string;
  /** By the place of its size. */
  readonly slippages: readonly (number | null)[];
  readonly allIn: readonly (number | null)[];
  readonly quote: SizedBook;
}

function costsOf(answers: readonly OrderbookMultiVenueSlippageAnswer[]): readonly VenueCosts[] {
  const venues = new Set(answers.flatMap(({ venues: quotes }) => quotes.map(({ venue }) => venue)));
  return [...venues].flatMap((venue) => {
    const quotes = SIZES.map((size) =>
      answers.find(({ size_usd }) => size_usd === size)?.venues.find((answer) => answer.venue === venue),
    );
    const quote = quotes.find((quote) => quote !== undefined);
    if (quote === undefined) return [];
    return [
      {
        venue,
        quote,
        slippages: quotes.map((quote) => quote?.slippage_bps ?? null),
        allIn: quotes.map((quote) => quote?.all_in_bps ?? null),
      },
    ];
  });
}

/** The visible depth beside the deepest of all. */
function Depth({ value, most }: { value: number | null; most: number }): JSX.Element {
  return (
    <span class="depth">
      <meter min={0} max={most} value={value ?? 0} aria-hidden="true" />
      {usd(value)}
    </span>
  );
}

const SLIPPAGE_COLUMNS = SIZES.map(
  (size, at): Column<VenueCosts> => ({
    id: `slippage_${size}`,
    title: `Slippage $${size / 1000}K`,
    unit: 'bps',
    about:
      'Fill price over the mid, the worse of buying and selling; unknown where the book does not fill it',
    numeric: true,
    value: ({ slippages }) => slippages[at],
    show: ({ slippages }) => cost(slippages[at]),
  }),
);

function depthColumn(side: 'bid' | 'ask', most: number): Column<VenueCosts> {
  const depthOf = ({ quote }: VenueCosts): number | null => quote[`${side}_depth_usd`];
  return {
    id: `${side}_depth`,
    title: side === 'bid' ? 'Bids' : 'Asks',
    unit: 'USD within 100 bps',
    numeric: true,
    value: depthOf,
    show: (row) => <Depth value={depthOf(row)} most={most} />,
  };
}

function columnsFor(rows: readonly VenueCosts[]): readonly Column<VenueCosts>[] {
  const most = Math.max(
    1,
    ...rows.flatMap(({ quote }) => [quote.bid_depth_usd ?? 0, quote.ask_depth_usd ?? 0]),
  );
  return [
    { id: 'venue', title: 'Venue', value: ({ venue }) => venue },
    ...SLIPPAGE_COLUMNS,
    {
      id: 'all_in_10000',
      title: 'With fee $10K',
      unit: 'bps',
      numeric: true,
      value: ({ allIn }) => allIn[2],
      show: ({ allIn }) => cost(allIn[2]),
    },
    depthColumn('bid', most),
    depthColumn('ask', most),
    { id: 'source', title: 'Book by', value: ({ quote }) => quote.source },
    {
      id: 'age',
      title: 'Age',
      numeric: true,
      value: ({ quote }) => -Date.parse(quote.updated_at),
      csv: ({ quote }) => quote.updated_at,
      show: ({ quote }) => <Age at={quote.updated_at} />,
    },
  ];
}

/** Depth of each book, and what sizes cost there. */
export function Costs({ ticker, query }: { ticker: string; query: string }): JSX.Element {
  const paths = SIZES.map(
    (size) =>
      `/v1/orderbook/multi-venue-slippage?${query}&size_usd=${size}${size === LADDER_SIZE ? '&ladder=true' : ''}`,
  );
  return (
    <Part title="Order books: depth and cost by size">
      <Shown
        answer={useAnswers<OrderbookMultiVenueSlippageAnswer>(paths, EVERY_MS)}
        what={`the sized costs of ${ticker}`}
      >
        {(answers) => {
          const rows = costsOf(answers);
          const columns = columnsFor(rows);
          return (
            <>
              <Table
                id="costs"
                caption={`Cost of trading ${ticker} by size`}
                columns={columns}
                rows={rows}
                keyOf={({ venue }) => venue}
                first="slippage_10000"
              />
              <DepthPlot
                ticker={ticker}
                quotes={answers.find(({ size_usd }) => size_usd === LADDER_SIZE)?.venues ?? []}
              />
              <Tools name={`${ticker}-costs`} csv={() => csvOf(columns, rows)} paths={paths} />
            </>
          );
        }}
      </Shown>
    </Part>
  );
}
