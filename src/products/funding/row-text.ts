import { nextSettlement } from '../../domain/next-settlement.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId, VenueInfo } from '../../domain/venue.ts';
import type { MarketRow } from '../../market/view.ts';
import { publicNumbers } from '../answer/public-numbers.ts';
import { fundingRow } from './funding-row.ts';

interface WrittenRow {
  readonly text: string;
  /** The next settlement that it states; from then on it has to be written again. */
  readonly until: UnixMs | undefined;
}

/** Rows are immutable, so their text is written once for each next settlement, and goes when the row goes. */
const written = new WeakMap<MarketRow, WrittenRow>();

/** A funding row as it is shown, as of `now`. */
export const shownRow = (row: MarketRow, venues: ReadonlyMap<VenueId, VenueInfo>, now: UnixMs) =>
  publicNumbers(fundingRow(row, now, venues.get(row.venue)));

/** A funding row as JSON, as of `now`. */
export function rowText(row: MarketRow, venues: ReadonlyMap<VenueId, VenueInfo>, now: UnixMs): string {
  const until = nextSettlement(row, now);
  const known = written.get(row);
  if (known !== undefined && known.until === until) return known.text;
  const text = JSON.stringify(shownRow(row, venues, now));
  written.set(row, { text, until });
  return text;
}

/** The first settlement that any of the rows states as its next: when it has passed, their texts are others. */
export function firstSettlement(rows: readonly MarketRow[], now: UnixMs): number {
  let first = Number.POSITIVE_INFINITY;
  for (const row of rows) first = Math.min(first, nextSettlement(row, now) ?? first);
  return first;
}
