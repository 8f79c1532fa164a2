import { isWire, readNumber, readText, type Wire } from '../../../domain/read.ts';
import { isReadableSymbol } from '../../../domain/symbol.ts';
import { baseName } from '../../../domain/ticker.ts';
import { fieldFault } from '../../../venues/field-fault.ts';
import { type Field, field } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { isStated } from '../../../venues/quote-field.ts';
import {
  type BorrowPeriod,
  type BorrowRefusal,
  type BorrowRow,
  emptySpot,
  type SpotContext,
  type SpotDecoded,
  type SpotDecoder,
} from '../spot-rows.ts';
import { type FieldTable, readFields, rowsFrom, spotRow } from './fields.ts';
import { unreadable } from './tickers.ts';

/** Hours in each period of a rate. */
const HOURS: Readonly<Record<BorrowPeriod, number>> = { hour: 1, '4h': 4, day: 24, year: 8760 };

/** No venue lends for more an hour (876 % a year): a rate beyond it is in another unit than the one that was described. */
const MAX_PER_HOUR = 0.001;

/** Open for loans, or why not. */
export type BorrowState = 'open' | BorrowRefusal;

/** A flag that says of each coin that it is lent at all. */
export const lent = (name: string): Field<BorrowState> =>
  field(name, (raw) => (raw === true ? 'open' : raw === false ? 'not_borrowable' : undefined));

/** The layout of rows that state the cost of borrowing one coin each. */
export interface BorrowTable {
  /** The coin of a row, or of the request where the answer does not repeat it. */
  readonly asset: string | ((wire: Wire, context: SpotContext) => string | undefined);
  /** The coin that a token of another name is a claim on. */
  readonly assetOf?: (asset: string) => string;
  readonly rate?: string;
  readonly period?: BorrowPeriod;
  /** The tier where no field states it. */
  readonly tier?: string;
  readonly access?: BorrowRow['access'];
  /** True of all rows where absent. A row whose state cannot be read is left out. */
  readonly state?: Field<BorrowState>;
  readonly fields?: FieldTable<Pick<BorrowRow, 'tier' | 'limit' | 'limitUsd' | 'available' | 'venueTime'>>;
}

/** Decodes rows about one coin each. */
export const borrowRates =
  (rowsOf: RowsOf, table: BorrowTable): SpotDecoder =>
  (payload, context) => {
    const out = emptySpot();
    for (const wire of rowsFrom(rowsOf, payload, out.rejects)) takeBorrow(wire, table, context, out);
    return out;
  };

/** Takes a row; the rate itself becomes a fraction an hour, beside the venue's own figure. */
export function takeBorrow(wire: unknown, table: BorrowTable, context: SpotContext, out: SpotDecoded): void {
  if (!isWire(wire)) {
    out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
    return;
  }
  const asset = typeof table.asset === 'string' ? readText(wire[table.asset]) : table.asset(wire, context);
  if (asset === undefined || !isReadableSymbol(asset)) {
    const detail = typeof table.asset === 'string' ? table.asset : 'coin of the request';
    out.rejects.push(
      asset === undefined ? { symbol: null, reason: 'missing_field', detail } : unreadable(detail, asset),
    );
    return;
  }
  const { ticker, multiplier } = baseName(table.assetOf?.(asset) ?? asset);
  const row = spotRow(wire, asset, multiplier);
  const state = table.state === undefined ? 'open' : table.state.read(table.state.raw(wire), row);
  if (state === undefined) {
    const name = table.state?.name ?? '';
    out.rejects.push(fieldFault(asset, name, wire[name]));
    return;
  }
  const { tier, access } = table;
  const known = { ...(tier !== undefined && { tier }), ...(access !== undefined && { access }) };
  const fields = readFields(table.fields ?? {}, row, out.rejects);
  const rate = table.rate === undefined ? {} : readRate(wire, asset, table, out);
  const raw = wire[table.rate ?? ''];
  if (rate === undefined && (state === 'open' || isStated(raw))) {
    out.rejects.push(fieldFault(asset, table.rate ?? '', raw));
    return;
  }
  const { ratePerHour, ...figures } = rate ?? {};
  const stated = { asset, ticker, ...known, ...fields, ...figures };
  if (state !== 'open') out.borrow.push({ ...stated, refused: state });
  else out.borrow.push(ratePerHour === undefined ? stated : { ...stated, ratePerHour });
}

type Rate = Pick<BorrowRow, 'rateRaw' | 'period' | 'ratePerHour' | 'refused'>;

/** The figure, its period and what it comes to an hour; undefined where it is missing or cannot be read. */
function readRate(
  wire: Wire,
  asset: string,
  { rate = '', period = 'hour' }: BorrowTable,
  out: SpotDecoded,
): Rate | undefined {
  const rateRaw = readNumber(wire[rate]);
  if (rateRaw === undefined) return undefined;
  const ratePerHour = rateRaw / HOURS[period];
  if (ratePerHour >= 0 && ratePerHour < MAX_PER_HOUR) return { ratePerHour, rateRaw, period };
  out.rejects.push({ symbol: asset, reason: 'out_of_range', detail: rate });
  return { rateRaw, period, refused: 'out_of_range' };
}

/** Answers with the interest that lenders get: known, and never shown as the cost of borrowing. */
export const lendersRates =
  (rowsOf: RowsOf, detail: string): SpotDecoder =>
  (payload) => {
    const out = emptySpot();
    const rows = rowsFrom(rowsOf, payload, out.rejects);
    if (rows.length > 0) out.rejects.push({ symbol: null, reason: 'lending_rate', detail });
    return out;
  };
