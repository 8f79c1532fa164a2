import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { publishedKeys, verifyWebhook, type WebhookRequest } from '@perpmeter/client';
import { describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { signJws } from '../../src/modules/receipts/jws.ts';
import { keyDocument } from '../../src/modules/receipts/key-document.ts';
import { readPublicJwk } from '../../src/modules/receipts/signing-keys.ts';
import { type Sign, signedMessage } from '../../src/modules/webhook/signed-message.ts';

const SIGNER = 'did:web:data.example.com';
const AT = asMs(Date.UTC(2026, 10, 29, 12));
const FROM = asMs(AT - 86_400_000);
const { privateKey } = generateKeyPairSync('ed25519');
const signingKey = (secret: KeyObject, until?: number) => {
  const jwk = readPublicJwk(createPublicKey(secret).export({ format: 'jwk' }));
  if (jwk === undefined) throw new Error('no Ed25519 key');
  return { id: 'k1', from: FROM, until: until === undefined ? undefined : asMs(until), jwk, secret };
};
const keys = keyDocument(SIGNER, [signingKey(privateKey)]);
const sign: Sign = (payload, type) => signJws(payload, { keyId: `${SIGNER}#k1`, type }, privateKey);

const FIRING = { watchId: 'w1', seq: 3, id: 'w1.3', body: { watch_id: 'w1', sequence: 3, note: 'ünï' } };
const sent = signedMessage(FIRING, AT, sign);
const request = (more: Partial<WebhookRequest> = {}): WebhookRequest => ({
  headers: sent.headers,
  body: sent.body,
  keys,
  now: AT + 1000,
  ...more,
});
const codeOf = async (asked: WebhookRequest): Promise<string> => {
  const result = await verifyWebhook(asked);
  return result.ok ? 'ok' : result.problem.code;
};
const withSignature = (jws: string): Partial<WebhookRequest> => ({ headers: { 'perpmeter-signature': jws } });
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The same bytes in other letters: the last one of 64 bytes has four bits that nobody reads. */
const respelled = (text: string): string =>
  text.slice(0, -1) + (LETTERS[LETTERS.indexOf(text.at(-1) ?? '') + 1] ?? '');
const [head = '', claims = '', signature = ''] = (sent.headers['perpmeter-signature'] ?? '').split('.');

describe('a webhook of the service', () => {
  it.each([
    ['as Node.js has its headers', {}],
    ['as Fetch has its headers', { headers: new Headers(sent.headers) }],
    ['with names in capitals', { headers: { 'Perpmeter-Signature': sent.headers['perpmeter-signature'] } }],
    ['with its body as bytes', { body: new TextEncoder().encode(sent.body) }],
    ['with its body as a buffer', { body: Buffer.from(sent.body) }],
    ['at the end of the tolerance', { now: AT + 300_000 }],
    ['from a clock that is ahead', { now: AT - 300_000 }],
    ['later, where that is tolerated', { now: AT + 3_600_000, toleranceSeconds: 3600 }],
  ] as const)('%s: taken', async (_, more) => {
    expect(await verifyWebhook(request(more))).toEqual({
      ok: true,
      webhook: {
        event: 'firing',
        id: 'w1.3',
        watchId: 'w1',
        sequence: 3,
        sentAt: AT,
        data: FIRING.body,
      },
    });
  });

  it('a challenge: taken, without a number', async () => {
    const body = { event: 'challenge', watch_id: 'w1', challenge: 'token' };
    const challenge = signedMessage({ watchId: 'w1', id: 'w1.challenge.token', body }, AT, sign);
    const result = await verifyWebhook(request({ headers: challenge.headers, body: challenge.body }));
    expect(result).toMatchObject({ ok: true, webhook: { event: 'challenge', sequence: null } });
  });
});

describe('a webhook of anybody else', () => {
  const other = generateKeyPairSync('ed25519').privateKey;
  const rest = { kid: `${SIGNER}#k1`, alg: 'EdDSA' };
  const encoded = (header: object): string => Buffer.from(JSON.stringify(header)).toString('base64url');
  const claim = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
  const resigned = (changed: object): string => sign({ ...claim, ...changed }, 'perpmeter-webhook') ?? '';

  it.each([
    ['no signature', { headers: {} }, 'no_signature'],
    ['no JWS', withSignature('abc'), 'malformed'],
    ['two parts', withSignature(`${head}.${claims}`), 'malformed'],
    ['four parts', withSignature(`${head}.${claims}.${signature}.`), 'malformed'],
    ['padded base64', withSignature(`${head}=.${claims}.${signature}`), 'malformed'],
    [
      'base64 that is spelled otherwise',
      withSignature(`${head}.${claims}.${respelled(signature)}`),
      'malformed',
    ],
    ['claims that are no object', withSignature(`${head}.${encoded([])}.${signature}`), 'malformed'],
    [
      'the algorithm none',
      withSignature(`${encoded({ ...rest, alg: 'none' })}.${claims}.${signature}`),
      'wrong_algorithm',
    ],
    [
      'a hash for a signature',
      withSignature(`${encoded({ ...rest, alg: 'HS256' })}.${claims}.${signature}`),
      'wrong_algorithm',
    ],
    ['a receipt', withSignature(sign(claim, 'perpmeter-receipt') ?? ''), 'wrong_type'],
    ['a later version', withSignature(resigned({ version: 2 })), 'unknown_version'],
    [
      'changed claims',
      withSignature(`${head}.${encoded({ ...claim, sequence: 4 })}.${signature}`),
      'bad_signature',
    ],
    [
      'another key under the same name',
      withSignature(signJws(claim, { keyId: `${SIGNER}#k1`, type: 'perpmeter-webhook' }, other)),
      'bad_signature',
    ],
    [
      'a name of no key',
      withSignature(signJws(claim, { keyId: `${SIGNER}#k2`, type: 'perpmeter-webhook' }, other)),
      'unknown_key',
    ],
    ['a document without keys', { keys: {} }, 'unknown_key'],
    [
      'a key that signs no more',
      { keys: keyDocument(SIGNER, [signingKey(privateKey, AT)]) },
      'key_not_in_force',
    ],
    [
      'a time before the key',
      withSignature(resigned({ sent_at: '2020-01-01T00:00:00Z' })),
      'key_not_in_force',
    ],
    ['no time', withSignature(resigned({ sent_at: null })), 'key_not_in_force'],
    ['another body', { body: sent.body.replace('3', '4') }, 'other_body'],
    ['JSON in other bytes', { body: JSON.stringify(FIRING.body, null, 1) }, 'other_body'],
    ['a repetition after the tolerance', { now: AT + 300_001 }, 'stale'],
    ['a time in the future', { now: AT - 300_001 }, 'stale'],
    ['a shorter tolerance', { now: AT + 11_000, toleranceSeconds: 10 }, 'stale'],
    ['another event', withSignature(resigned({ event: 'payment' })), 'malformed'],
    ['no number', withSignature(resigned({ sequence: null })), 'malformed'],
  ] as const)('%s: refused', async (_, more, code) => {
    expect(await codeOf(request(more))).toBe(code);
  });
});

describe('published keys', () => {
  /** A service whose document the test sets, and a clock that it moves. */
  function published() {
    const state = { document: keys as object | undefined, now: AT as number, asked: [] as string[] };
    const source = publishedKeys('https://data.example.com/api', {
      now: () => state.now,
      fetch: async (url) => {
        state.asked.push(url);
        return new Response(JSON.stringify(state.document), { status: state.document ? 200 : 503 });
      },
    });
    return { state, check: () => codeOf(request({ keys: source })) };
  }

  it('a key that is known: fetched once in ten minutes', async () => {
    const { state, check } = published();
    expect([await check(), await check()]).toEqual(['ok', 'ok']);
    expect(state.asked).toEqual(['https://data.example.com/api/.well-known/did.json']);
    state.now += 600_000;
    expect(await check()).toBe('ok');
    expect(state.asked).toHaveLength(2);
  });

  it('a key that is new: fetched again, once a minute', async () => {
    const { state, check } = published();
    state.document = keyDocument(SIGNER, []);
    expect([await check(), await check()]).toEqual(['unknown_key', 'unknown_key']);
    expect(state.asked).toHaveLength(1);
    state.document = keys;
    state.now += 60_000;
    expect(await check()).toBe('ok');
  });

  it('a document that cannot be had: said, and asked for again', async () => {
    const { state, check } = published();
    state.document = undefined;
    expect(await check()).toBe('keys_unavailable');
    state.document = keys;
    expect(await check()).toBe('ok');
  });
});
