import { readNumber } from '../domain/read.ts';
import type { Reject } from '../domain/reject.ts';

/** The reject for a field that should have been readable: missing, no number, or a number beyond its range. */
export function fieldFault(symbol: string | null, field: string, raw: unknown): Reject {
  if (raw === undefined || raw === null || raw === '')
    return { symbol, reason: 'missing_field', detail: field };
  const reason = readNumber(raw) === undefined ? 'malformed' : 'out_of_range';
  return { symbol, reason, detail: field };
}
