import type { QuotePatch } from '../domain/quote.ts';
import { readNumber } from '../domain/read.ts';
import type { Reject } from '../domain/reject.ts';
import { asBase, asUsd } from '../domain/units.ts';
import { put } from './quote-field.ts';

/** Largest amount that is believed. */
const LIMIT = 1e24;

/**
 * Puts open interest: the raw number, ticker units where the unit of the number is known, and USD = base x mark
 * where the same row has stated the mark before.
 *
 * @param perUnit ticker units in one unit of `raw`; undefined while no instrument list has told it
 */
export function putOpenInterest(
  patch: QuotePatch,
  raw: unknown,
  perUnit: number | undefined,
  rejects: Reject[],
): void {
  const number = readNumber(raw);
  const usable = number !== undefined && number >= 0 && number < LIMIT;
  put(patch, 'openInterestRaw', usable ? number : undefined, raw, rejects);
  if (!usable || perUnit === undefined) return;
  const base = number * perUnit;
  patch.openInterestBase = asBase(base);
  if (patch.markPrice !== undefined) patch.openInterestUsd = asUsd(base * patch.markPrice);
}
