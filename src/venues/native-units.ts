import type { UnitsLookup } from './contract-rows.ts';
import type { ContractUnits } from './contract-units.ts';

const NATIVE_UNITS: ContractUnits = { multiplier: 1, perContract: undefined };

/**
 * The rule for books and histories of one contract. With a list of contracts only those on it count. Without one,
 * contracts that are not ours (dated, inverse) are read as stated, in the venue's own units: what a recording says
 * of them is worth showing, and nothing of it is converted.
 */
export function nativeUnits(unitsOf: UnitsLookup): UnitsLookup {
  return (context, symbol) => {
    const units = unitsOf(context, symbol);
    return typeof units === 'string' && context.instruments.size === 0 ? NATIVE_UNITS : units;
  };
}
