import type { Wire } from '../../../domain/read.ts';
import { asMs, type Price, type UnixMs } from '../../../domain/units.ts';
import { HOUR_MS } from '../../../runtime/duration.ts';
import { fieldFault } from '../../../venues/field-fault.ts';
import { type Field, isRow } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { emptySpot, type SpotContext, type SpotDecoded, type SpotDecoder } from '../spot-rows.ts';
import { rowsFrom, spotRow } from './fields.ts';
import { type PairUnits, type SpellPair, unitsOfPair } from './pairs.ts';

/** The layout of rows that are a candle of one hour each. Their cells go by number where they are lists. */
export interface CandleTable {
  /** Beginning of the hour. */
  readonly start: Field<UnixMs>;
  readonly open: Field<Price>;
  readonly close: Field<Price>;
}

/**
 * Decodes candles of one market, which the request or the first row names. Rows that do not begin with an hour, or whose prices cannot be read,
 * are faults; whether the last hour goes on is for the reader, who knows the time.
 */
export const hourCandles =
  (
    rowsOf: RowsOf,
    symbolOf: (wire: Wire, context: SpotContext) => string | undefined,
    spell: SpellPair,
    table: CandleTable,
  ): SpotDecoder =>
  (payload, context) => {
    const out = emptySpot();
    const rows = rowsFrom(rowsOf, payload, out.rejects);
    const [first] = rows;
    if (first === undefined) return out;
    const symbol = symbolOf(isRow(first) ? first : {}, context);
    if (symbol === undefined) {
      out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol of the request' });
      return out;
    }
    const units = unitsOfPair(context, symbol, spell);
    if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
    else for (const wire of rows) takeCandle(wire, symbol, units, table, out);
    return out;
  };

function takeCandle(
  wire: unknown,
  symbol: string,
  { multiplier }: PairUnits,
  table: CandleTable,
  out: SpotDecoded,
): void {
  if (!isRow(wire)) {
    out.rejects.push({ symbol, reason: 'malformed', detail: 'row' });
    return;
  }
  const row = spotRow(wire, symbol, multiplier);
  const must = <T>(of: Field<T>, key: string): T | undefined => {
    const raw = of.raw(wire);
    const value = of.read(raw, row);
    if (value === undefined) out.rejects.push(fieldFault(symbol, key, raw));
    return value;
  };
  const start = must(table.start, 'start');
  const open = must(table.open, 'open');
  const close = must(table.close, 'close');
  if (start === undefined || open === undefined || close === undefined) return;
  if (start % HOUR_MS === 0) out.candles.push({ symbol, start: asMs(start), open, close });
  else out.rejects.push({ symbol, reason: 'out_of_range', detail: 'start' });
}
