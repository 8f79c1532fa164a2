import { printable } from '../../domain/printable.ts';

/** A table of longer cells is none. */
const MAX_CELL = 400;

/** Rows as aligned text columns. Names are the venues': what a terminal would obey or not show is shown by its code point. */
export function tableText(header: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map((cell) => printable(cell, MAX_CELL)));
  const widths = header.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [header, ...rows].map((row) => `${line(row)}\n`).join('');
}
