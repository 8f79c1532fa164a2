import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SettleOutcome } from '../../src/pay/facilitator.ts';
import { FacilitatorList } from '../../src/pay/facilitator-list.ts';
import { RpcError } from '../../src/pay/rpc.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { createSandboxFacilitator } from '../../src/pay/schemes/exact/sandbox-facilitator.ts';
import { paidWei, SettlementMeter } from '../../src/pay/settlement-meter.ts';
import { until } from '../until.ts';
import { fakeFacilitator } from './fakes.ts';
import { startPaidServer } from './paid-server.ts';
import { sellerAt } from './routes.ts';

const settled = (digit: string) =>
  ({ kind: 'settled', transaction: `0x${digit.repeat(64)}` }) satisfies SettleOutcome;

describe('what a transaction has cost', () => {
  const receipt = { gasUsed: '0x5208', effectiveGasPrice: '0x4c4b40' };

  it('gas at the effective price; on the OP stack with its data', () => {
    expect(paidWei(receipt)).toBe(21_000n * 5_000_000n);
    expect(paidWei({ ...receipt, l1Fee: '0x3e8' })).toBe(21_000n * 5_000_000n + 1_000n);
    expect(paidWei({ gasUsed: '0x5208' })).toBeUndefined();
  });

  it('a transaction that is named again: counted once', async () => {
    const meter = new SettlementMeter(async () => receipt);
    await meter.note(settled('a'));
    await meter.note(settled('a'));
    await meter.note({ kind: 'refused', reason: 'reverted', transaction: settled('b').transaction });
    await meter.note({ kind: 'unsent', reason: 'away' });
    expect(meter.costs).toEqual({ transactions: 2, read: 2, wei: 2n * 21_000n * 5_000_000n });
  });

  it('a node that is away, and others’ gas: counted, not read', async () => {
    const away = new SettlementMeter(async () => {
      throw new RpcError('eth_getTransactionReceipt: failed');
    });
    const others = new SettlementMeter();
    for (const meter of [away, others]) {
      await meter.note(settled('a'));
      expect(meter.costs).toEqual({ transactions: 1, read: 0, wei: 0n });
    }
  });
});

describe('the settlements of facilitators on a chain', () => {
  let chain: SandboxChain;
  beforeAll(async () => {
    chain = await startSandboxChain();
  });
  afterAll(() => chain.stop());

  it('sales to the official client: all that the account has paid', async () => {
    const { rpcUrl, network, facilitator, payee } = chain;
    const own = await createSandboxFacilitator({ rpcUrl, network, privateKey: facilitator.privateKey });
    const list = new FacilitatorList([own, fakeFacilitator()], new SettlementMeter(chain.rpc));
    const balance = async () =>
      BigInt(String(await chain.rpc('eth_getBalance', [facilitator.address, 'latest'])));
    const metered = list.named('sandbox');
    if (metered === undefined) throw new Error('no facilitator');
    const server = await startPaidServer({ facilitator: metered, payTo: sellerAt('', payee.address).payTo });
    const before = await balance();
    const account = privateKeyToAccount(chain.buyer.privateKey);
    const pay = wrapFetchWithPayment(
      fetch,
      new x402Client().register('eip155:8453', new ExactEvmScheme(account)),
    );
    for (let i = 0; i < 3; i++)
      expect((await pay(`${server.url}/v1/perp/basis?ticker=BTC`)).status).toBe(200);
    await until(() => expect(list.costs().read).toBe(3));
    expect(list.costs()).toEqual({ transactions: 3, read: 3, wei: before - (await balance()) });
    await server.stop();
  });
});
