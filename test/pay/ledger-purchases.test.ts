import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { fakeClock } from './fakes.ts';
import { ANSWER, claimOf, keyOf, SETTLING } from './ledger-claims.ts';
import { isMissing, ledgerStores } from './ledger-stores.ts';

const clock = fakeClock();
const hashOf = (name: string): string => Buffer.from(name.padEnd(32, '.')).toString('hex');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'purchases-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(ledgerStores(() => folder))('in %s', (name, openStore) => {
  const it = test.skipIf(isMissing(name));
  let ledger: Ledger;
  beforeEach(async () => {
    if (!isMissing(name)) ledger = new Ledger({ store: await openStore(), clock, owner: 'me' });
  });
  afterEach(() => (isMissing(name) ? undefined : ledger.close()));

  describe('a payment identifier', () => {
    const ID = 'ab'.repeat(32);
    const claimedUnder = async (key: string): Promise<PaymentRecord> => {
      const result = await ledger.claim({ ...claimOf(key), paymentIdHash: ID });
      if (result.kind !== 'claimed') throw new Error(result.kind);
      return result.record;
    };
    const heldUnder = async (key: string): Promise<PaymentRecord> => {
      const record = await ledger.hold(await claimedUnder(key), SETTLING, ANSWER);
      if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
      return record;
    };
    const keyUnder = async (): Promise<string | undefined> => (await ledger.purchase(ID))?.key;

    it('claimed with one payment: taken for any other, until that is let go', async () => {
      const first = await claimedUnder('first');
      expect(await ledger.claim({ ...claimOf('second'), paymentIdHash: ID })).toMatchObject({
        kind: 'taken',
        record: { key: first.key },
      });
      expect(await keyUnder()).toBe(first.key);
      await ledger.release(first);
      expect(await keyUnder()).toBeUndefined();
      await heldUnder('second');
      expect(await keyUnder()).toBe(keyOf('second'));
    });

    it('held with one payment: no other is held, whoever has claimed it', async () => {
      await heldUnder('first');
      expect(await ledger.hold(await claimedUnder('second'), SETTLING, ANSWER)).toBeUndefined();
      expect(await ledger.get(keyOf('second'))).toBeUndefined();
      expect(await keyUnder()).toBe(keyOf('first'));
    });

    it('of a payment that is released: free at once', async () => {
      await ledger.release(await heldUnder('first'));
      expect(await keyUnder()).toBeUndefined();
      await heldUnder('second');
      expect(await keyUnder()).toBe(keyOf('second'));
    });

    it('of a refused payment: taken over by the next, once', async () => {
      await ledger.change(await heldUnder('first'), { state: 'refused', dueAt: undefined }, { drop: true });
      await heldUnder('second');
      expect(await ledger.hold(await claimedUnder('third'), SETTLING, ANSWER)).toBeUndefined();
      expect(await keyUnder()).toBe(keyOf('second'));
    });

    it('of a paid one: free a day later', async () => {
      const paid = { state: 'settled', settledAt: clock.now(), transaction: '0x' } as const;
      await ledger.change(await heldUnder('first'), paid);
      clock.advance(DAY_MS - 1);
      expect(await ledger.hold(await claimedUnder('second'), SETTLING, ANSWER)).toBeUndefined();
      await ledger.sweep();
      expect(await keyUnder()).toBe(keyOf('first'));
      clock.advance(1);
      await heldUnder('third');
      expect(await keyUnder()).toBe(keyOf('third'));
    });
  });
});

describe('identifiers that stand for nothing any more', () => {
  let store: LedgerStore;
  let ledger: Ledger;
  beforeEach(() => {
    store = openLmdbStore(folder, { formats: FORMATS, clock });
    ledger = new Ledger({ store, clock, owner: 'me' });
  });
  afterEach(() => ledger.close());

  async function held(name: string): Promise<PaymentRecord> {
    const claim = await ledger.claim({ ...claimOf(name), paymentIdHash: hashOf(name) });
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    const record = await ledger.hold(claim.record, SETTLING, ANSWER);
    if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
    return record;
  }

  it('are let go of by sweeps, and all others stay', async () => {
    const refused = await held('refused');
    const watched = await held('watched');
    const paid = await held('paid');
    const unproven = await held('unproven');
    await held('open');
    const now = clock.now();
    await ledger.change(refused, { state: 'refused', dueAt: undefined, closedAt: now }, { drop: true });
    await ledger.change(watched, { state: 'refused', closedAt: now });
    await ledger.change(paid, { state: 'settled', settledAt: now });
    await ledger.change(unproven, { state: 'unknown', closedAt: now });
    const left = async (): Promise<readonly string[]> => {
      const names = ['refused', 'watched', 'paid', 'unproven', 'open'];
      const found = await Promise.all(names.map((name) => store.readPurchase(hashOf(name))));
      return names.filter((_, i) => found[i] !== undefined);
    };
    await ledger.sweep();
    expect(await left()).toEqual(['watched', 'paid', 'unproven', 'open']);
    clock.advance(DAY_MS);
    await ledger.sweep();
    expect(await left()).toEqual(['watched', 'open']);
  });
});
