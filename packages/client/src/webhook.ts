import type { KeySource } from './published-keys.ts';

/** A request of a webhook that the service has signed. */
export interface Webhook {
  /** `challenge`: answer it with `challengeAnswer`, where the watch is yours. */
  readonly event: 'firing' | 'challenge';
  /** The same at every attempt: what was handled under it need not be handled again. */
  readonly id: string;
  readonly watchId: string;
  /** 1, 2, 3 … of the watch, without gaps; null of a challenge. */
  readonly sequence: number | null;
  /** The time of this attempt, Unix ms. */
  readonly sentAt: number;
  /** The JSON of the body. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reasons for which a request is not taken for one of the service. */
export const WEBHOOK_FAULTS = {
  no_signature: 'The header Perpmeter-Signature is missing.',
  malformed: 'The signature is no compact JWS of this kind, written as the service writes it.',
  wrong_algorithm: 'Only EdDSA is taken.',
  wrong_type: 'The statement is signed for another purpose than a webhook.',
  unknown_version: 'The statement has a version that this client does not know.',
  keys_unavailable: 'The key document cannot be read: answer 503, and the service delivers again.',
  unknown_key: 'The key document has no key of this name.',
  key_not_in_force: 'The key did not sign at that time: it was not in force yet, or any more.',
  bad_signature: 'The signature does not belong to these words: one was changed, or another key signed.',
  other_body: 'The body is not the one that was signed: take its bytes as they came, before they are parsed.',
  stale: 'It was sent longer ago than is tolerated, or in the future: it is repeated, or a clock is wrong.',
} as const;

export type WebhookFault = keyof typeof WEBHOOK_FAULTS;

export type WebhookResult =
  | { readonly ok: true; readonly webhook: Webhook }
  | { readonly ok: false; readonly problem: { readonly code: WebhookFault; readonly detail: string } };

export interface WebhookRequest {
  /** As Fetch or Node.js have them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they came: JSON that was parsed and written again is another text. */
  readonly body: Uint8Array | string;
  /** The service's key document, or where it comes from: `publishedKeys`. */
  readonly keys: KeySource | object;
  /** Most seconds between the attempt and now; default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Unix ms; default the clock. */
  readonly now?: number | undefined;
}

const HEADER = 'perpmeter-signature';
const TYPE = 'perpmeter-webhook';
const VERSION = 1;
const TOLERANCE_S = 300;

/**
 * Checks that a request comes from the service and is new: its signature by a published key, the body, the time. A repetition
 * within the tolerance has the same id, which the caller remembers. Never rejects.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookResult> {
  const text = headerOf(request.headers);
  if (text === undefined) return refused('no_signature');
  const jws = readJws(text);
  if (jws === undefined) return refused('malformed');
  if (jws.header.alg !== 'EdDSA') return refused('wrong_algorithm');
  if (jws.header.typ !== TYPE) return refused('wrong_type');
  const key = await findKey(request.keys, jws.header.kid);
  if (typeof key === 'string') return refused(key);
  if (!(await isSignedBy(jws, key.x))) return refused('bad_signature');
  const { version, sent_at: sent } = jws.claims;
  if (version !== VERSION) return refused('unknown_version');
  const sentAt = timeOf(sent);
  if (!(sentAt >= key.from && sentAt < key.until)) return refused('key_not_in_force');
  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : request.body;
  if ((await digestOf(body)) !== jws.claims.body_sha256) return refused('other_body');
  const { now = Date.now(), toleranceSeconds = TOLERANCE_S } = request;
  if (Math.abs(now - sentAt) > toleranceSeconds * 1000) return refused('stale');
  const webhook = webhookOf(jws.claims, sentAt, body);
  return webhook === undefined ? refused('malformed') : { ok: true, webhook };
}

/** The body that answers a challenge, as JSON; undefined where it is none. */
export function challengeAnswer({ event, data }: Webhook): string | undefined {
  return event === 'challenge' ? JSON.stringify({ challenge: data.challenge }) : undefined;
}

const refused = (code: WebhookFault): WebhookResult => ({
  ok: false,
  problem: { code, detail: WEBHOOK_FAULTS[code] },
});

function headerOf(headers: WebhookRequest['headers']): string | undefined {
  if (headers instanceof Headers) return headers.get(HEADER) ?? undefined;
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER)?.[1];
  return typeof entry === 'string' ? entry : entry?.[0];
}

type Json = Readonly<Record<string, unknown>>;

interface Jws {
  readonly header: Json;
  readonly claims: Json;
  readonly signed: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

function readJws(text: string): Jws | undefined {
  const parts = text.split('.');
  const [head, payload, tail] = parts.map(bytesOf);
  const header = jsonOf(head);
  const claims = jsonOf(payload);
  if (parts.length !== 3 || header === undefined || claims === undefined || tail === undefined)
    return undefined;
  const signed = new TextEncoder().encode(text.slice(0, text.lastIndexOf('.')));
  return { header, claims, signed, signature: tail };
}

/** Bytes in base64url that is spelled as an encoder spells it; undefined for any other text. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return base64url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

function jsonOf(bytes: Uint8Array | undefined): Json | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const timeOf = (text: unknown): number => (typeof text === 'string' ? Date.parse(text) : Number.NaN);

const digestOf = async (bytes: Uint8Array): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))));

interface PublishedKey {
  /** The public key of Ed25519, base64url. */
  readonly x: string;
  /** Unix ms. */
  readonly from: number;
  readonly until: number;
}

/** A source of keys is asked again where it does not know the key yet: the service may have a new one. */
async function findKey(keys: WebhookRequest['keys'], id: unknown): Promise<PublishedKey | WebhookFault> {
  if (typeof keys !== 'function') return keyIn(keys, id) ?? 'unknown_key';
  try {
    const source = keys as KeySource;
    return keyIn(await source(false), id) ?? keyIn(await source(true), id) ?? 'unknown_key';
  } catch {
    return 'keys_unavailable';
  }
}

function keyIn(document: unknown, id: unknown): PublishedKey | undefined {
  const methods: unknown = isJson(document) ? document.verificationMethod : undefined;
  const method = Array.isArray(methods)
    ? methods.filter(isJson).find((candidate) => candidate.id === id)
    : undefined;
  const jwk = method?.publicKeyJwk;
  if (!isJson(jwk) || jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519' || typeof jwk.x !== 'string')
    return undefined;
  const until = method?.expires === undefined ? Number.POSITIVE_INFINITY : timeOf(method.expires);
  return { x: jwk.x, from: timeOf(method?.validFrom), until };
}

async function isSignedBy({ signed, signature }: Jws, x: string): Promise<boolean> {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x };
    const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature, signed);
  } catch {
    return false;
  }
}

function webhookOf(claims: Json, sentAt: number, body: Uint8Array): Webhook | undefined {
  const { event, id, watch_id: watchId, sequence } = claims;
  const data = jsonOf(body);
  if (data === undefined || typeof id !== 'string' || typeof watchId !== 'string') return undefined;
  if (event === 'challenge') return { event, id, watchId, sequence: null, sentAt, data };
  if (event !== 'firing' || typeof sequence !== 'number') return undefined;
  return { event, id, watchId, sequence, sentAt, data };
}
