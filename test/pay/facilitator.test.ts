import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { createCdpSigner } from '../../src/pay/facilitators/cdp-auth.ts';
import {
  type Answer,
  answerWith,
  calls,
  json,
  payer,
  remote,
  request,
  url,
  useFacilitator,
} from './facilitator-rig.ts';
import { TRANSACTION } from './fakes.ts';
import { newAccount } from './wallet.ts';

useFacilitator();

const verifyOnce = (facilitator = remote()) => facilitator.verify(request, { doubtful: false });

describe('requests to a facilitator', () => {
  it('have the strict x402 version 2 format', async () => {
    answerWith(json(200, { isValid: true, payer: payer.address }));
    expect(await verifyOnce()).toEqual({ kind: 'valid' });
    const requirement = { ...request.requirement };
    expect(calls[0]).toMatchObject({
      path: '/x402/verify',
      body: {
        x402Version: 2,
        paymentRequirements: requirement,
        paymentPayload: {
          x402Version: 2,
          resource: request.resource,
          accepted: requirement,
          payload: request.payload,
          extensions: { bazaar: request.bazaar },
        },
      },
    });
  });

  it('carry a token where one is configured', async () => {
    answerWith(json(200, { success: true, transaction: TRANSACTION, network: 'eip155:8453' }));
    await remote({ kind: 'bearer', token: 'abc' }).settle(request);
    expect(calls[0]?.authorization).toBe('Bearer abc');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keySecret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await remote({ kind: 'cdp', keyId: 'id', keySecret }).settle(request);
    const claims = JSON.parse(
      Buffer.from(calls[1]?.authorization?.split('.')[1] ?? '', 'base64url').toString(),
    );
    expect(claims).toMatchObject({ uris: [`POST ${new URL(url).host}/x402/settle`] });
    expect(() => remote({ kind: 'cdp', keyId: 'id', keySecret: 'rubbish' })).toThrow('CDP_API_KEY_SECRET');
  });
});

describe('verify', () => {
  it.each<[string, Answer, unknown]>([
    [
      'invalid',
      json(200, { isValid: false, invalidReason: 'insufficient_funds' }),
      { kind: 'invalid', reason: 'insufficient_funds' },
    ],
    [
      'invalid with 400',
      json(400, { isValid: false, invalidReason: 'invalid_exact_evm_signature' }),
      { kind: 'invalid', reason: 'invalid_exact_evm_signature' },
    ],
    [
      'invalid with library text',
      json(200, { isValid: false, invalidReason: 'Error: execution reverted\n at x' }),
      { kind: 'invalid', reason: 'payment_refused' },
    ],
    [
      'its own failure',
      json(200, { isValid: false, invalidReason: 'unexpected_verify_error' }),
      { kind: 'unavailable', reason: 'unexpected_verify_error' },
    ],
    [
      'valid for another payer',
      json(200, { isValid: true, payer: newAccount().address }),
      { kind: 'unavailable', reason: 'facilitator_named_another_payer' },
    ],
    ['500', json(500, { isValid: true }), { kind: 'unavailable', reason: 'VerifyError' }],
    ['429', json(429, { error: 'slow down' }), { kind: 'unavailable', reason: 'status_429' }],
    ['nonsense', json(200, { valid: 'yes' }), { kind: 'unavailable', reason: 'FacilitatorResponseError' }],
    [
      'HTML',
      (_, response) => response.end('<html>'),
      { kind: 'unavailable', reason: 'FacilitatorResponseError' },
    ],
    [
      'a cut connection',
      (incoming) => incoming.socket.destroy(),
      { kind: 'unavailable', reason: expect.any(String) },
    ],
  ])('%s', async (_, given, expected) => {
    answerWith(given);
    expect(await verifyOnce()).toEqual(expected);
  });

  it('that hangs is unavailable', async () => {
    answerWith(() => {});
    expect(await verifyOnce(remote({ kind: 'none' }, 50))).toEqual({
      kind: 'unavailable',
      reason: expect.stringContaining('Timeout'),
    });
  });

  it('five failures in a row: not tried for a while', async () => {
    const facilitator = remote();
    answerWith(json(500, {}));
    for (let i = 0; i < 10; i++) await facilitator.verify(request, { doubtful: true });
    expect(facilitator.ok).toBeUndefined();
    for (let i = 0; i < 5; i++) await verifyOnce(facilitator);
    expect(facilitator.ok).toBe(false);
    const before = calls.length;
    answerWith(json(200, { isValid: true }));
    expect(await verifyOnce(facilitator)).toEqual({ kind: 'unavailable', reason: 'facilitator_failing' });
    expect(calls).toHaveLength(before);
  });
});

describe('extensions in a facilitator’s response', () => {
  it('are not logged', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
    answerWith((_, response) => {
      const extensions = { bazaar: { status: 'rejected', rejectedReason: 'because' } };
      response.writeHead(200, {
        'content-type': 'application/json',
        'extension-responses': Buffer.from(JSON.stringify(extensions)).toString('base64'),
      });
      response.end(JSON.stringify({ isValid: true, payer: payer.address }));
    });
    expect(await verifyOnce()).toEqual({ kind: 'valid' });
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });
});

describe('probe', () => {
  it('requires our network and scheme', async () => {
    const facilitator = remote();
    answerWith(json(200, { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] }));
    await facilitator.probe();
    expect(facilitator.ok).toBe(true);
    answerWith(json(200, { kinds: [{ x402Version: 1, scheme: 'exact', network: 'base' }] }));
    await facilitator.probe();
    expect(facilitator.ok).toBe(false);
    answerWith(json(500, {}));
    await facilitator.probe();
    expect(facilitator.ok).toBe(false);
  });
});

describe('the token for Coinbase', () => {
  it('is signed by either kind of key and expires', () => {
    const ed = generateKeyPairSync('ed25519');
    const jwk = ed.privateKey.export({ format: 'jwk' });
    const secret = Buffer.concat([
      Buffer.from(jwk.d ?? '', 'base64url'),
      Buffer.from(jwk.x ?? '', 'base64url'),
    ]);
    const token = createCdpSigner('key', secret.toString('base64'))?.(
      'POST',
      new URL('https://api.example.com/v2/verify'),
      1_000,
    );
    const [header = '', claims = '', signature = ''] = token?.split('.') ?? [];
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(read(header)).toMatchObject({
      alg: 'EdDSA',
      kid: 'key',
      typ: 'JWT',
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(read(claims)).toEqual({
      sub: 'key',
      iss: 'cdp',
      uris: ['POST api.example.com/v2/verify'],
      iat: 1_000,
      nbf: 1_000,
      exp: 1_120,
    });
    const signed = Buffer.from(`${header}.${claims}`);
    expect(verify(null, signed, ed.publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(createCdpSigner('key', Buffer.alloc(10).toString('base64'))).toBeUndefined();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    expect(
      createCdpSigner('key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    ).toBeUndefined();
  });

  it('is an ES256 token for a PEM key', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const sign = createCdpSigner('key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    const [header = '', claims = '', signature = ''] =
      sign?.('GET', new URL('https://a.example.com/b'), 1)?.split('.') ?? [];
    const key = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' } as const;
    expect(
      verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url')),
    ).toBe(true);
  });
});
