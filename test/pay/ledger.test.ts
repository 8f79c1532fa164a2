import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { openPostgresStore } from '../../src/pay/postgres/ledger-postgres.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { createOwner, isOwnerGone } from '../../src/storage/process-owner.ts';
import { bundle } from '../bundle.ts';
import { until } from '../until.ts';
import { type FakeClock, fakeClock, fakeFacilitator, TRANSACTION } from './fakes.ts';
import { claimOf, keyOf } from './ledger-claims.ts';
import { createMemoryStore } from './ledger-memory.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import { emptyLedger, postgresObstacle } from './postgres-server.ts';
import { sellerAt } from './routes.ts';
import { encodeHeader, newAccount, signAuthorization, v2Payload } from './wallet.ts';

const WORKER = new URL('./ledger-worker.ts', import.meta.url);
const ANSWER = { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') };
/** Answers of whole pages, so that counting pages and counting bytes come to the same. */
const large = (bytes: number) => ({ ...ANSWER, body: Buffer.alloc(bytes) });
const KB = 1024;
const SETTLING = { state: 'settling', facilitator: 'f' } as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function worker(...args: string[]): Promise<ChildProcessWithoutNullStreams> {
  return spawn(process.execPath, [await bundle(WORKER), ...args]);
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

const obstacle = postgresObstacle();
const postgres = `PostgreSQL${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`;
const stores: readonly (readonly [string, () => LedgerStore | Promise<LedgerStore>])[] = [
  ['LMDB', () => openLmdbStore(folder)],
  ['memory', createMemoryStore],
  [postgres, async () => openPostgresStore(await emptyLedger())],
];
const isMissing = (name: string): boolean => name === postgres && obstacle !== undefined;

describe.each(stores)('the ledger in %s', (name, openStore) => {
  const it = test.skipIf(isMissing(name));
  let clock: FakeClock;
  let ledger: Ledger;
  beforeEach(async () => {
    if (isMissing(name)) return;
    clock = fakeClock();
    const limits = { maxAnswerBytes: 250 * KB, reserveBytes: 100 * KB };
    ledger = new Ledger({ store: await openStore(), clock, owner: 'me', limits });
  });
  afterEach(() => (isMissing(name) ? undefined : ledger.close()));

  async function claimed(key: string): Promise<PaymentRecord> {
    const result = await ledger.claim(claimOf(key));
    if (result.kind !== 'claimed') throw new Error(result.kind);
    return result.record;
  }

  async function held(key: string, answer = ANSWER): Promise<PaymentRecord> {
    const record = await ledger.hold(await claimed(key), SETTLING, answer);
    if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
    return record;
  }

  it('distinguishes a released payment from its next claim by another process', async () => {
    const first = claimOf('again');
    const before = await held('again');
    expect(await ledger.release(before)).toBe(true);
    clock.advance(5_000);
    // The very same authorization: a payment is read once, however often it is presented.
    const second = { ...first, routeId: 'perp-carry', resource: '/v1/perp/carry', resourceHash: 's' };
    const after = await ledger.claim({ ...second, authorization: before.authorization });
    if (after.kind !== 'claimed') throw new Error(after.kind);
    await ledger.hold(after.record, SETTLING, ANSWER);
    const read = await ledger.get(first.key);
    expect(read).toMatchObject({
      ...{ routeId: 'perp-carry', resource: '/v1/perp/carry', resourceHash: 's' },
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
    expect(await ledger.claim(claimOf('a'))).toMatchObject({
      kind: 'taken',
      record: { key: keyOf('a') },
    });
    expect(await ledger.get(keyOf('a'))).toEqual(record);
    await claimed('b');
    expect((await ledger.claim(claimOf('c'))).kind).toBe('full');
    expect(await ledger.release(record)).toBe(true);
    expect(await ledger.get(keyOf('a'))).toBeUndefined();
    expect((await ledger.claim(claimOf('c'))).kind).toBe('claimed');
  });

  it('locks a nonce for one of those who claim it at once, with space for one answer', async () => {
    const claims = await Promise.all([1, 2, 3].map(() => ledger.claim(claimOf('a'))));
    expect(claims.map(({ kind }) => kind).sort()).toEqual(['claimed', 'taken', 'taken']);
    const first = claims.find(({ kind }) => kind === 'claimed');
    if (first?.kind !== 'claimed') throw new Error('one of them claims it');
    expect(await ledger.release(first.record)).toBe(true);
    expect(ledger.answerBytes).toBe(0);
  });

  it('does not persist claims, and holds answers for current claims only', async () => {
    const record = await claimed('a');
    expect(await ledger.list({ limit: 10 })).toEqual([]);
    expect(await ledger.due(asMs(clock.now() + 1_000_000), 10)).toEqual([]);
    expect(await ledger.change(record, { state: 'settled' })).toBeUndefined();
    expect(await ledger.release(record)).toBe(true);
    expect(await ledger.hold(record, SETTLING, ANSWER)).toBeUndefined();
    const again = await claimed('a');
    expect(await ledger.hold(record, SETTLING, ANSWER)).toBeUndefined();
    expect(await ledger.hold(again, SETTLING, ANSWER)).toMatchObject({ state: 'settling' });
    expect(await ledger.hold(again, SETTLING, ANSWER)).toBeUndefined();
  });

  it('frees the space reserved by a claim, however it ends', async () => {
    for (let i = 0; i < 5; i++) {
      const [a, b] = [await claimed('a'), await claimed('b')];
      expect((await ledger.claim(claimOf('c'))).kind).toBe('full');
      const stored = await ledger.hold(a, SETTLING, large(4 * KB));
      if (stored === undefined || stored === 'full') throw new Error('not held');
      await ledger.change(stored, { state: 'refused', dueAt: undefined }, { drop: true });
      await ledger.release((await ledger.get(keyOf('a'))) ?? stored);
      await ledger.release(b);
    }
  });

  it('changes a record only from the version that was read', async () => {
    const record = await held('a');
    const working = await ledger.change(record, { reason: 'mine' });
    expect(working).toMatchObject({ reason: 'mine', version: 2 });
    expect(await ledger.change(record, { state: 'settled' })).toBeUndefined();
    expect(await ledger.release(record)).toBe(false);
    expect(await ledger.get(keyOf('a'))).toEqual(working);
    expect(await ledger.answer(record)).toEqual(ANSWER);
  });

  it('keeps and drops answers, and their bytes', async () => {
    const stored = await held('a', large(60 * KB));
    expect(stored).toMatchObject({ state: 'settling', facilitator: 'f', version: 1 });
    expect(stored.storedBytes).toBeGreaterThan(60 * KB);
    expect(await ledger.answer(stored)).toEqual(large(60 * KB));
    const b = await claimed('b');
    expect((await ledger.claim(claimOf('c'))).kind).toBe('full');
    expect(await ledger.hold(b, SETTLING, large(250 * KB))).toBe('full');
    const settled = await ledger.change(stored, { state: 'settled' }, { flush: true });
    if (settled === undefined) throw new Error('not settled');
    await ledger.change(settled, { state: 'delivered', dueAt: undefined }, { drop: true });
    expect(await ledger.answer(settled)).toBeUndefined();
    expect(await ledger.hold(b, SETTLING, large(200 * KB))).toMatchObject({ state: 'settling' });
  });

  it('records delivery, and rejects changes based on an older version', async () => {
    const settled = await ledger.change(await held('a'), { state: 'settled', settledAt: clock.now() });
    if (settled === undefined) throw new Error('not settled');
    const handed = await ledger.change(settled, { leaseUntil: undefined });
    if (handed === undefined) throw new Error('not handed out');
    expect(await ledger.arrived(settled)).toBe(false);
    clock.advance(10);
    expect(await ledger.arrived(handed)).toBe(true);
    const delivered = {
      ...handed,
      ...{
        state: 'delivered',
        deliveredAt: clock.now(),
        dueAt: undefined,
        answerId: undefined,
        storedBytes: 0,
      },
    };
    expect(await ledger.get(keyOf('a'))).toEqual(delivered);
    expect(await ledger.list({ limit: 1 })).toEqual([delivered]);
    expect(await ledger.due(asMs(clock.now() + 1_000_000), 10)).toEqual([]);
    expect(await ledger.answer(handed)).toBeUndefined();
    expect(await ledger.change(handed, { leaseUntil: clock.now() })).toBeUndefined();
    expect(await ledger.change(handed, { dueAt: undefined }, { drop: true })).toBeUndefined();
    const read = await ledger.get(keyOf('a'));
    const changed = read && (await ledger.change(read, { idMisses: 1 }));
    expect(changed).toMatchObject({ state: 'delivered', idMisses: 1, version: handed.version + 1 });
    expect(await ledger.get(keyOf('a'))).toEqual(changed);
  });

  it('lists due payments, and all payments newest first', async () => {
    const first = await held('a');
    clock.advance(1_000);
    await held('b');
    expect((await ledger.list({ limit: 10 })).map(({ key }) => key)).toEqual(['b', 'a'].map(keyOf));
    expect((await ledger.list({ limit: 10, before: clock.now() })).map(({ key }) => key)).toEqual([
      keyOf('a'),
    ]);
    expect(await ledger.list({ limit: 1 })).toHaveLength(1);
    expect(await ledger.due(clock.now(), 10)).toEqual([]);
    clock.advance(119_000);
    expect((await ledger.due(clock.now(), 10)).map(({ key }) => key)).toEqual([keyOf('a')]);
    await ledger.change(first, { dueAt: asMs(clock.now() + 60_000) });
    clock.advance(1_000);
    expect((await ledger.due(clock.now(), 10)).map(({ key }) => key)).toEqual([keyOf('b')]);
    await ledger.change((await ledger.get(keyOf('a'))) ?? first, { dueAt: undefined }, { drop: true });
    clock.advance(1_000_000);
    expect((await ledger.due(clock.now(), Number.MAX_SAFE_INTEGER)).map(({ key }) => key)).toEqual([
      keyOf('b'),
    ]);
  });
});

describe('two ledgers over one store', () => {
  const there = stores.filter(([name]) => !isMissing(name));
  const open = (store: LedgerStore, owner: string) => new Ledger({ store, clock: fakeClock(), owner });

  it.each(there)('in %s hold a payment once, and the other process sees it', async (_, openStore) => {
    const store = await openStore();
    const ledgers = [open(store, 'a'), open(store, 'b')];
    const claims = await Promise.all(ledgers.map((ledger) => ledger.claim(claimOf('x'))));
    const held = await Promise.all(
      ledgers.map((ledger, i) => {
        const claim = claims[i];
        if (claim?.kind !== 'claimed') throw new Error('both may claim');
        return ledger.hold(claim.record, SETTLING, ANSWER);
      }),
    );
    expect(held.filter((one) => one !== undefined)).toHaveLength(1);
    for (const ledger of ledgers) expect(await ledger.get(keyOf('x'))).toMatchObject({ state: 'settling' });
    await store.close();
  });

  it.each(there)('in %s do not release what the other holds', async (_, openStore) => {
    const store = await openStore();
    const [a, b] = [open(store, 'a'), open(store, 'b')];
    const [mine, theirs] = [await a.claim(claimOf('x')), await b.claim(claimOf('x'))];
    if (mine.kind !== 'claimed' || theirs.kind !== 'claimed') throw new Error('both may claim');
    await b.hold(theirs.record, SETTLING, ANSWER);
    expect(await a.release(mine.record)).toBe(false);
    expect(await a.get(keyOf('x'))).toMatchObject({ state: 'settling', owner: 'b' });
    await store.close();
  });
});

describe('one answer sold to several payments', () => {
  const MINUTE = 60_000;
  const open = (clock: FakeClock, owner: string) => {
    const store = openLmdbStore(folder, clock);
    return { store, ledger: new Ledger({ store, clock, owner }) };
  };
  const hold = async (ledger: Ledger, name: string, answer = ANSWER): Promise<PaymentRecord> => {
    const claim = await ledger.claim(claimOf(name));
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    const record = await ledger.hold(claim.record, SETTLING, answer);
    if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
    return record;
  };
  const drop = (ledger: Ledger, record: PaymentRecord) =>
    ledger.change(record, { state: 'delivered', dueAt: undefined }, { drop: true });

  it('is stored once per transaction until the last payment releases it', async () => {
    const { store, ledger } = open(fakeClock(), 'a');
    const answer = large(60 * KB);
    const [first, ...others] = await Promise.all(['a', 'b', 'c'].map((name) => hold(ledger, name, answer)));
    if (first === undefined) throw new Error('nothing held');
    const later = await hold(ledger, 'd', answer);
    for (const other of others) expect(other.answerId).toBe(first.answerId);
    expect(later.answerId).not.toBe(first.answerId);
    for (const record of [first, later]) expect(await ledger.answer(record)).toEqual(answer);
    for (const other of others) await drop(ledger, other);
    expect(await ledger.answer(first)).toEqual(answer);
    await drop(ledger, first);
    expect(await ledger.answer(first)).toBeUndefined();
    expect(await ledger.answer(later)).toEqual(answer);
    await ledger.release(later);
    expect(await ledger.answer(later)).toBeUndefined();
    // Counted again by now.
    await until(() => expect(store.answerBytes()).toBe(0));
    await ledger.close();
  });

  it('is released by a payment that lost a race with another process', async () => {
    const clock = fakeClock();
    const [a, b] = [open(clock, 'a'), open(clock, 'b')];
    const held = await Promise.all(
      [a.ledger, b.ledger].map((ledger) => hold(ledger, 'x', large(60 * KB)).catch(() => undefined)),
    );
    const winners = held.filter((one) => one !== undefined);
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    if (winner === undefined) throw new Error('nothing held');
    await drop(held[0] === undefined ? b.ledger : a.ledger, winner);
    await until(() => expect(a.store.answerBytes()).toBe(0));
    await Promise.all([a.ledger.close(), b.ledger.close()]);
  });

  it('is swept after its process was killed, and never while a payment references it', async () => {
    const clock = fakeClock();
    const killed = open(clock, 'killed');
    const [both, alone] = [large(60 * KB), large(20 * KB)];
    const records = await Promise.all(
      Array.from({ length: 1_500 }, (_, i) => hold(killed.ledger, `p${i}`, both)),
    );
    const last = await hold(killed.ledger, 'last', alone);
    await killed.ledger.close();

    const { store, ledger } = open(clock, 'next');
    for (const record of records.slice(0, -1)) await drop(ledger, record);
    await drop(ledger, last);
    clock.advance(15 * MINUTE);
    expect(await ledger.sweep()).toBe(0);
    expect(await ledger.answer(last)).toEqual(alone);
    const kept = records.at(-1);
    if (kept === undefined) throw new Error('nothing held');
    const waiting = await ledger.change(kept, { dueAt: asMs(clock.now() - MINUTE) });
    clock.advance(1);
    expect(await ledger.sweep()).toBe(1);
    expect(await ledger.answer(last)).toBeUndefined();
    if (waiting === undefined) throw new Error('not changed');
    expect(await ledger.answer(waiting)).toEqual(both);
    await drop(ledger, waiting);
    expect(await ledger.sweep()).toBe(1);
    await until(() => expect(store.answerBytes()).toBe(0));
    await ledger.close();
  });

  it('is only stored with payments that have a due time', async () => {
    const { ledger } = open(fakeClock(), 'a');
    const record = await hold(ledger, 'a');
    await expect(ledger.change(record, { dueAt: undefined })).rejects.toThrow('could not be written');
    await ledger.close();
  });

  it('is stored although another payment of the batch fails', async () => {
    const { ledger } = open(fakeClock(), 'a');
    const claim = await ledger.claim({ ...claimOf('a'), resource: 'x'.repeat(70_000) });
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    const [refused, record] = await Promise.all([
      ledger.hold(claim.record, SETTLING, ANSWER).catch((cause: unknown) => cause),
      hold(ledger, 'b'),
    ]);
    expect(refused).toMatchObject({ message: 'the ledger could not be written' });
    expect(await ledger.answer(record)).toEqual(ANSWER);
    expect(await ledger.list({ limit: 10 })).toEqual([record]);
    await ledger.close();
  });
});

describe('the ledger on disk', () => {
  it('is there after a restart, for its owner only', async () => {
    const clock = fakeClock();
    const first = new Ledger({ store: openLmdbStore(folder), clock, owner: 'a' });
    const result = await first.claim(claimOf('a'));
    if (result.kind !== 'claimed') throw new Error(result.kind);
    await first.hold(result.record, { state: 'settling' }, ANSWER);
    await first.close();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const second = new Ledger({ store: openLmdbStore(folder), clock, owner: 'b' });
    const record = await second.get(keyOf('a'));
    expect(record).toEqual(expect.objectContaining({ state: 'settling', paymentIdHash: undefined }));
    expect(record && (await second.answer(record))).toEqual(ANSWER);
    await second.close();
  });

  it('gives each nonce to one of several processes', async () => {
    const children = [await worker('hold', folder, '500'), await worker('hold', folder, '500')];
    const lines = children.map(linesOf);
    for (const line of lines) expect(await line()).toBe('ready');
    for (const child of children) child.stdin.write('go\n');
    const won = await Promise.all(lines.map(async (line) => JSON.parse(await line()) as number[]));
    expect(won.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, i) => i));
  });
});

/** The connection has closed, and the ledger knows it. */
function delivered(paidServer: PaidServer): Promise<void> {
  return until(async () => expect((await paidServer.ledger.list({ limit: 1 }))[0]?.state).toBe('delivered'));
}

describe('a killed process', () => {
  const buyer = newAccount();

  /** The payment, the paid server that takes over its ledger, and what the reconciler of the new process found. */
  async function killAt(stage: string) {
    const facilitator = fakeFacilitator();
    const signed = await signAuthorization(buyer, sellerAt(), { value: '5000' });
    const child = await worker('stall', folder, stage, encodeHeader(v2Payload(sellerAt(), signed)));
    expect(await linesOf(child)()).toBe(stage);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    const paidServer = await startPaidServer({
      facilitator,
      payTo: sellerAt().payTo,
      store: openLmdbStore(folder),
    });
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, signed)) };
    const present = async () => {
      const response = await fetch(`${paidServer.url}/v1/perp/basis?ticker=BTC`, { headers });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    return { paidServer, facilitator, present };
  }

  it.each(['verify', 'produce'])('at %s has charged nothing: the payment buys afresh', async (stage) => {
    const { paidServer, facilitator, present } = await killAt(stage);
    expect(await paidServer.paywall.reconciler.recover()).toBe(0);
    expect(await paidServer.ledger.list({ limit: 1 })).toEqual([]);
    expect(await present()).toMatchObject({ status: 200, body: { product: 1 } });
    expect(facilitator.settled).toHaveLength(1);
    await paidServer.stop();
  });

  it('at settle leaves an unknown payment that is reconciled, and its stored answer is delivered once', async () => {
    const { paidServer, facilitator, present } = await killAt('settle');
    facilitator.settleWith = [
      { kind: 'unknown', reason: 'TimeoutError', pending: false, transaction: undefined },
    ];
    expect(await paidServer.paywall.reconciler.recover()).toBe(1);
    expect(await paidServer.ledger.list({ limit: 1 })).toMatchObject([
      { state: 'unknown', reason: 'worker_lost' },
    ]);
    expect(await present()).toMatchObject({ status: 503, body: { code: 'settlement_unknown' } });
    facilitator.settleWith = [{ kind: 'settled', transaction: TRANSACTION }];
    const answer = await until(async () => {
      const again = await present();
      expect(again.status).toBe(200);
      return again;
    }, 200);
    expect(answer.body).toEqual({ product: 'made before the crash' });
    await delivered(paidServer);
    expect(await present()).toMatchObject({ status: 402 });
    await paidServer.stop();
  });

  it('between settle and send leaves the stored answer, delivered once', async () => {
    const { paidServer, facilitator, present } = await killAt('send');
    expect(await paidServer.ledger.list({ limit: 1 })).toMatchObject([
      { state: 'settled', transaction: TRANSACTION },
    ]);
    expect(await present()).toMatchObject({ status: 200, body: { product: 'made before the crash' } });
    await delivered(paidServer);
    expect(await present()).toMatchObject({ status: 402, body: { error: 'authorization_used' } });
    expect(facilitator.settled).toHaveLength(0);
    await paidServer.stop();
  });
});

describe('the owner id of a process', () => {
  it('distinguishes a dead process from a living one, and never guesses', async () => {
    expect(isOwnerGone(createOwner())).toBe(false);
    const place = createOwner().split('/').slice(0, -2).join('/');
    const child = spawn(process.execPath, ['-e', '']);
    const { pid } = child;
    await new Promise((resolve) => child.once('exit', resolve));
    expect(isOwnerGone(`${place}/${pid}/abc`)).toBe(true);
    const [host = '', boot = '', ...namespace] = place.split('/');
    if (process.platform === 'linux') {
      expect(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).toContain(boot);
      expect(namespace).not.toEqual([]);
    }
    const elsewhere = (...names: string[]): string => [...names, ...namespace, pid, 'abc'].join('/');
    expect(isOwnerGone(elsewhere(host, boot))).toBe(true);
    expect(isOwnerGone(elsewhere('another-host', boot))).toBe(false);
    // A machine of the same name, or this one before it was started again.
    expect(isOwnerGone(elsewhere(host, 'another-start'))).toBe(false);
    expect(isOwnerGone(`${place}/not-a-number/abc`)).toBe(false);
  });
});
