import { printable } from '../../../domain/printable.ts';
import { isWire, readText, type Wire } from '../../../domain/read.ts';
import { isReadableSymbol } from '../../../domain/symbol.ts';
import { asUsd } from '../../../domain/units.ts';
import { isRow } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import {
  emptySpot,
  type SpotContext,
  type SpotDecoded,
  type SpotDecoder,
  type SpotReason,
  type SpotReject,
  type SpotTicker,
} from '../spot-rows.ts';
import { type FieldTable, readFields, rowsFrom, spotRow } from './fields.ts';
import { isDollar, type SpellPair, unitsOfPair } from './pairs.ts';

type Named = 'symbol' | 'ticker' | 'quote';

/** The layout of rows that state the present of a market each. */
export interface TickerTable {
  readonly symbol: string;
  readonly spell: SpellPair;
  /** The asset of a base that has another name at this venue alone. */
  readonly assetOf?: (base: string) => string;
  /** The reason for which a row is no spot market's, by what the row itself says. */
  readonly leftOut?: (wire: Wire, symbol: string) => SpotReason | undefined;
  readonly fields: FieldTable<Omit<SpotTicker, Named>>;
}

/** Characters of an unreadable name that a reject shows. */
const MAX_SHOWN = 40;

/** The reject of a name that is no part of a row: it is not its symbol, since rejects are shown. */
export const unreadable = (detail: string, name: string): SpotReject => ({
  symbol: null,
  reason: 'unreadable_symbol',
  detail: `${detail}: ${printable(name, MAX_SHOWN)}`,
});

/** Decodes rows that name their market. */
export const tickers =
  (rowsOf: RowsOf, table: TickerTable): SpotDecoder =>
  (payload, context) => {
    const out = emptySpot();
    for (const wire of rowsFrom(rowsOf, payload, out.rejects)) takeTicker(wire, table, context, out);
    return out;
  };

/** The name of a row's market; undefined after a reject. */
export function symbolIn(wire: unknown, field: string, rejects: SpotReject[]): string | undefined {
  const symbol = isRow(wire) ? readText(wire[field]) : undefined;
  if (!isRow(wire)) rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
  else if (symbol === undefined) rejects.push({ symbol: null, reason: 'missing_field', detail: field });
  else if (isReadableSymbol(symbol)) return symbol;
  else rejects.push(unreadable(field, symbol));
  return undefined;
}

function takeTicker(wire: unknown, table: TickerTable, context: SpotContext, out: SpotDecoded): void {
  const symbol = symbolIn(wire, table.symbol, out.rejects);
  if (symbol === undefined || !isWire(wire)) return;
  const reason = table.leftOut?.(wire, symbol);
  const units = reason ?? unitsOfPair(context, symbol, table.spell, table.assetOf);
  if (typeof units === 'string') {
    out.rejects.push({ symbol, reason: units });
    return;
  }
  const faults = out.rejects.length;
  const read = readFields(table.fields, spotRow(wire, symbol, units.multiplier), out.rejects);
  const { volume24hQuote } = read;
  const usd =
    read.volume24hUsd === undefined && isDollar(units.quote) && volume24hQuote !== undefined
      ? { volume24hUsd: asUsd(volume24hQuote) }
      : {};
  const { ticker, quote } = units;
  const names = { symbol, ...(ticker !== undefined && { ticker }), ...(quote !== undefined && { quote }) };
  const row = uncrossed({ ...names, ...read, ...usd }, out.rejects);
  const isEmpty = Object.keys(row).every((key) => key in names || key === 'venueTime');
  if (!isEmpty) out.tickers.push(row);
  else if (out.rejects.length === faults)
    out.rejects.push({ symbol, reason: 'missing_field', detail: 'no metric' });
}

/** In an auction and on a frozen market a bid may stand above the ask: then neither is a price at which one can trade. */
function uncrossed(ticker: SpotTicker, rejects: SpotReject[]): SpotTicker {
  const { bestBid, bestBidSize, bestAsk, bestAskSize, ...rest } = ticker;
  if (bestBid === undefined || bestAsk === undefined || bestBid <= bestAsk) return ticker;
  rejects.push({ symbol: ticker.symbol, reason: 'out_of_range', detail: 'bid above ask' });
  return rest;
}
