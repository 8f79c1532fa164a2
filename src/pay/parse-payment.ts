import type { PaymentReason } from '../domain/payment-errors.ts';
import { isWire } from '../domain/read.ts';
import { isAddress } from './address.ts';
import { type Authorization, isSamePayment, type Payment } from './payment.ts';
import { own, readPaymentText } from './payment-text.ts';
import type { PaymentInput } from './types.ts';

/** Larger payment headers are not read. */
export const MAX_PAYMENT_HEADER = 12 * 1024;

const DECIMAL = /^(?:0|[1-9]\d{0,77})$/;
const NONCE = /^0x[0-9a-fA-F]{64}$/;
const HEX = /^0x[0-9a-fA-F]+$/;
/** Whole bytes of a signature; a contract wallet's may be long. */
const MAX_SIGNATURE_BYTES = 4_096;
const PAYMENT_ID = /^[A-Za-z0-9_-]{16,128}$/;

export type ParsedPayment =
  | { readonly ok: true; readonly value: Payment }
  | { readonly ok: false; readonly reason: PaymentReason };

const refuse = (reason: PaymentReason): ParsedPayment => ({ ok: false, reason });

/** True where the request carries a payment in either header, readable or not. */
export function carriesPayment(input: Pick<PaymentInput, 'xPayment' | 'paymentSignature'>): boolean {
  return headersOf(input).length > 0;
}

/**
 * Reads the payment of a request: either header, either generation of the payload in it, also the mixtures that
 * real buyers send (a v1 shape with a CAIP-2 network, stamped 2, or without a version; base64url;
 * missing padding; both headers at once). Nothing is believed yet. Never throws.
 */
export function parsePayment(
  input: Pick<PaymentInput, 'xPayment' | 'paymentSignature' | 'idempotencyKey'>,
): ParsedPayment {
  const [first, second] = headersOf(input);
  if (first === undefined) return refuse('malformed_payment_header');
  const payment = parseHeader(first);
  if (!payment.ok) return payment;
  if (second !== undefined && second !== first) {
    const other = parseHeader(second);
    if (!other.ok) return other;
    const same = other.value.paymentId === payment.value.paymentId;
    if (!same || !isSamePayment(other.value, payment.value)) return refuse('conflicting_payment_headers');
  }
  return withIdempotencyKey(payment.value, input.idempotencyKey);
}

function headersOf(input: Pick<PaymentInput, 'xPayment' | 'paymentSignature'>): readonly string[] {
  const { paymentSignature, xPayment } = input;
  if (!paymentSignature) return xPayment ? [xPayment] : [];
  return xPayment ? [paymentSignature, xPayment] : [paymentSignature];
}

function withIdempotencyKey(payment: Payment, key: string | undefined): ParsedPayment {
  if (payment.paymentId !== undefined || key === undefined) return { ok: true, value: payment };
  if (!PAYMENT_ID.test(key)) return refuse('invalid_payment_identifier');
  return { ok: true, value: { ...payment, paymentId: key } };
}

function parseHeader(header: string): ParsedPayment {
  if (header.length > MAX_PAYMENT_HEADER) return refuse('payment_header_too_large');
  const text = readPaymentText(header);
  if (text === undefined) return refuse('malformed_payment_header');
  const { payload } = text;
  const { version, terms, resourceUrl, paymentId } = text.around;
  if (version !== undefined && version !== 1 && version !== 2) return refuse('invalid_x402_version');
  if (terms === undefined || !isWire(payload)) return refuse('invalid_payload');
  const authorization = readAuthorization(own(payload, 'authorization'));
  const signature = own(payload, 'signature');
  if (authorization === undefined || !isSignature(signature)) return refuse('invalid_payload');
  if (paymentId !== undefined && !matches(PAYMENT_ID, paymentId)) return refuse('invalid_payment_identifier');
  return {
    ok: true,
    value: { authorization, signature: canonicalSignature(signature), terms, resourceUrl, paymentId },
  };
}

function isSignature(value: unknown): value is string {
  return matches(HEX, value) && value.length % 2 === 0 && value.length <= 2 + 2 * MAX_SIGNATURE_BYTES;
}

/** 65 bytes that end in a recovery id. */
const WITH_RECOVERY_ID = /^0x[0-9a-f]{128}0[01]$/;
/** Where r is an address, the signature is a contract wallet's (an approved hash of Safe ends in 1). */
const OF_ADDRESS = /^0x0{24}/;

/**
 * In lower case, v as the token takes it: signers that count recovery ids from 0 mean 27 and 28. The same form is compared,
 * kept and passed on.
 */
function canonicalSignature(signature: string): string {
  const text = signature.toLowerCase();
  if (!WITH_RECOVERY_ID.test(text) || OF_ADDRESS.test(text)) return text;
  return `${text.slice(0, -2)}${text.endsWith('0') ? '1b' : '1c'}`;
}

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function readAuthorization(value: unknown): Authorization | undefined {
  if (!isWire(value)) return undefined;
  const from = own(value, 'from');
  const to = own(value, 'to');
  const nonce = own(value, 'nonce');
  const amount = own(value, 'value');
  const validAfter = own(value, 'validAfter');
  const validBefore = own(value, 'validBefore');
  if (!isAddress(from) || !isAddress(to) || !matches(NONCE, nonce)) return undefined;
  if (!matches(DECIMAL, amount) || !matches(DECIMAL, validAfter) || !matches(DECIMAL, validBefore))
    return undefined;
  return {
    from: from.toLowerCase(),
    to: to.toLowerCase(),
    value: amount,
    validAfter,
    validBefore,
    nonce: nonce.toLowerCase(),
  };
}
