import type { JSX } from 'preact';
import { Bps } from '../../parts/rate.tsx';
import { type Column, csvOf, Table } from '../../parts/table.tsx';
import { cost, count, usdCents } from '../../text/number.ts';
import type { Earned, EarnedDay } from './pair-model.ts';

export const EARNED_DAYS = [1, 7, 30] as const;

const ofExpected = (known: number, expected: number | null): string =>
  expected === null ? `${count(known)} of ?` : `${count(known)} of ${count(expected)}`;

const SETTLEMENTS: readonly Column<Pick<Earned, 'known' | 'expected'>>[] = [
  {
    id: 'short_settlements',
    title: 'Settlements, short',
    numeric: true,
    value: ({ known }) => known[0],
    show: ({ known, expected }) => ofExpected(known[0], expected[0]),
  },
  {
    id: 'long_settlements',
    title: 'Settlements, long',
    numeric: true,
    value: ({ known }) => known[1],
    show: ({ known, expected }) => ofExpected(known[1], expected[1]),
  },
];

const columnsFor = (sizeUsd: number): readonly Column<Earned>[] => [
  { id: 'days', title: 'Held', value: ({ days }) => days, show: ({ days }) => `${days} d` },
  {
    id: 'funding',
    title: 'Funding',
    unit: 'bps',
    numeric: true,
    value: (row) => row.funding,
    show: (row) => <Bps value={row.funding} />,
  },
  {
    id: 'price',
    title: 'Prices',
    unit: 'bps',
    about: 'Rise of the long leg less rise of the short leg',
    numeric: true,
    value: (row) => row.price,
    show: (row) => <Bps value={row.price} />,
  },
  {
    id: 'fees',
    title: 'Fees',
    unit: 'bps',
    numeric: true,
    value: (row) => row.fees,
    show: (row) => cost(row.fees),
  },
  {
    id: 'slippage',
    title: 'Slippage',
    unit: 'bps',
    numeric: true,
    value: (row) => row.slippage,
    show: (row) => cost(row.slippage),
  },
  {
    id: 'entry_books',
    title: 'Books going in',
    about:
      'stored: of the hour in which the position began; present: nothing is stored of it. Going out: present',
    value: (row) => row.entryBooks,
  },
  {
    id: 'net',
    title: 'Net',
    unit: 'bps',
    numeric: true,
    value: (row) => row.net,
    show: (row) => <Bps value={row.net} />,
  },
  {
    id: 'net_usd',
    title: 'Net',
    unit: `on $${sizeUsd / 1000}K`,
    numeric: true,
    value: ({ net }) => (net === null ? null : (net / 10_000) * sizeUsd),
    show: ({ net }) => usdCents(net === null ? null : (net / 10_000) * sizeUsd),
  },
  ...SETTLEMENTS,
];

const bpsColumn = (
  id: 'short' | 'long' | 'funding' | 'price',
  title: string,
  about: string,
): Column<EarnedDay> => ({
  ...{ id, title, about, unit: 'bps', numeric: true },
  value: (row) => row[id],
  show: (row) => <Bps value={row[id]} />,
});

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const DAY_COLUMNS: readonly Column<EarnedDay>[] = [
  { id: 'day', title: 'Day', unit: 'UTC', value: ({ at }) => dayText(at) },
  bpsColumn('short', 'Short leg', 'Payments of the short leg: positive = received'),
  bpsColumn('long', 'Long leg', 'Payments of the long leg: positive = received'),
  bpsColumn('funding', 'Funding', 'Both legs together'),
  bpsColumn('price', 'Prices', 'Rise of the long leg less rise of the short leg within the day'),
  ...SETTLEMENTS,
];

export function EarnedTable({ rows, sizeUsd }: { rows: readonly Earned[]; sizeUsd: number }): JSX.Element {
  return (
    <Table
      id="earned"
      caption="Earnings of the pair by time held"
      columns={columnsFor(sizeUsd)}
      rows={rows}
      keyOf={({ days }) => String(days)}
      first="days"
    />
  );
}

export const earnedCsv = (rows: readonly Earned[], sizeUsd: number): string =>
  csvOf(columnsFor(sizeUsd), rows);
