import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useHealth, useVenueHealth, useVenues, type Venue, type VenueHealth } from '../data/service.ts';
import { Figures } from '../parts/figures.tsx';
import { Listing } from '../parts/listing.tsx';
import { Part } from '../parts/part.tsx';
import { Age, Shown } from '../parts/states.tsx';
import { type Column, csvOf, Table } from '../parts/table.tsx';
import { Tools } from '../parts/tools.tsx';
import { linkTo } from '../place.ts';
import { cost, count, share } from '../text/number.ts';

interface VenueLine extends VenueHealth {
  readonly venueInfo: Venue | undefined;
  readonly grade: string | null | undefined;
}

/** Percent of a whole; null of zero, and of an unknown number. */
const shareOf = (part: number | null, whole: number): number | null =>
  part === null || whole === 0 ? null : (part / whole) * 100;

const COLUMNS: readonly Column<VenueLine>[] = [
  {
    id: 'venue',
    title: 'Venue',
    value: ({ venue }) => venue,
    show: ({ venue, venueInfo }) => <span title={venueInfo?.display_name}>{venue}</span>,
  },
  {
    id: 'status',
    title: 'Status',
    value: ({ status }) => status,
    show: ({ status }) => <span class={`tag ${status}`}>{status}</span>,
  },
  {
    id: 'grade',
    title: 'Grade',
    about: 'Quality of its data, by the rule in the view Quality',
    value: ({ grade }) => grade,
    show: ({ venue, grade }) => <a href={linkTo('quality', { venue })}>{grade ?? 'not yet'}</a>,
  },
  {
    id: 'since',
    title: 'Since',
    numeric: true,
    value: ({ since }) => since,
    show: ({ since }) => <Age at={since} />,
  },
  {
    id: 'age',
    title: 'Age',
    about: 'Of the newest data',
    numeric: true,
    value: ({ age_seconds }) => age_seconds,
    show: ({ last_update_at }) => <Age at={last_update_at} limitMs={60_000} />,
  },
  { id: 'type', title: 'Type', value: ({ type }) => type },
  {
    id: 'contracts',
    title: 'Contracts',
    numeric: true,
    value: (row) => row.tracked_symbols,
    show: (row) => count(row.tracked_symbols),
  },
  {
    id: 'fresh',
    title: 'Fresh',
    unit: '%',
    numeric: true,
    about: 'Contracts whose mark is fresh, of those that are tracked',
    value: (row) => shareOf(row.fresh_symbols, row.tracked_symbols),
    show: (row) => count(shareOf(row.fresh_symbols, row.tracked_symbols)),
  },
  {
    id: 'books',
    title: 'Books',
    numeric: true,
    about: 'Order books that are kept and fresh, of all contracts of the venue',
    value: ({ books }) => books,
    show: ({ books }) => count(books),
  },
  {
    id: 'history',
    title: 'History',
    unit: 'contracts',
    numeric: true,
    about: 'Contracts of which funding payments are stored',
    value: (row) => row.settled_contracts,
    show: (row) => count(row.settled_contracts),
  },
  {
    id: 'history_30d',
    title: '30 d whole',
    unit: '%',
    numeric: true,
    about: 'Contracts of which the payments of 30 days are stored, of those that are tracked',
    value: (row) => shareOf(row.settled_contracts_30d, row.tracked_symbols),
    show: (row) => count(shareOf(row.settled_contracts_30d, row.tracked_symbols)),
  },
  {
    id: 'intervals',
    title: 'Intervals',
    unit: 'h',
    value: ({ venueInfo }) => venueInfo?.funding_intervals.join(', ') ?? null,
  },
  {
    id: 'fee',
    title: 'Taker fee',
    unit: 'bps',
    numeric: true,
    value: ({ venueInfo }) => venueInfo?.taker_fee_bps,
    show: ({ venueInfo }) => cost(venueInfo?.taker_fee_bps),
  },
  {
    id: 'index',
    title: 'Index',
    value: ({ venueInfo }) => (venueInfo === undefined ? null : venueInfo.has_index ? 'yes' : 'no'),
  },
  {
    id: 'rejects',
    title: 'Rejects',
    unit: '5 min',
    numeric: true,
    about: 'Faulty rows or fields that were left out',
    value: ({ rejects_5m }) => rejects_5m,
    show: ({ rejects_5m }) => <span class={rejects_5m > 0 ? 'stale' : ''}>{count(rejects_5m)}</span>,
  },
  {
    id: 'errors',
    title: 'Failed',
    unit: '%, 5 min',
    about: 'Calls that failed',
    numeric: true,
    value: ({ error_rate_5m }) => error_rate_5m,
    show: ({ error_rate_5m }) => share(error_rate_5m),
  },
  {
    id: 'last_error',
    title: 'Last error',
    value: ({ last_error }) => last_error,
    show: ({ last_error }) => <span class="cut">{last_error ?? '–'}</span>,
  },
];

/** Reasons that are the data's fault; by all others a row is rightly left out. */
const FAULTS: readonly string[] = [
  ...['malformed', 'missing_field', 'out_of_range', 'unknown_unit', 'position_mismatch'],
  ...['error_body', 'unexpected_shape'],
];

interface LeftOut {
  readonly venue: string;
  readonly reason: string;
  readonly times: number;
}

const LEFT_OUT_COLUMNS: readonly Column<LeftOut>[] = [
  { id: 'venue', title: 'Venue', value: ({ venue }) => venue },
  {
    id: 'kind',
    title: 'Kind',
    value: ({ reason }) => (FAULTS.includes(reason) ? 'fault' : 'out of scope'),
    show: ({ reason }) =>
      FAULTS.includes(reason) ? <span class="tag stale">fault</span> : <span class="tag">out of scope</span>,
  },
  { id: 'reason', title: 'Reason', value: ({ reason }) => reason.replaceAll('_', ' ') },
  {
    id: 'times',
    title: 'Times',
    unit: 'since start',
    numeric: true,
    value: ({ times }) => times,
    show: ({ times }) => count(times),
  },
];

/** Rejected rows, by venue and reason. */
function Rejects({ lines }: { lines: readonly VenueLine[] }): JSX.Element {
  const rows = lines.flatMap(({ venue, rejects_by_reason: reasons }) =>
    Object.entries(reasons).map(([reason, times]): LeftOut => ({ venue, reason, times })),
  );
  return (
    <Part title="Left out, by reason">
      <p class="fine">
        A fault is a row or field that should have been readable. Out of scope are rows that are no live
        linear perpetual: dated, inverse, delisted and the like; they are counted each time they are sent.
      </p>
      <Listing
        name="rejects"
        id="rejects"
        caption="What was left out of each venue, by reason"
        columns={LEFT_OUT_COLUMNS}
        rows={rows}
        keyOf={({ venue, reason }) => `${venue} ${reason}`}
        first="kind"
        empty="Nothing was left out since the service started."
        paths={['/v1/venues/health']}
      />
    </Part>
  );
}

type Grades = ReadonlyMap<string, string | null>;

/** Grades by venue, none until the service's health is read; undefined where the service makes none. */
function useGrades(): Grades | undefined {
  const service = useHealth();
  if (service.state !== 'ready') return new Map();
  const { grades } = service.body;
  return grades && new Map(grades.map(({ venue, grade }) => [venue, grade]));
}

/** The health of each venue, with what the list of venues says of it, and its grade. */
function useLines(
  health: ReturnType<typeof useVenueHealth>,
  grades: Grades | undefined,
): readonly VenueLine[] {
  const venues = useVenues();
  const infos = useMemo(
    () => new Map(venues.state === 'ready' ? venues.body.map((venue) => [venue.name, venue]) : []),
    [venues],
  );
  if (health.state !== 'ready') return [];
  return health.body.map((row) => ({
    ...row,
    venueInfo: infos.get(row.venue),
    grade: grades?.get(row.venue),
  }));
}

/** Health, age and coverage of every venue. */
export function Venues(): JSX.Element {
  const health = useVenueHealth();
  const grades = useGrades();
  const columns = grades === undefined ? COLUMNS.filter(({ id }) => id !== 'grade') : COLUMNS;
  const lines = useLines(health, grades);
  return (
    <>
      <div class="head">
        <h1>Venues</h1>
        <Tools
          name="venues"
          csv={health.state === 'ready' ? () => csvOf(columns, lines) : undefined}
          paths={['/v1/venues/health', '/v1/venues/list', '/v1/health']}
        />
      </div>
      <Shown answer={health} what="the health of the venues">
        {() => (
          <>
            <Summary lines={lines} />
            <Table
              id="venues"
              caption="Health of each venue"
              columns={columns}
              rows={lines}
              keyOf={({ venue }) => venue}
              first="venue"
            />
            <p class="fine">
              A venue is judged by the age of its data, never by its connection: live within three refresh
              periods, stale up to 15 minutes, then down. What each number of a venue counts, and by what
              evidence, is in <a href={linkTo('buy', { route: 'venues-list' })}>the venue list</a>; how right
              its numbers are, in <a href={linkTo('quality')}>Quality</a>.
            </p>
            <Rejects lines={lines} />
          </>
        )}
      </Shown>
    </>
  );
}

function Summary({ lines }: { lines: readonly VenueLine[] }): JSX.Element {
  const having = (status: VenueHealth['status']): number =>
    lines.filter((line) => line.status === status).length;
  const total = (of: (line: VenueLine) => number): number => lines.reduce((sum, line) => sum + of(line), 0);
  const figures = [
    ['Live', having('live')],
    ['Stale', having('stale')],
    ['Down', having('down')],
    ['Contracts', total((line) => line.tracked_symbols)],
    ['Fresh', total((line) => line.fresh_symbols)],
    ['Order books', total((line) => line.books)],
    ['Rejects, 5 min', total((line) => line.rejects_5m)],
  ] as const;
  return <Figures figures={figures.map(([title, value]) => [title, count(value)])} />;
}
