import type { PublishedAmount } from '../../domain/amount.ts';
import type { Decoded } from '../../domain/decoded.ts';
import type { FundingPoint } from '../../domain/quote.ts';
import { readBase, type Wire } from '../../domain/read.ts';
import type { PublishedStamp } from '../../domain/stamp.ts';
import { asMs, type Hours, type Price, type RatePerInterval, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS, SECOND_MS } from '../../runtime/duration.ts';
import { addOpenInterestPoint, readQuote } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { onGrid } from '../hour.ts';
import { isStated } from '../quote-field.ts';
import type { ContractRow, Field } from './field.ts';
import type { AmountField } from './quote.ts';
import type { RowDecoder } from './rows.ts';

/** The layout of a settled rate. */
export interface FundingTable {
  /**
   * The moment that `time` marks. Rows stamped with the beginning of their interval are payments at its end.
   */
  readonly stamp: PublishedStamp;
  readonly time: Field<UnixMs>;
  readonly rate: Field<RatePerInterval>;
  readonly intervalHours?: Field<Hours>;
  readonly markPrice?: Field<Price>;
  /** True if a row is the rate in force at its time and no payment; absent = every row is a payment. */
  readonly isObserved?: (wire: Wire) => boolean;
  /** Grid that stamps are put on, which come up to some seconds late, ms; a second where absent. */
  readonly gridMs?: number;
  /** When the answer was made, where it says so; its receipt where absent. */
  readonly madeAt?: Field<UnixMs>;
}

/** A clock of the venue that is so far ahead is no sign that an interval still runs. */
const AHEAD_MS = 60 * SECOND_MS;

/** The payment of a row; undefined where the row is stamped with the beginning of an interval of unknown length. */
function paidAt(stamp: PublishedStamp, at: UnixMs, hours: Hours | undefined): UnixMs | undefined {
  if (stamp.means !== 'begin') return at;
  return hours === undefined ? undefined : asMs(at + hours * HOUR_MS);
}

/** The value of a field, or the fault of it. */
function must<T>(of: Field<T>, key: string, row: ContractRow, out: Decoded): T | undefined {
  const raw = of.raw(row.wire);
  const value = of.read(raw, row);
  if (value === undefined) out.rejects.push(fieldFault(row.symbol, key, raw));
  return value;
}

/** The value of a field that rows need not state; one that is stated and cannot be read is a fault. */
function may<T>(of: Field<T> | undefined, key: string, row: ContractRow, out: Decoded): T | undefined {
  const raw = of?.raw(row.wire);
  const value = of?.read(raw, row);
  if (value === undefined && isStated(raw)) out.rejects.push(fieldFault(row.symbol, key, raw));
  return value;
}

/**
 * Takes settled rates under the time of their payment. A row whose payment is still to come is of the interval that runs,
 * and no payment; one whose payment cannot be told, since its interval is not known, is left out with a reason.
 */
export function settledRates(table: FundingTable): RowDecoder {
  const { stamp, time, rate, intervalHours, markPrice, isObserved, gridMs = SECOND_MS, madeAt } = table;
  return (row, out) => {
    const at = must(time, 'time', row, out);
    const settled = must(rate, 'rate', row, out);
    if (at === undefined || settled === undefined) return;
    const hours = may(intervalHours, 'intervalHours', row, out);
    const mark = may(markPrice, 'markPrice', row, out);
    const paid = paidAt(stamp, onGrid(at, gridMs), hours);
    const reject = (reason: 'placeholder' | 'missing_field', detail: string): void => {
      out.rejects.push({ symbol: row.symbol, reason, detail });
    };
    if (paid === undefined) return reject('missing_field', 'interval of a rate stamped with its beginning');
    const now = (madeAt && may(madeAt, 'madeAt', row, out)) ?? row.context.receivedAt;
    if (now !== undefined && paid > now + AHEAD_MS) return reject('placeholder', 'interval still running');
    out.funding.push({
      symbol: row.symbol,
      time: paid,
      rate: settled,
      ...(hours !== undefined && { intervalHours: hours }),
      ...(mark !== undefined && { markPrice: mark }),
      ...(isObserved?.(row.wire) && { observed: true as const }),
    } satisfies FundingPoint);
  };
}

/**
 * Takes prices of the past. Of a candle that is its open at its open time: the price at exactly that instant, whether
 * the candle is finished or not.
 */
export function priceSeries(
  _stamp: PublishedStamp,
  time: Field<UnixMs>,
  key: 'markPrice' | 'indexPrice',
  of: Field<Price>,
): RowDecoder {
  return (row, out) => {
    const at = must(time, 'time', row, out);
    const price = must(of, key, row, out);
    if (at !== undefined && price !== undefined)
      out.history.push({ symbol: row.symbol, time: at, [key]: price });
  };
}

/** Takes open interest of the past, each contract counted once, with the mark of that moment where it is stated. */
export function openInterestSeries(
  _stamp: PublishedStamp,
  time: Field<UnixMs>,
  { of, stated }: AmountField,
  mark?: Field<Price>,
): RowDecoder {
  return (row, out) => {
    const amounts = stated(row);
    if (
      row.units.perContract === undefined &&
      readBase(amounts.contracts ?? Number.NaN) !== undefined &&
      !amounts.base &&
      !amounts.quote
    ) {
      out.rejects.push({
        symbol: row.symbol,
        reason: 'unknown_unit',
        detail: 'openInterest counts contracts',
      });
      return;
    }
    const markPrice = may(mark, 'markPrice', row, out);
    const beside = markPrice === undefined ? {} : { markPrice };
    const at = time.read(time.raw(row.wire), row);
    addOpenInterestPoint(out, row.symbol, at, of, amounts, row.units, beside);
  };
}

/** Takes what was traded in the hour of each candle, each contract counted once. @param turnover quote currency */
export function tradedHours(
  _stamp: PublishedStamp & { readonly means: 'begin' },
  time: Field<UnixMs>,
  of: PublishedAmount,
  turnover: string | number,
): RowDecoder {
  return (row, out) => {
    const at = must(time, 'time', row, out);
    const raw = row.wire[String(turnover)];
    const hourUsd = readQuote(of, raw);
    if (hourUsd === undefined) out.rejects.push(fieldFault(row.symbol, 'hourUsd', raw));
    else if (at !== undefined) out.history.push({ symbol: row.symbol, time: at, hourUsd });
  };
}
