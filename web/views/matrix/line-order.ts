import type { LineCosts } from './line-costs.ts';

interface Leg {
  readonly row: { readonly venue: string };
}

/** A line as far as it is ordered. */
interface OrderedLine extends LineCosts {
  readonly ticker: string;
  readonly spread8h: number | null;
  readonly netBps: number | null;
  readonly persistence: number | null;
  readonly long: Leg | undefined;
  readonly short: Leg | undefined;
  readonly openInterest: number | null;
  readonly volume: number | null;
  readonly cells: ReadonlyMap<string, { readonly value: number | null }>;
}

/** The value by which a line is ordered; a venue's name orders by its rates. */
export function sortValue(line: OrderedLine, column: string): string | number | null {
  switch (column) {
    case 'asset':
      return line.ticker;
    case 'spread':
      return line.spread8h;
    case 'net':
      return line.netBps;
    case 'cost':
      return line.costBps;
    case 'days':
      return line.breakevenDays;
    case 'held':
      return line.persistence;
    case 'long':
      return line.long?.row.venue ?? null;
    case 'short':
      return line.short?.row.venue ?? null;
    case 'oi':
      return line.openInterest;
    case 'volume':
      return line.volume;
    default:
      return line.cells.get(column)?.value ?? null;
  }
}

/** By code units: a collator takes ten times as long, and thousands of lines have no spread to be ordered by. */
const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The order of lines that a column's name asks for, `-` in front for descending; unknown ones last. */
export function bySort(wanted: string): (a: OrderedLine, b: OrderedLine) => number {
  const direction = wanted.startsWith('-') ? -1 : 1;
  const column = wanted.replace(/^-/, '');
  return (a, b) => {
    const x = sortValue(a, column);
    const y = sortValue(b, column);
    if (x === null || y === null) return Number(x === null) - Number(y === null) || order(a.ticker, b.ticker);
    const difference = typeof x === 'number' && typeof y === 'number' ? x - y : order(String(x), String(y));
    return difference * direction || order(a.ticker, b.ticker);
  };
}
