import { reasonOf } from '../runtime/reason-of.ts';
import type { StoreFault, StoreFaultKind } from './store.ts';

/** Error types of the engine that speak of the statement or its data. */
const REFUSED =
  /^(SYNTAX_ERROR|UNKNOWN_|TYPE_MISMATCH|CANNOT_PARSE|CANNOT_CONVERT|INCORRECT_|ILLEGAL_|BAD_ARGUMENTS|NOT_IMPLEMENTED|NO_COMMON_TYPE|NUMBER_OF_|THERE_IS_NO_COLUMN|NOT_AN_AGGREGATE|VALUE_IS_OUT_OF_RANGE|ARGUMENT_OUT_OF_BOUND|DECIMAL_OVERFLOW|TOO_LARGE_STRING|AMBIGUOUS_)/;

/** Names that start as the ones above and yet pass by themselves. */
const PASSING = /^(UNKNOWN_STATUS_OF_INSERT|UNKNOWN_EXCEPTION)/;

const NO_SPACE =
  /^(NOT_ENOUGH_SPACE|MEMORY_LIMIT_EXCEEDED|CANNOT_ALLOCATE_MEMORY|CANNOT_WRITE_TO_FILE|CANNOT_FSYNC)/;

const MAX_TEXT = 300;

/**
 * Reads an error of the client. The error classes of the embedded engine and of the HTTP client are not the same
 * by identity, so it is recognised by its fields.
 */
export function storeFault(error: unknown): StoreFault {
  const type = error instanceof Error && 'type' in error && typeof error.type === 'string' ? error.type : '';
  const text = reasonOf(error);
  return { kind: kindOf(type, text), message: `${type === '' ? '' : `${type}: `}${text}`.slice(0, MAX_TEXT) };
}

function kindOf(type: string, text: string): StoreFaultKind {
  if (NO_SPACE.test(type) || /No space left on device/i.test(text)) return 'no_space';
  if (REFUSED.test(type) && !PASSING.test(type)) return 'refused';
  return 'unavailable';
}
