import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setSignEntropy } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SettlementRequest, SettleOutcome } from '../../../src/pay/facilitator.ts';
import { openLmdbStore } from '../../../src/pay/ledger-lmdb.ts';
import { FORMATS } from '../../../src/pay/schemes/list.ts';
import { deferred, type FakeClock, fakeClock, fakeFacilitator, TRANSACTION } from '../fakes.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import {
  type BuyersChannel,
  buyersChannel,
  type ChannelRig,
  channelRig,
  type FakeChain,
  fakeChain,
  fund,
  SELLER,
} from './channel-rig.ts';
import { otherRecovery } from './other-recovery.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const PRICE = 5_000n;
const FUNDS = 100_000n;
const MINUTE_MS = 60_000;
const UNKNOWN = { kind: 'unknown', reason: 'timeout', pending: false, transaction: undefined } as const;

interface Host {
  readonly rig: ChannelRig;
  readonly server: PaidServer;
}

interface Asked {
  readonly type: string;
  readonly amount: string;
  readonly refundNonce: string;
  readonly claims: readonly { readonly totalClaimed: string }[];
}

let clock: FakeClock;
let folder: string;
let chain: FakeChain;
let hosts: Host[];
let host: Host;
/** Payloads that a facilitator was asked to settle, of all hosts. */
let asked: Asked[];
/** The facilitator's answer; undefined: it is made, as the contract does. */
let answer: (() => SettleOutcome | Promise<SettleOutcome>) | undefined;

async function openHost(): Promise<Host> {
  const store = openLmdbStore(folder, { formats: FORMATS, clock });
  const rig = await channelRig(store, clock, chain);
  rig.facilitator.settle = settle;
  const { payTo } = SELLER;
  const facilitator = fakeFacilitator();
  const server = await startPaidServer({ facilitator, payTo, clock, store, schemes: [rig.scheme] });
  const opened = { rig, server };
  hosts.push(opened);
  return opened;
}

beforeEach(async () => {
  clock = fakeClock();
  folder = mkdtempSync(join(tmpdir(), 'refunds-'));
  chain = fakeChain();
  hosts = [];
  asked = [];
  answer = undefined;
  host = await openHost();
});
afterEach(async () => {
  for (const { server } of hosts) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function settle({ payload }: SettlementRequest): Promise<SettleOutcome> {
  const request = payload as Asked & { readonly voucher: { readonly channelId: string } };
  asked.push(request);
  return (await answer?.()) ?? made(request.voucher.channelId, request);
}

/** Makes a refund as the contract does. */
function made(id: string, { amount, refundNonce, claims }: Asked): SettleOutcome {
  const known = chain.channels.get(id);
  if (known === undefined || known.refundNonce !== refundNonce)
    return { kind: 'refused', reason: 'refund_simulation_failed', transaction: undefined };
  const claimed = BigInt(claims[0]?.totalClaimed ?? known.claimed);
  const left = BigInt(known.balance) - claimed;
  const given = BigInt(amount) < left ? BigInt(amount) : left;
  const balance = (BigInt(known.balance) - given).toString();
  const next = { ...known, balance, claimed: claimed.toString() };
  chain.channels.set(id, { ...next, refundNonce: (BigInt(refundNonce) + 1n).toString() });
  return { kind: 'settled', transaction: TRANSACTION };
}

async function get(headers: Record<string, string>, at = host) {
  const response = await fetch(at.server.url + PATH, { headers });
  const body = (await response.json()) as Record<string, unknown>;
  const said = response.headers.get('payment-response');
  const challenge = response.headers.get('payment-required') ?? '';
  return {
    status: response.status,
    body,
    said: said === null ? undefined : JSON.parse(Buffer.from(said, 'base64').toString()),
    challenge: Buffer.from(challenge, 'base64').toString(),
  };
}

/** A channel by which so much was sold. */
async function soldTo(calls: number, funds = FUNDS): Promise<BuyersChannel> {
  const channel = buyersChannel();
  fund(chain, channel, funds);
  for (let i = 1n; i <= calls; i++) expect((await get(await channel.voucher(i * PRICE))).status).toBe(200);
  return channel;
}
const rowOf = async ({ id }: BuyersChannel) => (await host.rig.channels.read(id))?.channel;
const balanceOf = ({ id }: BuyersChannel) => chain.channels.get(id)?.balance;
async function resume({ id }: BuyersChannel, at = host): Promise<string | undefined> {
  const stored = await at.rig.channels.read(id);
  return stored && at.rig.refunds.resume(stored);
}

describe('refunds of channels', () => {
  it('all that is left: given back once, and what is charged is claimed', async () => {
    const channel = await soldTo(3);
    const request = await channel.refund(3n * PRICE);
    const first = await get(request);
    expect(first).toMatchObject({
      status: 200,
      body: { channelId: channel.id, refunded: '85000' },
      said: {
        success: true,
        transaction: TRANSACTION,
        payer: channel.account.address,
        amount: '85000',
        extra: { channelState: { balance: '15000', totalClaimed: '15000', refundNonce: '1' } },
      },
    });
    expect(asked).toMatchObject([
      { type: 'refund', amount: '85000', refundNonce: '0', claims: [{ totalClaimed: '15000' }] },
    ]);
    expect(await get(request)).toEqual(first);
    expect(asked).toHaveLength(1);
    expect(await get(await channel.voucher(4n * PRICE))).toMatchObject({ status: 402 });
    expect(host.server.produced).toBe(3);
  });

  it('a part: given back without a claim, and the channel sells on', async () => {
    const channel = await soldTo(1);
    const request = await channel.refund(PRICE, 20_000n);
    expect(await get(request)).toMatchObject({ status: 200, said: { amount: '20000' } });
    expect(await get(request)).toMatchObject({ status: 200, said: { amount: '20000' } });
    expect(asked).toMatchObject([{ amount: '20000', claims: [] }]);
    const other = await get(await channel.refund(PRICE, 1n));
    expect(other.challenge).toContain('refund_amount_invalid');
    expect((await get(await channel.voucher(2n * PRICE))).status).toBe(200);
    expect(await get(await channel.refund(2n * PRICE, 1n))).toMatchObject({ status: 200 });
    expect(await get(await channel.refund(2n * PRICE))).toMatchObject({ said: { amount: '69999' } });
    expect(balanceOf(channel)).toBe('10000');
    const none = await get(await channel.refund(2n * PRICE, 1n));
    expect(none).toMatchObject({ status: 200, said: { amount: '69999' } });
    expect(asked).toHaveLength(3);
  });

  it('nothing was sold: all of it is given back', async () => {
    const channel = buyersChannel();
    fund(chain, channel, FUNDS);
    expect(await get(await channel.refund(0n))).toMatchObject({ status: 200, said: { amount: '100000' } });
    expect(asked).toMatchObject([{ amount: '100000', claims: [] }]);
  });

  it('nothing is left: refused in the scheme’s words', async () => {
    const channel = await soldTo(1, PRICE);
    const refused = await get(await channel.refund(PRICE));
    expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_funds' } });
    expect(refused.challenge).toContain('"invalid_batch_settlement_evm_refund_no_balance"');
    expect(asked).toEqual([]);
  });

  it('of somebody else, or for another total: refused', async () => {
    const channel = await soldTo(2);
    expect((await get(await buyersChannel().refund(2n * PRICE))).status).toBe(402);
    const forged = otherRecovery(await channel.refund(2n * PRICE));
    expect(await get(forged)).toMatchObject({ body: { code: 'invalid_signature' } });
    const late = await get(await channel.refund(PRICE));
    expect(late.challenge).toContain('cumulative_amount_mismatch');
    expect(late.challenge).toContain('"signedMaxClaimable":"10000"');
    expect(asked).toEqual([]);
    expect((await get(await channel.voucher(3n * PRICE))).status).toBe(200);
  });

  it('a claimed voucher, by anybody: refused, and told no newer one', async () => {
    const channel = await soldTo(1);
    const read = await channel.refund(PRICE);
    await host.rig.channels.update(channel.id, { kind: 'published', total: PRICE.toString() });
    expect(await get(read)).toMatchObject({ status: 402, body: { code: 'refund_not_proven' } });
    expect((await get(await channel.voucher(2n * PRICE))).status).toBe(200);
    const late = await get(read);
    expect(late.challenge).toContain('cumulative_amount_mismatch');
    expect(late.challenge).not.toContain('voucherState');
    expect(asked).toEqual([]);
    expect(await get(await channel.refund(2n * PRICE))).toMatchObject({ said: { amount: '90000' } });
  });

  it('a claimed voucher, with another signature: given back', async () => {
    const channel = await soldTo(1);
    await host.rig.channels.update(channel.id, { kind: 'published', total: PRICE.toString() });
    setSignEntropy(true);
    // Entropy of no bytes is none.
    const signed = await channel.refund(PRICE).finally(() => setSignEntropy('0x'));
    expect(await get(signed)).toMatchObject({ status: 200, said: { amount: '95000' } });
  });

  it('a sale or a refund under way: the other one has to wait', async () => {
    const channel = buyersChannel();
    host.rig.facilitator.settle = async () => UNKNOWN;
    const deposit = await channel.deposit(50_000n, PRICE);
    expect((await get(deposit)).status).toBe(503);
    expect(await get(await channel.refund(0n))).toMatchObject({ status: 409 });
    fund(chain, channel, 50_000n);
    clock.advance(2_000);
    expect((await get(deposit)).status).toBe(200);
    host.rig.facilitator.settle = settle;
    const { promise, resolve } = deferred<void>();
    const begun = deferred<void>();
    answer = async () => {
      begun.resolve();
      await promise;
      return made(channel.id, asked[0] as Asked);
    };
    const refund = get(await channel.refund(PRICE));
    await begun.promise;
    expect(await get(await channel.voucher(2n * PRICE))).toMatchObject({ status: 402 });
    expect(await get(await channel.refund(PRICE))).toMatchObject({ status: 409 });
    resolve();
    expect(await refund).toMatchObject({ status: 200, said: { amount: '45000' } });
    expect((await rowOf(channel))?.charged).toBe('5000');
    expect(asked).toHaveLength(1);
  });

  it('no facilitator: as if it was never asked for', async () => {
    const channel = await soldTo(1);
    answer = () => ({ kind: 'unsent', reason: 'away' });
    expect(await get(await channel.refund(PRICE))).toMatchObject({ status: 503 });
    chain.isAway = true;
    expect(await get(await channel.refund(PRICE))).toMatchObject({ status: 503 });
    chain.isAway = false;
    expect((await get(await channel.voucher(2n * PRICE))).status).toBe(200);
    answer = undefined;
    expect(await get(await channel.refund(2n * PRICE))).toMatchObject({ said: { amount: '90000' } });
  });

  it('an unknown outcome: found on the chain, and not asked for again', async () => {
    const channel = await soldTo(1);
    answer = () => UNKNOWN;
    const request = await channel.refund(PRICE);
    expect(await get(request)).toMatchObject({ status: 503, body: { code: 'settlement_unknown' } });
    expect((await get(await channel.voucher(2n * PRICE))).status).toBe(402);
    expect((await get(request)).status).toBe(409);
    await resume(channel);
    expect(asked).toHaveLength(1);
    // It is made after all.
    made(channel.id, asked[0] as Asked);
    expect(await get(request)).toMatchObject({ status: 200, said: { amount: '95000', transaction: '' } });
    expect(asked).toHaveLength(1);
  });

  it('settled, and not on the chain: asked again, with one nonce', async () => {
    const channel = await soldTo(1);
    answer = () => ({ kind: 'settled', transaction: TRANSACTION });
    expect((await get(await channel.refund(PRICE))).status).toBe(503);
    answer = () => ({ kind: 'unsent', reason: 'away' });
    for (const wait of [2, 4, 8]) {
      clock.advance(wait * MINUTE_MS);
      await resume(channel);
    }
    expect((await rowOf(channel))?.refund).toMatchObject({ nonce: '0', tries: 3 });
    answer = undefined;
    clock.advance(16 * MINUTE_MS);
    await resume(channel);
    expect(asked.map(({ refundNonce }) => refundNonce)).toEqual(['0', '0', '0', '0', '0']);
    expect(balanceOf(channel)).toBe('5000');
    expect(await get(await channel.refund(PRICE))).toMatchObject({ status: 200, said: { amount: '95000' } });
  });

  it('refused for good: ended and said so, its money buys nothing meanwhile', async () => {
    const channel = await soldTo(1);
    answer = () => ({ kind: 'refused', reason: 'refund_simulation_failed', transaction: undefined });
    const part = await channel.refund(PRICE, 60_000n);
    expect((await get(part)).body.code).toBe('settlement_unknown');
    for (const wait of [2, 4, 8, 16]) {
      clock.advance(wait * MINUTE_MS);
      expect(await resume(channel)).toBeUndefined();
    }
    expect((await get(part)).status).toBe(409);
    clock.advance(32 * MINUTE_MS);
    expect(await resume(channel)).toContain('refused for good (refund_simulation_failed)');
    clock.advance(60 * MINUTE_MS);
    expect(await resume(channel)).toBeUndefined();
    expect(asked).toHaveLength(6);
    expect(await rowOf(channel)).toMatchObject({ refund: undefined, refused: { amount: '60000' } });
    for (let i = 2n; i <= 8n; i++) expect((await get(await channel.voucher(i * PRICE))).status).toBe(200);
    const more = await get(await channel.voucher(9n * PRICE));
    expect(more).toMatchObject({ status: 402, body: { code: 'insufficient_funds' } });
    const again = await channel.refund(8n * PRICE, 59_000n);
    expect(await get(again)).toMatchObject({ status: 402, body: { code: 'refund_refused' } });
    answer = undefined;
    expect(await get(again)).toMatchObject({ status: 200, said: { amount: '59000' } });
    expect(balanceOf(channel)).toBe('41000');
  });

  it('a process that ended in the middle: another one ends it, and pays once', async () => {
    const channel = await soldTo(2);
    const never = deferred<SettleOutcome>();
    const begun = deferred<void>();
    answer = () => {
      begun.resolve();
      return never.promise;
    };
    const lost = get(await channel.refund(2n * PRICE)).catch(() => undefined);
    await begun.promise;
    const second = await openHost();
    answer = undefined;
    expect(await get(await channel.refund(2n * PRICE), second)).toMatchObject({ status: 409 });
    await resume(channel, second);
    expect(asked).toHaveLength(1);
    clock.advance(2 * MINUTE_MS);
    await resume(channel, second);
    expect(balanceOf(channel)).toBe('10000');
    // The first one's request comes too late.
    expect(made(channel.id, asked[0] as Asked)).toMatchObject({ kind: 'refused' });
    const again = await get(await channel.refund(2n * PRICE), second);
    expect(again).toMatchObject({ status: 200, said: { amount: '90000' } });
    never.resolve(UNKNOWN);
    await lost;
    expect(balanceOf(channel)).toBe('10000');
  });

  it('two hosts, one request to both at once: made once', async () => {
    const second = await openHost();
    for (let round = 0; round < 5; round++) {
      const channel = await soldTo(1);
      const request = await channel.refund(PRICE);
      const both = await Promise.all([
        get(request),
        get(request, second),
        get(request),
        get(request, second),
      ]);
      expect(both.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      expect(both.every(({ status }) => status === 200 || status === 409)).toBe(true);
      expect(asked).toHaveLength(round + 1);
      expect(balanceOf(channel)).toBe('5000');
    }
  });
});
