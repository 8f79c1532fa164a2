import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Running, startSeller } from '../../../scripts/foreign/sellers.ts';
import { type SandboxChain, startSandboxChain } from '../../../src/pay/sandbox/chain.ts';
import { placeChannelContracts } from '../../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { readSettled } from './settled.ts';

const CALLS = 10_000;
const MOST_TRANSACTIONS = 4;
const PATH = '/v1/funding/current?symbol=BTC';

let chain: SandboxChain;
let seller: Running;
beforeAll(async () => {
  chain = await startSandboxChain();
  await placeChannelContracts(chain.rpc);
  seller = await startSeller(chain, {
    PAYMENTS_MODE: 'sandbox',
    FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
    CHANNEL_AUTHORIZER_KEY: `0x${'17'.repeat(32)}`,
  });
});
afterAll(async () => {
  await seller.stop();
  await chain.stop();
});

it('ten thousand calls of the official client: at most four deposits', async () => {
  const account = privateKeyToAccount(chain.buyer.privateKey);
  const scheme = new BatchSettlementEvmScheme(account as never);
  const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', scheme));
  const transactions = new Set<string>();
  let total = 0n;
  for (let i = 0; i < CALLS; i++) {
    const bought = await pay(seller.url + PATH);
    await bought.arrayBuffer();
    expect(bought.status).toBe(200);
    const { transaction, extra } = readSettled(bought);
    if (transaction !== '') transactions.add(transaction);
    total += BigInt(extra.chargedAmount);
    expect(extra.channelState.chargedCumulativeAmount).toBe(String(total));
  }
  expect(transactions.size).toBeLessThanOrEqual(MOST_TRANSACTIONS);
}, 1_200_000);
