import type { Decoded } from '../../domain/decoded.ts';
import { isWire, readIso, readText } from '../../domain/read.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import type { Contracts } from '../rows.ts';

/** Times of books and frames are microseconds. */
export const MICROSECONDS = 1e-3;

/** `kPEPE_USDC_PERP`; shares carry their market: `AAPL.US_USDC_PERP` trades AAPL. */
const PERPETUAL = /^(.+?)(?:\.US)?_USDC_PERP$/;

/** Base of a perpetual without the market of a share; undefined for everything else. */
export function baseOf(symbol: string): string | undefined {
  return PERPETUAL.exec(symbol)?.[1];
}

function parseSymbol(symbol: string): ParsedSymbol {
  const base = baseOf(symbol);
  if (base !== undefined) return { base };
  if (symbol.endsWith('_PERP')) return 'foreign_quote';
  return /_(?:PREDICTION|RFQ|IPERP)$/.test(symbol) ? 'not_listed' : 'spot';
}

/** Sizes count the base as named: thousands of coins on `kPEPE`. */
export const contracts: Contracts = { parseSymbol, contractSize: 1 };

/** The payload, unless it is an error: `{code, message}` of REST, `{error: {code, message}}` of the socket. */
export function unlessError(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  const error = isWire(payload.error) ? payload.error : payload;
  if (error.code === undefined) return payload;
  const detail = errorText(error.code, error.message ?? error.msg);
  out.rejects.push({ symbol: null, reason: 'error_body', detail });
  return undefined;
}

const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/;

/** A time in text, which is UTC though it names no zone: `2026-09-23T04:00:00`, `2025-07-19 13:12:00`. */
export function readUtc(x: unknown): UnixMs | undefined {
  const text = readText(x)?.replace(' ', 'T');
  return text === undefined ? undefined : readIso(ZONE.test(text) ? text : `${text}Z`);
}
