import type { OutOfScopeReason } from '../../domain/reject.ts';
import type { DecodeContext } from '../call.ts';
import type { UnitsLookup } from '../contract-units.ts';
import { contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';

/** The venue's spelling of its contracts. */
export interface SymbolFormat {
  /** A live linear perpetual; the first group is the base as the venue names it. */
  readonly linear: RegExp;
  /** Reasons for leaving out other symbols, the first that fits. */
  readonly others?: readonly (readonly [RegExp, OutOfScopeReason])[];
  /** The reason for all remaining symbols. */
  readonly rest: OutOfScopeReason;
}

const symbolsById = new WeakMap<DecodeContext['instruments'], ReadonlyMap<string, string>>();

/** The listed contract with a venue's number or id (`altId`). */
export function symbolOfId(id: string, { instruments }: DecodeContext): string | undefined {
  let known = symbolsById.get(instruments);
  if (known?.size !== instruments.size) {
    known = new Map([...instruments.values()].map(({ symbol, altId = symbol }) => [altId, symbol]));
    symbolsById.set(instruments, known);
  }
  return known.get(id);
}

/** Facts that follow from a venue's symbols. */
export interface Symbols {
  /** The base as the venue names it: `1000PEPE` of `1000PEPEUSDT`; undefined where it is no linear perpetual's. */
  readonly baseOf: (symbol: string) => string | undefined;
  /** The reason for which a symbol is out of scope. */
  readonly reasonOf: (symbol: string) => OutOfScopeReason;
  /** Units of a contract by the list of contracts, and by its symbol as long as there is none. */
  readonly unitsOf: UnitsLookup;
}

/**
 * Reads a venue's symbols.
 *
 * @param contractSize base units in one contract where that needs no list: 1 at venues that count in base units
 */
export function symbols({ linear, others = [], rest }: SymbolFormat, contractSize?: number): Symbols {
  const baseOf = (symbol: string): string | undefined => linear.exec(symbol)?.[1];
  const reasonOf = (symbol: string): OutOfScopeReason =>
    others.find(([pattern]) => pattern.test(symbol))?.[1] ?? rest;
  const parse = (symbol: string): ParsedSymbol => {
    const base = baseOf(symbol);
    return base === undefined ? reasonOf(symbol) : { base };
  };
  return {
    baseOf,
    reasonOf,
    unitsOf: (context, symbol) => contractUnitsOf(context, symbol, parse, contractSize),
  };
}
