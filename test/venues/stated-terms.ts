import type { ContractTerms } from '../../src/domain/contract-terms.ts';

/** A change of a row, the terms that it leaves unknown, and the field of its fault. */
interface Unknown {
  readonly change: object;
  readonly gone: readonly string[];
  readonly fault?: string;
}

/** A list with one contract as its venue writes it, and what is read of it per ticker unit. */
export interface Stated {
  readonly venue: string;
  readonly path: string;
  readonly list: (row: object) => unknown;
  readonly row: object;
  readonly terms: ContractTerms;
  readonly without: readonly Unknown[];
}

/** The end of a contract, in a row that states one. */
export const END = Date.UTC(2026, 11, 1);
