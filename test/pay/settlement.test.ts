import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fail } from '../../src/domain/errors.ts';
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { createSandboxFacilitator } from '../../src/pay/facilitators/sandbox.ts';
import { createRpcProof } from '../../src/pay/proof.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { until } from '../until.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import {
  encodeHeader,
  newAccount,
  type SignedAuthorization,
  signAuthorization,
  v1Payload,
  v2Payload,
} from './wallet.ts';

let chain: SandboxChain;
let paidServer: PaidServer;
let buyer: PrivateKeyAccount;
let facilitator: Facilitator;
/** Runs between verify and settle. */
let beforeSettle: (() => Promise<void>) | undefined;
let settleCalls = 0;

beforeAll(async () => {
  chain = await startSandboxChain();
  const real = await createSandboxFacilitator({
    rpcUrl: chain.rpcUrl,
    privateKey: chain.facilitator.privateKey,
    network: chain.network,
  });
  facilitator = {
    name: real.name,
    verify: real.verify,
    probe: real.probe,
    get ok() {
      return real.ok;
    },
    async settle(request) {
      settleCalls++;
      await beforeSettle?.();
      return real.settle(request);
    },
  };
  paidServer = await startPaidServer({
    facilitator,
    payTo: chain.payee.address,
    proof: createRpcProof(chain.rpc),
  });
  buyer = privateKeyToAccount(chain.buyer.privateKey);
});

afterAll(async () => {
  await paidServer.stop();
  await chain.stop();
});

beforeEach(() => {
  beforeSettle = undefined;
  settleCalls = 0;
  paidServer.check = undefined;
  paidServer.produce = undefined;
  paidServer.cutPaid = false;
});

const BASIS = '/v1/perp/basis?ticker=BTC';
const PRICE = '5000';

type Headers = Record<string, string>;
const get = (headers: Headers, path = BASIS): Promise<Response> => fetch(paidServer.url + path, { headers });
const pay = (signed: SignedAuthorization, more: Headers = {}, path = BASIS): Promise<Response> =>
  get({ 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, signed)), ...more }, path);
const sign = (
  change: Parameters<typeof signAuthorization>[2] = {},
  account = buyer,
): Promise<SignedAuthorization> => signAuthorization(account, paidServer.seller, { value: PRICE, ...change });
const earned = (): Promise<bigint> => chain.balanceOf(chain.payee.address);

function receipt(response: Response, name = 'payment-response'): unknown {
  return JSON.parse(Buffer.from(response.headers.get(name) ?? '', 'base64').toString('utf8'));
}

/** Runs an attempt that must not move money. */
async function unpaid(
  attempt: () => Promise<Response>,
): Promise<{ status: number; body: Record<string, unknown>; response: Response }> {
  const before = await earned();
  const response = await attempt();
  const body = (await response.json()) as Record<string, unknown>;
  expect(body).not.toHaveProperty('product');
  expect(await earned()).toBe(before);
  return { status: response.status, body, response };
}

describe('a valid payment', () => {
  it('buys once, with both receipts, and is in the ledger', async () => {
    const before = await earned();
    const signed = await sign();
    const response = await pay(signed);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('product');
    expect(await earned()).toBe(before + 5000n);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('vary')).toBe('PAYMENT-SIGNATURE, X-PAYMENT');
    expect(response.headers.get('etag')).toBeNull();
    const transaction = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    expect(receipt(response)).toEqual({
      success: true,
      transaction,
      network: 'eip155:8453',
      payer: buyer.address,
    });
    expect(receipt(response, 'x-payment-response')).toMatchObject({ success: true, network: 'base' });
    await until(async () => expect((await paidServer.ledger.list({ limit: 1 }))[0]?.state).toBe('delivered'));
    expect((await paidServer.ledger.list({ limit: 1 }))[0]).toMatchObject({
      routeId: 'perp-basis',
      resource: expect.stringMatching(/^\/v1\/perp\/basis(\?|$)/),
      payer: buyer.address.toLowerCase(),
      amount: '5000',
      usd: '0.005',
      proof: 'rpc',
      nonce: signed.authorization.nonce,
      storedBytes: 0,
    });
  });

  it.each([
    ['v2 in X-PAYMENT', 'X-PAYMENT', 2],
    ['v1 in X-PAYMENT', 'X-PAYMENT', 1],
    ['v1 in PAYMENT-SIGNATURE', 'PAYMENT-SIGNATURE', 1],
  ])('is taken as %s', async (_, header, version) => {
    const signed = await sign();
    const payload = version === 2 ? v2Payload(paidServer.seller, signed) : v1Payload(signed);
    const response = await get({ [header]: encodeHeader(payload) });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  });

  it('is made by the official client from our challenge', async () => {
    const client = new x402Client().register('eip155:8453', new ExactEvmScheme(buyer));
    const response = await wrapFetchWithPayment(
      fetch,
      client,
    )(`${paidServer.url}/v1/orderbook/binance/BTC/top`);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('product');
  });

  it('may come from a contract wallet, with the stricter limits', async () => {
    const wallet = newAccount().address;
    const { runtimeCode } = (await import('./OwnerWallet.artifact.json', { with: { type: 'json' } })).default;
    await chain.rpc('anvil_setCode', [wallet, runtimeCode]);
    await chain.rpc('anvil_setStorageAt', [
      wallet,
      `0x${'0'.repeat(64)}`,
      `0x${buyer.address.slice(2).padStart(64, '0')}`,
    ]);
    await chain.mint(wallet, 5000n);
    const response = await pay(await sign({ from: wallet }));
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    expect(await chain.balanceOf(wallet)).toBe(0n);
  });
});

describe('refused before any money moves', () => {
  const thirdParty = newAccount();
  const now = (): number => Math.floor(Date.now() / 1000);
  it.each<[string, Parameters<typeof signAuthorization>[2], string]>([
    ['one unit too little', { value: '4999' }, 'invalid_amount'],
    ['one unit too much', { value: '5001' }, 'invalid_amount'],
    ['the price of another route', { value: '1000' }, 'invalid_amount'],
    ['another payee', { to: thirdParty.address }, 'invalid_recipient'],
    ['expired', { validBefore: String(now() - 1) }, 'authorization_expired'],
    ['too little time left', { validBefore: String(now() + 3) }, 'authorization_expired'],
    [
      'not yet valid',
      { validAfter: String(now() + 600), validBefore: String(now() + 660) },
      'authorization_not_yet_valid',
    ],
    ['valid for too long', { validBefore: String(now() + 100_000) }, 'authorization_too_long'],
  ])('%s', async (_, change, reason) => {
    const { status, body, response } = await unpaid(async () =>
      get({ 'X-PAYMENT': encodeHeader(v1Payload(await sign(change))) }),
    );
    expect([status, body.error]).toEqual([402, reason]);
    expect(response.headers.get('payment-required')).not.toBeNull();
    expect(settleCalls).toBe(0);
  });

  it.each([
    ['another asset', { asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' }, 'invalid_asset'],
    ['another network', { network: 'eip155:84532' }, 'invalid_network'],
  ])('%s', async (_, accepted, reason) => {
    const signed = await sign();
    const payload = v2Payload(paidServer.seller, signed) as { accepted: object };
    const header = encodeHeader({ ...payload, accepted: { ...payload.accepted, ...accepted } });
    const { status, body } = await unpaid(() => get({ 'PAYMENT-SIGNATURE': header }));
    expect([status, body.error]).toEqual([402, reason]);
  });

  it('no balance', async () => {
    const poor = newAccount();
    const { status, body } = await unpaid(async () => pay(await sign({}, poor)));
    expect([status, body.error]).toEqual([402, 'invalid_exact_evm_insufficient_balance']);
    expect(settleCalls).toBe(0);
  });

  it('no payment, HEAD and unreadable payments', async () => {
    expect((await unpaid(() => get({}))).body.error).toBe('Payment required');
    const { status, body, response } = await unpaid(() => get({ 'X-PAYMENT': 'rubbish!' }));
    expect([status, body.error]).toEqual([400, 'malformed_payment_header']);
    expect(body).toMatchObject({ x402Version: 1, code: 'malformed_payment_header' });
    expect(response.headers.get('payment-required')).not.toBeNull();
    const head = await fetch(paidServer.url + BASIS, {
      method: 'HEAD',
      headers: { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, await sign())) },
    });
    expect(head.status).toBe(402);
    expect(settleCalls).toBe(0);
  });

  it('a header beyond all limits', async () => {
    const response = await get({ 'X-PAYMENT': 'A'.repeat(40_000) });
    expect(response.status).toBe(431);
  });
});

describe('bad signatures', () => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const broken: readonly (readonly [string, (good: string) => string])[] = [
    ['of somebody else', (s) => s.replace(/^0x./, s.startsWith('0x1') ? '0x2' : '0x1')],
    ['with v 0', (s) => `${s.slice(0, 130)}00`],
    ['with v 1', (s) => `${s.slice(0, 130)}01`],
    ['with v 29', (s) => `${s.slice(0, 130)}1d`],
    ['with the other v', (s) => s.slice(0, 130) + (s.endsWith('1b') ? '1c' : '1b')],
    [
      'of the high-s twin',
      (s) =>
        `${s.slice(0, 66)}${(order - BigInt(`0x${s.slice(66, 130)}`)).toString(16).padStart(64, '0')}${s.endsWith('1b') ? '1c' : '1b'}`,
    ],
    ['with r zero', (s) => `0x${'0'.repeat(64)}${s.slice(66)}`],
    ['with s zero', (s) => `${s.slice(0, 66)}${'0'.repeat(64)}${s.slice(130)}`],
    ['of 64 bytes', (s) => s.slice(0, 130)],
    ['of 66 bytes', (s) => `${s}00`],
    ['of one byte', () => '0x00'],
  ];
  it.each(broken)('%s', async (_, breakIt) => {
    const account = newAccount();
    await chain.mint(account.address, 5000n);
    const good = await sign({}, account);
    const bad = { ...good, signature: breakIt(good.signature) };
    const { status } = await unpaid(() => pay(bad, { 'X-Test-Address': account.address }));
    expect(status).toBe(402);
    expect(settleCalls).toBe(0);
  });

  it('are rate-limited after a few', async () => {
    const account = newAccount();
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++) {
      const good = await sign({}, account);
      const response = await pay({ ...good, signature: `0x${'11'.repeat(65)}` });
      statuses.push(response.status);
      await response.arrayBuffer();
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('a used authorization', () => {
  it('buys nothing a second time, through either header and version', async () => {
    const signed = await sign();
    await (await pay(signed)).arrayBuffer();
    await until(async () => expect((await paidServer.ledger.list({ limit: 1 }))[0]?.state).toBe('delivered'));
    for (const headers of [
      { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, signed)) },
      { 'X-PAYMENT': encodeHeader(v2Payload(paidServer.seller, signed)) },
      { 'X-PAYMENT': encodeHeader(v1Payload(signed)) },
    ]) {
      const { status, body } = await unpaid(() => get(headers));
      expect([status, body.error]).toEqual([402, 'authorization_used']);
    }
    const other = await unpaid(() => pay(signed, {}, '/v1/perp/carry?ticker=BTC'));
    expect([other.status, other.body.error]).toEqual([402, 'authorization_used']);
  });

  it('that the ledger does not know is refused by the facilitator', async () => {
    const signed = await sign();
    await submitAsThirdParty(signed);
    const { status, body } = await unpaid(() => pay(signed));
    expect([status, body.error]).toEqual([402, 'invalid_exact_evm_nonce_already_used']);
  });

  it('ten at once: one is paid and served', async () => {
    const before = await earned();
    const produced = paidServer.produced;
    const signed = await sign();
    const responses = await Promise.all(Array.from({ length: 10 }, () => pay(signed)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect(statuses.slice(1).every((status) => status === 409)).toBe(true);
    for (const response of responses) {
      if (response.status === 409) {
        expect(response.headers.get('payment-required')).toBeNull();
        expect(response.headers.get('retry-after')).toBe('2');
      }
      await response.arrayBuffer();
    }
    expect(await earned()).toBe(before + 5000n);
    expect(paidServer.produced).toBe(produced + 1);
    expect(settleCalls).toBe(1);
  });

  it('ten at once with the private id: one is paid, all get the same bytes', async () => {
    const before = await earned();
    const signed = await sign();
    const headers = { 'Idempotency-Key': 'order-0123456789abcdef' };
    const bodies = await Promise.all(
      Array.from({ length: 10 }, async () => (await pay(signed, headers)).text()),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('product');
    expect(await earned()).toBe(before + 5000n);
    expect(settleCalls).toBe(1);
  });
});

describe('work that cannot be sold', () => {
  it.each([
    ['a bad parameter', 'invalid_parameter', 400],
    ['an unknown ticker', 'unknown_ticker', 404],
    ['an ambiguous ticker', 'ambiguous_ticker', 409],
  ] as const)('%s is not charged', async (_, code, expected) => {
    paidServer.check = () => ({ code, detail: 'no' });
    const { status, body } = await unpaid(async () => pay(await sign()));
    expect([status, body.code]).toEqual([expected, code]);
    expect(settleCalls).toBe(0);
  });

  it.each([
    ['an error', () => fail({ code: 'no_data', detail: 'none' }), 404],
    [
      'a throw',
      () => {
        throw new Error('secret detail');
      },
      500,
    ],
    ['a rejection', () => Promise.reject(new Error('secret detail')), 500],
    [
      'another status',
      () => ({ ok: true as const, value: { status: 204, headers: {}, body: Buffer.from('{}') } }),
      204,
    ],
  ])(
    '%s while producing is not charged, and the same payment can be used again',
    async (_, produce, expected) => {
      paidServer.produce = produce;
      const signed = await sign();
      const before = await earned();
      const response = await pay(signed);
      expect(response.status).toBe(expected);
      expect(await response.text()).not.toContain('secret');
      expect(await earned()).toBe(before);
      expect(settleCalls).toBe(0);
      paidServer.produce = undefined;
      const again = await pay(signed);
      expect(again.status).toBe(200);
      await again.arrayBuffer();
    },
  );
});

describe('between verify and settle', () => {
  it('a drained balance delivers no byte and moves no money', async () => {
    const account = newAccount();
    await chain.mint(account.address, 5000n);
    beforeSettle = () => drain(account.address);
    const { status, body, response } = await unpaid(async () => pay(await sign({}, account)));
    expect([status, body.error]).toEqual([402, 'invalid_exact_evm_insufficient_balance']);
    expect(receipt(response)).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_insufficient_balance',
    });
    expect(receipt(response, 'x-payment-response')).toMatchObject({ success: false, network: 'base' });
  });

  it('a cancelled authorization delivers no byte and moves no money', async () => {
    const signed = await sign();
    beforeSettle = () => cancel(signed);
    const { status, body } = await unpaid(() => pay(signed));
    expect([status, body.error]).toEqual([402, 'authorization_cancelled']);
    const again = await unpaid(() => pay(signed));
    expect([again.status, again.body.error]).toEqual([402, 'authorization_cancelled']);
  });

  it('a blacklisted payer is refused', async () => {
    const account = newAccount();
    await chain.mint(account.address, 5000n);
    beforeSettle = () =>
      chain.send(
        chain.token,
        selectorOf('setBlacklisted(address,bool)') + word(account.address) + '1'.padStart(64, '0'),
      );
    const { status } = await unpaid(async () => pay(await sign({}, account)));
    expect(status).toBe(402);
  });

  it('an authorization submitted by a third party is paid once and delivered once', async () => {
    const before = await earned();
    const signed = await sign();
    beforeSettle = () => submitAsThirdParty(signed);
    const response = await pay(signed);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('product');
    expect(await earned()).toBe(before + 5000n);
  });
});

describe('an answer that was not delivered', () => {
  it('is redelivered once for the same payment and request', async () => {
    const before = await earned();
    const produced = paidServer.produced;
    const signed = await sign();
    paidServer.cutPaid = true;
    await expect(pay(signed)).rejects.toThrow();
    paidServer.cutPaid = false;
    const other = await unpaid(() => pay(signed, {}, '/v1/perp/basis?ticker=ETH'));
    expect([other.status, other.body.error]).toEqual([402, 'authorization_used']);
    const again = await pay(signed);
    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({ product: produced + 1 });
    await until(async () => expect((await paidServer.ledger.list({ limit: 1 }))[0]?.state).toBe('delivered'));
    expect((await unpaid(() => pay(signed))).body.error).toBe('authorization_used');
    expect(await earned()).toBe(before + 5000n);
    expect(settleCalls).toBe(1);
  });
});

const { keccak256, toBytes, encodeFunctionData, parseSignature } = await import('viem');
const selectorOf = (signature: string): string => keccak256(toBytes(signature)).slice(0, 10);
const word = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0');

async function drain(address: string): Promise<void> {
  const balance = await chain.balanceOf(address);
  await chain.rpc('anvil_setBalance', [address, '0xde0b6b3a7640000']);
  await chain.rpc('anvil_impersonateAccount', [address]);
  const data =
    selectorOf('transfer(address,uint256)') +
    word(newAccount().address) +
    balance.toString(16).padStart(64, '0');
  const hash = await chain.rpc('eth_sendTransaction', [{ from: address, to: chain.token, data }]);
  await until(async () =>
    expect(await chain.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' }),
  );
}

async function submitAsThirdParty({ authorization: a, signature }: SignedAuthorization): Promise<void> {
  const { v, r, s } = parseSignature(signature as `0x${string}`);
  const inputs = [
    'address',
    'address',
    'uint256',
    'uint256',
    'uint256',
    'bytes32',
    'uint8',
    'bytes32',
    'bytes32',
  ];
  const data = encodeFunctionData({
    abi: [
      {
        type: 'function',
        name: 'transferWithAuthorization',
        stateMutability: 'nonpayable',
        inputs: inputs.map((type, i) => ({ type, name: `a${i}` })),
        outputs: [],
      },
    ],
    args: [
      a.from,
      a.to,
      BigInt(a.value),
      BigInt(a.validAfter),
      BigInt(a.validBefore),
      a.nonce,
      Number(v),
      r,
      s,
    ],
  });
  await chain.send(chain.token, data);
}

async function cancel({ authorization }: SignedAuthorization): Promise<void> {
  const signature = await buyer.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: chain.token },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: buyer.address, nonce: authorization.nonce as `0x${string}` },
  });
  const { v, r, s } = parseSignature(signature);
  const data =
    selectorOf('cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)') +
    word(buyer.address) +
    authorization.nonce.slice(2) +
    Number(v).toString(16).padStart(64, '0') +
    r.slice(2) +
    s.slice(2);
  await chain.send(chain.token, data);
}
