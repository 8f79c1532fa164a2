import type { Decoded } from '../domain/decoded.ts';
import type { OutOfScopeReason } from '../domain/reject.ts';
import type { DecodeContext } from './adapter.ts';
import type { ContractUnits } from './contract-units.ts';

/** A venue's rule for which contracts are read, and in which units. */
export type UnitsLookup = (context: DecodeContext, symbol: string) => ContractUnits | OutOfScopeReason;

/** Hands over a payload about one contract that only the request names; others become rejects. */
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
