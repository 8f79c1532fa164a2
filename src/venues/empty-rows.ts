import type { Decoded } from '../domain/decoded.ts';

/** A list of all contracts that holds none is a fault of the answer, not an empty success. */
export function rejectEmpty(rows: unknown, out: Decoded): void {
  if (Array.isArray(rows) && rows.length === 0) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no rows' });
  }
}
