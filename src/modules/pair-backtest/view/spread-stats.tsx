import type { JSX } from 'preact';
import type { PerpSpreadStatsAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import { Figures } from '../../../../web/parts/figures.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Bps } from '../../../../web/parts/rate.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { cost, count, rounded, share, UNKNOWN } from '../../../../web/text/number.ts';

type Window = PerpSpreadStatsAnswer['windows'][number];
type HeldBefore = PerpSpreadStatsAnswer['held'][number];

const percentColumn = <Id extends string, Row extends { readonly [Key in Id]: number | null }>(
  id: Id,
  title: string,
  about: string,
): Column<Row> => ({
  id,
  title,
  about,
  unit: '%',
  numeric: true,
  value: (row) => row[id],
  show: (row) => share(row[id] === null ? null : row[id] / 100),
});

const bpsColumn = <Id extends string, Row extends { readonly [Key in Id]: number | null }>(
  id: Id,
  title: string,
): Column<Row> => ({
  id,
  title,
  unit: 'bps / 8 h',
  numeric: true,
  value: (row) => row[id],
  show: (row) => <Bps value={row[id]} />,
});

const DAYS: Column<{ readonly days: number }> = {
  id: 'days',
  title: 'Past',
  value: ({ days }) => days,
  show: ({ days }) => `${days} d`,
};

const WINDOWS: readonly Column<Window>[] = [
  DAYS,
  percentColumn('coverage_pct', 'Known', 'Hours whose settled spread is known'),
  percentColumn('percentile', 'Percentile', 'Hours with less than the present spread'),
  bpsColumn('mean_8h_bps', 'Mean'),
  bpsColumn('median_8h_bps', 'Median'),
  {
    ...bpsColumn<'deviation_8h_bps', Window>('deviation_8h_bps', 'Deviation'),
    show: (row) => cost(row.deviation_8h_bps),
  },
  percentColumn('positive_pct', 'Above zero', 'Hours in which the spread was above zero'),
];

const HELD: readonly Column<HeldBefore>[] = [
  { ...DAYS, title: 'Held' },
  { id: 'entries', title: 'Entries', numeric: true, value: ({ entries }) => entries },
  percentColumn('paid_pct', 'Covered fees', 'Entries whose settled funding covered the fees of both legs'),
  {
    id: 'median_earned_bps',
    title: 'Median earned',
    unit: 'bps',
    numeric: true,
    value: (row) => row.median_earned_bps,
    show: (row) => <Bps value={row.median_earned_bps} />,
  },
];

const hours = (value: number | null): string => (value === null ? UNKNOWN : `${rounded(value)} h`);

/** The present spread beside what the same two legs were settled at. */
export function SpreadStats({ query, short, long }: Readonly<Record<'query' | 'short' | 'long', string>>) {
  const path = `/v1/perp/spread-stats?${query}&short=${short}&long=${long}`;
  return (
    <Part title="The spread against its own past">
      <Shown answer={useAnswer<PerpSpreadStatsAnswer>(path, 60_000)} what="the statistics of the spread">
        {(stats) => <Stats stats={stats} path={path} />}
      </Shown>
    </Part>
  );
}

function Stats({ stats, path }: { stats: PerpSpreadStatsAnswer; path: string }): JSX.Element {
  const figures = [
    ['Half-life', hours(stats.half_life_hours)],
    ['Earlier runs as wide', count(stats.episodes)],
    ['Their median length', hours(stats.median_duration_hours)],
    ['Nine of ten within', hours(stats.p90_duration_hours)],
    ['This one so far', hours(stats.present_duration_hours)],
  ] as const;
  const name = `${stats.short.venue}-${stats.long.venue}`;
  return (
    <>
      <Figures figures={figures} />
      <Listing
        name={`spread-past-${name}`}
        id="windows"
        caption="The spread against its past"
        columns={WINDOWS}
        rows={stats.windows}
        keyOf={({ days }) => String(days)}
        paths={[path]}
      />
      <h3>What was earned after earlier runs as wide</h3>
      <Listing
        name={`spread-held-${name}`}
        id="held"
        caption="What was earned after earlier runs as wide"
        columns={HELD}
        rows={stats.held}
        keyOf={({ days }) => String(days)}
      />
      <details class="fine">
        <summary>How it is made</summary>
        <p>{stats.methodology}</p>
      </details>
    </>
  );
}
