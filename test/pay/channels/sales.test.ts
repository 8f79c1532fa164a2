import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asMs } from '../../../src/domain/units.ts';
import type { LedgerStore } from '../../../src/pay/ledger-store.ts';
import { createRecordJson } from '../../../src/pay/record-json.ts';
import { CHANNEL_FORMAT } from '../../../src/pay/schemes/batch-settlement/format.ts';
import { EXACT_FORMAT } from '../../../src/pay/schemes/exact/format.ts';
import { StoreWriteError } from '../../../src/storage/remote-state.ts';
import { until } from '../../until.ts';
import { type FakeClock, fakeClock, fakeFacilitator, TRANSACTION } from '../fakes.ts';
import { isMissing, ledgerPlaces } from '../ledger-stores.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import { newAccount } from '../wallet.ts';
import {
  buyersChannel,
  type ChannelRig,
  channelRig,
  fakeChain,
  fund,
  paying,
  SELLER,
} from './channel-rig.ts';
import { otherRecovery } from './other-recovery.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const PRICE = 5_000n;
const CHEAP_PATH = '/v1/perp/open-interest?ticker=BTC';
const CHEAP = 1_000n;
const formats = [EXACT_FORMAT, CHANNEL_FORMAT];

let clock: FakeClock;
let rig: ChannelRig;
let server: PaidServer;

async function open(store: LedgerStore, chain = fakeChain()): Promise<void> {
  rig = await channelRig(store, clock, chain);
  const { payTo } = SELLER;
  server = await startPaidServer({
    facilitator: fakeFacilitator(),
    payTo,
    clock,
    store,
    schemes: [rig.scheme],
  });
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'channels-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function get(headers: Record<string, string>, at = server, path = PATH) {
  const response = await fetch(at.url + path, { headers });
  const body = (await response.json()) as Record<string, unknown>;
  const receipt = response.headers.get('payment-response');
  const said =
    receipt === null ? undefined : (JSON.parse(Buffer.from(receipt, 'base64').toString()) as object);
  return { status: response.status, body, said };
}
/** A store that notes what brings a sale, and takes none of the first inserts. */
function countedStore(store: LedgerStore, failures = 0) {
  const calls: string[] = [];
  let left = failures;
  const insert = store.insert.bind(store);
  const replace = store.replace.bind(store);
  const flushed = store.flushed.bind(store);
  const counted: LedgerStore = Object.assign(store, {
    insert: (...args: Parameters<LedgerStore['insert']>) => {
      const [record, , options] = args;
      const row = JSON.parse(options?.account?.row ?? '{}') as { charged?: string };
      if (left-- > 0) throw new StoreWriteError('the ledger', 'full');
      calls.push(`insert ${record.state} ${row.charged}`);
      return insert(...args);
    },
    replace: (...args: Parameters<LedgerStore['replace']>) => {
      calls.push(`replace ${args[1].state}`);
      return replace(...args);
    },
    flushed: () => {
      calls.push('flushed');
      return flushed();
    },
  });
  return { store: counted, calls };
}
const charged = async (id: string) => (await rig.channels.read(id))?.channel.charged;
const funded = (balance = 100n * PRICE) => {
  const channel = buyersChannel();
  fund(rig.chain, channel, balance);
  return channel;
};

describe.each(ledgerPlaces(() => folder))('sales by channel (%s)', (name, makePlace) => {
  const it = test.skipIf(isMissing(name));
  let openStore: Awaited<ReturnType<typeof makePlace>>;
  beforeEach(async () => {
    if (isMissing(name)) return;
    clock = fakeClock();
    openStore = await makePlace();
    await open(await openStore());
  });
  afterEach(() => (isMissing(name) ? undefined : server.stop()));

  it('a deposit: opens the channel and buys', async () => {
    const channel = buyersChannel();
    const { settle } = rig.facilitator;
    Object.assign(rig.facilitator, {
      settle: (request: Parameters<typeof settle>[0]) => {
        fund(rig.chain, channel, 50_000n);
        return settle(request);
      },
    });
    const paid = await get(await channel.deposit(50_000n, PRICE));
    expect(paid).toMatchObject({ status: 200, body: { product: 1 } });
    expect(paid.said).toMatchObject({
      success: true,
      transaction: TRANSACTION,
      amount: '50000',
      extra: {
        chargedAmount: '5000',
        channelState: { channelId: channel.id, balance: '50000', chargedCumulativeAmount: '5000' },
      },
    });
    expect(rig.facilitator.settled).toMatchObject([{ moves: '50000', payload: { type: 'deposit' } }]);
    expect(await charged(channel.id)).toBe('5000');
  });

  it('vouchers: sold without asking anybody, each charged its price', async () => {
    const channel = funded();
    for (let i = 1n; i <= 5n; i++) {
      const paid = await get(await channel.voucher(i * PRICE));
      expect(paid).toMatchObject({ status: 200, body: { product: Number(i) } });
      expect(paid.said).toMatchObject({
        transaction: '',
        amount: '',
        extra: { chargedAmount: '5000', channelState: { chargedCumulativeAmount: String(i * PRICE) } },
      });
    }
    expect(await charged(channel.id)).toBe('25000');
    expect((await rig.channels.read(channel.id))?.channel).toMatchObject({
      newest: { total: '25000' },
      chain: { balance: '500000' },
    });
    expect(rig.chain.asked).toBe(1);
    expect([rig.facilitator.verified, rig.facilitator.settled]).toEqual([[], []]);
  });

  it('a voucher: voucher, answer and total stored in one write', async () => {
    const channel = funded();
    expect((await get(await channel.voucher(PRICE))).status).toBe(200);
    await server.stop();
    const { store, calls } = countedStore(await openStore());
    await open(store, rig.chain);
    server.cutPaid = true;
    await expect(get(await channel.voucher(2n * PRICE))).rejects.toThrow();
    expect(calls.slice(0, 2)).toEqual(['insert settled 10000', 'flushed']);
    expect(await charged(channel.id)).toBe('10000');
  });

  it('a write that fails: nothing is charged, and the voucher stays good', async () => {
    const channel = funded();
    expect((await get(await channel.voucher(PRICE))).status).toBe(200);
    await server.stop();
    const { store } = countedStore(await openStore(), 1);
    await open(store, rig.chain);
    const voucher = await channel.voucher(2n * PRICE);
    expect(await get(voucher)).toMatchObject({ status: 503, body: { code: 'answer_store_full' } });
    expect(await charged(channel.id)).toBe('5000');
    expect((await get(voucher)).status).toBe(200);
    expect(await charged(channel.id)).toBe('10000');
  });

  it('a known payer, the other recovery id: refused', async () => {
    const channel = funded();
    expect((await get(await channel.voucher(PRICE))).status).toBe(200);
    const next = await channel.voucher(2n * PRICE);
    expect(await get(otherRecovery(next))).toMatchObject({
      status: 402,
      body: { code: 'invalid_signature' },
    });
    expect(await charged(channel.id)).toBe('5000');
    expect((await get(next)).status).toBe(200);
  });

  it.each([
    ['a lower total', PRICE / 2n],
    ['a total without the price', 2n * PRICE - 1n],
    ['a jump', 7n * PRICE],
  ])('%s: refused with the total that follows, and not charged', async (_, total) => {
    const channel = funded();
    const first = await get(await channel.voucher(PRICE));
    expect(first.status).toBe(200);
    const refused = await fetch(server.url + PATH, { headers: await channel.voucher(total) });
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({ code: 'invalid_amount' });
    const header = refused.headers.get('payment-required') ?? '';
    expect(header.length).toBeLessThan(3_500);
    const newest = (await rig.channels.read(channel.id))?.channel.newest;
    expect(JSON.parse(Buffer.from(header, 'base64').toString())).toMatchObject({
      error: 'invalid_batch_settlement_evm_cumulative_amount_mismatch',
      accepts: [
        { scheme: 'exact' },
        {
          scheme: 'batch-settlement',
          extra: {
            withdrawDelay: 900,
            channelState: { channelId: channel.id, chargedCumulativeAmount: '5000' },
            voucherState: { signedMaxClaimable: '5000', signature: newest?.signature },
          },
        },
      ],
    });
    expect(await charged(channel.id)).toBe('5000');
  });

  it('a voucher that anybody can read: the newest one is not given for it', async () => {
    const channel = funded();
    const told = async (total: bigint) => {
      const { headers } = await fetch(`${server.url}${PATH}&sort=oi`, {
        headers: await channel.voucher(total),
      });
      return Buffer.from(headers.get('payment-required') ?? '', 'base64').toString();
    };
    expect((await get(await channel.voucher(PRICE))).status).toBe(200);
    await rig.channels.update(channel.id, { kind: 'published', total: '5000' });
    expect((await get(await channel.voucher(2n * PRICE))).status).toBe(200);
    const byAnybody = await told(PRICE);
    expect(byAnybody).toContain('"chargedCumulativeAmount":"10000"');
    expect(byAnybody).not.toContain('voucherState');
    expect(await told(2n * PRICE)).toContain('"signedMaxClaimable":"10000"');
    const known = rig.chain.channels.get(channel.id);
    if (known !== undefined) rig.chain.channels.set(channel.id, { ...known, claimed: '10000' });
    clock.advance(400_000);
    expect((await get(await channel.voucher(3n * PRICE))).status).toBe(200);
    expect(await told(2n * PRICE)).not.toContain('voucherState');
  });

  it('more than the channel has: refused', async () => {
    const channel = funded(PRICE + 1n);
    expect((await get(await channel.voucher(PRICE))).status).toBe(200);
    const second = await get(await channel.voucher(2n * PRICE));
    expect(second).toMatchObject({ status: 402, body: { code: 'insufficient_funds' } });
    expect(await charged(channel.id)).toBe('5000');
  });

  it('signed by another key, or of another channel: refused', async () => {
    const channel = funded();
    const forged = { ...buyersChannel(newAccount()), config: channel.config };
    const other = await channel.voucher(PRICE);
    expect((await get(other)).status).toBe(200);
    const payload = JSON.parse(
      Buffer.from((await channel.voucher(2n * PRICE))['PAYMENT-SIGNATURE'] ?? '', 'base64').toString(),
    ).payload;
    const mixed = { ...payload, channelConfig: buyersChannel().config };
    expect(await get(paying(mixed))).toMatchObject({ status: 402, body: { code: 'invalid_payload' } });
    const by = await forged.voucher(2n * PRICE);
    const signed = JSON.parse(Buffer.from(by['PAYMENT-SIGNATURE'] ?? '', 'base64').toString()).payload;
    const stolen = { ...payload, voucher: { ...payload.voucher, signature: signed.voucher.signature } };
    expect(await get(paying(stolen))).toMatchObject({ status: 402, body: { code: 'invalid_signature' } });
    expect(await charged(channel.id)).toBe('5000');
  });

  it('no answer: nothing is charged, and the voucher stays good', async () => {
    const channel = funded();
    const voucher = await channel.voucher(PRICE);
    server.produce = () => ({ ok: false, error: { code: 'not_ready', detail: 'later' } });
    expect((await get(voucher)).status).toBe(503);
    expect(await charged(channel.id)).toBeUndefined();
    server.produce = undefined;
    expect((await get(voucher)).status).toBe(200);
    expect(await charged(channel.id)).toBe('5000');
  });

  it('a voucher again, after its answer arrived: that answer, not charged', async () => {
    const channel = funded();
    const voucher = await channel.voucher(PRICE);
    const first = await get(voucher);
    for (let i = 0; i < 3; i++) expect(await get(voucher)).toEqual(first);
    expect([server.produced, await charged(channel.id)]).toEqual([1, '5000']);
    const other = await get(voucher, server, `${PATH}&sort=oi`);
    expect(other).toMatchObject({ status: 402, body: { code: 'invalid_amount' } });
    await server.stop();
    await open(await openStore(), rig.chain);
    expect(await get(voucher)).toEqual(first);
    expect([server.produced, await charged(channel.id)]).toEqual([0, '5000']);
  });

  it('a claimed voucher, after its answer arrived: not that answer', async () => {
    const channel = funded();
    const voucher = await channel.voucher(PRICE);
    expect((await get(voucher)).status).toBe(200);
    await rig.channels.update(channel.id, { kind: 'published', total: '5000' });
    clock.advance(90_000);
    expect(await get(voucher)).toMatchObject({ status: 402, body: { code: 'invalid_amount' } });
    expect(await charged(channel.id)).toBe('5000');
  });

  it.each(['the next sale', 'ten minutes'])('a voucher again, after %s: refused', async (later) => {
    const channel = funded();
    const voucher = await channel.voucher(PRICE);
    expect((await get(voucher)).status).toBe(200);
    clock.advance(later === 'ten minutes' ? 600_000 : 1);
    if (later === 'the next sale') expect((await get(await channel.voucher(2n * PRICE))).status).toBe(200);
    await until(async () =>
      expect(await get(voucher)).toMatchObject({ status: 402, body: { code: 'invalid_amount' } }),
    );
    if (later === 'the next sale')
      await until(async () => {
        const first = (await server.ledger.list({ limit: 9 })).at(-1);
        expect(first).toMatchObject({ state: 'delivered', answerId: undefined });
      });
  });

  it('many vouchers of one total at once: one answer, charged once', async () => {
    const channel = funded();
    const voucher = await channel.voucher(PRICE);
    const answers = await Promise.all(Array.from({ length: 10 }, () => get(voucher)));
    const sold = answers.filter(({ status }) => status === 200);
    expect(sold.length).toBeGreaterThan(0);
    for (const { body, said } of sold) expect([body, said]).toEqual([sold[0]?.body, sold[0]?.said]);
    expect(server.produced).toBe(1);
    expect(await charged(channel.id)).toBe('5000');
  });

  it('two prices from one total at once: one of them is sold', async () => {
    const channel = funded();
    for (let round = 0, base = 0n; round < 5; round++) {
      const dear = await channel.voucher(base + PRICE);
      const cheap = await channel.voucher(base + CHEAP);
      const both = await Promise.all([get(dear), get(cheap, server, CHEAP_PATH)]);
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      base += both[0]?.status === 200 ? PRICE : CHEAP;
      expect(await charged(channel.id)).toBe(String(base));
      expect((await rig.channels.read(channel.id))?.channel.newest?.total).toBe(String(base));
    }
  });

  it('a withdrawal that is requested: nothing is sold any more', async () => {
    const channel = funded();
    expect((await get(await channel.voucher(PRICE))).status).toBe(200);
    const known = rig.chain.channels.get(channel.id);
    if (known !== undefined) rig.chain.channels.set(channel.id, { ...known, withdrawAt: 1_800_000_000 });
    clock.advance(400_000);
    const next = await get(await channel.voucher(2n * PRICE));
    expect(next).toMatchObject({ status: 402, body: { code: 'channel_leaving' } });
    expect(await charged(channel.id)).toBe('5000');
  });

  it('a node that does not answer: sold on what is known, for a while', async () => {
    const channel = funded();
    expect((await get(await channel.voucher(PRICE))).status).toBe(200);
    rig.chain.isAway = true;
    expect((await get(await channel.voucher(2n * PRICE))).status).toBe(200);
    clock.advance(400_000);
    const late = await get(await channel.voucher(3n * PRICE));
    expect(late).toMatchObject({ status: 503, body: { code: 'facilitator_unavailable' } });
    expect(await charged(channel.id)).toBe('10000');
  });

  it('a node that is behind its chain: sold on its last block, for a while', async () => {
    const channel = funded();
    const known = rig.chain.channels.get(channel.id);
    const blockAt = asMs(clock.now());
    if (known !== undefined) rig.chain.channels.set(channel.id, { ...known, blockAt });
    for (const total of [PRICE, 2n * PRICE]) {
      clock.advance(150_000);
      expect((await get(await channel.voucher(total))).status).toBe(200);
    }
    clock.advance(1_000);
    const late = await get(await channel.voucher(3n * PRICE));
    expect(late).toMatchObject({ status: 503, body: { code: 'facilitator_unavailable' } });
    expect(await charged(channel.id)).toBe('10000');
    if (known !== undefined) rig.chain.channels.set(channel.id, { ...known, blockAt: asMs(clock.now()) });
    expect((await get(await channel.voucher(3n * PRICE))).status).toBe(200);
  });

  it('little gas: no deposit is taken, then no voucher', async () => {
    const reserve = (transactions: number) => {
      const gas = { address: SELLER.payTo, transactions, isLow: true, isShort: transactions < 10 };
      Object.assign(rig.facilitator, { gas });
    };
    const open = funded();
    reserve(19);
    expect(rig.scheme.isOpen?.()).toBe(false);
    const deposit = await get(await buyersChannel().deposit(50_000n, PRICE));
    expect(deposit).toMatchObject({ status: 503, body: { code: 'facilitator_unavailable' } });
    expect((await get(await open.voucher(PRICE))).status).toBe(200);
    reserve(9);
    expect((await get(await open.voucher(2n * PRICE))).status).toBe(503);
    expect(await charged(open.id)).toBe('5000');
    expect([rig.facilitator.verified, rig.facilitator.settled]).toEqual([[], []]);
    Object.assign(rig.facilitator, { gas: undefined });
    expect(rig.scheme.isOpen?.()).toBe(true);
    expect((await get(await open.voucher(2n * PRICE))).status).toBe(200);
  });

  it('a refused deposit: nothing is charged, and another one may come', async () => {
    const channel = buyersChannel();
    rig.facilitator.settleWith = [
      {
        kind: 'refused',
        reason: 'invalid_batch_settlement_evm_deposit_transaction_failed',
        transaction: undefined,
      },
    ];
    expect(await get(await channel.deposit(50_000n, PRICE))).toMatchObject({ status: 402 });
    expect(await charged(channel.id)).toBe('0');
    rig.facilitator.settleWith = [{ kind: 'settled', transaction: TRANSACTION }];
    fund(rig.chain, channel, 50_000n);
    expect((await get(await channel.deposit(50_000n, PRICE))).status).toBe(200);
    expect(await charged(channel.id)).toBe('5000');
  });

  it('a deposit whose outcome is unknown: the channel waits for it', async () => {
    const channel = buyersChannel();
    rig.facilitator.settleWith = [
      { kind: 'unknown', reason: 'away', pending: false, failed: true, transaction: undefined },
    ];
    const deposit = await channel.deposit(50_000n, PRICE);
    expect(await get(deposit)).toMatchObject({ status: 503, body: { code: 'settlement_unknown' } });
    expect((await rig.channels.read(channel.id))?.channel).toMatchObject({
      charged: '0',
      open: { total: '5000' },
    });
    fund(rig.chain, channel, 50_000n);
    clock.advance(2_000);
    const early = await get(await channel.voucher(PRICE));
    expect(early).toMatchObject({ status: 409, body: { code: 'payment_in_flight' } });
    expect(server.produced).toBe(1);
    expect(await get(deposit)).toMatchObject({ status: 200, body: { product: 1 } });
    expect(await charged(channel.id)).toBe('5000');
    expect((await get(await channel.voucher(2n * PRICE))).status).toBe(200);
  });

  it('after a restart: charged as before, and the next total is sold', async () => {
    const channel = funded();
    const { chain } = rig;
    expect((await get(await channel.voucher(PRICE))).status).toBe(200);
    await server.stop();
    clock.advance(1_000);
    await open(await openStore(), chain);
    expect(await charged(channel.id)).toBe('5000');
    expect((await get(await channel.voucher(2n * PRICE))).status).toBe(200);
    const records = await server.ledger.list({ limit: 9 });
    expect(records).toMatchObject([
      { scheme: 'batch-settlement', amount: '5000', signed: { voucher: { total: '10000' } } },
      { scheme: 'batch-settlement', amount: '5000', signed: { voucher: { total: '5000' } } },
    ]);
    const json = createRecordJson(formats);
    for (const record of records) expect(json.read(JSON.parse(json.write(record)))).toEqual(record);
  });

  it('a channel that was claimed elsewhere: sold from what is claimed', async () => {
    const channel = buyersChannel();
    rig.chain.channels.set(channel.id, {
      balance: '500000',
      claimed: '20000',
      withdrawAt: 0,
      refundNonce: '0',
    });
    const low = await get(await channel.voucher(PRICE));
    expect(low).toMatchObject({ status: 402, body: { code: 'invalid_amount' } });
    expect((await get(await channel.voucher(25_000n))).status).toBe(200);
    expect(await charged(channel.id)).toBe('25000');
  });

  it('two processes on one ledger: a total is sold by one of them', async () => {
    const { chain } = rig;
    const channel = funded();
    const first = server;
    await open(await openStore(), chain);
    try {
      for (let i = 1n; i <= 8n; i++) {
        const voucher = await channel.voucher(i * PRICE);
        const both = await Promise.all([get(voucher, first), get(voucher, server)]);
        expect(both.map(({ status }) => status)).toContain(200);
        expect(await charged(channel.id)).toBe(String(i * PRICE));
        expect((await server.ledger.list({ limit: 99 })).length).toBe(Number(i));
      }
    } finally {
      await first.stop();
    }
  });
});
