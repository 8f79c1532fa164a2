import { isUtf8 } from 'node:buffer';
import { isWire, type Wire } from '../domain/read.ts';
import { isAddress } from './address.ts';
import { type Authorization, isSamePayment, type Payment, type StatedTerms } from './payment.ts';
import type { PaymentReason } from './reasons.ts';
import type { PaymentInput } from './types.ts';

/** Larger payment headers are not read. */
export const MAX_PAYMENT_HEADER = 12 * 1024;
const MAX_DEPTH = 32;

const DECIMAL = /^(?:0|[1-9]\d{0,77})$/;
const NONCE = /^0x[0-9a-fA-F]{64}$/;
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2}){1,4096}$/;
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
 * real buyers send (a first-generation shape with a CAIP-2 network, stamped 2, or without a version; base64url;
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
  return [input.paymentSignature, input.xPayment].filter(
    (header): header is string => header !== undefined && header !== '',
  );
}

function withIdempotencyKey(payment: Payment, key: string | undefined): ParsedPayment {
  if (payment.paymentId !== undefined || key === undefined) return { ok: true, value: payment };
  if (!PAYMENT_ID.test(key)) return refuse('invalid_payment_identifier');
  return { ok: true, value: { ...payment, paymentId: key } };
}

function parseHeader(header: string): ParsedPayment {
  if (header.length > MAX_PAYMENT_HEADER) return refuse('payment_header_too_large');
  const json = decodeJson(header);
  if (!isWire(json)) return refuse('malformed_payment_header');
  const version = own(json, 'x402Version');
  if (version !== undefined && version !== 1 && version !== 2) return refuse('invalid_x402_version');
  const terms = readTerms(json);
  const payload = own(json, 'payload');
  if (terms === undefined || !isWire(payload)) return refuse('invalid_payload');
  const authorization = readAuthorization(own(payload, 'authorization'));
  const signature = own(payload, 'signature');
  if (authorization === undefined || !matches(SIGNATURE, signature)) return refuse('invalid_payload');
  const paymentId = readPaymentId(own(json, 'extensions'));
  if (paymentId !== undefined && !matches(PAYMENT_ID, paymentId)) return refuse('invalid_payment_identifier');
  const resourceUrl = readResourceUrl(own(json, 'resource'));
  return {
    ok: true,
    value: { authorization, signature: signature.toLowerCase(), terms, resourceUrl, paymentId },
  };
}

/** JSON of strict UTF-8 text, without prototype keys and not nested deeper than any real payload. */
function decodeJson(header: string): unknown {
  // Node's decoder takes either alphabet, with and without padding, and passes over everything else.
  const bytes = Buffer.from(header, 'base64');
  const digits = header.length - (header.endsWith('==') ? 2 : header.endsWith('=') ? 1 : 0);
  if (bytes.length !== Math.floor((digits * 3) / 4) || !isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  if (text.includes('"__proto__"')) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return opened(text) > MAX_DEPTH && isDeeper(json, MAX_DEPTH) ? undefined : json;
  } catch {
    return undefined;
  }
}

/** Whether a value read from JSON has more levels than that. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const within: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return within.some((inner) => isDeeper(inner, levels - 1));
}

/** Brackets that open, also within strings: never fewer than the text is deep. */
function opened(text: string): number {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) count++;
  }
  return count;
}

/** Own properties only: `{}` must not appear to have what Object.prototype has. */
function own(object: Wire, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** Terms from `accepted` (second generation) or from the top level (first). */
function readTerms(json: Wire): StatedTerms | undefined {
  const accepted = own(json, 'accepted');
  const source = accepted === undefined ? json : accepted;
  if (!isWire(source)) return undefined;
  const scheme = own(source, 'scheme');
  const network = own(source, 'network');
  if (typeof scheme !== 'string' || typeof network !== 'string') return undefined;
  if (accepted === undefined) {
    return {
      scheme,
      network,
      amount: undefined,
      asset: undefined,
      payTo: undefined,
      maxTimeoutSeconds: undefined,
    };
  }
  const [amount, asset, payTo] = [own(source, 'amount'), own(source, 'asset'), own(source, 'payTo')];
  const maxTimeoutSeconds = own(source, 'maxTimeoutSeconds');
  if (!isOptionalText(amount) || !isOptionalText(asset) || !isOptionalText(payTo)) return undefined;
  if (maxTimeoutSeconds !== undefined && typeof maxTimeoutSeconds !== 'number') return undefined;
  return { scheme, network, amount, asset, payTo, maxTimeoutSeconds };
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function readAuthorization(value: unknown): Authorization | undefined {
  if (!isWire(value)) return undefined;
  const [from, to, nonce] = [own(value, 'from'), own(value, 'to'), own(value, 'nonce')];
  const [amount, validAfter, validBefore] = [
    own(value, 'value'),
    own(value, 'validAfter'),
    own(value, 'validBefore'),
  ];
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

function readPaymentId(extensions: unknown): unknown {
  const extension = isWire(extensions) ? own(extensions, 'payment-identifier') : undefined;
  const info = isWire(extension) ? own(extension, 'info') : undefined;
  return isWire(info) ? own(info, 'id') : undefined;
}

function readResourceUrl(resource: unknown): string | undefined {
  const url = isWire(resource) ? own(resource, 'url') : undefined;
  return typeof url === 'string' ? url : undefined;
}
