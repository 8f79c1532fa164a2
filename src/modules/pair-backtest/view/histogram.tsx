import type { JSX } from 'preact';
import { type Column, Table } from '../../../../web/parts/table.tsx';
import { count, percent } from '../../../../web/text/number.ts';
import { type Bin, distribution } from './spread-series.ts';

const BINS = 24;
const [WIDTH, HEIGHT] = [720, 120] as const;

const COLUMNS: readonly Column<Bin>[] = [
  { id: 'from', title: 'From', value: ({ from }) => from, show: ({ from }) => percent(from) },
  { id: 'to', title: 'To', value: ({ to }) => to, show: ({ to }) => percent(to) },
  {
    id: 'count',
    title: 'Settlements',
    numeric: true,
    value: (bin) => bin.count,
    show: (bin) => count(bin.count),
  },
];

interface HistogramProps {
  readonly values: readonly (number | null)[];
  /** Said where there are none. */
  readonly empty: string;
}

/** The distribution of the spread; bars to look at, and a table. */
export function Histogram({ values, empty }: HistogramProps): JSX.Element {
  const bins = distribution(values, BINS);
  const first = bins[0];
  const last = bins.at(-1);
  return (
    <figure class="chart">
      <figcaption>
        <h3>
          Distribution of the spread <small>settlements by spread, % per 8 h</small>
        </h3>
      </figcaption>
      {first === undefined || last === undefined ? (
        <p class="empty">{empty}</p>
      ) : (
        <>
          <Bars bins={bins} />
          <p class="scale">
            <span>{percent(first.from)}</span>
            <span>{percent(last.to)}</span>
          </p>
          <details class="numbers">
            <summary>Numbers</summary>
            <Table<Bin>
              id="distribution"
              caption="Distribution of the spread"
              rows={bins}
              keyOf={({ from }) => String(from)}
              columns={COLUMNS}
            />
          </details>
        </>
      )}
    </figure>
  );
}

function Bars({ bins }: { bins: readonly Bin[] }): JSX.Element {
  const most = Math.max(1, ...bins.map((bin) => bin.count));
  const step = WIDTH / Math.max(1, bins.length);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      class="histogram"
      role="img"
      aria-label="The numbers follow as a table"
    >
      <title>Distribution of the spread</title>
      {bins.map((bin, at) => (
        <rect
          key={bin.from}
          class={bin.to <= 0 ? 'below' : 'above'}
          x={at * step + 1}
          width={Math.max(1, step - 2)}
          y={HEIGHT - (bin.count / most) * HEIGHT}
          height={(bin.count / most) * HEIGHT}
        />
      ))}
    </svg>
  );
}
