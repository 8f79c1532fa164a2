import type { DataQualityAccuracyAnswer } from '../../../../packages/client/src/routes.ts';
import { counts, plain, sentences } from '../../../../web/parts/columns.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { decimal, rounded, UNKNOWN } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';
import { reading, report } from '../../../../web/views/quality/report.tsx';

type Field = DataQualityAccuracyAnswer['fields'][number];
type Settled = DataQualityAccuracyAnswer['settled_against_shown'][number];
type Worst = NonNullable<Field['worst']>;
type Unit = Field['difference_unit'];
type Measured = Pick<Field, 'agreed' | 'median_difference' | 'p99_difference' | 'worst' | 'difference_unit'>;

/** The display of a difference: its factor from the interface's unit, and the name of the result. */
const SHOWN_AS: Readonly<Record<Unit, readonly [number, string]>> = {
  relative: [100, '%'],
  rate: [1e4, 'bps'],
  ms: [1e-3, 's'],
  hours: [1, 'h'],
};

function difference(value: number | null | undefined, unit: Unit): string {
  const [factor, name] = SHOWN_AS[unit];
  return value === null || value === undefined ? UNKNOWN : `${rounded(value * factor)} ${name}`;
}

/** One of both values to its last digit; a time of settlement as a time. */
const valueText = (value: number | undefined, unit: Unit): string =>
  value === undefined ? UNKNOWN : unit === 'ms' ? moment(value) : decimal(value);

const apart = (id: 'median_difference' | 'p99_difference', title: string): Column<Measured> =>
  plain(id, title, { numeric: true, show: (row) => difference(row[id], row.difference_unit) });

/** A column of the worst case. */
const worst = <Id extends keyof Worst>(
  id: Id,
  title: string,
  show?: (value: Worst[Id] | undefined, unit: Unit) => string,
): Column<Measured> => ({
  id,
  title,
  value: (row) => row.worst?.[id],
  ...(show !== undefined && { numeric: true, show: (row) => show(row.worst?.[id], row.difference_unit) }),
});

const MEASURED = [
  counts('agreed', 'Agreed', { about: 'Within their tolerance' }),
  apart('median_difference', 'Median'),
  apart('p99_difference', 'p99'),
] as const satisfies readonly Column<Measured>[];

/** The worst case: what was shown, and what it is held against. */
const worstColumns = (against: string): readonly Column<Measured>[] => [
  worst('difference', 'Worst', difference),
  worst('tolerance', 'Allowed', difference),
  worst('venue_symbol', 'Contract'),
  worst('shown', 'Shown', valueText),
  worst('second', against, valueText),
];

const AT = worst('at', 'At', moment);

const secondReading = report<DataQualityAccuracyAnswer, Field>({
  id: 'accuracy',
  title: 'Second reading',
  // Of all venues, why each field is not compared would bury what is; “Second ways” says it in short.
  rows: ({ fields, venues }) =>
    venues.length === 1 ? fields : fields.filter(({ compared }) => compared > 0),
  said: () =>
    'What is shown beside the same value read another way: prices and amounts differ by percent of the larger, rates by bps per interval. Choose a venue to see why a field is not compared. Files have fractions, milliseconds and hours.',
  columns: [
    plain('venue', 'Venue'),
    plain('field', 'Field'),
    counts('compared', 'Compared'),
    ...MEASURED,
    sentences('no_second_way', 'Why not compared', (row) => row.no_second_way),
  ],
});

const worstReading = report<DataQualityAccuracyAnswer, Field>({
  id: 'worst',
  title: 'Worst of each',
  rows: ({ fields }) => fields.filter((row) => row.worst !== null),
  said: () => 'Of each value compared, the reading that lies furthest beyond what was allowed.',
  empty: 'No value has been compared in the last seven days.',
  columns: [
    plain('venue', 'Venue'),
    plain('field', 'Field'),
    ...worstColumns('Second'),
    worst('way', 'Read by'),
    AT,
  ],
});

const settledAgainstShown = report<DataQualityAccuracyAnswer, Settled & Measured>({
  id: 'settled',
  title: 'Settled against shown',
  rows: (body) => body.settled_against_shown.map((row) => ({ ...row, difference_unit: 'rate' })),
  said: () =>
    "Payments beside the rate shown a minute, an hour and an interval before. An interval earlier the venue's estimate may honestly have been another one.",
  empty: 'No payment has been compared in the last seven days.',
  columns: [
    plain('venue', 'Venue'),
    plain('before', 'Shown before'),
    counts('payments', 'Payments'),
    ...MEASURED,
    ...worstColumns('Paid'),
    AT,
  ],
});

const secondWays = report<DataQualityAccuracyAnswer, DataQualityAccuracyAnswer['venues'][number]>({
  id: 'ways',
  title: 'Second ways',
  rows: ({ venues }) => venues,
  columns: [
    plain('venue', 'Venue'),
    sentences('ways', 'Calls', ({ ways }) => ways.join(', ') || 'none'),
    sentences('missing', 'Without a second way', ({ missing }) => missing),
  ],
});

/** The share of second readings and of settled payments that agree with the shown values. */
export const Accuracy = reading('accuracy', secondReading, worstReading, settledAgainstShown, secondWays);
