import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, startSeller } from '../../../scripts/foreign/sellers.ts';
import { isWire, wireArray } from '../../../src/domain/read.ts';
import { parsePaymentConfig } from '../../../src/pay/config.ts';
import { type SandboxChain, startSandboxChain } from '../../../src/pay/sandbox/chain.ts';
import { placeChannelContracts } from '../../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { offersOf } from '../../../src/pay/schemes/list.ts';
import { paidRoutes, sellerAt } from '../routes.ts';

const KEY = `0x${'17'.repeat(32)}` as const;
const PAY_TO = sellerAt().payTo;
const { address } = privateKeyToAccount(KEY);

let chain: SandboxChain;
let seller: Running;

describe.each(['sandbox', 'self'])('a service that sells by channel (mode %s)', (mode) => {
  beforeAll(async () => {
    chain = await startSandboxChain();
    await placeChannelContracts(chain.rpc);
    seller = await startSeller(chain, {
      PAYMENTS_MODE: mode,
      FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
      CHANNEL_AUTHORIZER_KEY: KEY,
      CHANNEL_WITHDRAW_DELAY_SECONDS: '3600',
    });
  });
  afterAll(async () => {
    await seller.stop();
    await chain.stop();
  });

  it('every 402: channels behind exact, in a header that proxies take', async () => {
    for (const { path } of paidRoutes()) {
      const response = await fetch(seller.url + path.replace(/\{[^}]+\}/g, 'x'));
      const header = response.headers.get('payment-required') ?? '';
      expect(header.length).toBeLessThan(3_500);
      const required: unknown = JSON.parse(Buffer.from(header, 'base64').toString());
      const entries = (isWire(required) ? (wireArray(required.accepts) ?? []) : []).filter(isWire);
      expect(entries.map(({ scheme }) => scheme)).toEqual(['exact', 'batch-settlement']);
      expect(entries[1]).toMatchObject({
        amount: entries[0]?.amount,
        extra: {
          receiverAuthorizer: address,
          withdrawDelay: 3_600,
          minDeposit: String(2_500n * BigInt(entries[0]?.amount as string)),
        },
      });
      const body = (await response.json()) as { accepts: { scheme: string }[] };
      expect(body.accepts.map(({ scheme }) => scheme)).toEqual(['exact']);
    }
  });

  it('offers for the catalog: both where channels are on, else exact alone', () => {
    const env = { PAYMENTS_MODE: mode, PAY_TO_ADDRESS: PAY_TO, RPC_URL: chain.rpcUrl };
    const settings = { ...env, BASE_URL: seller.url, FACILITATOR_PRIVATE_KEY: KEY };
    const offered = (more: Record<string, string> = {}) => {
      const parsed = parsePaymentConfig({ ...settings, ...more }, '127.0.0.1');
      if (!parsed.ok || parsed.value.mode === 'off') throw new Error('not read');
      return offersOf(parsed.value).map(({ name }) => name);
    };
    expect(offered()).toEqual(['exact']);
    expect(offered({ CHANNEL_AUTHORIZER_KEY: KEY })).toEqual(['exact', 'batch-settlement']);
  });

  it('official clients: exact where both are known, else by channel', async () => {
    const account = privateKeyToAccount(chain.buyer.privateKey);
    const channel = new BatchSettlementEvmScheme(account as never);
    const both = new x402Client()
      .register('eip155:8453', new ExactEvmScheme(account))
      .register('eip155:8453', channel);
    const paths = ['/v1/funding/current?symbol=BTC', '/v1/funding/current?symbol=ETH'];
    const before = await chain.balanceOf(chain.payee.address);
    expect((await wrapFetchWithPayment(fetch, both)(seller.url + paths[0])).status).toBe(200);
    expect(await chain.balanceOf(chain.payee.address)).toBeGreaterThan(before);
    const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', channel));
    for (let i = 0; i < 4; i++) {
      const bought = await pay(seller.url + paths[i % 2]);
      expect(bought.status).toBe(200);
      expect(bought.headers.get('perpmeter-receipt')).toBeTruthy();
    }
    const left = await chain.balanceOf(account.address);
    const refunded = await channel.refund(seller.url + paths[0]);
    expect(refunded).toMatchObject({ success: true, extra: { channelState: { refundNonce: '1' } } });
    expect((await chain.balanceOf(account.address)) - left).toBe(BigInt(refunded.amount ?? 0));
  });
});
