import type { PaymentReason } from '../domain/payment-errors.ts';
import { isWire } from '../domain/read.ts';
import type { Payment } from './payment.ts';
import { readPaymentText } from './payment-text.ts';
import { type AccountRequest, isSamePayment, type Scheme, schemeAsked } from './scheme.ts';
import type { Seller } from './seller.ts';
import type { PaymentInput } from './types.ts';

/** Larger payment headers are not read. */
export const MAX_PAYMENT_HEADER = 12 * 1024;

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
  schemes: readonly Scheme[],
): ParsedPayment {
  const [first, second] = headersOf(input);
  if (first === undefined) return refuse('malformed_payment_header');
  const payment = parseHeader(first, schemes);
  if (!payment.ok) return payment;
  if (second !== undefined && second !== first) {
    const other = parseHeader(second, schemes);
    if (!other.ok) return other;
    if (!isOnePayment(payment.value, other.value, schemes)) return refuse('conflicting_payment_headers');
  }
  return withIdempotencyKey(payment.value, input.idempotencyKey);
}

/**
 * The request in a header that carries no payment, with the seller on its network; undefined where it carries no such request
 * either.
 */
export function parseAccountRequest(
  input: Pick<PaymentInput, 'xPayment' | 'paymentSignature'>,
  schemes: readonly Scheme[],
): { readonly make: AccountRequest; readonly seller: Seller } | undefined {
  const [header = '', second = header] = headersOf(input);
  if (header !== second || header.length > MAX_PAYMENT_HEADER) return undefined;
  const text = readPaymentText(header);
  const { payload, around } = text ?? {};
  const scheme = around?.terms && schemeAsked(schemes, around.terms);
  const make = isWire(payload) ? scheme?.accountRequest?.(payload) : undefined;
  return make && scheme && { make, seller: scheme.seller };
}

function isOnePayment(a: Payment, b: Payment, schemes: readonly Scheme[]): boolean {
  const scheme = schemeAsked(schemes, a.terms);
  const isOne = scheme !== undefined && scheme === schemeAsked(schemes, b.terms);
  return isOne && a.paymentId === b.paymentId && isSamePayment(scheme, a, b);
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

function parseHeader(header: string, schemes: readonly Scheme[]): ParsedPayment {
  if (header.length > MAX_PAYMENT_HEADER) return refuse('payment_header_too_large');
  const text = readPaymentText(header);
  if (text === undefined) return refuse('malformed_payment_header');
  const { payload } = text;
  const { version, terms, resourceUrl, paymentId } = text.around;
  if (version !== undefined && version !== 1 && version !== 2) return refuse('invalid_x402_version');
  if (terms === undefined || !isWire(payload)) return refuse('invalid_payload');
  const scheme = schemeAsked(schemes, terms);
  if (scheme === undefined) return refuse('invalid_scheme');
  const read = scheme.read(payload);
  if (read === undefined) return refuse('invalid_payload');
  if (paymentId !== undefined && !matches(PAYMENT_ID, paymentId)) return refuse('invalid_payment_identifier');
  return { ok: true, value: { ...read, scheme: scheme.name, terms, resourceUrl, paymentId } };
}

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}
