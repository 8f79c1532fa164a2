import { readNumber, readText } from '../../domain/read.ts';
import type { FundingPayment, SettledMean } from '../../domain/series.ts';
import { asRate, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { DAY_SECONDS } from '../../runtime/duration.ts';
import type { PaymentTimes } from '../reading.ts';
import { CONTRACT, latestSettlements } from '../sample-sql.ts';
import type { Cells, Query } from '../store.ts';
import { countCell, timeCell } from './cells.ts';
import { seconds } from './scope.ts';

/** Contracts and time of the requested payments. */
export interface PaymentScope {
  readonly canonicalIds: readonly string[];
  /** These venues; all without it. */
  readonly venues?: readonly VenueId[] | undefined;
  /** These contracts, each as `contractKey` has it; all without it. */
  readonly contracts?: readonly string[] | undefined;
  /** Included. */
  readonly from: UnixMs;
  /** Not included. */
  readonly to: UnixMs;
  /** The view as of this time of recording. */
  readonly asOf?: UnixMs | undefined;
}

/**
 * The hours that a payment is for, in SQL. A venue may change its interval between two payments, so the stated one counts
 * only up to the payment before; where none is stated the time since then counts, if that is a day at most. The interval
 * that a contract has today never counts.
 *
 * @param at,before times of the payment and of the one before it, seconds; 0 where none is known
 * @param stated the interval that came with it, hours, or NULL
 */
export const hoursPaidFor = (at: string, before: string, stated: string): string =>
  `multiIf(${before} = 0, ${stated}, isNull(${stated}), if(${at} - ${before} <= ${DAY_SECONDS}, (${at} - ${before}) / 3600, NULL), ` +
  `least(${stated}, (${at} - ${before}) / 3600))`;

/** Payments of some assets in a window, each with the hours that it is for. */
function spacedPayments(scope: PaymentScope, times: PaymentTimes | undefined): Query {
  const { canonicalIds, venues, contracts, from, to, asOf } = scope;
  const conditions = [
    'canonical_id IN {canonical_ids:Array(String)}',
    ...(venues === undefined ? [] : ['venue IN {venues:Array(String)}']),
    ...(contracts === undefined ? [] : ["concat(venue, ' ', symbol) IN {contracts:Array(String)}"]),
    ...(asOf === undefined ? [] : ['recorded_at <= fromUnixTimestamp64Milli({as_of:Int64})']),
  ];
  // The payment before the first of the window says how long that one is for.
  const span = { from: '{before:UInt32}', to: '{to:UInt32}', conditions };
  const rows = latestSettlements(['rate', 'interval_hours'], span, times);
  const order = `PARTITION BY ${CONTRACT} ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW`;
  const spaced =
    'SELECT canonical_id, venue, symbol, toUnixTimestamp(listed_at) AS listed, toUnixTimestamp(ts) AS at, rate, interval_hours, ' +
    `lagInFrame(toUnixTimestamp(ts)) OVER (${order}) AS before FROM (${rows})`;
  return {
    sql: `SELECT canonical_id, venue, symbol, listed, at, rate, ${hoursPaidFor('at', 'before', 'interval_hours')} AS hours FROM (${spaced}) WHERE at >= {from:UInt32}`,
    params: {
      canonical_ids: canonicalIds,
      from: seconds(from),
      to: seconds(to),
      before: Math.max(0, seconds(from) - DAY_SECONDS),
      ...(venues === undefined ? {} : { venues }),
      ...(contracts === undefined ? {} : { contracts }),
      ...(asOf === undefined ? {} : { as_of: asOf }),
    },
  };
}

/** Every funding payment of some assets in a window, by contract and time. */
export function fundingPaymentsQuery(scope: PaymentScope, times?: PaymentTimes): Query {
  const { sql, params } = spacedPayments(scope, times);
  return { sql: `${sql} ORDER BY canonical_id, venue, symbol, listed, at`, params };
}

/** The mean of the same by contract and bucket, weighted by the hours that they are for. */
export function settledMeansQuery(scope: PaymentScope, stepMs: number, times?: PaymentTimes): Query {
  const { sql, params } = spacedPayments(scope, times);
  const bucket = 'intDiv(at, {step:UInt32}) * {step:UInt32}';
  return {
    sql:
      `SELECT canonical_id, venue, symbol, listed, ${bucket} AS start, sum(rate) / sum(hours) * 8, sum(hours), max(at) FROM (${sql}) ` +
      'WHERE hours > 0 GROUP BY canonical_id, venue, symbol, listed, start ORDER BY canonical_id, venue, symbol, listed, start',
    params: { ...params, step: stepMs / 1000 },
  };
}

/** A row of `settledMeansQuery`. There are thousands of them: nothing is spread. */
export function readSettledMean(cells: Cells): SettledMean {
  return {
    canonicalId: readText(cells[0]) ?? '',
    venue: readText(cells[1]) ?? '',
    symbol: readText(cells[2]) ?? '',
    listedAt: timeCell(cells[3]),
    start: timeCell(cells[4]),
    rate8h: countCell(cells[5]),
    hours: countCell(cells[6]),
    lastAt: timeCell(cells[7]),
  };
}

/** A row of `fundingPaymentsQuery`. */
export function readFundingPayment(cells: Cells): FundingPayment {
  return {
    canonicalId: readText(cells[0]) ?? '',
    venue: readText(cells[1]) ?? '',
    symbol: readText(cells[2]) ?? '',
    listedAt: timeCell(cells[3]),
    at: timeCell(cells[4]),
    rate: asRate(countCell(cells[5])),
    hours: readNumber(cells[6]),
  };
}

/** Asks for all contracts of the venues of some: under a former name a contract may have had another symbol. */
export function ofVenues({ contracts, ...scope }: PaymentScope): PaymentScope {
  if (contracts === undefined) return scope;
  const venues = contracts.map((contract) => contract.slice(0, contract.indexOf(' ')));
  return { ...scope, venues: [...new Set(venues)] };
}
