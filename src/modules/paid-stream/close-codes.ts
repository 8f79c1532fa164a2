import { ERRORS, type Failure } from '../../domain/errors.ts';
import type { ClosingReason } from './reader.ts';

/** Codes from 4000 on are for the use of applications (RFC 6455, 7.4.2). */
const OWN_CODES = 4000;
/** The code of a service that restarts, of IANA's registry of close codes. */
const SERVICE_RESTART = 1012;

/** Close code of a failure, whose code word is the reason of the close: 4000 and its HTTP status. */
export const closeCodeOf = (code: Failure['code']): number => OWN_CODES + ERRORS[code].status;

/** Close codes of streams that end; the reason of the close is that of the event `closing`. */
export const ENDS: Readonly<Record<ClosingReason, number>> = {
  shutdown: SERVICE_RESTART,
  replaced: OWN_CODES + 409,
  unpaid: OWN_CODES + 402,
  no_data: OWN_CODES + 404,
};
