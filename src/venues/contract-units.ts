import type { OutOfScopeReason } from '../domain/reject.ts';
import { baseName } from '../domain/ticker.ts';
import type { DecodeContext } from './adapter.ts';

/** The units of one contract: what converts a venue's numbers into ticker units. */
export interface ContractUnits {
  /** Ticker units in one unit of the base as named; divides prices, multiplies base amounts. */
  readonly multiplier: number;
  /** Ticker units in one contract; undefined where no instrument list states it. */
  readonly perContract: number | undefined;
}

/** A venue's rule for which contracts are read, and in which units. */
export type UnitsLookup = (context: DecodeContext, symbol: string) => ContractUnits | OutOfScopeReason;

/** A parsed symbol: the base of a linear perpetual, or why it is out of scope. */
export type ParsedSymbol = { readonly base: string } | OutOfScopeReason;

/**
 * Units of a contract: from the instrument list where there is one, else from its symbol.
 *
 * @param contractSize base units in one contract where that needs no list (1 at venues that count in base)
 * @returns why the contract is left out when it is not on the list, or its symbol is out of scope
 */
export function contractUnitsOf(
  context: DecodeContext,
  symbol: string,
  parseSymbol: (symbol: string) => ParsedSymbol,
  contractSize?: number,
): ContractUnits | OutOfScopeReason {
  const listed = context.instruments.get(symbol);
  if (listed !== undefined) {
    const { multiplier } = listed;
    return { multiplier, perContract: multiplier * listed.contractSize };
  }
  const parsed = parseSymbol(symbol);
  if (typeof parsed === 'string') return parsed;
  if (context.instruments.size > 0) return 'not_listed';
  const { multiplier } = baseName(parsed.base);
  return { multiplier, perContract: contractSize === undefined ? undefined : multiplier * contractSize };
}

/** The units of amounts that count contracts: the instrument list states the base units of each. */
export function unitsPerContract({ multiplier, perContract = multiplier }: ContractUnits): ContractUnits {
  return { multiplier: perContract, perContract };
}
