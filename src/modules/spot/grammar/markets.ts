import { upperAscii } from '../../../domain/ascii-case.ts';
import { isWire, type Wire } from '../../../domain/read.ts';
import { isReadableSymbol } from '../../../domain/symbol.ts';
import { baseName } from '../../../domain/ticker.ts';
import { asUsd } from '../../../domain/units.ts';
import { fieldFault } from '../../../venues/field-fault.ts';
import type { Field } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import {
  emptySpot,
  type SpotDecoded,
  type SpotDecoder,
  type SpotMarket,
  type SpotReason,
} from '../spot-rows.ts';
import { type FieldTable, readFields, rowsFrom, spotRow } from './fields.ts';
import { noCoin } from './left-out.ts';
import { isDollar } from './pairs.ts';
import { symbolIn, unreadable } from './tickers.ts';

type Named = 'venue' | 'symbol' | 'base' | 'quote' | 'ticker' | 'multiplier' | 'nameReading';

/** The layout of rows of a list of spot markets. */
export interface MarketTable {
  readonly venue: string;
  readonly symbol: string;
  /** The reason for which a row is no spot market of a coin that trades now, by the venue's own marks. */
  readonly leftOut: (wire: Wire, symbol: string) => SpotReason | undefined;
  readonly base: Field<string>;
  readonly quote: Field<string>;
  /** The asset of a base or quote that has another name at this venue alone. */
  readonly assetOf?: (name: string) => string;
  /** The asset's name where a row has another one than the base that orders are placed with. */
  readonly shownBase?: (wire: Wire) => string | undefined;
  readonly fields: FieldTable<Omit<SpotMarket, Named>>;
}

/** Decodes a list of markets. */
export const marketList =
  (rowsOf: RowsOf, table: MarketTable): SpotDecoder =>
  (payload) => {
    const out = emptySpot();
    for (const wire of rowsFrom(rowsOf, payload, out.rejects)) takeMarket(wire, table, out);
    return out;
  };

function takeMarket(wire: unknown, table: MarketTable, out: SpotDecoded): void {
  const symbol = symbolIn(wire, table.symbol, out.rejects);
  if (symbol === undefined || !isWire(wire)) return;
  const marked = table.leftOut(wire, symbol);
  if (marked !== undefined) {
    out.rejects.push({ symbol, reason: marked });
    return;
  }
  const names: string[] = [];
  for (const of of [table.base, table.quote]) {
    const name = of.read(of.raw(wire), spotRow(wire, symbol));
    if (name === undefined) out.rejects.push(fieldFault(symbol, of.name, of.raw(wire)));
    else if (isReadableSymbol(name)) names.push(name);
    else out.rejects.push(unreadable(of.name, name));
  }
  const [base, quote] = names;
  if (base === undefined || quote === undefined) return;
  const reason = noCoin(base);
  if (reason !== undefined) out.rejects.push({ symbol, reason });
  else out.markets.push(marketOf(wire, symbol, base, quote, table, out));
}

function marketOf(
  wire: Wire,
  symbol: string,
  base: string,
  quoteName: string,
  table: MarketTable,
  out: SpotDecoded,
): SpotMarket {
  const assetOf = table.assetOf ?? String;
  const named = baseName(assetOf(table.shownBase?.(wire) ?? base));
  const quote = upperAscii(assetOf(quoteName));
  const fields = readFields(table.fields, spotRow(wire, symbol, named.multiplier), out.rejects);
  const { minQuote } = fields;
  const minimum =
    fields.minUsd === undefined && minQuote !== undefined && isDollar(quote)
      ? { minUsd: asUsd(minQuote) }
      : {};
  return { venue: table.venue, symbol, base, quote, ...named, ...fields, ...minimum };
}

/** Decodes a list whose answer also states the present of its markets. A market that is left out is so once. */
export const withTickers =
  (list: SpotDecoder, present: SpotDecoder): SpotDecoder =>
  (payload, context) => {
    const out = list(payload, context);
    if (out.markets.length === 0) return out;
    const markets = new Map(out.markets.map((market) => [market.symbol, market]));
    const { tickers, rejects } = present(payload, { ...context, markets });
    const known = new Set(out.rejects.map(({ symbol }) => symbol));
    const listed = tickers.filter(({ symbol }) => markets.has(symbol));
    out.tickers.push(...listed);
    out.rejects.push(...rejects.filter(({ symbol }) => symbol === null || !known.has(symbol)));
    return out;
  };
