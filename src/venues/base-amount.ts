import type { QuotePatch } from '../domain/quote.ts';
import { readBase, readNumber } from '../domain/read.ts';
import type { Reject } from '../domain/reject.ts';
import { put } from './quote-field.ts';

/** Open interest that the venue counts in base units as named: raw beside base. `scale` is the multiplier. */
export function putOpenInterestBase(q: QuotePatch, raw: unknown, scale: number, rejects: Reject[]): void {
  const base = readBase(raw, scale);
  put(q, 'openInterestBase', base, raw, rejects);
  const own = readNumber(raw);
  if (base !== undefined && own !== undefined) q.openInterestRaw = own;
}

/** A 24 h volume that the venue counts in base units as named, which is its own number too. */
export function putVolumeBase(q: QuotePatch, raw: unknown, scale: number, rejects: Reject[]): void {
  put(q, 'volume24hBase', readBase(raw, scale), raw, rejects);
}
