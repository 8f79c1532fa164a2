import type { Decoded } from '../../domain/decoded.ts';
import { isWire, wireArray } from '../../domain/read.ts';
import { errorBody } from './wire.ts';

/** Rows of a `{"results": […]}` answer; empty after a reject. */
export function resultsOf(payload: unknown, decoded: Decoded): readonly unknown[] {
  const rows = isWire(payload) ? wireArray(payload.results) : undefined;
  if (rows !== undefined) return rows;
  decoded.rejects.push(errorBody(payload) ?? { symbol: null, reason: 'unexpected_shape', detail: 'results' });
  return [];
}
