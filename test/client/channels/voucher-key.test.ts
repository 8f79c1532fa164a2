import { type ChannelOptions, memoryStore, type VoucherKey } from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL_CONTRACT, viewOf } from '../../../packages/client/src/channels/digests.ts';
import { buyerOf, type ChannelService, sendCall, startChannelService } from './rig.ts';

const PATH = '/v1/funding/current?symbol=BTC';

let service: ChannelService;
beforeAll(async () => {
  service = await startChannelService();
});
afterAll(() => service.stop());

const randomKey = () =>
  `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}` as const;

const newKey = (): VoucherKey => {
  const { address, signTypedData } = keySigner(randomKey());
  return { address: String(address), signTypedData };
};

/** A wallet that counts what it is asked to sign, and a key for its channels. */
async function walletWithKey() {
  const own = keySigner(randomKey());
  const asked: string[] = [];
  const signer = {
    address: own.address,
    signTypedData: (data: Parameters<typeof own.signTypedData>[0]) => {
      asked.push(data.primaryType);
      return own.signTypedData(data);
    },
  };
  await service.chain.mint(String(own.address), 10_000_000n);
  const store = memoryStore();
  const key = newKey();
  /** A client of the same store. */
  const clientWith = (voucherKey: ChannelOptions['voucherKey']) =>
    buyerOf(service, { signer, store, channels: { fromCall: 1, voucherKey } });
  return { asked, key, clientWith, address: String(own.address) };
}

/** A channel as the contract has it. */
async function onChain(id: string) {
  const call = { to: CHANNEL_CONTRACT, data: viewOf('channels', id) };
  const words = String(await service.chain.rpc('eth_call', [call, 'latest'])).slice(2);
  return { balance: BigInt(`0x${words.slice(0, 64)}`), claimed: BigInt(`0x${words.slice(64)}`) };
}

describe('a channel with a key for its vouchers', () => {
  it('the wallet signs the deposit alone; refund and claim follow', async () => {
    const { asked, key, clientWith, address } = await walletWithKey();
    const { client } = await clientWith(async () => key);
    for (let i = 0; i < 4; i++) expect((await client.request(PATH)).ok).toBe(true);
    expect(asked).toEqual(['ReceiveWithAuthorization']);
    const [channel] = await client.channels();
    if (channel === undefined) throw new Error('no channel');
    expect(channel).toMatchObject({ payer: address.toLowerCase(), spentUsd: '0.004' });
    const before = await service.chain.balanceOf(address);
    expect(await client.closeChannel(channel.id)).toMatchObject({
      kind: 'refunded',
      refundedUsd: channel.leftUsd,
    });
    expect(asked).toHaveLength(1);
    expect(Number((await service.chain.balanceOf(address)) - before)).toBe(
      Math.round(Number(channel.leftUsd) * 1e6),
    );
    // The seller has claimed what was bought, by a voucher that the key has signed.
    expect(await onChain(channel.id)).toEqual({ balance: 4000n, claimed: 4000n });
  });

  it('the key cannot be kept: exact pays, nothing is deposited', async () => {
    const { asked, clientWith } = await walletWithKey();
    const { client } = await clientWith(() => Promise.reject(new Error('no room')));
    expect((await client.request(PATH)).ok).toBe(true);
    expect(asked).toEqual(['TransferWithAuthorization']);
    expect(await client.channels()).toEqual([]);
  });

  it('the key is lost: another channel pays, the wallet withdraws', async () => {
    const { key, clientWith, address } = await walletWithKey();
    const { client } = await clientWith(async () => key);
    expect((await client.request(PATH)).ok).toBe(true);
    const [channel] = await client.channels();
    if (channel === undefined) throw new Error('no channel');
    const another = newKey();
    const other = await clientWith(async () => another);
    expect((await other.client.request(PATH)).ok).toBe(true);
    expect(await other.client.channels()).toHaveLength(2);
    const closed = await other.client.closeChannel(channel.id);
    expect(closed).toMatchObject({
      kind: 'withdraw',
      leftUsd: channel.leftUsd,
      reason: expect.stringContaining('the key that signs for this channel is lost'),
    });
    if (closed?.kind !== 'withdraw') throw new Error('no way out');
    const before = await service.chain.balanceOf(address);
    await sendCall(service, closed.initiate);
    await service.chain.rpc('evm_increaseTime', [closed.delaySeconds + 1]);
    await sendCall(service, closed.finalize);
    const back = (await service.chain.balanceOf(address)) - before;
    expect(Number(back)).toBe(Math.round(Number(channel.leftUsd) * 1e6));
  });
});
