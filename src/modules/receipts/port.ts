import type { Port } from '../../runtime/port.ts';
import type { DailyRoots } from './daily-roots.ts';

/** The receipts of a service that charges. */
export interface Receipts {
  /** Keys, roots and proofs. */
  readonly roots: DailyRoots;
  /** Sales for which receipts were signed, since the start of the process. */
  issued(): number;
}

/** Absent where nothing is charged. */
export const RECEIPTS: Port<Receipts | undefined> = { name: 'receipts', absent: undefined };
