import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataOf, memoryStore, type PaymentStore, type Signer } from '@perpmeter/client';
import { fileStore } from '@perpmeter/client/file-store';
import { keySigner } from '@perpmeter/client/key-signer';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { buyerOf, type ChannelService, startChannelService, watched } from './rig.ts';

/** Price 0.001. */
const PATH = '/v1/funding/current?symbol=BTC';
const OTHER = '/v1/funding/current?symbol=ETH';
const FIRST = { channels: { fromCall: 1 } } as const;

let service: ChannelService;
const folder = mkdtempSync(join(tmpdir(), 'client-channels-'));
let files = 0;
const newFile = () => join(folder, `${files++}.jsonl`);
beforeAll(async () => {
  service = await startChannelService();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const breaking =
  (...broken: readonly number[]) =>
  (response: Response, at: number): Response => {
    if (broken.includes(at)) throw new TypeError('connection broken');
    return response;
  };

describe('a client at a service that sells by channel', () => {
  it('by itself: exact twice, then a deposit, then vouchers alone', async () => {
    const { fetch, presented } = watched();
    const { client } = await buyerOf(service, { store: memoryStore() }, { fetch });
    const before = await service.transactions();
    for (let i = 0; i < 10; i++) expect((await client.request(PATH)).ok).toBe(true);
    expect(presented.map(({ type = 'exact' }) => type)).toEqual([
      'exact',
      'exact',
      'deposit',
      ...Array(7).fill('voucher'),
    ]);
    expect(presented.slice(2).map(({ voucher }) => voucher?.maxClaimableAmount)).toEqual(
      Array.from({ length: 8 }, (_, i) => String(1000 * (i + 1))),
    );
    expect((await service.transactions()) - before).toBe(3);
    expect(client.spentUsd()).toBe('0.01');
    expect(await client.channels()).toMatchObject([{ state: 'open', spentUsd: '0.008' }]);
  });

  it('off, without a store, or a call that asks for exact: no channel', async () => {
    const { fetch, presented } = watched();
    for (const wallet of [{ channels: false, store: memoryStore() }, {}] as const) {
      const off = await buyerOf(service, wallet, { fetch });
      for (let i = 0; i < 4; i++) expect((await off.client.request(PATH)).ok).toBe(true);
    }
    const asked = await buyerOf(service, FIRST, { fetch });
    expect((await asked.client.request(PATH, { scheme: 'exact' })).ok).toBe(true);
    expect(presented.every(({ type }) => type === undefined)).toBe(true);
  });

  it('calls at once: one voucher at a time, each answered and charged once', async () => {
    const { fetch, presented } = watched();
    const { client } = await buyerOf(service, FIRST, { fetch });
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.request(PATH)));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(new Set(presented.map(({ voucher }) => voucher?.maxClaimableAmount)).size).toBe(12);
    expect(await client.channels()).toMatchObject([{ spentUsd: '0.012' }]);
  });

  it('a lost answer: the same voucher again, and one charge', async () => {
    const { fetch, presented } = watched(breaking(2));
    const { client } = await buyerOf(service, FIRST, { fetch });
    for (let i = 0; i < 3; i++) expect((await client.request(PATH)).ok).toBe(true);
    expect(presented.map(({ voucher }) => voucher?.maxClaimableAmount)).toEqual([
      '1000',
      '2000',
      '2000',
      '3000',
    ]);
    expect(client.spentUsd()).toBe('0.003');
  });

  it('a lost answer, then another path: no jump, one charge for each', async () => {
    const { fetch, presented } = watched(breaking(2));
    const { client } = await buyerOf(service, { ...FIRST, attempts: 1 }, { fetch });
    expect((await client.request(PATH)).ok).toBe(true);
    expect(await client.request(PATH)).toMatchObject({ problem: { code: 'outcome_unknown' } });
    expect(client.isOpen(PATH)).toBe(true);
    expect(client.openPayment(PATH)?.validBefore).toBeUndefined();
    expect((await client.request(OTHER)).ok).toBe(true);
    // The lost one was charged: it is presented again for its answer, and nothing is signed.
    expect((await client.request(PATH)).ok).toBe(true);
    expect(presented.map(({ voucher }) => voucher?.maxClaimableAmount)).toEqual([
      '1000',
      '2000',
      '2000',
      '3000',
      '2000',
    ]);
    expect(client.spentUsd()).toBe('0.003');
    expect(await client.channels()).toMatchObject([{ spentUsd: '0.003' }]);
  });

  it('an answer that cannot be made: the same total buys the next', async () => {
    const { fetch, presented } = watched();
    const { client } = await buyerOf(service, FIRST, { fetch });
    expect((await client.request(PATH)).ok).toBe(true);
    const none = await client.request('/v1/funding/current?symbol=NOSUCH');
    expect(none).toMatchObject({ ok: false, problem: { charged: false } });
    expect((await client.request(PATH)).ok).toBe(true);
    expect(presented.slice(1).map(({ voucher }) => voucher?.maxClaimableAmount)).toEqual(['2000', '2000']);
    expect(client.spentUsd()).toBe('0.002');
  });
});

describe('caps with channels', () => {
  it('the spending: ends at the cap, with money left in the channel', async () => {
    const caps = { perCall: '0.001', total: '0.005' };
    const { client } = await buyerOf(service, { ...FIRST, caps });
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push((await client.request(PATH)).ok);
    expect(answers).toEqual([true, true, true, true, true, false]);
    const [channel] = await client.channels();
    expect(Number(channel?.depositedUsd)).toBeLessThanOrEqual(0.005);
  });

  it('the deposit: no more than is allowed, and topped up as it is spent', async () => {
    const { fetch, presented } = watched();
    const channels = { fromCall: 1, maxDepositUsd: '0.006' };
    const { client } = await buyerOf(service, { channels }, { fetch });
    for (let i = 0; i < 14; i++) {
      expect((await client.request(PATH)).ok).toBe(true);
      const [channel] = await client.channels();
      expect(Number(channel?.leftUsd)).toBeLessThanOrEqual(0.006);
    }
    const deposits = presented.flatMap(({ deposit }) => (deposit === undefined ? [] : [deposit.amount]));
    expect(deposits).toEqual(['6000', '6000', '6000']);
  });

  it('a deposit that pays for too few calls: exact', async () => {
    const { fetch, presented } = watched();
    const channels = { fromCall: 1, maxDepositUsd: '0.003' };
    const { client } = await buyerOf(service, { channels }, { fetch });
    for (let i = 0; i < 4; i++) expect((await client.request(PATH)).ok).toBe(true);
    expect(presented.every(({ type }) => type === undefined)).toBe(true);
  });

  it('a wallet with too little for a deposit: exact in the same call', async () => {
    const { client, address } = await buyerOf(service, { ...FIRST, signer: await signerWith(2_000n) });
    expect((await client.request(PATH)).ok).toBe(true);
    expect(await service.chain.balanceOf(address)).toBe(1000n);
  });
});

/** A signer whose address holds so much, atomic units. */
async function signerWith(atomic: bigint): Promise<Signer> {
  const signer = keySigner(generatePrivateKey());
  await service.chain.mint(String(signer.address), atomic);
  return signer;
}

describe('a channel over restarts', () => {
  it('with its file: goes on where it was', async () => {
    const store = newFile();
    const { fetch, presented } = watched();
    const first = await buyerOf(service, { ...FIRST, store: fileStore(store) }, { fetch });
    for (let i = 0; i < 3; i++) await dataOf(first.client.fundingCurrent({ symbol: 'BTC' }));
    const { signer } = first;
    const again = await buyerOf(service, { signer, store: fileStore(store) }, { fetch });
    await dataOf(again.client.fundingCurrent({ symbol: 'BTC' }));
    expect(presented.map(({ type }) => type)).toEqual(['deposit', 'voucher', 'voucher', 'voucher']);
    expect(again.client.spentUsd()).toBe('0.004');
  });

  it('ended while it signs: the same total later, once', async () => {
    const store = newFile();
    const { client, signer } = await buyerOf(service, { ...FIRST, store: fileStore(store) });
    expect((await client.request(PATH)).ok).toBe(true);
    let isAsked = false;
    const hanging: Signer = {
      address: signer.address,
      signTypedData: () => {
        isAsked = true;
        return new Promise<string>(() => {});
      },
    };
    const ended = await buyerOf(service, { ...FIRST, signer: hanging, store: fileStore(store) });
    void ended.client.request(PATH);
    await until(() => expect(isAsked).toBe(true));
    const { fetch, presented } = watched();
    // By then the process that has ended is waited for no more.
    const now = () => Date.now() + 200_000;
    const after = await buyerOf(service, { ...FIRST, now, signer, store: fileStore(store) }, { fetch });
    expect((await after.client.request(PATH)).ok).toBe(true);
    expect(presented).toMatchObject([{ type: 'voucher', voucher: { maxClaimableAmount: '2000' } }]);
    // The total was counted before it was signed, by the process that has ended.
    expect(after.client.spentUsd()).toBe('0.002');
  });

  it('a store that cannot write: nothing is signed', async () => {
    const path = newFile();
    const { client, signer } = await buyerOf(service, { ...FIRST, store: fileStore(path) });
    expect((await client.request(PATH)).ok).toBe(true);
    const kept = fileStore(path);
    const fails = () => Promise.reject(new Error('disk is full'));
    const full: PaymentStore[] = [
      { load: kept.load, save: fails, channels: kept.channels },
      {
        load: kept.load,
        save: kept.save,
        channels: { load: async () => (await kept.channels?.load()) ?? [], save: fails },
      },
    ];
    for (const [i, store] of full.entries()) {
      const { fetch, presented } = watched();
      const buyer = await buyerOf(service, { ...FIRST, signer, store }, { fetch });
      expect(await buyer.client.request(PATH)).toMatchObject({ problem: { code: 'not_signed' } });
      // Of a channel it is not known what was written: the total stays counted.
      expect([presented, buyer.client.spentUsd()]).toEqual([[], i === 0 ? '0.001' : '0.002']);
    }
  });

  it('all lost: the seller’s proof of our own voucher restores it', async () => {
    const { client, signer } = await buyerOf(service, FIRST);
    for (let i = 0; i < 4; i++) expect((await client.request(PATH)).ok).toBe(true);
    const { fetch, presented } = watched();
    const lost = await buyerOf(service, { ...FIRST, signer }, { fetch });
    const before = await service.transactions();
    expect((await lost.client.request(PATH)).ok).toBe(true);
    expect((await lost.client.request(PATH)).ok).toBe(true);
    expect(presented.map(({ type, voucher }) => [type, voucher?.maxClaimableAmount])).toEqual([
      ['deposit', '1000'],
      ['voucher', '5000'],
      ['voucher', '6000'],
    ]);
    expect(await service.transactions()).toBe(before);
    expect(await lost.client.channels()).toMatchObject([{ spentUsd: '0.006' }]);
  });

  it('lost, with a node: the chain is asked, and no second deposit is signed', async () => {
    const { client, signer } = await buyerOf(service, FIRST);
    for (let i = 0; i < 3; i++) expect((await client.request(PATH)).ok).toBe(true);
    const { fetch, presented } = watched();
    const chain = {
      request: ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
        service.chain.rpc(method, [...params]),
    };
    const lost = await buyerOf(service, { channels: { fromCall: 1, chain }, signer }, { fetch });
    expect((await lost.client.request(PATH)).ok).toBe(true);
    expect(presented.map(({ type }) => type)).toEqual(['voucher', 'voucher']);
  });

  it('two processes on one file: all is answered, no total is charged twice', async () => {
    const path = newFile();
    const one = await buyerOf(service, { ...FIRST, store: fileStore(path) });
    const { fetch, presented } = watched();
    const start = () => buyerOf(service, { ...FIRST, signer: one.signer, store: fileStore(path) }, { fetch });
    const [a, b] = [await start(), await start()];
    for (let round = 0; round < 6; round++) {
      const both = await Promise.all([a.client.request(PATH), b.client.request(OTHER)]);
      expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    }
    expect(presented.filter(({ type }) => type === 'deposit')).toHaveLength(1);
    const byVoucher = presented.filter(({ type }) => type !== undefined);
    const totals = byVoucher.map(({ voucher }) => voucher?.maxClaimableAmount);
    expect(new Set(totals).size).toBe(totals.length);
    expect((await a.client.channels())[0]?.spentUsd).toBe(String(byVoucher.length / 1000));
  });

  it('a store without channels: exact alone', async () => {
    const { load, save } = memoryStore();
    const { fetch, presented } = watched();
    const { client } = await buyerOf(service, { ...FIRST, store: { load, save } }, { fetch });
    expect((await client.request(PATH)).ok).toBe(true);
    expect(presented.map(({ type }) => type)).toEqual([undefined]);
  });
});
