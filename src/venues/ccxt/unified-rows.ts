import type { Decoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import type { DecodeContext } from '../adapter.ts';

/** ccxt answers with a list, with one structure, or with structures keyed by its own symbol. */
function rowsOf(payload: unknown): readonly unknown[] | undefined {
  if (Array.isArray(payload)) return payload;
  if (!isWire(payload)) return undefined;
  return readText(payload.symbol) === undefined ? Object.values(payload) : [payload];
}

/** Calls `read` with each structure that names a symbol; the others become rejects. */
export function eachUnified(payload: unknown, out: Decoded, read: (row: Wire, symbol: string) => void): void {
  const rows = rowsOf(payload);
  if (rows === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no unified structures' });
    return;
  }
  for (const row of rows) {
    const symbol = isWire(row) ? readText(row.symbol) : undefined;
    if (isWire(row) && symbol !== undefined) read(row, symbol);
    else out.rejects.push({ symbol: null, reason: 'malformed', detail: 'structure without symbol' });
  }
}

/** As `eachUnified`, for the contracts on the list; rows of anything else become rejects. */
export function eachListed(
  payload: unknown,
  out: Decoded,
  context: DecodeContext,
  read: (row: Wire, instrument: Instrument) => void,
): void {
  const listed = byUnifiedSymbol(context.instruments);
  eachUnified(payload, out, (row, symbol) => {
    const instrument = listed.get(symbol);
    if (instrument !== undefined) read(row, instrument);
    else out.rejects.push({ symbol, reason: outOfScopeReason(symbol) });
  });
}

const indices = new WeakMap<ReadonlyMap<string, Instrument>, ReadonlyMap<string, Instrument>>();

/** Contracts by ccxt's symbol; worked out once a list. */
function byUnifiedSymbol(instruments: ReadonlyMap<string, Instrument>): ReadonlyMap<string, Instrument> {
  const known = indices.get(instruments);
  if (known !== undefined) return known;
  const index = new Map(
    [...instruments.values()].map((instrument) => [instrument.altId ?? instrument.symbol, instrument]),
  );
  indices.set(instruments, index);
  return index;
}

const OPTION = /-\d{6}-[^-]+-[CP]$/;
const DATED = /-\d{6}$/;
const SETTLED_IN_BASE = /^([^/]+)\/[^:]+:\1$/;

/**
 * A unified symbol spells its kind: `BTC/USDT` is spot, `BTC/USD:BTC` inverse, `BTC/USDT:USDT-260327` dated.
 */
function outOfScopeReason(symbol: string): OutOfScopeReason {
  if (!symbol.includes(':')) return 'spot';
  if (OPTION.test(symbol)) return 'option';
  if (DATED.test(symbol)) return 'dated';
  return SETTLED_IN_BASE.test(symbol) ? 'inverse' : 'not_listed';
}
