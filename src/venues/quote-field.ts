import type { QuotePatch } from '../domain/quote.ts';
import { readNumber } from '../domain/read.ts';
import type { Reject } from '../domain/reject.ts';
import { fieldFault } from './field-fault.ts';

type Field = Exclude<keyof QuotePatch, 'symbol'>;

/** Blank, null, zero and `nan` are the ways in which venues say that there is no value. */
export function isStated(raw: unknown): boolean {
  if (raw === undefined || raw === null || raw === '' || raw === 0) return false;
  return typeof raw !== 'string' || !(raw === 'nan' || raw === 'NaN' || readNumber(raw) === 0);
}

/** Puts an optional value that was read; a stated one that could not be read is a fault. */
export function put<K extends Field>(
  patch: QuotePatch,
  key: K,
  value: QuotePatch[K] | undefined,
  raw: unknown,
  rejects: Reject[],
): void {
  if (value !== undefined) patch[key] = value;
  else if (isStated(raw)) rejects.push(fieldFault(patch.symbol, key, raw));
}

/** Puts a value that this call always states: a field that is missing, null or blank is a fault as well. */
export function need<K extends Field>(
  patch: QuotePatch,
  key: K,
  value: QuotePatch[K] | undefined,
  raw: unknown,
  rejects: Reject[],
): void {
  if (value !== undefined) patch[key] = value;
  else if ((raw ?? '') === '' || isStated(raw)) rejects.push(fieldFault(patch.symbol, key, raw));
}

/** Keeps a patch that says something; one that says nothing is a reject. */
export function keepPatch(patch: QuotePatch, quotes: QuotePatch[], rejects: Reject[]): void {
  for (const key in patch) {
    if (key === 'symbol') continue;
    quotes.push(patch);
    return;
  }
  rejects.push({ symbol: patch.symbol, reason: 'missing_field', detail: 'no metric' });
}
