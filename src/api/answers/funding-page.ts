import type { FundingPage } from '../../analytics/funding-current.ts';
import { fundingRow } from '../../analytics/funding-row.ts';
import type { VenueId, VenueInfo } from '../../domain/venue.ts';
import type { MarketRow } from '../../market/view.ts';
import { publicNumbers } from './public-numbers.ts';

/** Rows are immutable, so their text is written once and goes when the row goes. */
const written = new WeakMap<MarketRow, string>();

function rowText(row: MarketRow, venues: ReadonlyMap<VenueId, VenueInfo>): string {
  const known = written.get(row);
  if (known !== undefined) return known;
  const text = JSON.stringify(publicNumbers(fundingRow(row, venues.get(row.venue))));
  written.set(row, text);
  return text;
}

/** The JSON of a page of funding rows, put together from the rows' kept text. */
export function writeFundingPage(
  { rows, symbol, comparable_only, ...counts }: FundingPage,
  venues: ReadonlyMap<VenueId, VenueInfo>,
): string {
  const head = JSON.stringify({ symbol, comparable_only }).slice(0, -1);
  const tail = JSON.stringify(counts).slice(1);
  return `${head},"rates":[${rows.map((row) => rowText(row, venues)).join(',')}],${tail}`;
}
