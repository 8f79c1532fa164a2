import type { Decoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import type { DecodeContext } from '../adapter.ts';
import type { UnitsLookup } from '../contract-rows.ts';
import { baseOfParsed, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { requestParam } from '../request-param.ts';

const LINEAR = /^(.+)_USDC-PERPETUAL$/;
const PERPETUAL = /-PERPETUAL$/;
const OPTION = /-[CP]$/;
/** `BTC-27DEC24`, `BTC_USDC-25DEC26`. */
const DATED = /^[^-]+-\d{1,2}[A-Z]{3}\d{2}$/;
const INVERSE = /^[A-Z0-9]+-PERPETUAL$/;

/** `BTC_USDC-PERPETUAL` is linear, `BTC-PERPETUAL` inverse; `BTC_USDC` is spot, `BTC-FS-…` a combination. */
function parseSymbol(symbol: string): ParsedSymbol {
  const base = LINEAR.exec(symbol)?.[1];
  if (base !== undefined) return { base };
  return outOfScopeKind(symbol);
}

/** Why a symbol is no linear perpetual's. */
export function outOfScopeKind(symbol: string): OutOfScopeReason {
  if (INVERSE.test(symbol)) return 'inverse';
  if (PERPETUAL.test(symbol)) return 'foreign_quote';
  if (OPTION.test(symbol)) return 'option';
  if (DATED.test(symbol)) return 'dated';
  return symbol.includes('-') ? 'not_listed' : 'spot';
}

/** The base that a symbol spells: `1000PEPE` of `1000PEPE_USDC-PERPETUAL`. */
export function baseOf(symbol: string): string | undefined {
  return baseOfParsed(parseSymbol(symbol));
}

/** Amounts count base units; `contract_size` is the step of orders and scales nothing. */
export const unitsOf: UnitsLookup = (context, symbol) => contractUnitsOf(context, symbol, parseSymbol, 1);

/** `result` of an answer; an error (also inside HTTP 200) becomes a reject and gives undefined. */
export function resultOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  const { error, result } = payload;
  if (error !== undefined && error !== null) {
    const { code, message } = isWire(error) ? error : { code: undefined, message: error };
    out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(code, message) });
    return undefined;
  }
  return result === undefined ? payload : result;
}

/** Rows of an answer: a list, or one bare row that names its instrument. */
export function rowsOf(payload: unknown, out: Decoded): readonly unknown[] {
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return [];
  const list = wireArray(result);
  if (list !== undefined) return list;
  if (isWire(result) && readText(result.instrument_name) !== undefined) return [result];
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no rows' });
  return [];
}

/** The object that an answer holds; anything else is a reject. */
export function objectOf(payload: unknown, out: Decoded): Wire | undefined {
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return undefined;
  if (isWire(result)) return result;
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no object' });
  return undefined;
}

/** The instrument that a request asked for, in its query or in its JSON body. */
export function asked(context: DecodeContext): string | undefined {
  const { request } = context;
  const inBody = /"instrument_name"\s*:\s*"([^"]+)"/.exec(request?.body ?? '')?.[1];
  const named = request?.symbol ?? requestParam(request, 'instrument_name') ?? inBody;
  return named === '' ? undefined : named;
}
