import type { Decoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { dataIn, rowsIn } from '../answer-data.ts';
import type { UnitsLookup } from '../contract-rows.ts';
import { baseOfParsed, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';

/** `code` of a right answer, whatever the HTTP status. */
const SUCCESS = '200000';

const LINEAR = /^(.+)USD[TC]M$/;
/** `XBTMZ26`: contract month and year behind the M. */
const DATED = /M[FGHJKMNQUVXZ]\d{2}$/;

/** `XBTUSDTM` and `XBTUSDCM` are linear, `XBTUSDM` is inverse; `.KXBTUSDT` is an index, no contract. */
function parseSymbol(symbol: string): ParsedSymbol {
  if (symbol.startsWith('.')) return 'not_listed';
  const base = LINEAR.exec(symbol)?.[1];
  if (base !== undefined) return { base };
  if (DATED.test(symbol)) return 'dated';
  return symbol.endsWith('USDM') ? 'inverse' : 'foreign_quote';
}

/** The base that a symbol spells: `XBT` of `XBTUSDTM`, `10000CAT` of `10000CATUSDTM`. */
export function baseOf(symbol: string): string | undefined {
  return baseOfParsed(parseSymbol(symbol));
}

/** Why a symbol is no linear perpetual's. */
export function outOfScopeKind(symbol: string): OutOfScopeReason {
  const parsed = parseSymbol(symbol);
  return typeof parsed === 'string' ? parsed : 'foreign_quote';
}

/** Sizes count lots, whose size only the contract list tells (`multiplier`). */
export const unitsOf: UnitsLookup = (context, symbol) => contractUnitsOf(context, symbol, parseSymbol);

/** Name of a contract's funding rate, `.XBTUSDTMFPI8H`, in answers about one contract. */
const RATE_NAME = /^\.(.+)FPI\d*H?$/;

/** The contract that a row of a single-contract answer is about. */
export function contractOf(name: unknown): string | undefined {
  const text = readText(name);
  return text === undefined ? undefined : (RATE_NAME.exec(text)?.[1] ?? text);
}

/**
 * The `data` of an answer; an error body becomes a reject and gives undefined. Data without its envelope is
 * taken as it is.
 */
export function dataOf(payload: unknown, out: Decoded): unknown {
  return dataIn(payload, out, (code) => code === SUCCESS || code === Number(SUCCESS));
}

/** Rows of an answer: a list, the list under `key`, or one bare row. */
export function rowsOf(payload: unknown, out: Decoded, key = 'list'): readonly unknown[] {
  return rowsIn(dataOf(payload, out), out, { key });
}

/** The one object that an answer holds, or undefined after a reject. */
export function objectOf(payload: unknown, out: Decoded): Wire | undefined {
  const data = dataOf(payload, out);
  if (isWire(data)) return data;
  if (out.rejects.length === 0) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no object' });
  }
  return undefined;
}
