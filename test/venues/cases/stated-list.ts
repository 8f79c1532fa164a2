import type { TermName } from '../../../src/domain/contract-terms.ts';

/** A list of contracts as its venue writes it, with one contract. */
export interface StatedList {
  readonly venue: string;
  readonly url: string;
  /** The list around the row, with what else the terms of the row stand in. */
  readonly around: (row: object) => unknown;
  readonly row: object;
  readonly terms: Readonly<Partial<Record<TermName, number | string>>>;
  /** A change that no reader may take for a term, and the detail of its reject. */
  readonly damage: readonly [change: object, detail: string];
}
