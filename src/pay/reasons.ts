import { PAYMENT_ERRORS, type PaymentReason } from '../domain/payment-errors.ts';

const CODE = /^[a-z0-9_]{1,64}$/;
/** The longest word that {@link reasonCode} lets through. */
export const LONGEST_REASON = 'x'.repeat(64);

/** A facilitator's reason as a short word; anything else (library text, call data) becomes `fallback`. */
export function reasonCode(text: unknown, fallback: PaymentReason = 'settlement_refused'): string {
  return typeof text === 'string' && CODE.test(text) ? text : fallback;
}

/** The code of each word that a facilitator may say. */
export type ReasonCodes = Readonly<Record<string, PaymentReason>>;

/** The buyer's answer for a reason. */
export interface Refusal {
  /** Explained at `/errors/<code>`. */
  readonly code: PaymentReason;
  readonly detail: string;
}

/**
 * The code and the words of a reason, ours or a facilitator's, as the ledger has it too. A word of a facilitator
 * stands in the detail; one that is not known shares a code with all such.
 */
export function refusalOf(reason: string, codes: ReasonCodes): Refusal {
  const code = codeOf(reason, codes);
  const { cause, remedy } = PAYMENT_ERRORS[code];
  const said = code === reason ? '' : ` (The facilitator says ${reason}.)`;
  return { code, detail: `${cause}${said} ${remedy}` };
}

function codeOf(reason: string, codes: ReasonCodes): PaymentReason {
  if (isOurs(reason)) return reason;
  return (Object.hasOwn(codes, reason) ? codes[reason] : undefined) ?? 'payment_refused';
}

const isOurs = (reason: string): reason is PaymentReason => Object.hasOwn(PAYMENT_ERRORS, reason);
