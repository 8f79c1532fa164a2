import { isAscii, isUtf8 } from 'node:buffer';
import { isWire, type Wire } from '../domain/read.ts';
import type { StatedTerms } from './payment.ts';

const MAX_DEPTH = 32;

/** The JSON around a payload: the challenge, as the buyer repeats it. */
export interface PaymentEnvelope {
  readonly version: unknown;
  readonly terms: StatedTerms | undefined;
  readonly resourceUrl: string | undefined;
  /** Not yet checked. */
  readonly paymentId: unknown;
}

/** A payment header taken apart; nothing of the payload is checked. */
export interface PaymentText {
  readonly payload: unknown;
  readonly around: PaymentEnvelope;
}

/** Takes a header apart; undefined where it is not base64 of strict UTF-8 JSON, an object, of plausible depth. */
export function readPaymentText(header: string): PaymentText | undefined {
  const bytes = decode(header);
  if (bytes === undefined) return undefined;
  const split = splitText(bytes);
  if (split !== undefined) return split;
  const json = isUtf8(bytes) ? parseJson(bytes.toString('utf8')) : undefined;
  return isWire(json) ? { payload: own(json, 'payload'), around: surroundings(json) } : undefined;
}

/** Own properties only: `{}` must not appear to have what Object.prototype has. */
export function own(object: Wire, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Decoded into and read from at once: a buffer a header would have to be collected. */
let scratch = Buffer.allocUnsafeSlow(16 * 1024);

function decode(header: string): Buffer | undefined {
  if (header.length > scratch.length) scratch = Buffer.allocUnsafeSlow(header.length);
  // Node's decoder takes either alphabet, with and without padding, and passes over everything else.
  const length = scratch.write(header, 'base64');
  const digits = header.length - (header.endsWith('==') ? 2 : header.endsWith('=') ? 1 : 0);
  return length === Math.floor((digits * 3) / 4) ? scratch.subarray(0, length) : undefined;
}

/**
 * As official clients write it: the payload first, of texts and of objects that have no others in them. Its braces are exactly
 * these where it is JSON.
 */
const PAYLOAD_FIRST = /^\{"x402Version":2,"payload":(\{[^{}]*(?:\{[^{}]*\}[^{}]*)+\}),(?=")/;
/** More than a payload of a plain key has. */
const MAX_PAYLOAD_LENGTH = 1_024;
/**
 * Texts that followed the payload of earlier payments, by their length: the same for every buyer of a route.
 */
const known = new Map<number, { readonly rest: Buffer; readonly around: PaymentEnvelope }[]>();
const MAX_LENGTHS = 64;
const MAX_PER_LENGTH = 8;

/**
 * A payment with its payload first, read in two parts: what follows the payload is only parsed when it was not seen
 * before. Undefined where the text has another form. A text is valid exactly where both of its parts are, and has the
 * same values unless the second part names a field of the first again.
 */
function splitText(bytes: Buffer): PaymentText | undefined {
  const beginning = bytes.subarray(0, MAX_PAYLOAD_LENGTH);
  if (!isAscii(beginning)) return undefined;
  const match = PAYLOAD_FIRST.exec(beginning.toString('latin1'));
  const first = match?.[1];
  if (match === null || first === undefined) return undefined;
  const rest = bytes.subarray(match[0].length);
  // Comparing is cheaper than the hash of some kilobytes that a map by text would need.
  const around = known.get(rest.length)?.find((payment) => payment.rest.equals(rest))?.around ?? learn(rest);
  if (around === undefined) return undefined;
  const payload = parseJson(first);
  return isWire(payload) ? { payload, around } : undefined;
}

function learn(rest: Buffer): PaymentEnvelope | undefined {
  const json = isUtf8(rest) ? parseJson(`{${rest.toString('utf8')}`) : undefined;
  if (!isWire(json) || Object.hasOwn(json, 'payload') || Object.hasOwn(json, 'x402Version')) return undefined;
  const around = { ...surroundings(json), version: 2 };
  if (around.paymentId !== undefined) return around;
  remember(rest, around);
  return around;
}

function remember(rest: Buffer, around: PaymentEnvelope): void {
  if (known.size >= MAX_LENGTHS) known.clear();
  const alike = known.get(rest.length) ?? [];
  if (alike.length >= MAX_PER_LENGTH) alike.length = 0;
  alike.push({ rest: Buffer.from(rest), around });
  known.set(rest.length, alike);
}

/** JSON without prototype keys and not nested deeper than any real payload. */
function parseJson(text: string): unknown {
  if (text.includes('"__proto__"')) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return opened(text) > MAX_DEPTH && isDeeper(json, MAX_DEPTH) ? undefined : json;
  } catch {
    return undefined;
  }
}

/** True if a value read from JSON has more levels than that. */
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

function surroundings(json: Wire): PaymentEnvelope {
  return {
    version: own(json, 'x402Version'),
    terms: readTerms(json),
    resourceUrl: readResourceUrl(own(json, 'resource')),
    paymentId: readPaymentId(own(json, 'extensions')),
  };
}

/** Terms from `accepted` (v2) or from the top level (v1). */
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
  const amount = own(source, 'amount');
  const asset = own(source, 'asset');
  const payTo = own(source, 'payTo');
  const maxTimeoutSeconds = own(source, 'maxTimeoutSeconds');
  if (!isOptionalText(amount) || !isOptionalText(asset) || !isOptionalText(payTo)) return undefined;
  if (maxTimeoutSeconds !== undefined && typeof maxTimeoutSeconds !== 'number') return undefined;
  return { scheme, network, amount, asset, payTo, maxTimeoutSeconds };
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
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
