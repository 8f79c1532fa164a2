import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { until } from '../until.ts';
import { claimOf } from './ledger-claims.ts';
import { isMissing, ledgerStores } from './ledger-stores.ts';

const ANSWER = { status: 200, headers: {}, body: Buffer.from('{}') };
const SETTLING = { state: 'settling', facilitator: 'f' } as const;

const parent = mkdtempSync(join(tmpdir(), 'accounts-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
const folderOf = (): string => mkdtempSync(join(parent, 'ledger-'));

describe.each(ledgerStores(folderOf))('accounts beside payments (%s)', (name, open) => {
  const it = test.skipIf(isMissing(name));
  let store: LedgerStore;
  let ledger: Ledger;
  beforeEach(async () => {
    if (isMissing(name)) return;
    store = await open();
    ledger = new Ledger({ store, clock: systemClock, owner: 'test' });
  });
  afterEach(() => (isMissing(name) ? undefined : store.close()));

  const claimed = async (name: string): Promise<PaymentRecord> => {
    const claim = await ledger.claim(claimOf(name));
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    return claim.record;
  };
  const held = async (name: string, version: number, row: string) =>
    ledger.hold(await claimed(name), SETTLING, ANSWER, { account: { id: 'a', version, row } });
  const read = () => ledger.accounts?.read('a');

  it('a change with a payment: both are stored, or neither is', async () => {
    expect(await read()).toBeUndefined();
    const first = await held('1', 0, 'one');
    expect(first).toMatchObject({ state: 'settling' });
    expect(await read()).toEqual({ id: 'a', version: 1, row: 'one' });
    const second = await claimed('2');
    const late = { account: { id: 'a', version: 0, row: 'late' } };
    expect(await ledger.hold(second, SETTLING, ANSWER, late)).toBeUndefined();
    expect(await read()).toMatchObject({ version: 1, row: 'one' });
    const current = { account: { id: 'a', version: 1, row: 'two' } };
    expect(await ledger.hold(second, SETTLING, ANSWER, current)).toMatchObject({ state: 'settling' });
    expect(await read()).toEqual({ id: 'a', version: 2, row: 'two' });
  });

  it('an account that has gone on: the nonce is locked until it is given up', async () => {
    await held('1', 0, 'one');
    const claim = await claimed('2');
    const late = { account: { id: 'a', version: 0, row: 'late' } };
    expect(await ledger.hold(claim, SETTLING, ANSWER, late)).toBeUndefined();
    expect(await ledger.isUnchanged(claim)).toBe(true);
    expect(ledger.unlock(claim)).toBe(true);
    expect(await ledger.isUnchanged(claim)).toBe(false);
    expect(await ledger.get(claim.key)).toBeUndefined();
    // Nothing is set aside any more; the store may count its pages between the two.
    await until(() => expect(ledger.answerBytes - store.answerBytes()).toBe(0));
  });

  it('two payments on one version at once: one of them is stored', async () => {
    const both = await Promise.all([held('1', 0, 'one'), held('2', 0, 'two')]);
    expect(both.filter((stored) => stored !== undefined)).toHaveLength(1);
    expect(await read()).toMatchObject({ version: 1 });
    expect(await ledger.list({ limit: 9 })).toHaveLength(1);
  });

  it('a nonce that is taken: its account stays as it was', async () => {
    const claim = await claimed('1');
    expect(await held('2', 0, 'one')).toBeDefined();
    const other = new Ledger({ store, clock: systemClock, owner: 'other' });
    const again = await other.claim(claimOf('1'));
    if (again.kind !== 'claimed') throw new Error(again.kind);
    expect(await other.hold(again.record, SETTLING, ANSWER)).toBeDefined();
    const account = { id: 'a', version: 1, row: 'two' };
    expect(await ledger.hold(claim, SETTLING, ANSWER, { account })).toBeUndefined();
    expect(await read()).toMatchObject({ version: 1, row: 'one' });
  });

  it('a payment that is changed or removed: the account with it', async () => {
    const record = await held('1', 0, 'one');
    if (record === undefined || record === 'full') throw new Error('not held');
    const settled = { state: 'settled', settledAt: systemClock.now(), leaseUntil: undefined } as const;
    const late = { id: 'a', version: 7, row: 'late' };
    expect(await ledger.change(record, settled, { account: late })).toBeUndefined();
    expect(await ledger.release(record, late)).toBe(false);
    expect(await ledger.get(record.key)).toMatchObject({ state: 'settling' });
    const next = await ledger.change(record, settled, { account: { id: 'a', version: 1, row: 'two' } });
    expect(next).toMatchObject({ state: 'settled' });
    expect(await read()).toMatchObject({ version: 2, row: 'two' });
    const other = await held('2', 2, 'three');
    if (other === undefined || other === 'full') throw new Error('not held');
    expect(await ledger.release(other, { id: 'a', version: 3, row: 'two' })).toBe(true);
    expect(await ledger.get(other.key)).toBeUndefined();
    expect(await read()).toMatchObject({ version: 4, row: 'two' });
  });

  it('written alone, and listed by id', async () => {
    for (const id of ['b', 'a', 'c']) {
      expect(await ledger.accounts?.write({ id, version: 0, row: id.toUpperCase() })).toBe(true);
    }
    expect(await ledger.accounts?.write({ id: 'b', version: 0, row: 'late' })).toBe(false);
    const first = await ledger.accounts?.list({ limit: 2 });
    expect(first?.map(({ row }) => row)).toEqual(['A', 'B']);
    expect(await ledger.accounts?.list({ after: 'b', limit: 2 })).toEqual([
      { id: 'c', version: 1, row: 'C' },
    ]);
  });
});

describe('accounts in a folder', () => {
  it('opened again: as they were', async () => {
    const folder = folderOf();
    const first = openLmdbStore(folder, { formats: FORMATS });
    await first.accounts?.write({ id: 'a', version: 0, row: 'grün' });
    await first.flushed();
    await first.close();
    const second = openLmdbStore(folder, { formats: FORMATS });
    expect(await second.accounts?.read('a')).toEqual({ id: 'a', version: 1, row: 'grün' });
    await second.close();
  });
});

it('an account that another process has changed: read as it is now', async () => {
  const folder = folderOf();
  const reader = openLmdbStore(folder, { formats: FORMATS });
  const writer = openLmdbStore(folder, { formats: FORMATS });
  const changes = 200;
  const seen: (number | undefined)[] = [];
  for (let version = 0; version < changes; version++) {
    const writing = writer.accounts?.write({ id: 'a', version, row: String(version) });
    // The reader has a snapshot open when the change is committed.
    await reader.accounts?.read('a');
    await writing;
    seen.push((await reader.accounts?.read('a'))?.version);
  }
  await Promise.all([reader.close(), writer.close()]);
  expect(seen).toEqual(Array.from({ length: changes }, (_, version) => version + 1));
});
