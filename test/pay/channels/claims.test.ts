import { beforeEach, describe, expect, it } from 'vitest';
import { asMs, type UnixMs } from '../../../src/domain/units.ts';
import type { SettlementRequest, SettleOutcome } from '../../../src/pay/facilitator.ts';
import { FacilitatorList } from '../../../src/pay/facilitator-list.ts';
import type { LedgerStore } from '../../../src/pay/ledger-store.ts';
import type { ChannelConfig } from '../../../src/pay/schemes/batch-settlement/channel.ts';
import { ChannelClaims } from '../../../src/pay/schemes/batch-settlement/claims.ts';
import { createChannelDigests } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { FacilitatorRequests } from '../../../src/pay/schemes/batch-settlement/facilitator-requests.ts';
import { loadSign } from '../../../src/pay/sign.ts';
import { type FakeClock, fakeClock, fakeFacilitator, TRANSACTION } from '../fakes.ts';
import { createMemoryStore } from '../ledger-memory.ts';
import { startPaidServer } from '../paid-server.ts';
import {
  type BuyersChannel,
  buyersChannel,
  type ChannelRig,
  channelRig,
  fund,
  SELLER,
  TERMS,
} from './channel-rig.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const PRICE = 5_000n;
const HOUR_MS = 3_600_000;
const KEY = `0x${'17'.repeat(32)}` as const;

interface Claimed {
  readonly type: string;
  readonly receiver?: string;
  readonly claims?: readonly { readonly totalClaimed: string }[];
}

let clock: FakeClock;
let store: LedgerStore;
let rig: ChannelRig;
let url: string;
/** Payloads that the facilitator was asked to settle. */
let asked: Claimed[];
/** Channels of each request to the node. */
let looked: number[];
/** Address of a key that the process does not have. */
let missingKey: string;
/** Claimed and not settled, by receiver. */
let unsettled: Map<string, bigint>;
/** The answer to a claim; undefined: it is made. */
let answer: ((claimed: Claimed) => SettleOutcome | undefined) | undefined;
/** The channels at the newest block of a node that is behind; undefined: it is not. */
let behind: ChannelRig['chain']['channels'] | undefined;
/** Time of the node's newest block; undefined: not asked for. */
let blockAt: UnixMs | undefined;

beforeEach(async () => {
  clock = fakeClock();
  store = createMemoryStore();
  rig = await channelRig(store, clock);
  asked = [];
  missingKey = '';
  unsettled = new Map();
  looked = [];
  answer = undefined;
  blockAt = undefined;
  behind = undefined;
  const { payTo } = SELLER;
  const server = await startPaidServer({
    facilitator: fakeFacilitator(),
    payTo,
    clock,
    store,
    schemes: [rig.scheme],
  });
  url = server.url;
  return () => server.stop();
});

/** Claims as the contract does. */
async function settle({ payload }: SettlementRequest): Promise<SettleOutcome> {
  const claimed = payload as Claimed;
  asked.push(claimed);
  const said = answer?.(claimed);
  if (said !== undefined) return said;
  if (claimed.receiver !== undefined) unsettled.delete(claimed.receiver.toLowerCase());
  for (const row of (claimed.claims ?? []) as never[]) {
    const { voucher, totalClaimed } = row as { voucher: { channel: ChannelConfig }; totalClaimed: string };
    const id = createChannelDigests(SELLER.network.chainId).channelId(voucher.channel);
    const known = rig.chain.channels.get(id);
    if (known === undefined) continue;
    const { receiver } = voucher.channel;
    const more = BigInt(totalClaimed) - BigInt(known.claimed);
    unsettled.set(receiver, (unsettled.get(receiver) ?? 0n) + more);
    rig.chain.channels.set(id, { ...known, claimed: totalClaimed });
  }
  return { kind: 'settled', transaction: TRANSACTION };
}

async function claimsOf(owner = 'a', lastMs = 0, chainId = SELLER.network.chainId): Promise<ChannelClaims> {
  const view = { balance: '0', claimed: '0', withdrawAt: 0, refundNonce: '0' };
  const sign = await loadSign(KEY);
  const requests = new FacilitatorRequests({
    seller: SELLER,
    terms: TERMS,
    facilitators: new FacilitatorList([{ ...fakeFacilitator(), settle }]),
    digests: createChannelDigests(chainId),
    signAs: (authorizer) => (authorizer === missingKey ? undefined : sign),
  });
  return new ChannelClaims({
    requests,
    readUnsettled: async (receivers) => receivers.map((receiver) => unsettled.get(receiver) ?? 0n),
    channels: rig.channels,
    payments: { get: async (key) => store.read(key) },
    readChannels: async (ids) => {
      looked.push(ids.length);
      if (rig.chain.isAway) throw new Error('away');
      const at = { seenAt: clock.now(), ...(blockAt !== undefined && { blockAt }) };
      return ids.map((id) => ({ ...((behind ?? rig.chain.channels).get(id) ?? view), ...at }));
    },
    withdrawDelay: TERMS.withdrawDelay,
    clock,
    owner,
    policy: { amount: 10n * PRICE, ageMs: 24 * HOUR_MS, idleMs: HOUR_MS, lastMs },
  });
}

async function soldTo(calls: number): Promise<BuyersChannel> {
  const channel = buyersChannel();
  fund(rig.chain, channel, 100n * PRICE);
  for (let i = 1n; i <= calls; i++) {
    const response = await fetch(url + PATH, { headers: await channel.voucher(i * PRICE) });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  }
  return channel;
}
const claimedOf = ({ id }: Pick<BuyersChannel, 'id'>) => rig.chain.channels.get(id)?.claimed;
const leave = ({ id }: BuyersChannel): void => {
  const known = rig.chain.channels.get(id);
  if (known !== undefined) rig.chain.channels.set(id, { ...known, withdrawAt: 1_800_000_000 });
};

describe('claims of channels', () => {
  it('little that is charged: left, until it is enough, silent or old', async () => {
    const few = await soldTo(2);
    const many = await soldTo(10);
    const claims = await claimsOf();
    await claims.look();
    expect([claimedOf(few), claimedOf(many)]).toEqual(['0', '50000']);
    expect(asked.map(({ type }) => type)).toEqual(['claim', 'settle']);
    clock.advance(HOUR_MS);
    await claims.look();
    expect(claimedOf(few)).toBe('10000');
    await claims.look();
    expect(asked).toHaveLength(4);
  });

  it('the newest voucher: claimed where it is silent or left', async () => {
    const once = await soldTo(1);
    const often = await soldTo(11);
    const leaving = await soldTo(2);
    const claims = await claimsOf('a', 100 * HOUR_MS);
    leave(leaving);
    await claims.look();
    expect([once, often, leaving].map(claimedOf)).toEqual(['0', '50000', '10000']);
    clock.advance(30 * HOUR_MS);
    await claims.look();
    expect([once, often].map(claimedOf)).toEqual(['0', '50000']);
    const known = (await rig.channels.read(often.id))?.channel;
    expect(known).toMatchObject({ charged: '55000', published: '50000', owedSince: known?.usedAt });
    clock.advance(70 * HOUR_MS);
    await claims.look();
    expect([once, often].map(claimedOf)).toEqual(['5000', '55000']);
  });

  it('a channel of another network: neither looked at nor claimed', async () => {
    const channel = await soldTo(10);
    const elsewhere = await claimsOf('a', 0, 137);
    await elsewhere.look();
    expect([looked, asked, claimedOf(channel)]).toEqual([[], [], '0']);
    await (await claimsOf()).look();
    expect(claimedOf(channel)).toBe('50000');
  });

  it('a buyer that leaves: claimed at the next look, also after failures', async () => {
    const channel = await soldTo(1);
    leave(channel);
    const claims = await claimsOf();
    rig.chain.isAway = true;
    await expect(claims.look()).rejects.toThrow('away');
    rig.chain.isAway = false;
    answer = () => ({ kind: 'unsent', reason: 'away' });
    await claims.look();
    expect(claimedOf(channel)).toBe('0');
    answer = undefined;
    await claims.look();
    expect(claimedOf(channel)).toBe('5000');
  });

  it.each([
    ['a node that is behind', false],
    ['no node', true],
  ])('%s for half of the delay: claimed as if its buyer left', async (_, isAway) => {
    const channel = await soldTo(2);
    const claims = await claimsOf('a', 100 * HOUR_MS);
    blockAt = asMs(clock.now());
    await claims.look();
    rig.chain.isAway = isAway;
    clock.advance((TERMS.withdrawDelay / 2 - 1) * 1_000);
    await claims.look().catch(() => {});
    expect(claimedOf(channel)).toBe('0');
    clock.advance(1_000);
    await claims.look().catch(() => {});
    expect(claimedOf(channel)).toBe('10000');
  });

  it('a node that is behind, claims that fail: asked for every minute', async () => {
    const channel = await soldTo(2);
    const claims = await claimsOf('a', 100 * HOUR_MS);
    blockAt = asMs(clock.now());
    behind = new Map(rig.chain.channels);
    clock.advance((TERMS.withdrawDelay / 2) * 1_000);
    answer = () => ({ kind: 'unknown', reason: 'timeout', pending: false, transaction: undefined });
    for (let minute = 1; minute <= 4; minute++) {
      await claims.look();
      expect(asked).toHaveLength(minute);
      clock.advance(60_000);
    }
    answer = undefined;
    await claims.look();
    expect(claimedOf(channel)).toBe('10000');
  });

  it.each([false, true])('made, and no view is newer (no node: %s): not made again', async (isAway) => {
    const channel = await soldTo(2);
    const claims = await claimsOf('a', 100 * HOUR_MS);
    blockAt = asMs(clock.now());
    behind = new Map(rig.chain.channels);
    await claims.look();
    rig.chain.isAway = isAway;
    clock.advance((TERMS.withdrawDelay / 2) * 1_000);
    const claimsAsked = () => asked.filter(({ type }) => type === 'claim').length;
    for (let minute = 1; minute <= 4; minute++) {
      await claims.look().catch(() => {});
      clock.advance(60_000);
    }
    expect([claimsAsked(), claimedOf(channel)]).toEqual([1, '10000']);
    // A newer view that does not show it: the facilitator was wrong, or the chain has lost it.
    rig.chain.isAway = false;
    blockAt = asMs(clock.now());
    clock.advance((TERMS.withdrawDelay / 2) * 1_000);
    await claims.look();
    expect(claimsAsked()).toBe(2);
  });

  it('a voucher that cannot be noted as public: not claimed yet', async () => {
    const channel = await soldTo(1);
    leave(channel);
    const claims = await claimsOf();
    const update = rig.channels.update.bind(rig.channels);
    let isRaced = true;
    rig.channels.update = async (id, event, config) =>
      isRaced && event.kind === 'published' ? undefined : update(id, event, config);
    await claims.look();
    expect([asked, claimedOf(channel)]).toEqual([[], '0']);
    isRaced = false;
    await claims.look();
    expect(claimedOf(channel)).toBe('5000');
  });

  it('a buyer that has left with all claimed: seen when its money is out', async () => {
    const channel = await soldTo(1);
    leave(channel);
    const claims = await claimsOf();
    await claims.look();
    expect((await rig.channels.read(channel.id))?.channel.chain).toMatchObject({ claimed: '5000' });
    const gone = { balance: '5000', claimed: '5000', withdrawAt: 0, refundNonce: '0' };
    rig.chain.channels.set(channel.id, gone);
    clock.advance(HOUR_MS);
    await claims.look();
    expect((await rig.channels.read(channel.id))?.channel.chain).toMatchObject(gone);
  });

  it('one bad row in a batch: the others are claimed', async () => {
    const sold = [];
    for (let i = 0; i < 5; i++) sold.push(await soldTo(1));
    for (const channel of sold) leave(channel);
    const bad = JSON.stringify(sold[2]?.config.payer);
    answer = (claimed) =>
      JSON.stringify(claimed).includes(bad)
        ? {
            kind: 'refused',
            reason: 'invalid_batch_settlement_evm_claim_simulation_failed',
            transaction: undefined,
          }
        : undefined;
    await (await claimsOf()).look();
    expect(sold.map(claimedOf)).toEqual(['5000', '5000', '0', '5000', '5000']);
  });

  it('a claim whose outcome is unknown: the chain’s word decides', async () => {
    const channel = await soldTo(1);
    leave(channel);
    const claims = await claimsOf();
    answer = (claimed) => {
      answer = undefined;
      void settle({ payload: claimed } as SettlementRequest);
      return { kind: 'unknown', reason: 'timeout', pending: false, transaction: undefined };
    };
    await claims.look();
    const before = asked.length;
    await claims.look();
    expect(asked).toHaveLength(before);
    expect((await rig.channels.read(channel.id))?.channel).toMatchObject({
      charged: '5000',
      chain: { claimed: '5000' },
    });
  });

  it('settled, and not on the chain: still owed, and asked for later', async () => {
    const channel = await soldTo(10);
    const claims = await claimsOf();
    answer = ({ type }) => (type === 'claim' ? { kind: 'settled', transaction: TRANSACTION } : undefined);
    await claims.look();
    await claims.look();
    expect(asked).toHaveLength(1);
    expect((await rig.channels.read(channel.id))?.channel).toMatchObject({
      charged: '50000',
      chain: { claimed: '0' },
    });
    answer = undefined;
    clock.advance(120_000);
    await claims.look();
    expect(claimedOf(channel)).toBe('50000');
  });

  it('one row for which a facilitator breaks down: the others are claimed', async () => {
    const sold = [];
    for (let i = 0; i < 5; i++) sold.push(await soldTo(10));
    const bad = JSON.stringify(sold[2]?.config.payer);
    answer = (claimed) =>
      JSON.stringify(claimed).includes(bad)
        ? { kind: 'unknown', reason: 'status_500', pending: false, failed: true, transaction: undefined }
        : undefined;
    const claims = await claimsOf();
    for (let round = 0; round < 5; round++) {
      await claims.look();
      clock.advance(HOUR_MS);
    }
    expect(sold.map(claimedOf)).toEqual(['50000', '50000', '0', '50000', '50000']);
    const before = asked.length;
    for (let minute = 0; minute < 60; minute++) {
      await claims.look();
      clock.advance(60_000);
    }
    expect(asked.length - before).toBeLessThanOrEqual(1);
  });

  it('sixty that leave: 25 in a transaction, looked at in one request', async () => {
    const sold = [];
    for (let i = 0; i < 60; i++) sold.push(await soldTo(1));
    for (const channel of sold) leave(channel);
    await (await claimsOf()).look();
    expect(asked.map(({ claims }) => claims?.length)).toEqual([25, 25, 10, undefined]);
    expect(looked).toEqual([60, 25, 25, 10]);
    expect(new Set(sold.map(claimedOf))).toEqual(new Set(['5000']));
  });

  it('a key that is not here: said once, and the others are claimed', async () => {
    const ours = await soldTo(10);
    const stored = await rig.channels.read(ours.id);
    if (stored === undefined || store.accounts === undefined) throw new Error('no channel');
    missingKey = `0x${'5'.repeat(40)}`;
    const config = { ...stored.channel.config, receiverAuthorizer: missingKey };
    const others = { id: createChannelDigests(SELLER.network.chainId).channelId(config) };
    fund(rig.chain, others, 100n * PRICE);
    const row = JSON.stringify({ ...stored.channel, config });
    await store.accounts.write({ id: others.id, version: 0, row });
    const claims = await claimsOf();
    await expect(claims.look()).rejects.toThrow(`1 channels cannot be claimed: CHANNEL_AUTHORIZER_KEY`);
    expect([ours, others].map(claimedOf)).toEqual(['50000', '0']);
    await claims.look();
    missingKey = '';
    await claims.look();
    expect(asked.filter(({ type }) => type === 'claim')).toHaveLength(2);
  });

  it('a deposit given up while the scheme was away: its channel is free', async () => {
    const channel = buyersChannel();
    rig.facilitator.settle = async () => ({
      kind: 'unknown',
      reason: 'timeout',
      pending: false,
      transaction: undefined,
    });
    const present = async (headers: Record<string, string>) => {
      const response = await fetch(url + PATH, { headers });
      return [response.status, ((await response.json()) as { code?: string }).code];
    };
    expect(await present(await channel.deposit(50_000n, PRICE))).toEqual([503, 'settlement_unknown']);
    const { payTo } = SELLER;
    const without = await startPaidServer({ facilitator: fakeFacilitator(), payTo, clock, store });
    await (await claimsOf()).look();
    clock.advance(8 * 24 * HOUR_MS);
    await without.paywall.reconciler.run();
    expect(await without.ledger.list({ limit: 9 })).toMatchObject([{ state: 'unknown', reason: 'unproven' }]);
    fund(rig.chain, channel, 50_000n);
    const voucher = await channel.voucher(PRICE);
    expect(await present(voucher)).toEqual([409, 'payment_in_flight']);
    await (await claimsOf('b')).look();
    expect(await present(voucher)).toEqual([200, undefined]);
    await without.stop();
  });

  it('claimed for an address of before: settled for it', async () => {
    const channel = await soldTo(10);
    const stored = await rig.channels.read(channel.id);
    if (stored === undefined || store.accounts === undefined) throw new Error('no channel');
    const config = { ...stored.channel.config, receiver: `0x${'6'.repeat(40)}` };
    const id = createChannelDigests(SELLER.network.chainId).channelId(config);
    fund(rig.chain, { id }, 100n * PRICE);
    await store.accounts.write({ id, version: 0, row: JSON.stringify({ ...stored.channel, config }) });
    const claims = await claimsOf();
    answer = ({ type }) => (type === 'settle' ? { kind: 'unsent', reason: 'away' } : undefined);
    await claims.look();
    expect([channel, { id }].map(claimedOf)).toEqual(['50000', '50000']);
    answer = undefined;
    clock.advance(HOUR_MS);
    await (await claimsOf('b')).look();
    expect(unsettled).toEqual(new Map());
  });

  it('claimed and not settled: settled with the next look', async () => {
    const channel = await soldTo(10);
    const claims = await claimsOf();
    answer = ({ type }) => (type === 'settle' ? { kind: 'unsent', reason: 'away' } : undefined);
    await claims.look();
    expect([claimedOf(channel), [...unsettled.values()]]).toEqual(['50000', [50_000n]]);
    answer = undefined;
    await claims.look();
    expect(asked.map(({ type }) => type)).toEqual(['claim', 'settle', 'settle']);
    await claims.look();
    expect(asked).toHaveLength(3);
  });

  it('two processes: one claims, the other once that is gone', async () => {
    const first = await claimsOf('first');
    const second = await claimsOf('second');
    await first.look();
    const channel = await soldTo(1);
    leave(channel);
    await second.look();
    expect(claimedOf(channel)).toBe('0');
    clock.advance(200_000);
    await second.look();
    expect(claimedOf(channel)).toBe('5000');
  });
});
