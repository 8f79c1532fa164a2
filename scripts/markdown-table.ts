/** A table as the formatter leaves it: every column as wide as its widest cell. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, i) =>
    Math.max(3, title.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, i) => (cells[i] ?? '').padEnd(width)).join(' | ')} |\n`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [line(header), line(rule), ...rows.map(line)].join('');
}
