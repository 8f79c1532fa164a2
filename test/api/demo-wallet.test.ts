import { recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPOSIT_COLLECTOR, voucherData } from '../../packages/client/src/channels/digests.ts';
import { transferData } from '../../packages/client/src/payment.ts';
import { createDemoWallet } from '../../src/modules/demo/wallet.ts';
import { createExampleApi, type ExampleApi, SELLER } from './example-api.ts';

const KEY = `0x${'42'.repeat(32)}` as const;
const buyer = privateKeyToAccount(KEY).address;
const REQUIREMENT = {
  scheme: 'exact',
  network: SELLER.network.id,
  amount: '1000',
  asset: SELLER.asset,
  payTo: SELLER.payTo,
  maxTimeoutSeconds: 60,
  extra: { name: SELLER.assetName, version: SELLER.assetVersion },
};
const MESSAGE = {
  from: buyer,
  to: SELLER.payTo,
  value: '1000',
  validAfter: '0',
  validBefore: '1800000000',
  nonce: `0x${'07'.repeat(32)}`,
};

let example: ExampleApi;
let base: string;
beforeAll(async () => {
  example = createExampleApi({ mounts: [{ connect: () => createDemoWallet(KEY, SELLER) }] });
  base = await example.start();
});
afterAll(() => example.api.close());

async function ask(call: unknown, headers: Readonly<Record<string, string>> = { origin: base }) {
  const response = await fetch(`${base}/demo/wallet`, {
    method: 'POST',
    body: JSON.stringify(call),
    headers,
  });
  return { status: response.status, body: (await response.json()) as { result?: never; detail?: string } };
}
const sign = (data: unknown) =>
  ask({ method: 'eth_signTypedData_v4', params: [buyer, JSON.stringify(data)] });

describe('the wallet of a demo', () => {
  it('names its account and chain', async () => {
    expect((await ask({ method: 'eth_requestAccounts' })).body).toEqual({ result: [buyer] });
    expect((await ask({ method: 'eth_chainId' })).body).toEqual({ result: '0x2105' });
  });

  it('signs a payment to this service as the page asks for it', async () => {
    const data = transferData(REQUIREMENT, MESSAGE);
    const { status, body } = await sign(data);
    expect(status).toBe(200);
    const signer = await recoverTypedDataAddress({ ...data, signature: body.result ?? '0x' } as never);
    expect(signer).toBe(buyer);
  });

  it('signs a deposit and a voucher of a channel', async () => {
    const asset = REQUIREMENT.asset;
    const deposit = transferData(REQUIREMENT, { ...MESSAGE, to: DEPOSIT_COLLECTOR });
    const types = { ReceiveWithAuthorization: deposit.types.TransferWithAuthorization };
    const voucher = voucherData(`0x${'09'.repeat(32)}`, 5_000n, 8453);
    for (const data of [{ ...deposit, types, primaryType: 'ReceiveWithAuthorization' }, voucher]) {
      const { status, body } = await sign(data);
      expect(status).toBe(200);
      const signer = await recoverTypedDataAddress({ ...data, signature: body.result ?? '0x' } as never);
      expect(signer).toBe(buyer);
    }
    for (const data of [
      { ...deposit, types, primaryType: 'ReceiveWithAuthorization', message: MESSAGE },
      { ...voucher, domain: { ...voucher.domain, verifyingContract: asset } },
      voucherData(`0x${'09'.repeat(32)}`, 1_000_001n, 8453),
    ])
      expect((await sign(data)).status).toBe(400);
  });

  it.each([
    ['to somebody else', transferData(REQUIREMENT, { ...MESSAGE, to: buyer })],
    ['of more than a dollar', transferData(REQUIREMENT, { ...MESSAGE, value: '1000001' })],
    ['in another token', transferData({ ...REQUIREMENT, asset: buyer }, MESSAGE)],
    ['on another chain', transferData({ ...REQUIREMENT, network: 'eip155:1' }, MESSAGE)],
    ['of somebody else', transferData(REQUIREMENT, { ...MESSAGE, from: SELLER.payTo })],
    ['that is none', null],
  ])('signs no payment %s', async (_what, data) => {
    expect((await sign(data)).status).toBe(400);
  });

  it('does nothing else, and nothing for a page of another site', async () => {
    expect((await ask({ method: 'personal_sign', params: ['0x00', buyer] })).status).toBe(400);
    expect((await ask('{', {})).status).toBe(403);
    expect((await ask({ method: 'eth_requestAccounts' }, { origin: 'https://evil.example' })).status).toBe(
      403,
    );
    expect((await ask('x'.repeat(20_000))).status).toBe(400);
  });

  it('is not there without a key', async () => {
    const bare = createExampleApi();
    const response = await fetch(`${await bare.start()}/demo/wallet`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(404);
    await bare.api.close();
  });
});
