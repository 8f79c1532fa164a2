import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import { createMemoryStore } from '../../src/pay/ledger-memory.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { createOwner, isOwnerGone } from '../../src/pay/owner.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { type FakeClock, fakeClock, fakeFacilitator, TRANSACTION } from './fakes.ts';
import { claimOf, keyOf } from './ledger-claims.ts';
import { sellerAt } from './routes.ts';
import { openShop, type Shop } from './shop.ts';
import { encodeHeader, newAccount, signAuthorization, v2Payload } from './wallet.ts';

const WORKER = fileURLToPath(new URL('./ledger-worker.ts', import.meta.url));
const ANSWER = { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') };
/** Answers of whole pages, so that counting pages and counting bytes come to the same. */
const large = (bytes: number) => ({ ...ANSWER, body: Buffer.alloc(bytes) });
const KB = 1024;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function worker(...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ['--import', 'tsx', WORKER, ...args]);
}

/** Lines of a process, one at a time; fails with what it said on standard error. */
function linesOf(child: ChildProcessWithoutNullStreams): () => Promise<string> {
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done === true || typeof value !== 'string') throw new Error(`the process ended: ${errors}`);
    return value;
  };
}

const stores: readonly (readonly [string, () => LedgerStore])[] = [
  ['LMDB', () => openLmdbStore(folder)],
  ['memory', createMemoryStore],
];

describe.each(stores)('the ledger in %s', (_, openStore) => {
  let clock: FakeClock;
  let ledger: Ledger;
  beforeEach(() => {
    clock = fakeClock();
    const limits = { maxAnswerBytes: 250 * KB, reserveBytes: 100 * KB };
    ledger = new Ledger({ store: openStore(), clock, owner: 'me', limits });
  });
  afterEach(() => ledger.close());

  async function claimed(key: string): Promise<PaymentRecord> {
    const result = await ledger.claim(claimOf(key), 30_000);
    if (result.kind !== 'claimed') throw new Error(result.kind);
    return result.record;
  }

  it('tells a payment that was released and presented again, elsewhere, from what it was', async () => {
    const first = claimOf('again');
    const before = await ledger.claim(first, 30_000);
    if (before.kind !== 'claimed') throw new Error(before.kind);
    expect(await ledger.release(before.record)).toBe(true);
    clock.advance(5_000);
    // The very same authorization: a payment is read once, however often it is presented.
    const second = { ...first, routeId: 'perp-carry', path: '/v1/perp/carry', resourceHash: 's' };
    const after = await ledger.claim(second, 30_000);
    if (after.kind !== 'claimed') throw new Error(after.kind);
    const read = ledger.get(first.key);
    expect(read).toMatchObject({
      ...{ routeId: 'perp-carry', path: '/v1/perp/carry', resourceHash: 's' },
      claimedAt: after.record.claimedAt,
    });
    if (read === undefined) throw new Error('the payment is gone');
    expect(await ledger.change(read, { reason: 'worker_lost' })).toMatchObject({ version: read.version + 1 });
  });

  it('locks a nonce once, and counts space for its answer', async () => {
    const record = await claimed('a');
    expect(record).toMatchObject({
      state: 'claimed',
      owner: 'me',
      storedBytes: 0,
      leaseUntil: clock.now() + 30_000,
    });
    expect(await ledger.claim(claimOf('a'), 30_000)).toMatchObject({
      kind: 'taken',
      record: { key: keyOf('a') },
    });
    await claimed('b');
    expect((await ledger.claim(claimOf('c'), 30_000)).kind).toBe('full');
    expect(await ledger.release(record)).toBe(true);
    expect(ledger.get(keyOf('a'))).toBeUndefined();
    expect((await ledger.claim(claimOf('c'), 30_000)).kind).toBe('claimed');
  });

  it('changes a record only from the version that was read', async () => {
    const record = await claimed('a');
    const working = await ledger.work(record, { reason: 'mine' }, 30_000);
    expect(working).toMatchObject({ reason: 'mine', version: 2 });
    expect(await ledger.change(record, { state: 'settled' })).toBeUndefined();
    expect(await ledger.release(record)).toBe(false);
    expect(await ledger.hold(record, { state: 'settling' }, ANSWER, 30_000)).toBeUndefined();
    expect(ledger.get(keyOf('a'))).toEqual(working);
    expect(ledger.answer(record)).toBeUndefined();
  });

  it('keeps and drops answers, and their bytes', async () => {
    const settling = { state: 'settling', facilitator: 'f' } as const;
    const held = await ledger.hold(await claimed('a'), settling, large(60 * KB), 30_000);
    if (held === undefined || held === 'full') throw new Error('not held');
    expect(held).toMatchObject({ state: 'settling', facilitator: 'f', version: 2 });
    expect(held.storedBytes).toBeGreaterThan(60 * KB);
    expect(ledger.answer(held)).toEqual(large(60 * KB));
    const b = await claimed('b');
    expect((await ledger.claim(claimOf('c'), 1)).kind).toBe('full');
    expect(await ledger.hold(b, settling, large(250 * KB), 30_000)).toBe('full');
    const settled = await ledger.change(held, { state: 'settled' }, { flush: true });
    if (settled === undefined) throw new Error('not settled');
    await ledger.change(settled, { state: 'delivered', dueAt: undefined }, { drop: true });
    expect(ledger.answer(settled)).toBeUndefined();
    expect(await ledger.hold(b, settling, large(200 * KB), 30_000)).toMatchObject({ state: 'settling' });
  });

  it('knows what is due, and lists the newest first', async () => {
    const first = await claimed('a');
    clock.advance(1_000);
    await claimed('b');
    expect(ledger.list({ limit: 10 }).map(({ key }) => key)).toEqual(['b', 'a'].map(keyOf));
    expect(ledger.list({ limit: 10, before: clock.now() }).map(({ key }) => key)).toEqual([keyOf('a')]);
    expect(ledger.list({ limit: 1 })).toHaveLength(1);
    expect(ledger.due(clock.now(), 10)).toEqual([]);
    clock.advance(119_000);
    expect(ledger.due(clock.now(), 10).map(({ key }) => key)).toEqual([keyOf('a')]);
    await ledger.change(first, { dueAt: asMs(clock.now() + 60_000) });
    clock.advance(1_000);
    expect(ledger.due(clock.now(), 10).map(({ key }) => key)).toEqual([keyOf('b')]);
    await ledger.change(ledger.get(keyOf('a')) ?? first, { dueAt: undefined });
    clock.advance(1_000_000);
    expect(ledger.due(clock.now(), Number.MAX_SAFE_INTEGER).map(({ key }) => key)).toEqual([keyOf('b')]);
  });
});

describe('the ledger on disk', () => {
  it('is there after a restart, for its owner only', async () => {
    const clock = fakeClock();
    const first = new Ledger({ store: openLmdbStore(folder), clock, owner: 'a' });
    const result = await first.claim(claimOf('a'), 30_000);
    if (result.kind !== 'claimed') throw new Error(result.kind);
    await first.hold(result.record, { state: 'settling' }, ANSWER, 30_000);
    await first.close();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const second = new Ledger({ store: openLmdbStore(folder), clock, owner: 'b' });
    const record = second.get(keyOf('a'));
    expect(record).toEqual(expect.objectContaining({ state: 'settling', paymentIdHash: undefined }));
    expect(record && second.answer(record)).toEqual(ANSWER);
    await second.close();
  });

  it('gives each nonce to one of several processes', async () => {
    const children = [worker('claim', folder, '500'), worker('claim', folder, '500')];
    const lines = children.map(linesOf);
    for (const line of lines) expect(await line()).toBe('ready');
    for (const child of children) child.stdin.write('go\n');
    const won = await Promise.all(lines.map(async (line) => JSON.parse(await line()) as number[]));
    expect(won.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, i) => i));
  });
});

/** The connection has closed, and the ledger knows it. */
function delivered(shop: Shop): Promise<void> {
  return vi.waitFor(() => expect(shop.ledger.list({ limit: 1 })[0]?.state).toBe('delivered'));
}

describe('a process that is killed', () => {
  const buyer = newAccount();

  /** The payment, the shop that takes over its ledger, and what the reconciler of the new process found. */
  async function killAt(stage: string) {
    const facilitator = fakeFacilitator();
    const signed = await signAuthorization(buyer, sellerAt(), { value: '5000' });
    const child = worker('stall', folder, stage, encodeHeader(v2Payload(sellerAt(), signed)));
    expect(await linesOf(child)()).toBe(stage);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    const shop = await openShop({ facilitator, payTo: sellerAt().payTo, store: openLmdbStore(folder) });
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(shop.seller, signed)) };
    const present = async () => {
      const response = await fetch(`${shop.url}/v1/perp/basis?ticker=BTC`, { headers });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    return { shop, facilitator, present };
  }

  it.each(['verify', 'produce'])('at %s has charged nothing: the payment buys afresh', async (stage) => {
    const { shop, facilitator, present } = await killAt(stage);
    expect(await shop.gate.reconciler.recover()).toBe(1);
    expect(shop.ledger.list({ limit: 1 })).toEqual([]);
    expect(await present()).toMatchObject({ status: 200, body: { product: 1 } });
    expect(facilitator.settled).toHaveLength(1);
    await shop.stop();
  });

  it('at settle leaves an unknown that is closed, and its stored answer is had once', async () => {
    const { shop, facilitator, present } = await killAt('settle');
    facilitator.settleWith = [
      { kind: 'unknown', reason: 'TimeoutError', pending: false, transaction: undefined },
    ];
    expect(await shop.gate.reconciler.recover()).toBe(1);
    expect(shop.ledger.list({ limit: 1 })).toMatchObject([{ state: 'unknown', reason: 'worker_lost' }]);
    expect(await present()).toMatchObject({ status: 503, body: { code: 'settlement_unknown' } });
    facilitator.settleWith = [{ kind: 'settled', transaction: TRANSACTION }];
    const answer = await vi.waitFor(
      async () => {
        const again = await present();
        expect(again.status).toBe(200);
        return again;
      },
      { timeout: 10_000, interval: 200 },
    );
    expect(answer.body).toEqual({ product: 'made before the crash' });
    await delivered(shop);
    expect(await present()).toMatchObject({ status: 402 });
    await shop.stop();
  });

  it('between settle and send has an answer waiting: the same one, once', async () => {
    const { shop, facilitator, present } = await killAt('send');
    expect(shop.ledger.list({ limit: 1 })).toMatchObject([{ state: 'settled', transaction: TRANSACTION }]);
    expect(await present()).toMatchObject({ status: 200, body: { product: 'made before the crash' } });
    await delivered(shop);
    expect(await present()).toMatchObject({ status: 402, body: { error: 'authorization_used' } });
    expect(facilitator.settled).toHaveLength(0);
    await shop.stop();
  });
});

describe('the name of a process', () => {
  it('tells a dead one from a living one, and never guesses', async () => {
    expect(isOwnerGone(createOwner())).toBe(false);
    const place = createOwner().split('/').slice(0, -2).join('/');
    const child = spawn(process.execPath, ['-e', '']);
    const { pid } = child;
    await new Promise((resolve) => child.once('exit', resolve));
    expect(isOwnerGone(`${place}/${pid}/abc`)).toBe(true);
    expect(isOwnerGone(`another-host/${place.split('/').slice(1).join('/')}/${pid}/abc`)).toBe(false);
    expect(isOwnerGone(`${place}/not-a-number/abc`)).toBe(false);
  });
});
