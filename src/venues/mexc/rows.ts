import type { Decoded } from '../../domain/decoded.ts';
import { isWire, readNumber, type Wire } from '../../domain/read.ts';
import { rowsIn } from '../answer-data.ts';
import type { UnitsLookup } from '../contract-rows.ts';
import { baseOfParsed, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';

/** Answer of every REST call. Errors come with HTTP 200. */
interface MexcEnvelope {
  readonly success?: unknown;
  /** 0, once seen as "0". */
  readonly code?: unknown;
  readonly message?: unknown;
  readonly msg?: unknown;
  readonly data?: unknown;
}

const EXPIRY = /_\d{6,8}$/;

/**
 * `BTC_USDT` and `BTC_USDC` are linear, `BTC_USD` is inverse, `BTC_USD1` settles in another coin, a date behind the pair
 * ends a dated contract, and only spot pairs have no underscore.
 */
export function parseSymbol(symbol: string): ParsedSymbol {
  if (symbol.length > 5 && (symbol.endsWith('_USDT') || symbol.endsWith('_USDC'))) {
    return { base: symbol.slice(0, -5) };
  }
  if (EXPIRY.test(symbol)) return 'dated';
  if (symbol.endsWith('_USD')) return 'inverse';
  return symbol.includes('_') ? 'foreign_quote' : 'spot';
}

/** The base that a symbol spells: `1000BONK` of `1000BONK_USDT`. */
export function baseOf(symbol: string): string | undefined {
  return baseOfParsed(parseSymbol(symbol));
}

/** Sizes count contracts, whose size only the contract list tells (`contractSize`). */
export const unitsOf: UnitsLookup = (context, symbol) => contractUnitsOf(context, symbol, parseSymbol);

/**
 * The `data` of an answer; an error body becomes a reject and gives undefined. Data without its envelope is
 * taken as it is.
 */
export function dataOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  const { success, code, message, msg, data }: MexcEnvelope = payload;
  if (success === undefined && code === undefined) return data === undefined ? payload : data;
  if (success === true && (code === undefined || readNumber(code) === 0)) return data ?? null;
  out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(code, message ?? msg) });
  return undefined;
}

/** Rows of an answer: a list, the list under `key`, or one bare row. */
export function rowsOf(payload: unknown, out: Decoded, key = 'resultList'): readonly unknown[] {
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
