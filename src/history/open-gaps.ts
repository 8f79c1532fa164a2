import { readText } from '../domain/read.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { countCell, timeCell } from './queries/cells.ts';
import type { OpenGaps } from './status-watch.ts';
import { type Cells, type HistoryStore, type StoreResult, stored } from './store.ts';

/** A venue that has been away for longer is none whose minutes anybody looks for. */
const SPAN_MS = 7 * DAY_MS;

const STATUSES =
  "SELECT venue, toUnixTimestamp(ts), status FROM venue_status WHERE ts >= toDateTime({from:UInt32}, 'UTC') ORDER BY ts, recorded_at";
const NOTED =
  "SELECT venue, toUnixTimestamp(max(until)) FROM gaps WHERE ts >= toDateTime({from:UInt32}, 'UTC') GROUP BY venue";

/** The gaps of venues that have begun, and of which no recorder has noted the end. */
export async function findOpenGaps(store: HistoryStore, now: UnixMs): Promise<StoreResult<OpenGaps>> {
  const params = { from: Math.max(0, Math.floor((now - SPAN_MS) / 1000)) };
  const [statuses, noted] = await Promise.all([
    store.select({ sql: STATUSES, params }),
    store.select({ sql: NOTED, params }),
  ]);
  if (!statuses.ok) return statuses;
  if (!noted.ok) return noted;
  return stored(openGaps(statuses.value, noted.value));
}

function openGaps(statuses: readonly Cells[], noted: readonly Cells[]): OpenGaps {
  const open = new Map<string, UnixMs>();
  for (const [venue, at, status] of statuses) {
    const id = readText(venue) ?? '';
    if (status === 'live') open.delete(id);
    else if (!open.has(id)) open.set(id, timeCell(at));
  }
  for (const [venue, until] of noted) {
    const from = open.get(readText(venue) ?? '');
    if (from !== undefined) open.set(readText(venue) ?? '', asMs(Math.max(from, countCell(until) * 1000)));
  }
  return open;
}
