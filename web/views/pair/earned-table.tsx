import type { JSX } from 'preact';
import { Bps } from '../../parts/rate.tsx';
import { type Column, csvOf, Table } from '../../parts/table.tsx';
import { cost, count, usdCents } from '../../text/number.ts';
import type { Earned } from './pair-model.ts';

export const EARNED_DAYS = [1, 7, 30] as const;

const ofExpected = (known: number, expected: number | null): string =>
  expected === null ? `${count(known)} of ?` : `${count(known)} of ${count(expected)}`;

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
