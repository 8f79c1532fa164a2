import { memoryStore } from '@perpmeter/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buyerOf,
  type ChannelService,
  startChannelService,
  watched,
} from '../../../test/client/channels/rig.ts';

/** Price 0.04 and 0.005. Books of the asset are away, and its snapshot is there. */
const BUNDLE = '/v1/bundles/asset?ticker=NORATE';
const SNAPSHOT = '/v1/perp/snapshot?ticker=NORATE';
const REFUSED = { ok: false, problem: { code: 'not_ready', status: 503, charged: false } };

let service: ChannelService;
beforeAll(async () => {
  service = await startChannelService();
});
afterAll(() => service.stop());

describe('a bundle of which a part is away for now', () => {
  it('by exact: nothing is charged, and the single answer is sold', async () => {
    const { client, address } = await buyerOf(service, { attempts: 1 });
    const before = await service.chain.balanceOf(address);
    expect(await client.request(BUNDLE)).toMatchObject(REFUSED);
    expect(await service.chain.balanceOf(address)).toBe(before);
    expect((await client.request(SNAPSHOT)).ok).toBe(true);
    expect(before - (await service.chain.balanceOf(address))).toBe(5000n);
  });

  it('by channel: nothing is charged, and the same total buys the next', async () => {
    const { fetch, presented } = watched();
    const wallet = { attempts: 1, channels: { fromCall: 1 }, store: memoryStore() } as const;
    const { client } = await buyerOf(service, wallet, { fetch });
    expect((await client.request(SNAPSHOT)).ok).toBe(true);
    expect(await client.request(BUNDLE)).toMatchObject(REFUSED);
    expect((await client.request(SNAPSHOT)).ok).toBe(true);
    expect(presented.map(({ voucher }) => voucher?.maxClaimableAmount)).toEqual(['5000', '45000', '10000']);
    expect(await client.channels()).toMatchObject([{ spentUsd: '0.01' }]);
  });
});
