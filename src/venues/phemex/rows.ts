import type { Decoded } from '../../domain/decoded.ts';
import { isWire, readNumber } from '../../domain/read.ts';
import { baseOfParsed, type ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import type { Contracts } from '../rows.ts';

/** Times are nanoseconds, as JSON numbers beyond 2^53: good to the millisecond, not beyond. */
export const NS = 1e-6;
/** Funding intervals are seconds. */
export const SECONDS = 1 / 3600;

/** `BTCUSDT`, `BTCUSDC`; `u1000PEPEUSDT` is priced and sized per 1000 coins. */
const LINEAR = /^u?([A-Z0-9].*)USD[TC]$/;

/** What a symbol spells; the case of its first letter is part of it (`sBTCUSDT` is spot). */
export function parseSymbol(symbol: string): ParsedSymbol {
  if (symbol.startsWith('s')) return 'spot';
  const base = LINEAR.exec(symbol)?.[1];
  if (base !== undefined) return { base };
  return symbol === 'BTCUSD' || /^c.+USD$/.test(symbol) ? 'inverse' : 'foreign_quote';
}

/** The base that a symbol spells: `1000PEPE` of `u1000PEPEUSDT`. */
export function baseOf(symbol: string): string | undefined {
  return baseOfParsed(parseSymbol(symbol));
}

/** Sizes count the base coin as named. */
export const contracts: Contracts = { parseSymbol, contractSize: 1 };

/**
 * What an answer holds: `data` (calls that answer with `code`), `result` (calls under `/md`), or the bare payload.
 * An error of either family is a reject and undefined.
 */
export function bodyOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  const { error, code, msg, data, result } = payload;
  const failed = isWire(error) ? error : undefined;
  // A row of the product list has a `code` of its own.
  if (
    failed !== undefined ||
    (code !== undefined && payload.symbol === undefined && readNumber(code) !== 0)
  ) {
    const detail = failed === undefined ? errorText(code, msg) : errorText(failed.code, failed.message);
    out.rejects.push({ symbol: null, reason: 'error_body', detail });
    return undefined;
  }
  if (data !== undefined) return data;
  return result === undefined ? payload : result;
}

/** Rows of an answer that may be paged (`rows` and `total`), a bare list, or one row. */
export function rowsOf(body: unknown): unknown {
  return isWire(body) && body.rows !== undefined ? body.rows : body;
}
