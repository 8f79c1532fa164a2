import type { Decoded } from '../../domain/decoded.ts';
import { dataIn, rowsIn } from '../answer-data.ts';
import type { UnitsLookup } from '../contract-rows.ts';
import { baseOfParsed, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';

/** `code` of an answer that is no error. */
const SUCCESS = '00000';

/** `BTCUSDZ26`, `BTCCMZ26`, `ETHUSD_231229`: futures with a delivery date. */
const DATED = /(?:(?:USDT|USDC|USD|CM)[FGHJKMNQUVXZ]|_)\d{2,6}$/;
/** `BTCUSD`, in the unified account `BTCUSD_CM`. */
const INVERSE = /USD(?:_CM)?$/;

/** `BTCUSDT` settles in USDT, `BTCPERP` in USDC; both endings have four letters. */
function parseSymbol(symbol: string): ParsedSymbol {
  if (symbol.length > 4 && (symbol.endsWith('USDT') || symbol.endsWith('PERP'))) {
    return { base: symbol.slice(0, -4) };
  }
  if (DATED.test(symbol)) return 'dated';
  return INVERSE.test(symbol) ? 'inverse' : 'foreign_quote';
}

/** The base that a symbol spells: `1000BONK` of `1000BONKUSDT`, `BTC` of `BTCPERP`. */
export function baseOf(symbol: string): string | undefined {
  return baseOfParsed(parseSymbol(symbol));
}

/** Sizes count the base coin: one contract is one unit of the base as named. */
export const unitsOf: UnitsLookup = (context, symbol) => contractUnitsOf(context, symbol, parseSymbol, 1);

/**
 * The `data` of an answer; an error body becomes a reject and gives undefined. Data without its envelope is
 * taken as it is.
 */
export function dataOf(payload: unknown, out: Decoded): unknown {
  return dataIn(payload, out, (code) => code === SUCCESS);
}

/** Rows of an answer: a list, the list under `key`, or one bare row. */
export function rowsOf(payload: unknown, out: Decoded, key = 'list'): readonly unknown[] {
  return rowsIn(dataOf(payload, out), out, { key });
}
