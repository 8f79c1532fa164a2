import type { Access } from '../products/define-product.ts';

/** Response headers as Node takes them fastest: name, value, name, value. */
export type FlatHeaders = readonly string[];

const PAYMENT_NAMES = ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'] as const;

/** The value of `Access-Control-Expose-Headers`, where sold answers have further headers. */
const exposed = (sold: readonly string[]): string =>
  [
    ...PAYMENT_NAMES,
    ...sold,
    'X-Answered-As-Of',
    'X-Data-As-Of',
    'X-Data-Sources',
    'X-Renamed',
    'Content-Disposition',
    'ETag',
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
  ].join(', ');

/**
 * On every response: any origin may read it, and nobody may guess its type.
 *
 * @param sold names of the headers that modules add to sold answers
 */
export const commonHeaders = (sold: readonly string[]): FlatHeaders => [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  exposed(sold),
  'X-Content-Type-Options',
  'nosniff',
];

/** On every response but sold answers. */
export const COMMON_HEADERS: FlatHeaders = commonHeaders([]);

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** Header of the secret that some routes take. */
export const SECRET_HEADER = 'Perpmeter-Secret';

/** Answer to a preflight. Some clients put the expose list on the request, so it must be allowed there. */
export const PREFLIGHT_HEADERS: FlatHeaders = [
  ...COMMON_HEADERS,
  'Allow',
  ALLOWED_METHODS,
  'Access-Control-Allow-Methods',
  ALLOWED_METHODS,
  'Access-Control-Allow-Headers',
  'X-PAYMENT, PAYMENT-SIGNATURE, Idempotency-Key, Accept, Content-Type, If-None-Match, Last-Event-ID, Perpmeter-Secret, Access-Control-Expose-Headers',
  'Access-Control-Max-Age',
  '86400',
];

const PAID_VARY = 'Accept-Encoding, PAYMENT-SIGNATURE, X-PAYMENT';

/** Caching of what is sold: no cache may hand it on. */
export const PAID_CACHING: FlatHeaders = ['Cache-Control', 'private, no-store', 'Vary', PAID_VARY];

/** Headers of a free answer that a cache may keep for `seconds`; `byAccept` where Accept decides its form. */
export function freeCaching(seconds: number, byAccept = false): FlatHeaders {
  const vary = byAccept ? 'Accept, Accept-Encoding' : 'Accept-Encoding';
  return ['Cache-Control', `public, max-age=${seconds}`, 'Vary', vary];
}

/** Never cached: errors of free paths. */
export const UNCACHED_HEADERS: FlatHeaders = ['Cache-Control', 'no-store'];

/** Caching of an error on a path of this kind. */
export const errorCaching = (sale: Access | undefined): FlatHeaders =>
  sale === 'paid' ? PAID_CACHING : UNCACHED_HEADERS;

/** The headers whose names, in lower case, are not in `names`. */
export function without(headers: FlatHeaders, names: ReadonlySet<string>): FlatHeaders {
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (!names.has(name.toLowerCase())) kept.push(name, headers[i + 1] ?? '');
  }
  return kept;
}

/** The pairs as a record with names in lower case, for replies that are stored. */
export function headerRecord(flat: FlatHeaders): Record<string, string> {
  const record: Record<string, string> = {};
  for (let i = 0; i + 1 < flat.length; i += 2) record[(flat[i] ?? '').toLowerCase()] = flat[i + 1] ?? '';
  return record;
}
