import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { OPEN_STATES, PAID_STATES, PAYMENT_STATES, type PaymentRecord } from '../../src/pay/record.ts';
import { type FakeClock, fakeClock } from './fakes.ts';
import { ANSWER, claimOf, KB, keyOf, large, SETTLING } from './ledger-claims.ts';
import { isMissing, ledgerStores } from './ledger-stores.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ALL = new Set(PAYMENT_STATES);
const stores = ledgerStores(() => folder);

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

  it('a released payment: distinguished from the next claim', async () => {
    const first = claimOf('again');
    const before = await held('again');
    expect(await ledger.release(before)).toBe(true);
    clock.advance(5_000);
    // The very same authorization: a payment is read once, however often it is presented.
    const second = { ...first, routeId: 'perp-carry', resource: '/v1/perp/carry', resourceHash: 's' };
    const after = await ledger.claim({ ...second, signed: before.signed });
    if (after.kind !== 'claimed') throw new Error(after.kind);
    await ledger.hold(after.record, SETTLING, ANSWER);
    const read = await ledger.get(first.key);
    expect(read).toMatchObject({
      routeId: 'perp-carry',
      resource: '/v1/perp/carry',
      resourceHash: 's',
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

  it('a nonce claimed at once: locked for one, with one answer', async () => {
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
    expect(await ledger.due(asMs(clock.now() + 1_000_000), 10, ALL)).toEqual([]);
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
      const a = await claimed('a');
      const b = await claimed('b');
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
      state: 'delivered',
      deliveredAt: clock.now(),
      dueAt: undefined,
      answerId: undefined,
      storedBytes: 0,
    };
    expect(await ledger.get(keyOf('a'))).toEqual(delivered);
    expect(await ledger.list({ limit: 1 })).toEqual([delivered]);
    expect(await ledger.due(asMs(clock.now() + 1_000_000), 10, ALL)).toEqual([]);
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
    expect(await ledger.due(clock.now(), 10, ALL)).toEqual([]);
    clock.advance(119_000);
    expect((await ledger.due(clock.now(), 10, ALL)).map(({ key }) => key)).toEqual([keyOf('a')]);
    await ledger.change(first, { dueAt: asMs(clock.now() + 60_000) });
    clock.advance(1_000);
    expect((await ledger.due(clock.now(), 10, ALL)).map(({ key }) => key)).toEqual([keyOf('b')]);
    const keysDue = async (states: typeof OPEN_STATES, limit = 10) =>
      (await ledger.due(asMs(clock.now() + 60_000), limit, states)).map(({ key }) => key);
    const b = await ledger.get(keyOf('b'));
    await ledger.change(b ?? first, { state: 'settled', settledAt: clock.now() });
    expect(await keysDue(OPEN_STATES)).toEqual([keyOf('a')]);
    // The earlier one counts for no limit.
    expect(await keysDue(OPEN_STATES, 1)).toEqual([keyOf('a')]);
    expect(await keysDue(PAID_STATES)).toEqual([keyOf('b')]);
    await ledger.change((await ledger.get(keyOf('a'))) ?? first, { dueAt: undefined }, { drop: true });
    clock.advance(1_000_000);
    expect((await ledger.due(clock.now(), Number.MAX_SAFE_INTEGER, ALL)).map(({ key }) => key)).toEqual([
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
    expect(held.filter((answer) => answer !== undefined)).toHaveLength(1);
    for (const ledger of ledgers) expect(await ledger.get(keyOf('x'))).toMatchObject({ state: 'settling' });
    await store.close();
  });

  it.each(there)('in %s do not release what the other holds', async (_, openStore) => {
    const store = await openStore();
    const a = open(store, 'a');
    const b = open(store, 'b');
    const mine = await a.claim(claimOf('x'));
    const theirs = await b.claim(claimOf('x'));
    if (mine.kind !== 'claimed' || theirs.kind !== 'claimed') throw new Error('both may claim');
    await b.hold(theirs.record, SETTLING, ANSWER);
    expect(await a.release(mine.record)).toBe(false);
    expect(await a.get(keyOf('x'))).toMatchObject({ state: 'settling', owner: 'b' });
    await store.close();
  });
});
