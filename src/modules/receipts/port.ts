import type { Port } from '../../runtime/port.ts';
import type { DailyRoots } from './daily-roots.ts';

/** The receipts of a service that charges. */
export interface Receipts {
  /** Keys, roots and proofs. */
  readonly roots: DailyRoots;
  /** Sales for which receipts were signed, since the start of the process. */
  issued(): number;
  /**
   * Signs a statement of another module with the key of now, as compact JWS.
   *
   * @param type told apart by it, in the header of the statement
   * @returns undefined where no key signs
   */
  sign(payload: unknown, type: string): string | undefined;
}

/** Absent where nothing is charged. */
export const RECEIPTS: Port<Receipts | undefined> = { name: 'receipts', absent: undefined };
