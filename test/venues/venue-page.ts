import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { VenueAdapter } from '../../src/venues/adapter.ts';

/** One row of a page's tables of fields, by the name of its column. */
export type FieldRow = Readonly<Record<string, string>>;

/** A venue's VENUE.md: evidence for what its decoders read. */
export interface VenuePage {
  readonly text: string;
  readonly heading: string;
  readonly rows: readonly FieldRow[];
}

/** The page of a venue; a sub-venue is described on its parent's. Undefined when there is none. */
export function readVenuePage({ id, parent }: Pick<VenueAdapter, 'id' | 'parent'>): VenuePage | undefined {
  const path = fileURLToPath(new URL(`../../src/venues/${parent ?? id}/VENUE.md`, import.meta.url));
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  return { text, heading: text.split('\n', 1)[0] ?? '', rows: fieldRows(text) };
}

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Rows of the tables whose first column is `field`. */
function fieldRows(text: string): FieldRow[] {
  const rows: FieldRow[] = [];
  let columns: readonly string[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) columns = [];
    else if (columns.length === 0) columns = cellsOf(line);
    else if (columns[0] === 'field' && !/^\|[ :|-]+$/.test(line)) {
      const cells = cellsOf(line);
      rows.push(Object.fromEntries(columns.map((name, i) => [name.replace(/ .*/, ''), cells[i] ?? ''])));
    }
  }
  return rows;
}

/** Where the funding interval comes from: the venue's field, or `constant, 1 h`; undefined when the page does not say. */
export function intervalSource(page: VenuePage): string | undefined {
  const row = page.rows.find(({ field = '' }) => /^interval\b/.test(field));
  if (row === undefined) return undefined;
  const all = Object.values(row).join(' ');
  if (/\bconstant\b/.test(all)) return `constant, ${/constant\D*(\d+)/.exec(all)?.[1] ?? '?'} h`;
  // The field's own name, without the way to it.
  return row.path?.replace(/`[^`]*?(\w+)`/g, '`$1`');
}
