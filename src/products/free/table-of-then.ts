import { fail, ok, type Result } from '../../domain/errors.ts';
import { classOfId } from '../../domain/instrument.ts';
import { asMs } from '../../domain/units.ts';
import { type PastTable, pastTable } from '../../market/delayed-table.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { HistoryQueries, Ports } from '../define-product.ts';
import { fromStore } from '../history/stored.ts';

type FromHistory = Promise<Result<PastTable | undefined>>;

/** The table that was read of each store last: a start is followed by a quarter of an hour of such reading. */
const readBefore = new WeakMap<HistoryQueries, { readonly minute: number; readonly table: FromHistory }>();

/**
 * The whole table as it was when the delay of free answers began: from memory, and in the first minutes of the process from the
 * history, where one is kept. Undefined where neither goes back so far.
 */
export function tableOfThen(ports: Ports): Result<PastTable | undefined> | FromHistory {
  const { market, history, clock } = ports;
  const now = clock.now();
  const kept = market.delayed.table(now);
  if (kept !== undefined || history === undefined) return ok(kept);
  const minute = Math.floor((now - market.delayed.delayMs) / MINUTE_MS);
  const before = readBefore.get(history.reader);
  if (before?.minute === minute) return before.table;
  const table = fromHistory(history.reader, minute * MINUTE_MS, market);
  readBefore.set(history.reader, { minute, table });
  return table;
}

async function fromHistory(reader: HistoryQueries, then: number, market: Ports['market']): FromHistory {
  const asOf = asMs(then);
  const rows = fromStore(
    await reader.historicalRows({ asOf }, (venue, id) => {
      const tracked = market.venue(venue);
      return tracked && { sourceId: tracked.sourceId, assetClass: classOfId(id) };
    }),
  );
  if (!rows.ok) return fail(rows.error);
  return ok(rows.value.length === 0 ? undefined : pastTable(asOf, rows.value));
}
