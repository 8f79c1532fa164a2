export const CSV_TYPE = 'text/csv; charset=utf-8';

export type Cell = string | number | boolean | null;

/** RFC 4180 lines with a header; what is not known is an empty field. */
export function csv(rows: readonly Readonly<Record<string, Cell>>[], columns: readonly string[]): Buffer {
  return Buffer.from(`${columns.join(',')}\r\n${csvLines(rows, columns)}`);
}

/** The same without a header, each line with its end. */
export function csvLines(
  rows: readonly Readonly<Record<string, Cell>>[],
  columns: readonly string[],
): string {
  return rows.map((row) => `${columns.map((name) => field(row[name])).join(',')}\r\n`).join('');
}

/** Symbols are the venues': one with a comma is quoted, and one that a spreadsheet would run as a formula is marked as text. */
function field(cell: Cell | undefined): string {
  const isFormula = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell);
  const text = isFormula ? `'${cell}` : String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
