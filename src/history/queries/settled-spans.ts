import { readText } from '../../domain/read.ts';
import type { SettledSpans } from '../../domain/series.ts';
import type { UnixMs } from '../../domain/units.ts';
import { DAY_MS, DAY_SECONDS } from '../../runtime/duration.ts';
import type { PaymentTimes } from '../reading.ts';
import { CONTRACT, latestSettlements } from '../sample-sql.ts';
import type { Cells, Query } from '../store.ts';
import { countCell, timeCell } from './cells.ts';
import { hoursPaidFor } from './funding-payments.ts';

/** Spans that payments are added up over, days, ascending. */
export const SETTLED_SPANS_DAYS = [1, 7, 30] as const;
const LONGEST_SPAN_DAYS = Math.max(...SETTLED_SPANS_DAYS);
/** The last payment of a contract may be so much older than now. */
const LATE_DAYS = 1;
/** The payment before the first of a span says how long that one is for. */
const BEFORE_DAYS = 1;
/** The time before now in which the payments lie that these spans need, ms. */
export const SPANS_MS = (LONGEST_SPAN_DAYS + LATE_DAYS + BEFORE_DAYS) * DAY_MS;

/** Of a span: payments, the sum of the rates whose hours are known, these hours, and payments whose hours are not. */
function spanCells(days: number): string {
  const inside = `p.1 > last - ${days * DAY_SECONDS}`;
  const sum = (value: string) => `arraySum(p -> if(${inside} AND p.3 > 0, ${value}, 0), spaced)`;
  return [
    `arrayCount(p -> ${inside}, spaced)`,
    sum('p.2'),
    sum('p.3'),
    `arrayCount(p -> ${inside} AND p.3 = 0, spaced)`,
  ].join(', ');
}

/**
 * Funding payments of every contract since it was listed last, added up over the spans that end with its last one. Each
 * is for the hours that `hoursPaidFor` says, as where single payments are asked for.
 */
export function settledSpansQuery(now: UnixMs, times?: PaymentTimes): Query {
  const span = { from: '{from:UInt32} + 1', to: '{to:UInt32} + 1', conditions: [] };
  const rows = latestSettlements(['rate', 'interval_hours'], span, times);
  const paid = 'arraySort(p -> p.1, groupArray((toUnixTimestamp(ts), rate, interval_hours))) AS paid';
  const contracts =
    `SELECT canonical_id, venue, symbol, toUnixTimestamp(max(ts)) AS last, ${paid} FROM (${rows}) ` +
    `GROUP BY ${CONTRACT} ORDER BY listed_at DESC LIMIT 1 BY canonical_id, venue, symbol`;
  const before = 'arrayPushFront(arrayPopBack(arrayMap(p -> p.1, paid)), 0)';
  const hours = `ifNull(${hoursPaidFor('p.1', 'before', 'p.3')}, 0)`;
  const spaced = `arrayMap((p, before) -> (p.1, p.2, ${hours}), paid, ${before}) AS spaced`;
  const to = Math.floor(now / 1000);
  return {
    sql: `SELECT canonical_id, venue, symbol, last, ${SETTLED_SPANS_DAYS.map(spanCells).join(', ')} FROM (SELECT *, ${spaced} FROM (${contracts})) WHERE last > {to:UInt32} - ${LATE_DAYS * DAY_SECONDS}`,
    params: { from: to - SPANS_MS / 1000, to },
  };
}

/** A row of `settledSpansQuery`. */
export function readSettledSpans(cells: Cells): SettledSpans {
  return {
    canonicalId: readText(cells[0]) ?? '',
    venue: readText(cells[1]) ?? '',
    symbol: readText(cells[2]) ?? '',
    lastAt: timeCell(cells[3]),
    spans: SETTLED_SPANS_DAYS.map((days, at) => {
      const [payments, rateSum, hours, unknown] = cells.slice(4 + 4 * at);
      return {
        days,
        payments: countCell(payments),
        rateSum: countCell(rateSum),
        hours: countCell(hours),
        unknown: countCell(unknown),
      };
    }),
  };
}
