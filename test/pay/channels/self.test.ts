import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CallSender, type CallSenderOptions } from '../../../src/modules/self-settle/call-sender.ts';
import { createSelfFacilitator } from '../../../src/modules/self-settle/self-facilitator.ts';
import { createWallet } from '../../../src/modules/self-settle/wallet.ts';
import type { SettlementRequest } from '../../../src/pay/facilitator.ts';
import { loadCheckSigner } from '../../../src/pay/recover.ts';
import { readQuantity } from '../../../src/pay/rpc.ts';
import { type SandboxChain, startSandboxChain } from '../../../src/pay/sandbox/chain.ts';
import { channelCall } from '../../../src/pay/schemes/batch-settlement/calls.ts';
import { SETTLEMENT_CONTRACT } from '../../../src/pay/schemes/batch-settlement/contract.ts';
import { placeChannelContracts } from '../../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { CHANNEL_CALLS } from '../../../src/pay/schemes/batch-settlement/settling-calls.ts';
import { channelTerms } from '../../../src/pay/schemes/batch-settlement/terms.ts';
import { exactTerms } from '../../../src/pay/schemes/exact/offer.ts';
import { exactCalls } from '../../../src/pay/schemes/exact/settling-calls.ts';
import { createSignatureFilter } from '../../../src/pay/schemes/exact/signature.ts';
import { loadSign } from '../../../src/pay/sign.ts';
import { sellerAt } from '../routes.ts';
import { newAccount, paymentOf, signAuthorization } from '../wallet.ts';
import { configOf, depositPayload } from './buyer.ts';

const GWEI = 10n ** 9n;
const MATCHES = { doubtful: false };
const TERMS = { receiverAuthorizer: newAccount().address, withdrawDelay: 900 };
const DEPOSIT = 50_000n;

let chain: SandboxChain;
const senders: CallSender[] = [];
beforeAll(async () => {
  chain = await startSandboxChain();
  await placeChannelContracts(chain.rpc);
});
afterEach(() => {
  for (const sender of senders.splice(0)) sender.stop();
});
afterAll(() => chain.stop());

const seller = () => sellerAt('http://127.0.0.1:8402', chain.payee.address);

/** The facilitators of both schemes of a service, which send as one account. */
async function open(options: Partial<CallSenderOptions> = {}) {
  const key = chain.facilitator.privateKey;
  const wallet = await createWallet(key, chain.chainId, await loadSign(key));
  const sender = new CallSender({
    rpc: chain.rpc,
    wallet,
    maxFeePerGas: 100n * GWEI,
    pollMs: 20,
    ...options,
  });
  senders.push(sender);
  const { chainId } = chain;
  const calls = exactCalls(seller(), createSignatureFilter(seller(), await loadCheckSigner()));
  return {
    exact: createSelfFacilitator({ sender, calls, chainId }),
    channels: createSelfFacilitator({ sender, calls: CHANNEL_CALLS, chainId }),
  };
}

/** A deposit of a new account with so much money. */
async function depositOf(funds = DEPOSIT): Promise<SettlementRequest> {
  const account = newAccount();
  await chain.mint(account.address, funds);
  const requirement = channelTerms(seller(), TERMS, 5_000n);
  const config = configOf(account.address, seller(), TERMS);
  const payload = await depositPayload(account, config, requirement, { deposit: DEPOSIT, total: 5_000n });
  return { requirement, payer: account.address.toLowerCase(), payload, moves: DEPOSIT.toString() };
}

async function transferOf(): Promise<SettlementRequest> {
  const account = newAccount();
  await chain.mint(account.address, 5_000n);
  const { payer, signed: payload } = paymentOf(await signAuthorization(account, seller(), { value: '5000' }));
  return { requirement: exactTerms(seller(), 5_000n), payer, payload };
}

const sent = async (): Promise<bigint | undefined> =>
  readQuantity(await chain.rpc('eth_getTransactionCount', [chain.facilitator.address, 'latest']));
const held = (): Promise<bigint> => chain.balanceOf(SETTLEMENT_CONTRACT);

describe('deposits and claims that are sent by the service itself', () => {
  it('transfers and deposits at once: numbered without a gap', async () => {
    const { exact, channels } = await open();
    const transfers = await Promise.all(Array.from({ length: 8 }, transferOf));
    const deposits = await Promise.all(Array.from({ length: 8 }, () => depositOf()));
    const [earned, inChannels, before] = await Promise.all([
      chain.balanceOf(chain.payee.address),
      held(),
      sent(),
    ]);
    const outcomes = await Promise.all([
      ...transfers.map((request) => exact.settle(request)),
      ...deposits.map((request) => channels.settle(request)),
    ]);
    expect(outcomes).toEqual(outcomes.map(() => expect.objectContaining({ kind: 'settled' })));
    expect(await sent()).toBe((before ?? 0n) + 16n);
    expect(await chain.balanceOf(chain.payee.address)).toBe(earned + 8n * 5_000n);
    expect(await held()).toBe(inChannels + 8n * DEPOSIT);
  });

  it('a deposit that the chain would refuse: no transaction', async () => {
    const { channels } = await open();
    const poor = await depositOf(DEPOSIT - 1n);
    const before = await sent();
    expect(await channels.verify(poor, MATCHES)).toEqual({ kind: 'invalid', reason: 'insufficient_funds' });
    expect(await channels.settle(poor)).toMatchObject({ kind: 'refused', reason: 'insufficient_funds' });
    expect(await sent()).toBe(before);
  });

  it('a deposit that somebody else has sent: not known, and not sent again', async () => {
    const { channels } = await open();
    const request = await depositOf();
    expect(await channels.verify(request, MATCHES)).toEqual({ kind: 'valid' });
    await chain.send(SETTLEMENT_CONTRACT, channelCall(request.payload as never));
    const before = await sent();
    expect(await channels.settle(request)).toMatchObject({ kind: 'unknown', reason: 'authorization_used' });
    expect(await sent()).toBe(before);
  });

  it('gas above the limit: no deposit is taken, nothing claimed is sent', async () => {
    const { channels } = await open({ maxFeePerGas: 1n });
    const before = await sent();
    const request = await depositOf();
    expect(await channels.verify(request, MATCHES)).toEqual({ kind: 'unavailable', reason: 'gas_above_cap' });
    const { payTo: receiver, asset: token } = seller();
    const settle = { ...request, payload: { type: 'settle', receiver, token } };
    expect(await channels.settle(settle)).toMatchObject({ kind: 'unsent' });
    expect(await sent()).toBe(before);
  });

  it('a chain without the contracts: nothing can be settled there', async () => {
    const { channels } = await open();
    await channels.probe();
    expect(channels.ok).toBe(true);
    const elsewhere = await open({
      rpc: (method, params) =>
        method === 'eth_getCode' && params[0] === SETTLEMENT_CONTRACT
          ? Promise.resolve('0x')
          : chain.rpc(method, params),
    });
    await elsewhere.channels.probe();
    expect(elsewhere.channels.ok).toBe(false);
  });
});
