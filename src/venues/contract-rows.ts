import type { Decoded } from '../domain/decoded.ts';
import { isWire, readText, type Wire } from '../domain/read.ts';
import type { ForeignReason } from '../domain/reject.ts';
import type { DecodeContext } from './adapter.ts';
import type { Scale } from './scale.ts';

/** A venue's rule for which contracts are read, and in which units. */
export type Scaling = (context: DecodeContext, symbol: string) => Scale | ForeignReason;

/** Hands every row of a contract that is to be read to `take`; all other rows become rejects. */
export function eachContract(
  rows: readonly unknown[],
  symbolField: string,
  scaling: Scaling,
  context: DecodeContext,
  out: Decoded,
  take: (row: Wire, symbol: string, scale: Scale) => void,
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
    const scale = scaling(context, symbol);
    if (typeof scale === 'string') out.rejects.push({ symbol, reason: scale });
    else take(row, symbol, scale);
  }
}

/** The same for a payload about one contract that only the request names. */
export function oneContract(
  symbol: string | undefined,
  scaling: Scaling,
  context: DecodeContext,
  out: Decoded,
  take: (symbol: string, scale: Scale) => void,
): void {
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol of the request' });
    return;
  }
  const scale = scaling(context, symbol);
  if (typeof scale === 'string') out.rejects.push({ symbol, reason: scale });
  else take(symbol, scale);
}
