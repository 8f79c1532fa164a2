import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { errorText } from '../error-text.ts';
import { type FapiDialect, multiplierOf } from './dialect.ts';

/** Error answer of the family: `{"code":-1121,"msg":"Invalid symbol."}`. */
export function errorBody(payload: unknown): string | undefined {
  if (!isWire(payload) || payload.code === undefined || payload.msg === undefined) return undefined;
  return errorText(payload.code, payload.msg);
}

/** A decoder's result that is one reject of the whole payload. */
export function rejected(payload: unknown): Decoded {
  const decoded = emptyDecoded();
  const error = errorBody(payload);
  decoded.rejects.push(
    error === undefined
      ? { symbol: null, reason: 'unexpected_shape' }
      : { symbol: null, reason: 'error_body', detail: error },
  );
  return decoded;
}

/** The rows of an all-symbols answer, or the one row of a single-symbol answer; undefined for anything else. */
export function rowsOf(payload: unknown): readonly unknown[] | undefined {
  if (Array.isArray(payload)) return payload;
  return isWire(payload) && payload.symbol !== undefined ? [payload] : undefined;
}

/**
 * Hands every row of a live contract to `take` with its symbol and multiplier; all others become rejects.
 *
 * @param symbolField field that names the contract: `symbol` over REST, `s` in frames
 */
export function eachContract(
  rows: readonly unknown[],
  symbolField: 's' | 'symbol',
  instruments: ReadonlyMap<string, Instrument>,
  dialect: FapiDialect,
  out: Decoded,
  take: (row: Wire, symbol: string, multiplier: number) => void,
): void {
  for (const row of rows) {
    if (!isWire(row)) {
      out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
      continue;
    }
    const symbol = readText(row[symbolField]);
    if (symbol === undefined) {
      out.rejects.push({ symbol: null, reason: 'missing_field', detail: symbolField });
      continue;
    }
    const multiplier = multiplierOf(symbol, instruments, dialect);
    if (typeof multiplier === 'number') take(row, symbol, multiplier);
    else out.rejects.push({ symbol, reason: multiplier });
  }
}
