import { toClientEvmSigner } from '@x402/evm';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createPublicClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.ts';
import { readText } from '../../../src/domain/read.ts';
import { selfFacilitator } from '../../../src/modules/self-settle/open-self.ts';
import { readTerms } from '../../../src/modules/self-settle/terms.ts';
import { selectorOf, uintWord } from '../../../src/pay/abi.ts';
import { checksumAddress } from '../../../src/pay/address.ts';
import type { SandboxConfig } from '../../../src/pay/config.ts';
import { FacilitatorList } from '../../../src/pay/facilitator-list.ts';
import { Ledger } from '../../../src/pay/ledger.ts';
import { createMulticall } from '../../../src/pay/multicall.ts';
import { type SandboxChain, startSandboxChain } from '../../../src/pay/sandbox/chain.ts';
import type { Scheme } from '../../../src/pay/scheme.ts';
import { createReadChannels, oneOf } from '../../../src/pay/schemes/batch-settlement/chain.ts';
import type { ChannelConfig } from '../../../src/pay/schemes/batch-settlement/channel.ts';
import { Channels } from '../../../src/pay/schemes/batch-settlement/channels.ts';
import { DEFAULT_POLICY, dueClaim } from '../../../src/pay/schemes/batch-settlement/claim-policy.ts';
import { channelFacilitators } from '../../../src/pay/schemes/batch-settlement/configured.ts';
import { SETTLEMENT_CONTRACT } from '../../../src/pay/schemes/batch-settlement/contract.ts';
import { configWords, createChannelDigests } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { FacilitatorRequests } from '../../../src/pay/schemes/batch-settlement/facilitator-requests.ts';
import { openChannels } from '../../../src/pay/schemes/batch-settlement/open.ts';
import { placeChannelContracts } from '../../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { loadSign } from '../../../src/pay/sign.ts';
import { until } from '../../until.ts';
import { fakeFacilitator } from '../fakes.ts';
import { createMemoryStore } from '../ledger-memory.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import { paidRoutes } from '../routes.ts';
import { sandboxConfig } from '../sandbox-config.ts';
import { newAccount } from '../wallet.ts';
import { configOf } from './buyer.ts';
import { sendOn } from './send-on.ts';

const PRICE = 5_000n;
const PATH = '/v1/perp/basis?ticker=BTC';
const authorizer = newAccount();
const KEY = `0x${'17'.repeat(32)}` as const;
const TERMS = {
  authorizerKey: KEY,
  receiverAuthorizer: privateKeyToAccount(KEY).address,
  withdrawDelay: 900,
  depositCalls: 5,
};

const MODES = ['sandbox', 'self'] as const;

let chain: SandboxChain;
let mode: (typeof MODES)[number];
let config: SandboxConfig;
let scheme: Scheme;
let channels: Channels;
let server: PaidServer;

/** A chain for the tests of a group, which move its time. */
function onOwnChain(settledBy: typeof mode): void {
  beforeAll(async () => {
    mode = settledBy;
    chain = await startSandboxChain();
    await placeChannelContracts(chain.rpc);
    const place = { baseUrl: 'http://127.0.0.1', ledgerPath: '', serviceName: 'test' };
    config = { ...sandboxConfig(chain, place), channels: TERMS };
  });
  afterAll(() => chain.stop());
}

beforeEach(async () => {
  const store = createMemoryStore();
  const clock = systemClock;
  const ledger = new Ledger({ store, clock, owner: 'test' });
  if (store.accounts === undefined) throw new Error('no accounts');
  channels = new Channels(store.accounts, clock);
  const parts = { routes: paidRoutes(), ledger, clock };
  scheme = await openChannels(mode === 'self' ? { ...parts, ...settledHere() } : { ...parts, config });
  const payTo = checksumAddress(chain.payee.address);
  server = await startPaidServer({ facilitator: fakeFacilitator(), payTo, store, schemes: [scheme] });
  return async () => {
    scheme.settlement.stop();
    await server.stop();
  };
});

/** By our own transactions, with the key of the facilitator. */
const settledHere = () => ({
  config: { ...config, mode: 'self' as const },
  ownFacilitator: selfFacilitator(() => readTerms({ GAS_PRICE_CAP_GWEI: '100' })),
});

const read = (id: string) => oneOf(createReadChannels(createMulticall(chain.rpc), systemClock))(id);
const channelOf = (address: string, salt: string): ChannelConfig =>
  configOf(address, config.seller, TERMS, salt);
const idOf = (channel: ChannelConfig): string => createChannelDigests(chain.chainId).channelId(channel);

/** The coins of the account that pays for gas, wei. */
const coins = async (): Promise<bigint> =>
  BigInt(String(await chain.rpc('eth_getBalance', [chain.facilitator.address, 'latest'])));

/** A buyer with the official client, on an account with money. */
async function officialBuyer(salt: string, account = newAccount()) {
  await chain.mint(account.address, 1_000n * PRICE);
  const reader = createPublicClient({ transport: http(chain.rpcUrl) });
  const signer = toClientEvmSigner(account as never, reader as never);
  const client = new BatchSettlementEvmScheme(signer, { salt: `0x${salt.padStart(64, '0')}` });
  const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', client));
  const channel = channelOf(account.address, salt);
  return { account, client, pay, channel, id: idOf(channel) };
}

const sendAs = (from: string, method: string, words: readonly string[]) => sendOn(chain, from, method, words);
const TUPLE = '(address,address,address,address,address,uint40,bytes32)';

describe.each(MODES)('refunds of channels on a chain (mode %s)', (settledBy) => {
  onOwnChain(settledBy);

  it('the official client: gets back all that it did not use', async () => {
    const { client, pay, id, account } = await officialBuyer('11');
    for (let i = 0; i < 2; i++) expect((await pay(server.url + PATH)).status).toBe(200);
    const said = await client.refund(server.url + PATH);
    expect(said).toMatchObject({
      success: true,
      network: 'eip155:8453',
      payer: account.address,
      amount: '15000',
      extra: {
        channelState: { channelId: id, balance: '10000', totalClaimed: '10000', refundNonce: '1' },
      },
    });
    expect(await read(id)).toMatchObject({ balance: '10000', claimed: '10000', refundNonce: '1' });
    expect(await chain.balanceOf(account.address)).toBe(1_000n * PRICE - 10_000n);
    const row = (await channels.read(id))?.channel;
    expect([row?.charged, row?.refund]).toEqual(['10000', undefined]);
    // It opens the channel again with its next call.
    expect((await pay(server.url + PATH)).status).toBe(200);
    expect((await channels.read(id))?.channel.charged).toBe('15000');
  });

  it('the official client: a part, then the rest', async () => {
    const { client, pay, id, account } = await officialBuyer('12');
    expect((await pay(server.url + PATH)).status).toBe(200);
    expect(await client.refund(server.url + PATH, { amount: '3000' })).toMatchObject({ amount: '3000' });
    expect(await read(id)).toMatchObject({ balance: '22000', claimed: '0', refundNonce: '1' });
    expect((await pay(server.url + PATH)).status).toBe(200);
    expect(await client.refund(server.url + PATH, { amount: '99000' })).toMatchObject({ amount: '12000' });
    expect(await read(id)).toMatchObject({ balance: '10000', claimed: '10000', refundNonce: '2' });
    expect(await chain.balanceOf(account.address)).toBe(1_000n * PRICE - 10_000n);
    await expect(client.refund(server.url + PATH)).rejects.toThrow('no remaining balance');
  });

  it('after a claim of all but the last sale: given back', async () => {
    const { client, pay, id } = await officialBuyer('15');
    for (let i = 0; i < 3; i++) expect((await pay(server.url + PATH)).status).toBe(200);
    const channel = await channels.read(id);
    const claim = channel && dueClaim(channel, { ...DEFAULT_POLICY, amount: 10_000n }, systemClock.now());
    if (claim === undefined) throw new Error('nothing is due');
    const sign = await loadSign(KEY);
    const facilitators = new FacilitatorList(await channelFacilitators({ config }));
    const digests = createChannelDigests(chain.chainId);
    const requests = new FacilitatorRequests({
      ...config,
      terms: TERMS,
      facilitators,
      digests,
      signAs: () => sign,
    });
    expect(await requests.claim([claim])).toMatchObject({ kind: 'settled' });
    expect(await read(id)).toMatchObject({ claimed: '10000', balance: '25000' });
    expect(await client.refund(server.url + PATH)).toMatchObject({ success: true, amount: '10000' });
    expect(await read(id)).toMatchObject({ claimed: '15000', balance: '15000' });
  });

  it('a withdrawal that is requested: less by what is given back', async () => {
    const { client, pay, id, account, channel } = await officialBuyer('13');
    expect((await pay(server.url + PATH)).status).toBe(200);
    const words = [...configWords(channel), uintWord(20_000n)];
    await sendAs(account.address, `initiateWithdraw(${TUPLE},uint128)`, words);
    expect(await client.refund(server.url + PATH)).toMatchObject({ success: true, amount: '20000' });
    expect(await read(id)).toMatchObject({ balance: '5000', claimed: '5000', withdrawAt: 0 });
  });

  it('after a claim: refused to the voucher that anybody can read', async () => {
    const { client, pay, id, account, channel } = await officialBuyer('14');
    expect((await pay(server.url + PATH)).status).toBe(200);
    const words = [...configWords(channel), uintWord(1_000n)];
    await sendAs(account.address, `initiateWithdraw(${TUPLE},uint128)`, words);
    await scheme.watch?.look();
    expect(await read(id)).toMatchObject({ claimed: '5000' });
    await expect(client.refund(server.url + PATH)).rejects.toThrow('refund_not_proven');
    expect(await read(id)).toMatchObject({ balance: '25000', refundNonce: '0' });
  });
});

describe.each(MODES)('channels on a chain (mode %s)', (settledBy) => {
  onOwnChain(settledBy);

  it('identity and digests: the contract’s', async () => {
    const channel = channelOf(authorizer.address, '77');
    const digests = createChannelDigests(chain.chainId);
    const call = async (method: string, words: readonly string[]) =>
      readText(
        await chain.rpc('eth_call', [
          { to: SETTLEMENT_CONTRACT, data: selectorOf(method) + words.join('') },
          'latest',
        ]),
      );
    const id = idOf(channel);
    expect(await call(`getChannelId(${TUPLE})`, configWords(channel))).toBe(id);
    const voucher = await call('getVoucherDigest(bytes32,uint128)', [id.slice(2), uintWord(12_345n)]);
    expect(voucher).toBe(`0x${digests.voucher(id, 12_345n).toString('hex')}`);
    const words = [id.slice(2), uintWord(3n), uintWord(99n)];
    const refund = await call('getRefundDigest(bytes32,uint256,uint128)', words);
    expect(refund).toBe(`0x${digests.refund(id, 3n, 99n).toString('hex')}`);
  });

  it('the official client: opens a channel with its first call and buys on', async () => {
    const { pay, id } = await officialBuyer('01');
    const before = await coins();
    for (let i = 1; i <= 5; i++) {
      const response = await pay(server.url + PATH);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ product: i });
    }
    expect((await channels.read(id))?.channel).toMatchObject({
      charged: '25000',
      newest: { total: '25000' },
    });
    expect(await read(id)).toMatchObject({ balance: '25000', claimed: '0' });
    // The money of the deposit is used up: the next call brings more.
    expect((await pay(server.url + PATH)).status).toBe(200);
    expect(await read(id)).toMatchObject({ balance: '50000' });
    const records = await server.ledger.list({ limit: 9 });
    expect(records.filter(({ transaction }) => transaction !== '')).toHaveLength(2);
    // The two deposits are what the sales have cost: read from their receipts where the seller pays for them.
    const paid = mode === 'self' ? { read: 2, wei: before - (await coins()) } : { read: 0, wei: 0n };
    await until(() => expect(scheme.settlement.costs()).toEqual({ transactions: 2, ...paid }));
  });

  it('the official client without its memory: set right, and buys on', async () => {
    const first = await officialBuyer('03');
    for (let i = 0; i < 3; i++) expect((await first.pay(server.url + PATH)).status).toBe(200);
    const second = await officialBuyer('03', first.account);
    const bought = await second.pay(server.url + PATH);
    expect(bought.status).toBe(200);
    expect((await channels.read(first.id))?.channel.charged).toBe('20000');
    expect((await second.pay(server.url + PATH)).status).toBe(200);
    expect(await read(first.id)).toMatchObject({ balance: '25000' });
  });

  it('claimed when it is left, and settled: chain and ledger agree', async () => {
    const { pay, id, account, channel } = await officialBuyer('02');
    for (let i = 0; i < 3; i++) expect((await pay(server.url + PATH)).status).toBe(200);
    await scheme.watch?.look();
    expect(await read(id)).toMatchObject({ claimed: '0' });
    await sendAs(account.address, `initiateWithdraw(${TUPLE},uint128)`, [
      ...configWords(channel),
      uintWord(25_000n),
    ]);
    const before = await chain.balanceOf(chain.payee.address);
    await scheme.watch?.look();
    expect(await read(id)).toMatchObject({ claimed: '15000', balance: '25000' });
    const claims = scheme.counters?.find(({ name }) => name === 'channel_claims_total')?.counts;
    expect(claims?.get('settled')).toBe(1);
    expect((await channels.read(id))?.channel).toMatchObject({
      charged: '15000',
      chain: { claimed: '15000' },
    });
    expect((await chain.balanceOf(chain.payee.address)) - before).toBe(15_000n);
    expect((await pay(server.url + PATH)).status).toBe(402);
    await chain.rpc('evm_increaseTime', [901]);
    await chain.rpc('evm_mine', []);
    await sendAs(account.address, `finalizeWithdraw(${TUPLE})`, configWords(channel));
    expect(await chain.balanceOf(account.address)).toBe(1_000n * PRICE - 15_000n);
  });
});
