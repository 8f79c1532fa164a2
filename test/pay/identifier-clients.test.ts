import { ExactEvmScheme } from '@x402/evm/exact/client';
import { appendPaymentIdentifierToExtensions, generatePaymentId } from '@x402/extensions/payment-identifier';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { describe, expect, it } from 'vitest';
import { until } from '../until.ts';
import {
  BASIS,
  beforeSettle,
  buyer,
  chain,
  earned,
  paidServer,
  pay,
  settleCalls,
  sign,
  useChain,
} from './settlement-rig.ts';
import { newAccount } from './wallet.ts';

useChain();

const PRICE = 5000n;

/** A purchase as its client makes it, each time with a signature of its own. */
type Buy = (id: string, path?: string) => Promise<Response>;

/** `@x402/fetch` with the official extension of identifiers. */
const byExtension: Buy = (id, path = BASIS) => {
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(buyer));
  client.onBeforePaymentCreation(async ({ paymentRequired }) => {
    const declared = paymentRequired.extensions ?? {};
    expect(declared).toHaveProperty('payment-identifier');
    appendPaymentIdentifierToExtensions(declared, id);
  });
  return wrapFetchWithPayment(fetch, client)(paidServer.url + path);
};

/** `@x402/fetch` with a header of its caller. */
const byHeader: Buy = (id, path = BASIS) => {
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(buyer));
  return wrapFetchWithPayment(fetch, client)(paidServer.url + path, { headers: { 'Idempotency-Key': id } });
};

describe.each([
  ['@x402/fetch and the identifier extension', byExtension],
  ['@x402/fetch and Idempotency-Key', byHeader],
] as const)('%s', (_, buy) => {
  it('lost answer, fresh signature: one charge, and the answer', async () => {
    const before = await earned();
    const produced = paidServer.produced;
    const id = generatePaymentId();
    paidServer.cutPaid = true;
    await expect(buy(id)).rejects.toThrow();
    paidServer.cutPaid = false;
    const first = await buy(id);
    const again = await buy(id);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
    expect([(await earned()) - before, settleCalls, paidServer.produced - produced]).toEqual([PRICE, 1, 1]);
  });

  it('five at once, a signature each: one charge, and the same bytes', async () => {
    const before = await earned();
    const id = generatePaymentId();
    const texts = await Promise.all(Array.from({ length: 5 }, async () => (await buy(id)).text()));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('product');
    expect([(await earned()) - before, settleCalls]).toEqual([PRICE, 1]);
  });

  it('another request under the identifier: a conflict without a charge', async () => {
    const id = generatePaymentId();
    await (await buy(id)).arrayBuffer();
    const before = await earned();
    const other = await buy(id, '/v1/perp/basis?ticker=ETH');
    expect([other.status, await other.json()]).toMatchObject([409, { code: 'identifier_used' }]);
    expect(await earned()).toBe(before);
  });
});

describe('a contract wallet that signs anew under its identifier', () => {
  it('gets its answer once a facilitator has found the payment good', async () => {
    const wallet = newAccount().address;
    const { runtimeCode } = (await import('./OwnerWallet.artifact.json', { with: { type: 'json' } })).default;
    await chain.rpc('anvil_setCode', [wallet, runtimeCode]);
    const owner = `0x${buyer.address.slice(2).padStart(64, '0')}`;
    await chain.rpc('anvil_setStorageAt', [wallet, `0x${'0'.repeat(64)}`, owner]);
    await chain.mint(wallet, 2n * PRICE);
    const id = { 'Idempotency-Key': generatePaymentId() };
    const first = await (await pay(await sign({ from: wallet }), id)).text();
    expect(await (await pay(await sign({ from: wallet }), id)).text()).toBe(first);
    expect([await chain.balanceOf(wallet), settleCalls]).toEqual([PRICE, 1]);
    // Its owner may sign for it, and nobody else: a client that names it without that learns nothing.
    const forged = await pay(await sign({ from: wallet }, newAccount()), id);
    expect([forged.status, await forged.text()]).toEqual([402, expect.not.stringContaining('product')]);
  });
});

describe('while the first of two payments settles', () => {
  it('the second waits with an authorization that stays unused', async () => {
    const id = { 'Idempotency-Key': generatePaymentId() };
    const second = await sign();
    let waiting: Promise<Response> | undefined;
    beforeSettle(async () => {
      waiting ??= pay(second, id);
      await until(() => expect(paidServer.paywall.inFlight).toBe(2));
    });
    const first = await (await pay(await sign(), id)).text();
    expect(await (await waiting)?.text()).toBe(first);
    const state = await chain.rpc('eth_call', [
      {
        to: chain.token,
        data: `0xe94a0102${buyer.address.slice(2).toLowerCase().padStart(64, '0')}${second.authorization.nonce.slice(2)}`,
      },
      'latest',
    ]);
    expect(BigInt(String(state))).toBe(0n);
  });
});
