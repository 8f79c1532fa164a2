import { readText } from '../domain/read.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { timeCell } from './queries/cells.ts';
import type { FormerVenues } from './status-watch.ts';
import { type Cells, type HistoryStore, type StoreResult, stored } from './store.ts';

/** A venue that has been away for longer is none whose minutes anybody looks for. */
const SPAN_MS = 7 * DAY_MS;

const LIVE_ONCE = "SELECT DISTINCT venue FROM venue_status WHERE status = 'live'";
const STATUSES =
  "SELECT venue, toUnixTimestamp(ts), status FROM venue_status WHERE ts >= toDateTime({from:UInt32}, 'UTC') ORDER BY ts, recorded_at";
const NOTED =
  "SELECT venue, toUnixTimestamp(max(until)) FROM gaps WHERE ts >= toDateTime({from:UInt32}, 'UTC') GROUP BY venue";

/** The last recorder's notes on the venues that were once live, as far as the store has them. */
export async function findFormerVenues(store: HistoryStore, now: UnixMs): Promise<StoreResult<FormerVenues>> {
  const params = { from: Math.max(0, Math.floor((now - SPAN_MS) / 1000)) };
  const [known, statuses, noted] = await Promise.all([
    store.select({ sql: LIVE_ONCE, params: {} }),
    store.select({ sql: STATUSES, params }),
    store.select({ sql: NOTED, params }),
  ]);
  if (!known.ok) return known;
  if (!statuses.ok) return statuses;
  return noted.ok ? stored(formerVenues(known.value, statuses.value, noted.value)) : noted;
}

function formerVenues(
  known: readonly Cells[],
  statuses: readonly Cells[],
  noted: readonly Cells[],
): FormerVenues {
  const away = new Map<string, UnixMs>();
  for (const [venue, at, status] of statuses) {
    const id = venueOf(venue);
    if (status === 'live') away.delete(id);
    else if (!away.has(id)) away.set(id, timeCell(at));
  }
  for (const [venue, until] of noted) {
    const from = away.get(venueOf(venue));
    if (from !== undefined) away.set(venueOf(venue), asMs(Math.max(from, timeCell(until))));
  }
  return new Map(known.map(([venue]) => [venueOf(venue), away.get(venueOf(venue))]));
}

const venueOf = (cell: unknown): VenueId => readText(cell) ?? '';
