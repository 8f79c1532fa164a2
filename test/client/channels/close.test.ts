import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerOf, type ChannelService, payloadOf, sendCall, startChannelService } from './rig.ts';

const PATH = '/v1/funding/current?symbol=BTC';
const FIRST = { channels: { fromCall: 1 } } as const;

let service: ChannelService;
beforeAll(async () => {
  service = await startChannelService();
});
afterAll(() => service.stop());

type Refund = ReturnType<typeof payloadOf> & { readonly channelConfig?: object };

/** Answers requests for a refund in the place of the service, and notes them. */
function refunding(reply: () => Response) {
  const asked: Refund[] = [];
  return {
    asked,
    fetch: async (
      url: string,
      init: RequestInit & { readonly headers: Readonly<Record<string, string>> },
    ) => {
      const header = init.headers['PAYMENT-SIGNATURE'];
      const payload = header === undefined ? undefined : payloadOf(header);
      if (payload?.type !== 'refund') return fetch(url, init);
      asked.push(payload);
      return reply();
    },
  };
}

const settled = (amount = '98000') =>
  new Response('{}', {
    headers: {
      'payment-response': Buffer.from(
        JSON.stringify({ success: true, transaction: '0xabc', network: 'eip155:8453', amount }),
      ).toString('base64'),
    },
  });
const refused = () => new Response('{"error":"refund_not_proven"}', { status: 402 });

/** A buyer with a channel by which it bought twice. */
async function withChannel(fetch: ReturnType<typeof refunding>['fetch']) {
  const buyer = await buyerOf(service, FIRST, { fetch });
  for (let i = 0; i < 2; i++) expect((await buyer.client.request(PATH)).ok).toBe(true);
  const [channel] = await buyer.client.channels();
  if (channel === undefined) throw new Error('no channel');
  return { ...buyer, channel };
}

describe('a channel that is closed', () => {
  it('the seller refunds: the rest is back, and the channel closed', async () => {
    const { asked, fetch } = refunding(() => settled());
    const { client, channel } = await withChannel(fetch);
    expect(await client.closeChannel(channel.id)).toEqual({
      kind: 'refunded',
      id: channel.id,
      refundedUsd: '0.098',
      transaction: '0xabc',
    });
    expect(asked).toMatchObject([{ type: 'refund', voucher: { maxClaimableAmount: '2000' } }]);
    expect(await client.channels()).toMatchObject([{ state: 'closed', leftUsd: '0', spentUsd: '0.002' }]);
    expect(await client.closeChannel(channel.id)).toEqual({ kind: 'empty', id: channel.id });
  });

  it('the seller refunds a part: the rest is still in the channel', async () => {
    const { fetch } = refunding(() => settled('8000'));
    const { client, channel } = await withChannel(fetch);
    expect(await client.closeChannel(channel.id)).toMatchObject({ refundedUsd: '0.008' });
    expect(await client.channels()).toMatchObject([{ state: 'open', leftUsd: '0.09', spentUsd: '0.002' }]);
  });

  it('the seller is away, or the channel is not known: said, nothing lost', async () => {
    const { fetch } = refunding(() => {
      throw new TypeError('connection broken');
    });
    const { client, channel } = await withChannel(fetch);
    expect(await client.closeChannel(channel.id)).toMatchObject({ kind: 'withdraw', reason: 'unreachable' });
    expect(await client.closeChannel('0x00')).toBeUndefined();
    expect(await client.channels()).toMatchObject([{ state: 'open', leftUsd: channel.leftUsd }]);
  });

  it('the seller does not: the payer withdraws by two transactions', async () => {
    const { fetch } = refunding(refused);
    const { client, channel, address } = await withChannel(fetch);
    const before = await service.chain.balanceOf(address);
    const closed = await client.closeChannel(channel.id);
    expect(closed).toMatchObject({ kind: 'withdraw', leftUsd: channel.leftUsd, reason: 'refund_not_proven' });
    if (closed?.kind !== 'withdraw') throw new Error('no way out');
    await sendCall(service, closed.initiate);
    await service.chain.rpc('evm_increaseTime', [closed.delaySeconds + 1]);
    await sendCall(service, closed.finalize);
    const back = (await service.chain.balanceOf(address)) - before;
    expect(Number(back)).toBe(Math.round(Number(channel.leftUsd) * 1e6));
  });
});
