import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { readVenuePage } from './venue-page.ts';

/** A row of a venue's table of fields. */
interface FieldUnit {
  readonly field: string;
  readonly source: string;
  readonly unit: string;
  readonly evidence: string;
}

/** The words of a cell without Markdown. */
const plain = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '').replaceAll('\\|', '|');

/** Fields of each page, by the venue it is of; a cell that says "same" is the one above. */
export function fieldUnits(venues: readonly VenueAdapter[]): Readonly<Record<string, readonly FieldUnit[]>> {
  const pages = [...new Map(venues.map((venue) => [venue.parent ?? venue.id, venue]))];
  return Object.fromEntries(
    pages.map(([id, venue]) => {
      let call = '';
      let evidence = '';
      const rows = (readVenuePage(venue)?.rows ?? []).map((row): FieldUnit => {
        const asked = plain(row.call ?? row.endpoint ?? row.source);
        const proof = plain(row.evidence ?? row.proof);
        if (!/^same\b|^$/.test(asked)) call = asked;
        if (!/^same$|^$/.test(proof)) evidence = proof;
        const source = [call, plain(row.path)].filter((part) => part !== '').join(' ');
        return { field: plain(row.field), source, unit: plain(row.unit), evidence };
      });
      return [id, rows];
    }),
  );
}
