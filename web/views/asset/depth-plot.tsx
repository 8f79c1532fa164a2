import type { JSX } from 'preact';
import type { SizedBook } from '../../data/asset.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { usePlace } from '../../place.ts';
import { usd } from '../../text/number.ts';

type LadderStep = NonNullable<SizedBook['ladder']>[number];

const [WIDTH, HEIGHT] = [720, 180] as const;
/** More lines than these are not told apart. */
const MAX_BOOKS = 6;

/** A book as a line from its farthest bid over the mid, where there is nothing, to its farthest ask. */
function pointsOf(ladder: readonly LadderStep[], most: number): string {
  const half = WIDTH / 2;
  const step = WIDTH / (2 * ladder.length + 1);
  const y = (amount: number): string => (HEIGHT - (amount / most) * (HEIGHT - 6)).toFixed(1);
  const side = (sign: 1 | -1, of: (step: LadderStep) => number): string[] =>
    ladder.flatMap((rung, at) => [
      `${half + sign * step * (at + 1)},${y(ladder[at - 1] === undefined ? 0 : of(ladder[at - 1] as LadderStep))}`,
      `${half + sign * step * (at + 1)},${y(of(rung))}`,
    ]);
  const bids = side(-1, ({ bid_usd }) => bid_usd).reverse();
  return [...bids, ...side(1, ({ ask_usd }) => ask_usd)].join(' ');
}

/** Every second step, so that they stand apart in a narrow window. */
function tickText(bps: number, steps: number): string {
  if (bps === 0) return 'mid';
  return steps % 2 === 0 ? '' : `${bps > 0 ? '+' : '−'}${Math.abs(bps)}`;
}

/** The books that the reader has chosen for the history, else the deepest. */
function shownOf(quotes: readonly SizedBook[], chosen: string | null): readonly SizedBook[] {
  const known = quotes.filter(({ ladder }) => ladder !== undefined && ladder.length > 0);
  const named = known.filter(({ venue }) => chosen?.split(',').includes(venue));
  const depth = ({ bid_depth_usd, ask_depth_usd }: SizedBook): number =>
    (bid_depth_usd ?? 0) + (ask_depth_usd ?? 0);
  return (named.length > 0 ? named : known.toSorted((a, b) => depth(b) - depth(a))).slice(0, MAX_BOOKS);
}

const columnsFor = (steps: readonly LadderStep[]): readonly Column<SizedBook>[] => [
  { id: 'venue', title: 'Venue', value: ({ venue }) => venue },
  ...(['bid', 'ask'] as const).flatMap((side) =>
    steps.map(
      ({ within_bps: bps }, at): Column<SizedBook> => ({
        id: `${side}_${bps}_bps`,
        title: side === 'bid' ? 'Bids' : 'Asks',
        unit: `USD, ${bps} bps`,
        numeric: true,
        value: ({ ladder }) => ladder?.[at]?.[`${side}_usd`],
        show: ({ ladder }) => usd(ladder?.[at]?.[`${side}_usd`]),
      }),
    ),
  ),
];

/** @param props.most what the full height stands for, USD */
function Ladders({ shown, most }: { shown: readonly SizedBook[]; most: number }): JSX.Element {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      class="ladder"
      role="img"
      aria-label="Depth of the books; the numbers follow as a table"
    >
      <title>Depth of the books</title>
      <line x1={WIDTH / 2} x2={WIDTH / 2} y1={0} y2={HEIGHT} />
      {shown.map(({ venue, ladder = [] }, at) => (
        <polyline key={venue} class={`series-${at + 1}`} points={pointsOf(ladder, most)} />
      ))}
    </svg>
  );
}

/** Distances from the mid, on the scale of the ladders. */
function Distances({ steps }: { steps: readonly LadderStep[] }): JSX.Element {
  const ticks = [
    ...steps.toReversed().map((step) => -step.within_bps),
    0,
    ...steps.map((step) => step.within_bps),
  ];
  return (
    <p class="scale steps" aria-hidden="true">
      {ticks.map((bps, at) => (
        <span key={bps}>{tickText(bps, Math.abs(at - steps.length))}</span>
      ))}
    </p>
  );
}

/** The depth of each book by distance from its mid: bids to the left, asks to the right. */
export function DepthPlot(props: { ticker: string; quotes: readonly SizedBook[] }): JSX.Element | null {
  const { ticker, quotes } = props;
  const { params } = usePlace();
  const shown = shownOf(quotes, params.get('v'));
  const steps = shown[0]?.ladder;
  if (steps === undefined) return null;
  const most = Math.max(
    1,
    ...shown.flatMap(({ ladder = [] }) => ladder.flatMap((step) => [step.bid_usd, step.ask_usd])),
  );
  return (
    <figure class="chart">
      <figcaption>
        <h3>
          Depth <small>USD, cumulative by distance from each book's mid; up to {usd(most)}</small>
        </h3>
        <ul class="chart-legend">
          {shown.map(({ venue }, at) => (
            <li key={venue} class={`series-${at + 1}`}>
              {venue}
            </li>
          ))}
        </ul>
      </figcaption>
      <Ladders shown={shown} most={most} />
      <Distances steps={steps} />
      <details class="numbers">
        <summary>Numbers</summary>
        <Table
          id="ladder"
          caption={`Depth of ${ticker} by distance from the mid`}
          columns={columnsFor(steps)}
          rows={quotes.filter(({ ladder }) => ladder !== undefined)}
          keyOf={({ venue }) => venue}
        />
      </details>
    </figure>
  );
}
