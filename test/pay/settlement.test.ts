import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { describe, expect, it } from 'vitest';
import { fail } from '../../src/domain/errors.ts';
import { until } from '../until.ts';
import {
  buyer,
  chain,
  earned,
  get,
  paidServer,
  pay,
  receipt,
  settleCalls,
  sign,
  unpaid,
  useChain,
} from './settlement-rig.ts';
import { encodeHeader, newAccount, v1Payload, v2Payload } from './wallet.ts';

useChain();

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
  ])('%s while producing: not charged, and usable again', async (_, produce, expected) => {
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
