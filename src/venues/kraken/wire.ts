import type { Decoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import type { ContractUnits } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { listedSymbol, unitsOf } from './symbols.ts';

/** Row of `tickers`. Numbers. Index rows hold only `symbol`, `last` and `lastTime`. */
export interface KrakenTicker {
  readonly symbol?: unknown;
  readonly suspended?: unknown;
  readonly markPrice?: unknown;
  readonly indexPrice?: unknown;
  readonly bid?: unknown;
  readonly ask?: unknown;
  /** Base units on linear contracts. */
  readonly vol24h?: unknown;
  /** USD on linear contracts. */
  readonly volumeQuote?: unknown;
  /** Base units on linear contracts. */
  readonly openInterest?: unknown;
  /** USD for one base unit and hour: absolute, not a fraction. */
  readonly fundingRate?: unknown;
}

/** Why an answer is an error: three shapes are known, two of them also come with HTTP 200. */
function errorOf(payload: Wire): string | undefined {
  const { result, error, errors, status, message } = payload;
  const [first] = wireArray(errors) ?? [];
  if (isWire(first)) return errorText(first.code, first.message);
  if (readText(first) !== undefined) return errorText(undefined, first);
  if (typeof error === 'string') return errorText(error, message);
  if (typeof result === 'string' && result !== 'success') return errorText(result, status);
  return undefined;
}

/** Adds the reject of an error body; true when the payload was one. */
export function isRefusal(payload: unknown, out: Decoded): boolean {
  const detail = isWire(payload) ? errorOf(payload) : undefined;
  if (detail !== undefined) out.rejects.push({ symbol: null, reason: 'error_body', detail });
  return detail !== undefined;
}

/** Rows of an answer: the list under `key`, the one row under `single`, a bare list or a bare row. */
export function rowsOf(payload: unknown, key: string, out: Decoded, single?: string): readonly unknown[] {
  if (Array.isArray(payload)) return payload;
  if (isRefusal(payload, out)) return [];
  if (isWire(payload)) {
    const list = wireArray(payload[key]);
    if (list !== undefined) return list;
    const one = single === undefined ? undefined : payload[single];
    if (isWire(one)) return [one];
    if (readText(payload.symbol) !== undefined) return [payload];
  }
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: `no ${key}` });
  return [];
}

/** Calls `take` for each row of a contract that is read; the others become rejects with their reason. */
export function eachRow(
  rows: readonly unknown[],
  field: string,
  context: DecodeContext,
  out: Decoded,
  take: (row: Wire, symbol: string, units: ContractUnits) => void,
): void {
  for (const row of rows) {
    const named = isWire(row) ? readText(row[field]) : undefined;
    if (!isWire(row) || named === undefined) {
      out.rejects.push({ symbol: null, reason: 'malformed', detail: `row without ${field}` });
      continue;
    }
    const symbol = listedSymbol(context, named);
    const units = unitsOf(context, symbol);
    if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
    else take(row, symbol, units);
  }
}
