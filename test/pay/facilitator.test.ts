import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FacilitatorAuth } from '../../src/pay/config-facilitators.ts';
import type { Facilitator, SettlementRequest } from '../../src/pay/facilitator.ts';
import { settlementRequest } from '../../src/pay/facilitator.ts';
import { createCdpSigner } from '../../src/pay/facilitators/cdp-auth.ts';
import { createRemoteFacilitator } from '../../src/pay/facilitators/remote.ts';
import { TRANSACTION } from './fakes.ts';
import { routeOf, routesOf, sellerAt, shippedPrices } from './routes.ts';
import { newAccount, paymentOf, signAuthorization } from './wallet.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let url: string;
let calls: { path: string; body: unknown; authorization: string | undefined }[];
let answer: Answer;
let close: () => Promise<void>;
let request: SettlementRequest;
const payer = newAccount();

const json =
  (status: number, body: unknown): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };

beforeEach(async () => {
  calls = [];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    incoming.on('end', () => {
      const { authorization } = incoming.headers;
      calls.push({
        path: incoming.url ?? '',
        body: body === '' ? undefined : JSON.parse(body),
        authorization,
      });
      answer(incoming, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x402`;
  close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const seller = sellerAt();
  const { authorization, signature } = paymentOf(await signAuthorization(payer, seller, { value: '5000' }));
  const record = { resource: '/v1/perp/basis', amount: '5000', authorization, signature };
  request = settlementRequest(seller, routeOf(routesOf(shippedPrices()), 'perp-basis'), record);
});
afterEach(() => close());

function remote(auth: FacilitatorAuth = { kind: 'none' }, ms = 2_000): Facilitator {
  const times = { verifyMs: ms, settleMs: ms, breakMs: 60_000 };
  return createRemoteFacilitator({ url, auth, network: 'eip155:8453', times });
}
const verifyOnce = (facilitator = remote()) => facilitator.verify(request, { doubtful: false });

describe('requests to a facilitator', () => {
  it('have the strict x402 version 2 format', async () => {
    answer = json(200, { isValid: true, payer: payer.address });
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
          payload: { signature: request.signature, authorization: request.authorization },
          extensions: { bazaar: request.bazaar },
        },
      },
    });
  });

  it('carry a token where one is configured', async () => {
    answer = json(200, { success: true, transaction: TRANSACTION, network: 'eip155:8453' });
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
      { kind: 'invalid', reason: 'invalid_payload' },
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
    answer = given;
    expect(await verifyOnce()).toEqual(expected);
  });

  it('that hangs is unavailable', async () => {
    answer = () => {};
    expect(await verifyOnce(remote({ kind: 'none' }, 50))).toEqual({
      kind: 'unavailable',
      reason: expect.stringContaining('Timeout'),
    });
  });

  it('is not tried for a while after five failures in a row, but doubtful payments do not count', async () => {
    const facilitator = remote();
    answer = json(500, {});
    for (let i = 0; i < 10; i++) await facilitator.verify(request, { doubtful: true });
    expect(facilitator.ok).toBeUndefined();
    for (let i = 0; i < 5; i++) await verifyOnce(facilitator);
    expect(facilitator.ok).toBe(false);
    const before = calls.length;
    answer = json(200, { isValid: true });
    expect(await verifyOnce(facilitator)).toEqual({ kind: 'unavailable', reason: 'facilitator_failing' });
    expect(calls).toHaveLength(before);
  });
});

describe('settle', () => {
  const unknown = (reason: unknown, transaction?: string) => ({
    kind: 'unknown',
    reason,
    pending: false,
    transaction,
  });
  const failed = (reason: unknown) => ({ ...unknown(reason), failed: true });
  const body = (more: object) => ({ success: false, transaction: '', network: 'eip155:8453', ...more });
  it.each<[string, Answer, unknown]>([
    [
      'settled',
      json(200, body({ success: true, transaction: TRANSACTION, payer: payer.address })),
      { kind: 'settled', transaction: TRANSACTION },
    ],
    [
      'settled with an empty network',
      json(200, body({ success: true, transaction: TRANSACTION, network: '' })),
      { kind: 'settled', transaction: TRANSACTION },
    ],
    [
      'success without a transaction',
      json(200, body({ success: true })),
      unknown('success_without_transaction'),
    ],
    [
      'success of another amount',
      json(200, body({ success: true, transaction: TRANSACTION, amount: '1' })),
      unknown('facilitator_named_another_amount', TRANSACTION),
    ],
    [
      'success for another payer',
      json(200, body({ success: true, transaction: TRANSACTION, payer: newAccount().address })),
      unknown('facilitator_named_another_payer', TRANSACTION),
    ],
    [
      'failure in a 200',
      json(200, body({ errorReason: 'insufficient_funds' })),
      { kind: 'refused', reason: 'insufficient_funds', transaction: undefined },
    ],
    [
      'failure in a 400',
      json(400, body({ errorReason: 'invalid_exact_evm_signature' })),
      { kind: 'refused', reason: 'invalid_exact_evm_signature', transaction: undefined },
    ],
    ['failure without a reason', json(200, body({})), unknown('settlement_refused')],
    [
      'nonce already used',
      json(200, body({ errorReason: 'invalid_exact_evm_nonce_already_used' })),
      unknown('invalid_exact_evm_nonce_already_used'),
    ],
    [
      'pending',
      json(200, body({ errorReason: 'settlement_pending', transaction: TRANSACTION })),
      { ...unknown('settlement_pending', TRANSACTION), pending: true },
    ],
    [
      'pending in a 500, after broadcast',
      json(500, body({ errorReason: 'settlement_pending', transaction: TRANSACTION })),
      { ...unknown('settlement_pending', TRANSACTION), pending: true },
    ],
    [
      'a refusal in a 500',
      json(500, body({ errorReason: 'insufficient_funds' })),
      failed('insufficient_funds'),
    ],
    ['a bare 500', json(500, { error: 'oops' }), failed('status_500')],
    [
      'a 502 page',
      (_, response) => {
        response.statusCode = 502;
        response.end('<html>');
      },
      failed('status_502'),
    ],
    ['nonsense', json(200, { ok: 1 }), failed('FacilitatorResponseError')],
    ['a cut connection', (incoming) => incoming.socket.destroy(), failed(expect.any(String))],
    [
      'success on another network',
      json(200, body({ success: true, transaction: TRANSACTION, network: 'eip155:1' })),
      unknown('facilitator_named_another_network', TRANSACTION),
    ],
    [
      'a body without end',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const pour = (): void => {
          while (response.write('x'.repeat(65_536)));
        };
        response.on('drain', pour);
        pour();
      },
      failed('FacilitatorResponseError'),
    ],
    [
      'sent elsewhere',
      (_, response) => {
        response.writeHead(307, { location: 'https://elsewhere.example.com/settle' });
        response.end();
      },
      { kind: 'unsent', reason: 'status_307' },
    ],
    ['turned away', json(429, { error: 'slow down' }), { kind: 'unsent', reason: 'status_429' }],
    ['not let in', json(401, { error: 'who are you' }), { kind: 'unsent', reason: 'status_401' }],
  ])('%s', async (_, given, expected) => {
    answer = given;
    expect(await remote().settle(request)).toEqual(expected);
  });

  it('that hangs is unknown', async () => {
    answer = () => {};
    expect(await remote({ kind: 'none' }, 50).settle(request)).toEqual(
      failed(expect.stringContaining('Timeout')),
    );
  });

  it('to a closed port is reported as not sent', async () => {
    const facilitator = remote();
    await close();
    expect(await facilitator.settle(request)).toEqual({ kind: 'unsent', reason: 'ECONNREFUSED' });
    expect(facilitator.ok).toBe(false);
    close = async () => {};
  });
});

describe('extensions in a facilitator’s response', () => {
  it('are not logged', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
    answer = (_, response) => {
      const extensions = { bazaar: { status: 'rejected', rejectedReason: 'because' } };
      response.writeHead(200, {
        'content-type': 'application/json',
        'extension-responses': Buffer.from(JSON.stringify(extensions)).toString('base64'),
      });
      response.end(JSON.stringify({ isValid: true, payer: payer.address }));
    };
    expect(await verifyOnce()).toEqual({ kind: 'valid' });
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });
});

describe('probe', () => {
  it('requires our network and scheme', async () => {
    const facilitator = remote();
    answer = json(200, { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] });
    await facilitator.probe();
    expect(facilitator.ok).toBe(true);
    answer = json(200, { kinds: [{ x402Version: 1, scheme: 'exact', network: 'base' }] });
    await facilitator.probe();
    expect(facilitator.ok).toBe(false);
    answer = json(500, {});
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
