import { memoryChannels, memoryStore, type VoucherKey } from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchDeposits } from '../../../packages/client/src/channels/deposit-search.ts';
import { buyerOf, type ChannelService, sendCall, startChannelService } from './rig.ts';

const PATH = '/v1/funding/current?symbol=BTC';

let service: ChannelService;
beforeAll(async () => {
  service = await startChannelService();
});
afterAll(() => service.stop());

const randomKey = () =>
  `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}` as const;

function newKey(): VoucherKey {
  const { address, signTypedData } = keySigner(randomKey());
  return { address: String(address), signTypedData };
}

/** A node that counts what it is asked. */
function node() {
  const asked: string[] = [];
  return {
    asked,
    request: ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
      asked.push(method);
      return service.chain.rpc(method, [...params]);
    },
  };
}

/** A funded payer, and clients of it with stores of their own. */
async function payer() {
  const signer = keySigner(randomKey());
  const address = String(signer.address);
  await service.chain.mint(address, 10_000_000n);
  const chain = node();
  const clientWith = async (key?: VoucherKey, store = { ...memoryStore(), channels: memoryChannels() }) => {
    const voucherKey = key && (async () => key);
    return (await buyerOf(service, { signer, store, channels: { fromCall: 1, chain, voucherKey } })).client;
  };
  return { address, chain, clientWith };
}

describe('channels that the store has lost', () => {
  it('the payer signs vouchers itself: in the store again, refunded', async () => {
    const { address, clientWith } = await payer();
    const before = await clientWith();
    for (let i = 0; i < 2; i++) expect((await before.request(PATH)).ok).toBe(true);
    const [channel] = await before.channels();
    const after = await clientWith();
    const found = await after.findChannels();
    expect(found).toMatchObject({ lost: [], recovered: [{ id: channel?.id, state: 'open' }], fromBlock: 0 });
    expect((await after.findChannels())?.recovered).toEqual([]);
    const balance = await service.chain.balanceOf(address);
    const { depositedUsd = '' } = channel ?? {};
    const left = Math.round(Number(depositedUsd) * 1e6) - 2_000;
    expect(await after.closeChannel(channel?.id ?? '')).toMatchObject({ kind: 'refunded' });
    expect((await service.chain.balanceOf(address)) - balance).toBe(BigInt(left));
  });

  it('the key is still there: in the store again, pays on', async () => {
    const { clientWith } = await payer();
    const key = newKey();
    const before = await clientWith(key);
    expect((await before.request(PATH)).ok).toBe(true);
    const [channel] = await before.channels();
    const after = await clientWith(key);
    expect(await after.findChannels()).toMatchObject({ lost: [], recovered: [{ id: channel?.id }] });
    const sent = await service.transactions();
    expect((await after.request(PATH)).ok).toBe(true);
    expect((await service.transactions()) - sent).toBe(0);
    expect(await after.channels()).toMatchObject([{ id: channel?.id, spentUsd: '0.002' }]);
  });

  it('no node is given, or the service sells nothing there: rejects', async () => {
    const { clientWith } = await payer();
    const { client } = await buyerOf(service, { channels: { fromCall: 1 } });
    await expect(client.findChannels()).rejects.toThrow('no node');
    await expect((await clientWith()).findChannels('/v1/health')).rejects.toThrow('names no terms');
  });

  it('one of an earlier way, beside a key for vouchers: it is used up first', async () => {
    const { clientWith } = await payer();
    const store = { ...memoryStore(), channels: memoryChannels() };
    expect((await (await clientWith(undefined, store)).request(PATH)).ok).toBe(true);
    const client = await clientWith(newKey(), store);
    const sent = await service.transactions();
    expect((await client.request(PATH)).ok).toBe(true);
    expect((await service.transactions()) - sent).toBe(0);
    expect(await client.channels()).toMatchObject([{ spentUsd: '0.002' }]);
  });

  it('the key is lost as well: found, withdrawn by the payer', async () => {
    const { address, chain, clientWith } = await payer();
    const before = await clientWith(newKey());
    expect((await before.request(PATH)).ok).toBe(true);
    const [channel] = await before.channels();
    const after = await clientWith(newKey());
    chain.asked.length = 0;
    const found = await after.findChannels();
    expect(chain.asked.filter((method) => method === 'eth_getLogs')).toHaveLength(2);
    expect(await after.channels()).toEqual([]);
    const [lost] = found?.lost ?? [];
    if (lost === undefined) throw new Error('not found');
    expect(lost).toMatchObject({ id: channel?.id, payer: address.toLowerCase(), withdrawal: undefined });
    expect(lost.leftUsd).toBe(channel?.depositedUsd);
    await sendCall(service, lost.initiate);
    const [asked] = (await after.findChannels())?.lost ?? [];
    expect(asked?.withdrawal).toMatchObject({ requestedUsd: lost.leftUsd });
    expect((asked?.withdrawal?.finishFrom ?? 0) - Date.now()).toBeLessThanOrEqual(lost.delaySeconds * 1000);
    const balance = await service.chain.balanceOf(address);
    await service.chain.rpc('evm_increaseTime', [lost.delaySeconds + 1]);
    await sendCall(service, lost.finalize);
    // The seller may have claimed what was bought before.
    const back = (await service.chain.balanceOf(address)) - balance;
    const deposited = BigInt(Math.round(Number(lost.leftUsd) * 1e6));
    expect([deposited, deposited - 1_000n]).toContain(back);
    expect((await after.findChannels())?.lost).toEqual([]);
  });
});

describe('a search for deposits', () => {
  const search = { chainId: 8453, payer: `0x${'11'.repeat(20)}`, token: `0x${'22'.repeat(20)}` };
  type Asked = { readonly fromBlock: string; readonly toBlock: string };

  /** A node of a million blocks that answers for so many at most. */
  function nodeOf(mostBlocks: number) {
    const read: (readonly [number, number])[] = [];
    return {
      read,
      request: async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
        if (method === 'eth_blockNumber') return '0xf4240';
        const { fromBlock, toBlock } = params[0] as Asked;
        if (Number(toBlock) - Number(fromBlock) >= mostBlocks) throw new Error('range is too large');
        read.push([Number(fromBlock), Number(toBlock)]);
        return [];
      },
    };
  }

  it('a node that limits ranges: backwards without a gap', async () => {
    const chain = nodeOf(10_000);
    expect(await searchDeposits({ ...search, chain })).toEqual({
      created: [],
      fromBlock: 0,
      toBlock: 1_000_000,
    });
    const [first] = chain.read;
    expect(first?.[1]).toBe(1_000_000);
    for (const [i, [from]] of chain.read.entries()) expect(chain.read[i + 1]?.[1] ?? -1).toBe(from - 1);
  });

  it('a long chain by small ranges: ends, and says how far it read', async () => {
    const chain = nodeOf(500);
    const { fromBlock } = await searchDeposits({ ...search, chain });
    expect(fromBlock).toBeGreaterThan(0);
    expect(chain.read.length).toBeLessThanOrEqual(300);
    expect(chain.read.at(-1)?.[0]).toBe(fromBlock);
  });

  it('a node that answers no range: rejects', async () => {
    await expect(searchDeposits({ ...search, chain: nodeOf(0) })).rejects.toThrow('too large');
  });
});
