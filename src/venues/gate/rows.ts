import type { Decoded } from '../../domain/decoded.ts';
import { isWire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import type { UnitsLookup } from '../contract-rows.ts';
import { baseOfParsed, type ContractUnits, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';

/** Delivery contracts: `BTC_USDT_20260925`. */
const DATED = /_\d{8}$/;

/** `BTC_USDT` settles in USDT; `BTC_USD` is inverse; `BTC_USD1` settles in another coin. */
function parseSymbol(symbol: string): ParsedSymbol {
  if (symbol.endsWith('_USDT') && symbol.length > 5) return { base: symbol.slice(0, -5) };
  if (DATED.test(symbol)) return 'dated';
  return symbol.endsWith('_USD') ? 'inverse' : 'foreign_quote';
}

/** The base that a symbol spells: `PEPE` of `PEPE_USDT`. */
export function baseOf(symbol: string): string | undefined {
  return baseOfParsed(parseSymbol(symbol));
}

/** Why a symbol is no USDT perpetual's. */
export function outOfScopeKind(symbol: string): OutOfScopeReason {
  const parsed = parseSymbol(symbol);
  return typeof parsed === 'string' ? parsed : 'foreign_quote';
}

/** Sizes count contracts, whose size only the contract list tells (`quanto_multiplier`). */
export const unitsOf: UnitsLookup = (context, symbol) => contractUnitsOf(context, symbol, parseSymbol);

/**
 * For rates alone, which have no unit: before any list is known, a name from the request that has none of the
 * venue's forms is taken as it is.
 */
export const rateScaling: UnitsLookup = (context, symbol) =>
  context.instruments.size > 0 || symbol.includes('_') ? unitsOf(context, symbol) : UNSCALED;

const UNSCALED: ContractUnits = { multiplier: 1, perContract: undefined };

/** Error answer: `{"label":"CONTRACT_NOT_FOUND","message":"…"}`, the message optional. */
export function isError(payload: unknown): boolean {
  return isWire(payload) && payload.label !== undefined;
}

/** Adds the reject of an answer that holds no data of the kind asked for. */
export function rejectPayload(payload: unknown, out: Decoded): void {
  out.rejects.push(
    isWire(payload) && isError(payload)
      ? { symbol: null, reason: 'error_body', detail: errorText(payload.label, payload.message) }
      : { symbol: null, reason: 'unexpected_shape' },
  );
}

/** Rows of an answer: a bare list, or one bare row that has the field `mark`. */
export function rowsOf(payload: unknown, mark: string, out: Decoded): readonly unknown[] {
  if (Array.isArray(payload)) return payload;
  if (isWire(payload) && payload[mark] !== undefined && !isError(payload)) return [payload];
  rejectPayload(payload, out);
  return [];
}
