import { createClient, memoryChannels, memoryStore } from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isWire } from '../../../src/domain/read.ts';
import { fakeClock, fakeFacilitator, TRANSACTION } from '../fakes.ts';
import { createMemoryStore } from '../ledger-memory.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import { type ChannelRig, channelRig, fund, SELLER } from './channel-rig.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const clock = fakeClock();
let rig: ChannelRig;
let server: PaidServer;

beforeAll(async () => {
  const store = createMemoryStore();
  rig = await channelRig(store, clock);
  const { payTo } = SELLER;
  server = await startPaidServer({
    facilitator: fakeFacilitator(),
    payTo,
    clock,
    store,
    schemes: [rig.scheme],
  });
  rig.facilitator.settle = async ({ payload }) => {
    const { voucher, deposit } = payload as { voucher: { channelId: string }; deposit: { amount: string } };
    fund(rig.chain, { id: voucher.channelId }, BigInt(deposit.amount));
    return { kind: 'settled', transaction: TRANSACTION };
  };
});
afterAll(() => server.stop());

/** A buyer that opens a channel with its first call, with a deposit of four calls. */
function buyer() {
  const key = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}` as const;
  const channels = { fromCall: 1, maxDepositUsd: '0.02' };
  const store = { ...memoryStore(), channels: memoryChannels() };
  const caps = { perCall: '0.05', total: '1' };
  return createClient({
    baseUrl: server.url,
    wallet: { signer: keySigner(key), caps, channels, store, checkCatalog: false },
    wait: async () => {},
  });
}

async function transactionOf(client: ReturnType<typeof buyer>): Promise<unknown> {
  const result = await client.request(PATH);
  return result.ok ? result.receipt?.transaction : result.problem;
}

async function offered(): Promise<readonly unknown[]> {
  const { headers } = await fetch(server.url + PATH);
  const text = Buffer.from(headers.get('payment-required') ?? '', 'base64').toString();
  const { accepts } = JSON.parse(text) as { accepts: unknown[] };
  return accepts.map(
    (entry) => isWire(entry) && isWire(entry.extra) && [entry.scheme, entry.extra.depositsClosed],
  );
}

it('little gas: funded channels sell on, what needs more by exact', async () => {
  const first = buyer();
  expect(await transactionOf(first)).toBe(TRANSACTION);
  Object.assign(rig.facilitator, {
    gas: { address: SELLER.payTo, transactions: 19, isLow: true, isShort: false },
  });
  expect(await offered()).toEqual([
    ['exact', undefined],
    ['batch-settlement', true],
  ]);
  for (let call = 2; call <= 4; call++) expect(await transactionOf(first)).toBe('');
  const [channel] = await first.channels();
  expect(channel).toMatchObject({ leftUsd: '0', spentUsd: '0.02' });
  const deposits = rig.facilitator.verified.length;
  const second = buyer();
  for (const client of [first, second]) expect(await transactionOf(client)).toBe(TRANSACTION);
  expect(rig.facilitator.verified).toHaveLength(deposits);
  expect(await second.channels()).toEqual([]);
  Object.assign(rig.facilitator, { gas: undefined });
  expect((await offered())[1]).toEqual(['batch-settlement', undefined]);
});
