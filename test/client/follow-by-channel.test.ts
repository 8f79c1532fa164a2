import { createClient, type Fetch, type FollowEvent, type Signer } from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StreamService, startStreamService } from '../paid-stream/stream-service.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { until } from '../until.ts';
import { watched } from './channels/rig.ts';

const KEY = `0x${'17'.repeat(32)}` as const;
const CHANNELS = {
  authorizerKey: KEY,
  receiverAuthorizer: privateKeyToAccount(KEY).address,
  withdrawDelay: 86_400,
  depositCalls: 100,
};

let sale: Sale;
let service: StreamService;
beforeAll(async () => {
  sale = await openSale({ channels: CHANNELS });
  service = await startStreamService(sale);
});
afterAll(async () => {
  await service.stop();
  await sale.stop();
});

/** A client that has a channel, and whose key may be locked. */
async function buyerByChannel() {
  const own = keySigner(sale.chain.buyer.privateKey);
  const key = { isLocked: false };
  const signer: Signer = {
    address: own.address,
    signTypedData: (data) => (key.isLocked ? Promise.reject(new Error('locked')) : own.signTypedData(data)),
  };
  const { fetch, presented } = watched();
  const client = createClient({
    baseUrl: service.url,
    fetch: fetch as Fetch,
    wait: () => new Promise((resolve) => setImmediate(resolve)),
    wallet: { signer, channels: { fromCall: 1 }, caps: { perCall: '0.05', total: '1' } },
  });
  expect((await client.request('/v1/funding/current?symbol=BTC')).ok).toBe(true);
  return { client, key, presented };
}

/** Follows the rate of BTC at two venues; `shown` is the rate of binance as the client holds it. */
function followed(client: Awaited<ReturnType<typeof buyerByChannel>>['client']) {
  const following = client.follow({
    topics: ['funding'],
    symbol: ['BTC'],
    venues: ['binance', 'okx'],
    maxUsd: '0.05',
  });
  const events: FollowEvent<'funding'>[] = [];
  const done = (async () => {
    for await (const event of following) events.push(event);
  })();
  const shown = (): unknown => following.rows.funding?.get('binance crypto:BTC')?.rate;
  return { following, events, done, shown, names: () => events.map(({ event }) => event) };
}

describe('a stream that is paid by vouchers', () => {
  it('minutes by vouchers, one missed: paused, resumed, nothing lost unsaid', async () => {
    const { client, key, presented } = await buyerByChannel();
    service.setRate(0.001);
    const { following, events, done, shown, names } = followed(client);
    await until(() => expect(names()).toEqual(['bought', 'snapshot']));
    const { id = '' } = following.stream ?? {};
    const meter = () => service.desk.find(id)?.meter;
    const boughtMinutes = (): number => names().filter((name) => name === 'bought').length;
    let changes = 10;
    const rateNow = (): number => changes / 10_000;
    const change = async (): Promise<void> => {
      changes += 1;
      service.setRate(rateNow());
      service.turn();
      await until(() => expect(shown()).toBe(rateNow()));
    };

    // A voucher buys each minute before it begins.
    for (let minute = 1; minute <= 6; minute += 1) {
      await change();
      service.turn(46);
      await until(() => expect(boughtMinutes()).toBe(minute + 1));
      service.turn(13);
    }
    expect(names()).not.toContain('paused');
    expect(meter()?.paid).toBe(7);

    // The next one is missed: an event says that the stream is paused.
    key.isLocked = true;
    service.turn(46);
    await until(() => expect(names().at(-1)).toBe('due'));
    await client.request('/v1/funding/current?symbol=BTC');
    service.turn(14);
    await change();
    key.isLocked = false;
    service.turn(11);
    await until(() => expect(names()).toContain('paused'));
    const pausedAt = names().indexOf('paused');
    expect(events[pausedAt]).toMatchObject({ reason: 'unpaid' });
    changes += 1;
    service.setRate(rateNow());
    service.turn(5);
    await until(() => expect(boughtMinutes()).toBe(8));
    service.turn();
    await until(() =>
      expect([names().slice(pausedAt).includes('resumed'), shown()]).toEqual([true, rateNow()]),
    );
    await change();

    const numbers = events.flatMap((event) => ('id' in event ? [Number(event.id.split('-').at(-1))] : []));
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    const { paid = 0, used = 0, credited = 0 } = meter() ?? {};
    expect([paid, credited, used <= paid]).toEqual([8, 0, true]);
    // One voucher a minute, each by the price of one above the last.
    const vouchers = presented.flatMap(({ voucher }) => voucher?.maxClaimableAmount ?? []);
    expect(presented.slice(1).every(({ type }) => type === 'voucher')).toBe(true);
    expect(Number(vouchers.at(-1))).toBe(1000 * (1 + paid));
    expect(following.spentUsd).toBe('0.008');
    await following.return();
    await done;
  });
});
