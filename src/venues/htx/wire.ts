import type { Decoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import type { DecodeContext } from '../adapter.ts';
import { rowsIn } from '../answer-data.ts';
import type { UnitsLookup } from '../contract-rows.ts';
import { baseOfParsed, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { nativeUnits } from '../native-units.ts';
import { requestParam } from '../request-param.ts';

const LINEAR = /^([^-]+)-USDT$/;
/** `BTC-USDT-260925`, and its aliases `BTC-USDT-CW`, `-NW`, `-CQ`, `-NQ`. */
const DATED = /^[^-]+-USDT-/;
const INVERSE = /^[^-]+-USD$/;

function parseSymbol(symbol: string): ParsedSymbol {
  const base = LINEAR.exec(symbol)?.[1];
  if (base !== undefined) return { base };
  if (DATED.test(symbol)) return 'dated';
  return INVERSE.test(symbol) ? 'inverse' : 'foreign_quote';
}

/** The base that a symbol spells: `BTC` of `BTC-USDT`. */
export function baseOf(symbol: string): string | undefined {
  return baseOfParsed(parseSymbol(symbol));
}

/** Why a symbol is no linear perpetual's. */
export function outOfScopeKind(symbol: string): OutOfScopeReason {
  const parsed = parseSymbol(symbol);
  return typeof parsed === 'string' ? parsed : 'foreign_quote';
}

/** Sizes count contracts, whose size only the contract list tells. */
export const unitsOf: UnitsLookup = (context, symbol) => contractUnitsOf(context, symbol, parseSymbol);

/** The same, also for books and histories of other contracts while no list is known. */
export const anyScaling: UnitsLookup = nativeUnits(unitsOf);

/**
 * Why an answer is an error. Market calls say `err-code` (a text), API calls `err_code` (a number), both inside HTTP
 * 200; an unknown path has a number for its status; the fifth version has a `code` other than 200.
 */
function errorOf(payload: Wire): string | undefined {
  const { status, code, message } = payload;
  const errorCode = payload['err-code'] ?? payload.err_code;
  const said = payload['err-msg'] ?? payload.err_msg;
  // The notification socket states the code 0 when all is well.
  if (errorCode !== undefined && errorCode !== 0) return errorText(errorCode, said);
  if (status !== undefined && status !== 'ok') return errorText(status, said ?? payload.error ?? message);
  if (code !== undefined && code !== 200 && code !== '200') return errorText(code, message ?? payload.msg);
  return undefined;
}

/** Adds the reject of an error body; true when the payload was one. */
export function isRefusal(payload: unknown, out: Decoded): boolean {
  const detail = isWire(payload) ? errorOf(payload) : undefined;
  if (detail !== undefined) out.rejects.push({ symbol: null, reason: 'error_body', detail });
  return detail !== undefined;
}

/** What an answer holds: `data`, `ticks` or `tick`, or the bare payload. */
function contentOf(payload: unknown): unknown {
  if (!isWire(payload)) return payload;
  return payload.data ?? payload.ticks ?? payload.tick ?? payload;
}

/** Rows of an answer: a list, or one row that names its contract. */
export function rowsOf(payload: unknown, out: Decoded): readonly unknown[] {
  if (isRefusal(payload, out)) return [];
  return rowsIn(contentOf(payload), out, { symbol: 'contract_code' });
}

/** The object that an answer holds. */
export function objectOf(payload: unknown, out: Decoded): Wire | undefined {
  if (isRefusal(payload, out)) return undefined;
  const content = contentOf(payload);
  if (isWire(content)) return content;
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no object' });
  return undefined;
}

/** The candles of an answer about one contract, which they do not name: a list, or one alone. */
export function candlesOf(payload: unknown, out: Decoded): readonly unknown[] | undefined {
  if (isRefusal(payload, out)) return undefined;
  const content = contentOf(payload);
  if (Array.isArray(content)) return content;
  if (isWire(content) && content.open !== undefined) return [content];
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no candles' });
  return undefined;
}

/** `market.BTC-USDT.depth.step0`: the contract, and what is told of it. */
const CHANNEL = /^market\.([^.]+)\.(.+)$/;

/** Contract and subject of a channel name. */
export function channelOf(name: unknown): readonly [symbol: string, subject: string] | undefined {
  const [, symbol, subject] = CHANNEL.exec(readText(name) ?? '') ?? [];
  return symbol === undefined || subject === undefined ? undefined : [symbol, subject];
}

/** The contract an answer is about: its channel says it, else the request. */
export function symbolOf(payload: unknown, context: DecodeContext): string | undefined {
  const channel = isWire(payload) ? channelOf(payload.ch) : undefined;
  return channel?.[0] ?? context.request?.symbol ?? readText(requestParam(context.request, 'contract_code'));
}
