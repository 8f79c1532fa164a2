import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asMs } from '../../../src/domain/units.ts';
import type { ChainView } from '../../../src/pay/schemes/batch-settlement/chain-view.ts';
import {
  afterEvent,
  CHANNEL_LIFECYCLE,
  type Channel,
  type ChannelEvent,
  foundChannel,
  type OpenRefund,
  stageOf,
  withheldOf,
} from '../../../src/pay/schemes/batch-settlement/lifecycle.ts';
import { buyersChannel } from './channel-rig.ts';

const { config } = buyersChannel();
const SIGNATURE = `0x${'11'.repeat(65)}`;
const view = (balance: bigint, claimed: bigint, seenAt: number, withdrawAt = 0): ChainView => ({
  balance: String(balance),
  claimed: String(claimed),
  withdrawAt,
  refundNonce: '0',
  seenAt: asMs(seenAt),
});

const amount = fc.bigInt({ min: 0n, max: 20n });
const key = fc.constantFrom('a', 'b', 'c');
const voucher = fc.record({ total: amount.map(String), signature: fc.constant(SIGNATURE) });
const sale = fc.record({ key, total: amount.map(String), signature: fc.constant(SIGNATURE) });
const refundOf = (given: bigint, total: bigint, nonce: number): OpenRefund => ({
  nonce: String(nonce),
  amount: String(given),
  by: { total: String(total), signature: SIGNATURE },
  isFull: false,
  askedAt: asMs(0),
  tries: 0,
});
const event: fc.Arbitrary<ChannelEvent> = fc.oneof(
  fc
    .tuple(amount, amount, fc.nat(50), fc.constantFrom(0, 0, 0, 1_800_000_000), fc.nat(3))
    .map(([more, claimed, at, leave, refundNonce]): ChannelEvent => {
      const chain = { ...view(claimed + more, claimed, at, leave), refundNonce: String(refundNonce) };
      return { kind: 'seen', chain };
    }),
  fc.record({ kind: fc.constant('held' as const), sale, price: amount, deposit: amount }),
  fc.record({ kind: fc.constant('sold' as const), voucher, price: amount, at: fc.nat(50).map(asMs) }),
  fc.record({ kind: fc.constant('settled' as const), key, at: fc.nat(50).map(asMs) }),
  fc.record({ kind: fc.constant('dropped' as const), key }),
  fc.record({ kind: fc.constant('published' as const), total: amount.map(String) }),
  fc.record({
    kind: fc.constant('refunding' as const),
    refund: fc.tuple(amount, amount, fc.nat(3)).map(([given, total, nonce]) => refundOf(given, total, nonce)),
  }),
  fc.record({ kind: fc.constant('refund_retried' as const), at: fc.nat(50).map(asMs) }),
  fc.constant({ kind: 'refund_dropped' as const }),
  fc.record({
    kind: fc.constant('refund_refused' as const),
    nonce: fc.nat(3).map(String),
    reason: fc.constant('refund_simulation_failed'),
    at: fc.nat(50).map(asMs),
  }),
);

/** Amounts of a channel as numbers. */
const sums = ({ charged, newest, open, chain }: Channel) => ({
  charged: BigInt(charged),
  signed: newest === undefined ? undefined : BigInt(newest.total),
  open: open === undefined ? undefined : BigInt(open.total),
  claimed: BigInt(chain.claimed),
});

describe('the life of a channel', () => {
  it('any events: stages of the table, and a sum that only grows', () => {
    fc.assert(
      fc.property(amount, fc.array(event, { maxLength: 40 }), (balance, events) => {
        let channel = foundChannel(config, view(balance, 0n, 0));
        for (const happened of events) {
          const from = stageOf(channel);
          const before = sums(channel);
          // A sum that is claimed only grows on a chain.
          if (happened.kind === 'seen' && BigInt(happened.chain.claimed) < before.claimed) continue;
          const next = afterEvent(channel, happened);
          if (next === undefined) continue;
          const to = CHANNEL_LIFECYCLE[from][happened.kind];
          expect(to).toContain(stageOf(next));
          const after = sums(next);
          expect(after.charged).toBeGreaterThanOrEqual(before.charged);
          if (happened.kind === 'dropped' || happened.kind === 'held')
            expect(after.charged).toBe(before.charged);
          if (happened.kind === 'sold') {
            expect(after).toMatchObject({ charged: before.charged + happened.price, open: undefined });
            expect(after.signed).toBe(after.charged);
          }
          if (happened.kind === 'settled') expect(after.signed).toBe(before.open);
          // A total beyond the newest voucher was claimed elsewhere.
          if (happened.kind !== 'seen' && after.signed !== undefined)
            expect(after.charged > after.signed ? after.claimed : after.charged).toBe(after.charged);
          channel = next;
        }
      }),
    );
  });

  it('a sale: held on what is charged and the price alone, within the money', () => {
    const channel = foundChannel(config, view(10n, 2n, 0));
    const hold = (total: bigint, price: bigint, deposit = 0n) =>
      afterEvent(channel, {
        kind: 'held',
        sale: { key: 'a', total: String(total), signature: SIGNATURE },
        price,
        deposit,
      });
    expect(hold(5n, 3n)).toMatchObject({ charged: '2', open: { total: '5' } });
    expect(hold(6n, 3n)).toBeUndefined();
    expect(hold(4n, 3n)).toBeUndefined();
    expect(hold(12n, 10n)).toBeUndefined();
    expect(hold(12n, 10n, 2n)).toMatchObject({ open: { total: '12' } });
  });

  it('a voucher alone: charged at once, within the money', () => {
    const channel = foundChannel(config, view(10n, 2n, 0));
    const sell = (total: bigint, price: bigint) =>
      afterEvent(channel, {
        kind: 'sold',
        voucher: { total: String(total), signature: SIGNATURE },
        price,
        at: asMs(7),
      });
    expect(sell(5n, 3n)).toMatchObject({
      charged: '5',
      newest: { total: '5', signature: SIGNATURE },
      open: undefined,
      owedSince: 7,
      usedAt: 7,
    });
    expect(sell(6n, 3n)).toBeUndefined();
    expect(sell(12n, 10n)).toBeUndefined();
  });

  it('a sale under way: no other one, and only its own end', () => {
    const open = { key: 'a', total: '3', signature: SIGNATURE };
    const channel: Channel = { ...foundChannel(config, view(10n, 0n, 0)), open };
    const second = { kind: 'held', sale: { ...open, key: 'b', total: '1' }, price: 1n, deposit: 0n } as const;
    expect(afterEvent(channel, second)).toBeUndefined();
    const sold = { kind: 'sold', voucher: { ...open, total: '1' }, price: 1n, at: asMs(1) } as const;
    expect(afterEvent(channel, sold)).toBeUndefined();
    expect(afterEvent(channel, { kind: 'settled', key: 'b', at: asMs(1) })).toBeUndefined();
    expect(afterEvent(channel, { kind: 'dropped', key: 'b' })).toBeUndefined();
    expect(afterEvent(channel, { kind: 'dropped', key: 'a' })).toMatchObject({
      charged: '0',
      open: undefined,
    });
    expect(afterEvent(channel, { kind: 'settled', key: 'a', at: asMs(1) })).toMatchObject({
      charged: '3',
      newest: { total: '3' },
      open: undefined,
    });
  });

  it('a refund refused for good: its money buys nothing meanwhile', () => {
    const channel: Channel = { ...foundChannel(config, view(20n, 4n, 0)), refund: refundOf(6n, 4n, 0) };
    const refused = { kind: 'refund_refused', nonce: '0', reason: 'blocked', at: asMs(1) } as const;
    expect(afterEvent(channel, { ...refused, nonce: '1' })).toBeUndefined();
    const after = afterEvent(channel, refused) as Channel;
    expect([stageOf(after), withheldOf(after)]).toEqual(['ready', 6n]);
    const sell = (from: Channel, price: bigint) =>
      afterEvent(from, {
        kind: 'sold',
        voucher: { total: String(4n + price), signature: SIGNATURE },
        price,
        at: asMs(2),
      });
    expect(sell(after, 10n)).toMatchObject({ charged: '14' });
    expect(sell(after, 11n)).toBeUndefined();
    const less = afterEvent({ ...after, refund: refundOf(2n, 4n, 0) }, refused) as Channel;
    expect(withheldOf(less)).toBe(6n);
    const moved = afterEvent(after, { kind: 'seen', chain: { ...view(20n, 4n, 5), refundNonce: '1' } });
    expect(sell(moved as Channel, 16n)).toMatchObject({ charged: '20' });
  });

  it('a refund: of no more than is left, and nothing is sold meanwhile', () => {
    const channel = { ...foundChannel(config, view(10n, 2n, 0)), charged: '4' };
    const begin = (given: bigint, total = 4n, nonce = 0) =>
      afterEvent(channel, { kind: 'refunding', refund: refundOf(given, total, nonce) });
    expect([begin(0n), begin(7n), begin(6n, 3n), begin(6n, 4n, 1)]).toEqual(Array(4).fill(undefined));
    const begun = begin(6n);
    if (begun === undefined) throw new Error('not begun');
    const sold = { voucher: { total: '5', signature: SIGNATURE }, price: 1n, at: asMs(1) };
    expect(afterEvent(begun, { kind: 'sold', ...sold })).toBeUndefined();
    expect(stageOf(afterEvent(begun, { kind: 'seen', chain: view(10n, 4n, 1) }))).toBe('refunding');
    const chain = { ...view(5n, 4n, 2), refundNonce: '1' };
    expect(afterEvent(begun, { kind: 'seen', chain })).toMatchObject({
      charged: '4',
      refunded: { total: '4', amount: '5', asked: '6', at: 2 },
    });
  });

  it('a node behind others: its view is not taken, for a while', () => {
    const channel = foundChannel(config, { ...view(10n, 4n, 0), refundNonce: '1' });
    const behind = (minutes: number, less: Partial<ChainView>) => {
      const chain = { ...view(14n, 4n, minutes * 60_000), refundNonce: '1', ...less };
      return afterEvent(channel, { kind: 'seen', chain })?.chain.balance;
    };
    expect(behind(4, { refundNonce: '0' })).toBe('10');
    expect(behind(4, { claimed: '3' })).toBe('10');
    expect(behind(4, {})).toBe('14');
    expect(behind(5, { refundNonce: '0', claimed: '3' })).toBe('14');
  });

  it('a view of an earlier block: not taken, whenever it was asked for', () => {
    const left = { ...view(10n, 4n, 1_000, 99), blockAt: asMs(1_000) };
    const channel = foundChannel(config, left);
    const seen = (blockAt: number | undefined) => {
      const chain = {
        ...view(10n, 4n, 3_600_000),
        blockAt: blockAt === undefined ? undefined : asMs(blockAt),
      };
      return afterEvent(channel, { kind: 'seen', chain })?.chain.withdrawAt;
    };
    expect([seen(999), seen(1_000), seen(2_000), seen(undefined)]).toEqual([99, 0, 0, 0]);
    // A row of a build that kept no time of blocks.
    const old = foundChannel(config, view(10n, 4n, 1_000, 99));
    const chain = { ...view(10n, 4n, 3_600_000), blockAt: asMs(5) };
    expect(afterEvent(old, { kind: 'seen', chain })?.chain).toEqual(chain);
  });

  it('an older view of the chain: changes nothing', () => {
    const channel = foundChannel(config, view(10n, 0n, 5));
    expect(afterEvent(channel, { kind: 'seen', chain: view(3n, 0n, 4) })).toBe(channel);
    expect(afterEvent(channel, { kind: 'seen', chain: view(3n, 0n, 6) })).toMatchObject({
      chain: { balance: '3' },
    });
  });
});
