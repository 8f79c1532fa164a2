import type { Decoded } from '../domain/decoded.ts';
import { isWire, readText, type Wire } from '../domain/read.ts';
import type { OutOfScopeReason } from '../domain/reject.ts';
import type { DecodeContext } from './adapter.ts';
import type { ContractUnits } from './contract-units.ts';

/** A venue's rule for which contracts are read, and in which units. */
export type UnitsLookup = (context: DecodeContext, symbol: string) => ContractUnits | OutOfScopeReason;

/** Hands every row of a contract that is to be read to `take`; all other rows become rejects. */
export function eachContract(
  rows: readonly unknown[],
  symbolField: string,
  unitsOf: UnitsLookup,
  context: DecodeContext,
  out: Decoded,
  take: (row: Wire, symbol: string, units: ContractUnits) => void,
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
    const units = unitsOf(context, symbol);
    if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
    else take(row, symbol, units);
  }
}

/** The same for a payload about one contract that only the request names. */
export function readOneContract(
  symbol: string | undefined,
  unitsOf: UnitsLookup,
  context: DecodeContext,
  out: Decoded,
  take: (symbol: string, units: ContractUnits) => void,
): void {
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol of the request' });
    return;
  }
  const units = unitsOf(context, symbol);
  if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
  else take(symbol, units);
}
