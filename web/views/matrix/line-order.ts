import type { AssetLine } from './grid-model.ts';

/** The value by which a line is ordered; a venue's name orders by its rates. */
export function sortValue(line: AssetLine, column: string): string | number | null {
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
export function bySort(wanted: string): (a: AssetLine, b: AssetLine) => number {
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
