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

/** The required content of a VENUE.md, by ADD_A_VENUE.md: rows of evidence, and words on the rest. */
const FIELDS: readonly (readonly [topic: string, field: RegExp])[] = [
  ['contract', /^(contract|symbol)/],
  ['funding rate', /funding ?rate/i],
  ['interval', /^interval\b/],
  ['next funding', /\bnext\b|nextFunding/],
  ['mark', /^mark/],
  ['index', /\bindex/],
  ['open interest', /^open ?interest/i],
  ['volume', /^volume/],
];
const WORDS: readonly (readonly [topic: string, said: RegExp])[] = [
  ['settled funding', /settled|historicalFunding|fundingHistory|\/funding\/data|\/fundings/i],
  ['book', /^\| book|## Order book/m],
  ['fee', /(^|[ .*])Fees?[^|:.\n]{0,20}[:.]|^## Fees/m],
  ['index source', /(^|[ .*])Index[^|:.\n]{0,12}[:.]|^## Index/m],
  ['freshness', /Freshness[:.]|venueTime/],
  ['left out', /Left out|left out/],
  ['limits', /limit/i],
];

/** Topics that are missing on a venue's page, or why there is none. `heading` names the venue where its folder does not. */
export function pageProblems(venue: Pick<VenueAdapter, 'id' | 'parent'> & { heading?: string }): string[] {
  const page = readVenuePage(venue);
  if (page === undefined) return ['no VENUE.md'];
  const name = venue.heading ?? venue.parent ?? venue.id;
  const fields = FIELDS.filter(([, field]) => !page.rows.some((row) => field.test(row.field ?? '')));
  const words = WORDS.filter(([, said]) => !said.test(page.text));
  const unproved = page.rows.filter((row) => row.evidence === undefined && row.proof === undefined);
  return [
    ...(page.heading.includes(`(\`${name}\``) ? [] : [`heading without (\`${name}\`)`]),
    ...[...fields, ...words].map(([topic]) => `nothing on ${topic}`),
    ...unproved.map(({ field }) => `no column of evidence for ${field}`),
    ...(intervalSource(page) ? [] : ['no source of the interval']),
  ];
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

/** The source of the funding interval: the venue's field, or `constant, 1 h`; undefined when the page does not say. */
export function intervalSource(page: VenuePage): string | undefined {
  const row = page.rows.find(({ field = '' }) => /^interval\b/.test(field));
  if (row === undefined) return undefined;
  const all = Object.values(row).join(' ');
  if (/\bconstant\b/.test(all)) return `constant, ${/constant\D*(\d+)/.exec(all)?.[1] ?? '?'} h`;
  // The field's own name, without the way to it.
  return row.path?.replace(/`[^`]*?(\w+)`/g, '`$1`');
}
