import { keccak256 } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CallSenderOptions } from '../../src/modules/self-settle/call-sender.ts';
import { createWallet } from '../../src/modules/self-settle/wallet.ts';
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { type Rpc, RpcError, readQuantity } from '../../src/pay/rpc.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { exactTerms } from '../../src/pay/schemes/exact/offer.ts';
import { createRpcVerifier } from '../../src/pay/schemes/exact/proof.ts';
import type { ExactRequest } from '../../src/pay/schemes/exact/request.ts';
import { loadSign } from '../../src/pay/sign.ts';
import { wait } from '../../src/runtime/timer.ts';
import { refusal } from './outbox-rig.ts';
import { sellerAt } from './routes.ts';
import { selfExact } from './self-rig.ts';
import { newAccount, paymentOf, signAuthorization, type WireAuthorization } from './wallet.ts';

let chain: SandboxChain;
let buyer: PrivateKeyAccount;
const opened: Facilitator[] = [];
const GWEI = 10n ** 9n;
const MATCHES = { doubtful: false };

beforeAll(async () => {
  chain = await startSandboxChain();
  buyer = privateKeyToAccount(chain.buyer.privateKey);
});
afterEach(async () => {
  for (const facilitator of opened.splice(0)) facilitator.stop?.();
  await chain.rpc('anvil_setBalance', [chain.facilitator.address, `0x${(10n ** 21n).toString(16)}`]);
});
afterAll(() => chain.stop());

const seller = () => sellerAt('http://127.0.0.1:8402', chain.payee.address);

async function open(options: Partial<CallSenderOptions> = {}): Promise<Facilitator> {
  const key = chain.facilitator.privateKey;
  const facilitator = await selfExact(seller(), {
    rpc: chain.rpc,
    wallet: await createWallet(key, chain.chainId, await loadSign(key)),
    maxFeePerGas: 100n * GWEI,
    pollMs: 20,
    ...options,
  });
  opened.push(facilitator);
  return facilitator;
}

/** The chain behind a gateway that treats transactions in its own way. */
const gateway =
  (onSend: (raw: unknown) => Promise<unknown>): Rpc =>
  (method, params) =>
    method === 'eth_sendRawTransaction' ? onSend(params[0]) : chain.rpc(method, params);
const pass = (raw: unknown): Promise<unknown> => chain.rpc('eth_sendRawTransaction', [raw]);

/** Another transaction of the same account, under its next number. */
async function useNumber(): Promise<void> {
  const key = chain.facilitator.privateKey;
  const wallet = await createWallet(key, chain.chainId, await loadSign(key));
  const count = readQuantity(await chain.rpc('eth_getTransactionCount', [wallet.address, 'pending']));
  const fees = { maxFeePerGas: 100n * GWEI, maxPriorityFeePerGas: GWEI };
  const { raw } = await wallet.sign({ to: wallet.address, data: '0x', gas: 21_000n }, Number(count), fees);
  await pass(raw);
}

async function requestOf(account = buyer, change: Partial<WireAuthorization> = {}): Promise<ExactRequest> {
  const signed = await signAuthorization(account, seller(), { value: '5000', ...change });
  const { payer, signed: payload } = paymentOf(signed);
  const requirement = exactTerms(seller(), 5000n);
  const resource = { url: '', description: '', mimeType: '', serviceName: '', tags: [], iconUrl: '' };
  return { requirement, payer, payload, resource, bazaar: {} as NonNullable<ExactRequest['bazaar']> };
}

const earned = (): Promise<bigint> => chain.balanceOf(chain.payee.address);

describe('our own facilitator', () => {
  it('verifies and settles, and settles no authorization twice', async () => {
    const facilitator = await open();
    const request = await requestOf();
    const before = await earned();
    await facilitator.probe();
    expect(facilitator.ok).toBe(true);
    expect(await facilitator.verify(request, MATCHES)).toEqual({ kind: 'valid' });
    expect(await facilitator.settle(request)).toMatchObject({ kind: 'settled' });
    expect(await earned()).toBe(before + 5000n);
    expect(await facilitator.settle(request)).toMatchObject({ kind: 'unknown', pending: false });
    expect(await facilitator.verify(request, MATCHES)).toMatchObject({ kind: 'invalid' });
    expect(await earned()).toBe(before + 5000n);
  });

  it('numbers many settlements at once without a gap or a collision', async () => {
    const facilitator = await open();
    const before = await earned();
    const requests = await Promise.all(Array.from({ length: 20 }, () => requestOf()));
    const outcomes = await Promise.all(requests.map((request) => facilitator.settle(request)));
    expect(outcomes).toEqual(outcomes.map(() => expect.objectContaining({ kind: 'settled' })));
    expect(await earned()).toBe(before + 100_000n);
  });

  it('its last answer after the time: looks once more', async () => {
    const settleMs = 500;
    let looks = 0;
    const rpc: Rpc = async (method, params) => {
      if (method !== 'eth_getTransactionReceipt' || ++looks > 1) return chain.rpc(method, params);
      const over = performance.now() + settleMs;
      while (performance.now() < over) await wait(20);
      return null;
    };
    const facilitator = await open({ rpc, settleMs });
    expect(await facilitator.settle(await requestOf())).toMatchObject({ kind: 'settled' });
  });

  it('continues where another program used the account', async () => {
    const one = await open();
    const other = await open();
    for (const facilitator of [one, other, one, other, one]) {
      expect(await facilitator.settle(await requestOf())).toMatchObject({ kind: 'settled' });
    }
  });

  it('a gateway error after passing on: settled', async () => {
    const before = await earned();
    const rpc = gateway(async (raw) => {
      await pass(raw);
      throw refusal('internal error', -32603);
    });
    const facilitator = await open({ rpc });
    expect(await facilitator.settle(await requestOf())).toMatchObject({ kind: 'settled' });
    expect(await earned()).toBe(before + 5000n);
  });

  it('an unnamed error alone: not called unsent', async () => {
    const rpc = gateway(async () => {
      throw refusal('internal error', -32603);
    });
    const facilitator = await open({ rpc, settleMs: 100 });
    expect(await facilitator.settle(await requestOf())).toMatchObject({
      kind: 'unknown',
      reason: 'not_mined_in_time',
      transaction: expect.stringMatching(/^0x/),
    });
  });

  it.each([
    ['is refused', 'insufficient funds for gas * price + value'],
    ['cannot be estimated', undefined],
  ])('its number used, the next attempt %s: unknown', async (_what, message) => {
    let sent: unknown;
    const send = gateway(async (raw) => {
      if (sent !== undefined) throw refusal(message ?? '');
      sent = raw;
      await useNumber();
    });
    const rpc: Rpc = (method, params) => {
      const isDown = message === undefined && sent !== undefined && method === 'eth_estimateGas';
      return isDown ? Promise.reject(new RpcError('eth_estimateGas: TimeoutError')) : send(method, params);
    };
    const facilitator = await open({ rpc });
    expect(await facilitator.settle(await requestOf())).toMatchObject({
      kind: 'unknown',
      reason: 'not_mined_in_time',
      transaction: keccak256(sent as `0x${string}`),
    });
  });

  it('refuses what the token contract would, without a transaction', async () => {
    const facilitator = await open();
    const request = await requestOf(newAccount());
    const nonce = () => chain.rpc('eth_getTransactionCount', [chain.facilitator.address, 'latest']);
    const before = await nonce();
    expect(await facilitator.verify(request, MATCHES)).toMatchObject({ kind: 'invalid' });
    expect(await facilitator.settle(request)).toMatchObject({ kind: 'refused', transaction: undefined });
    const good = await requestOf();
    const forged = { ...good, payload: { ...good.payload, signature: `0x${'5a'.repeat(64)}1b` } };
    expect(await facilitator.verify(forged, MATCHES)).toMatchObject({ kind: 'invalid' });
    expect(await nonce()).toBe(before);
  });

  it('refuses payments while its account is empty or gas is above the limit', async () => {
    const dear = await open({ maxFeePerGas: 1n });
    expect(await dear.verify(await requestOf(), MATCHES)).toEqual({
      kind: 'unavailable',
      reason: 'gas_above_cap',
    });
    await chain.rpc('anvil_setBalance', [chain.facilitator.address, '0x0']);
    const empty = await open();
    expect(await empty.verify(await requestOf(), MATCHES)).toEqual({
      kind: 'unavailable',
      reason: 'facilitator_out_of_gas',
    });
    await empty.probe();
    expect(empty.ok).toBe(false);
    expect(empty.gas).toMatchObject({ address: chain.facilitator.address, transactions: 0, isShort: true });
  });

  it('waits for the configured confirmations', async () => {
    const request = await requestOf();
    const impatient = await open({ confirmations: 3, settleMs: 300 });
    const outcome = await impatient.settle(request);
    expect(outcome).toMatchObject({ kind: 'unknown', reason: 'not_mined_in_time' });
    const { payload, payer, requirement } = request;
    const payment = { ...requirement, signed: payload, payer, nonce: payload.authorization.nonce };
    const proof = createRpcVerifier(chain.rpc, 3);
    expect(await proof.prove(payment)).toEqual({ kind: 'unknown', reason: 'not_confirmed' });
    await chain.rpc('anvil_mine', ['0x2']);
    expect(await proof.prove(payment)).toMatchObject({ kind: 'settled' });
    const patient = await open({ confirmations: 3, settleMs: 20_000 });
    let settled = false;
    const settling = patient.settle(await requestOf()).finally(() => {
      settled = true;
    });
    while (!settled) {
      await chain.rpc('evm_mine', []);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await settling).toMatchObject({ kind: 'settled' });
  });
});
