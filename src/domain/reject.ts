/** Out-of-scope rows, rightly left out: no live linear perpetual of this service. */
const OUT_OF_SCOPE_REASONS = [
  'dated',
  'inverse',
  'quanto',
  'option',
  'spot',
  'delisted',
  'not_trading',
  'prelisting',
  'not_listed',
  'foreign_quote',
  'placeholder',
] as const;

/** Rows or fields that should have been readable and were not. */
export const FAULT_REASONS = [
  'malformed',
  'unreadable_symbol',
  'missing_field',
  'out_of_range',
  'unknown_unit',
  'position_mismatch',
  'error_body',
  'unexpected_shape',
] as const;

export type OutOfScopeReason = (typeof OUT_OF_SCOPE_REASONS)[number];
export type FaultReason = (typeof FAULT_REASONS)[number];
export type RejectReason = OutOfScopeReason | FaultReason;

/** Something a decoder left out, and why. `symbol` is null when it concerns the whole payload. */
export interface Reject {
  readonly symbol: string | null;
  readonly reason: RejectReason;
  /** Field or short detail, free of secrets. */
  readonly detail?: string;
}

const faults: ReadonlySet<string> = new Set(FAULT_REASONS);

/** True for a fault of the data, false for a row that is rightly filtered out. */
export function isFault(reject: { readonly reason: string }): boolean {
  return faults.has(reject.reason);
}
