import { readNumber, readText } from '../../domain/read.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import type { Cells, Query } from '../store.ts';
import { countCell, timeCell } from './cells.ts';

/** A funding payment that has just become known. */
export interface NewPayment {
  readonly canonicalId: string;
  readonly venue: VenueId;
  readonly symbol: string;
  readonly at: UnixMs;
  /** Fraction of the notional, of the interval that ends. */
  readonly rate: number;
  /** As the venue states it with the payment. */
  readonly intervalHours: number | undefined;
}

/** A rate as it was shown. */
export interface ShownRate {
  readonly venue: VenueId;
  readonly symbol: string;
  readonly at: UnixMs;
  readonly rate: number;
}

/** Payments older than this are the back-fill's: what was shown before them is seldom known. */
const REACH_MS = 2 * DAY_MS;

/** Payments of the last two days that were first recorded after one moment and by another. */
export function newPaymentsQuery(after: UnixMs, to: UnixMs): Query {
  const recorded = (name: string) => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;
  return {
    sql:
      'SELECT canonical_id, venue, symbol, toUnixTimestamp(ts), argMax(rate, recorded_at), argMax(interval_hours, recorded_at) ' +
      "FROM settlements WHERE ts >= toDateTime({from:UInt32}, 'UTC') GROUP BY canonical_id, venue, symbol, ts " +
      `HAVING min(recorded_at) > ${recorded('after')} AND min(recorded_at) <= ${recorded('to')}`,
    params: { from: Math.floor((to - REACH_MS) / 1000), after, to },
  };
}

/** A row of `newPaymentsQuery`. */
export function readNewPayment([canonicalId, venue, symbol, at, rate, hours]: Cells): NewPayment {
  return {
    canonicalId: readText(canonicalId) ?? '',
    venue: readText(venue) ?? '',
    symbol: readText(symbol) ?? '',
    at: timeCell(at),
    rate: countCell(rate),
    intervalHours: readNumber(hours),
  };
}

/** Rates of some assets that were sampled at some full minutes. */
export function shownRatesQuery(canonicalIds: readonly string[], minutes: readonly UnixMs[]): Query {
  return {
    sql:
      'SELECT venue, symbol, toUnixTimestamp(ts), argMax(funding_rate, recorded_at) FROM samples ' +
      'WHERE canonical_id IN {ids:Array(String)} AND toUnixTimestamp(ts) IN (' +
      `${minutes.map((at) => at / 1000).join(', ')}) ` +
      "AND ts >= toDateTime({from:UInt32}, 'UTC') AND ts <= toDateTime({to:UInt32}, 'UTC') " +
      "AND origin = 'sampled' AND rate_m IS NOT NULL GROUP BY venue, symbol, ts",
    params: {
      ids: canonicalIds,
      from: Math.min(...minutes) / 1000,
      to: Math.max(...minutes) / 1000,
    },
  };
}

/** A row of `shownRatesQuery`. */
export function readShownRate([venue, symbol, at, rate]: Cells): ShownRate {
  return {
    venue: readText(venue) ?? '',
    symbol: readText(symbol) ?? '',
    at: timeCell(at),
    rate: countCell(rate),
  };
}
