import type { Decoded } from '../../domain/decoded.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import type { DecodeContext } from '../adapter.ts';
import { rowsIn } from '../answer-data.ts';
import type { UnitsLookup } from '../contract-rows.ts';
import { baseOfParsed, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { requestParam } from '../request-param.ts';

const LINEAR = /^(.+)-(USDT|USDC)$/;
/** `NCSKTSLA2USD`: an asset from outside the chains, by class. */
const TRADFI = /^NC(SK|FX|CO|SI)(.+)2USD$/;
const TRADFI_CLASS = /^NC(SK|FX|CO|SI)/;

const CLASSES: Readonly<Record<string, AssetClass>> = {
  SK: 'equity',
  FX: 'fx',
  CO: 'commodity',
  SI: 'index',
};

/** `BTC-USDT` and `BTC-USDC` are linear, `BTC-USD` is inverse. */
function parseSymbol(symbol: string): ParsedSymbol {
  const base = LINEAR.exec(symbol)?.[1];
  if (base !== undefined) return { base: plainBase(base) };
  return symbol.endsWith('-USD') ? 'inverse' : 'foreign_quote';
}

/** A base without the mark of its class: `TSLA` of `NCSKTSLA2USD`. */
export function plainBase(base: string): string {
  return TRADFI.exec(base)?.[2] ?? base;
}

/** The class that a base's prefix states; none for all others, some of which are tokenised shares. */
export function classOf(base: string): AssetClass | undefined {
  return CLASSES[TRADFI_CLASS.exec(base)?.[1] ?? ''];
}

/** Base and quote as the venue spells them: `NCSKTSLA2USD` and `USDT`. */
export function partsOf(symbol: string): readonly [base: string, quote: string] | undefined {
  const [, base, quote] = LINEAR.exec(symbol) ?? [];
  return base === undefined || quote === undefined ? undefined : [base, quote];
}

/** The asset that a symbol spells: `1000PEPE` of `1000PEPE-USDT`, `TSLA` of `NCSKTSLA2USD-USDT`. */
export function baseOf(symbol: string): string | undefined {
  return baseOfParsed(parseSymbol(symbol));
}

/** Why a symbol is no linear perpetual's. */
export function outOfScopeKind(symbol: string): OutOfScopeReason {
  const parsed = parseSymbol(symbol);
  return typeof parsed === 'string' ? parsed : 'foreign_quote';
}

/** Sizes count coins: one contract is one unit of the base as named. */
export const unitsOf: UnitsLookup = (context, symbol) => contractUnitsOf(context, symbol, parseSymbol, 1);

/** Adds the reject of an error body (`code` other than 0, mostly inside HTTP 200); true when there was one. */
export function isRefusal(payload: unknown, out: Decoded): boolean {
  if (!isWire(payload)) return false;
  const { code, msg } = payload;
  if (code === undefined || code === 0 || code === '0') return false;
  out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(code, msg) });
  return true;
}

/** `data` of an answer, or the bare payload; undefined after an error body. */
function dataOf(payload: unknown, out: Decoded): unknown {
  if (isRefusal(payload, out)) return undefined;
  return isWire(payload) && payload.data !== undefined ? payload.data : payload;
}

/** Rows of an answer: all contracts are a list, one contract is an object. */
export function rowsOf(payload: unknown, out: Decoded): readonly unknown[] {
  return rowsIn(dataOf(payload, out), out);
}

/** The candles of an answer about one contract, which they do not name: a list, or one alone. */
export function candlesOf(payload: unknown, out: Decoded): readonly unknown[] | undefined {
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return undefined;
  if (Array.isArray(data)) return data;
  if (isWire(data) && data.open !== undefined) return [data];
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no candles' });
  return undefined;
}

/** The object that an answer holds. */
export function objectOf(payload: unknown, out: Decoded): Wire | undefined {
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return undefined;
  if (isWire(data)) return data;
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no object' });
  return undefined;
}

/** The contract that a request asked for. */
export function asked(context: DecodeContext): string | undefined {
  return context.request?.symbol ?? readText(requestParam(context.request, 'symbol'));
}
