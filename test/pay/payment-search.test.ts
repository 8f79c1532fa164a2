import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { newestFirst } from '../../src/pay/newest-first.ts';
import { type PaymentFilter, placeIn, placeText, searchPayments } from '../../src/pay/payment-search.ts';
import { type FakeClock, fakeClock } from './fakes.ts';
import { ANSWER, claimOf, SETTLING } from './ledger-claims.ts';
import { isMissing, ledgerStores } from './ledger-stores.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MANY = 1_000;

describe.each(ledgerStores(() => folder))('a search of payments in %s', (name, openStore) => {
  const it = test.skipIf(isMissing(name));
  let clock: FakeClock;
  let ledger: Ledger;
  beforeEach(async () => {
    if (isMissing(name)) return;
    clock = fakeClock();
    ledger = new Ledger({ store: await openStore(), clock, owner: 'me' });
  });
  afterEach(() => (isMissing(name) ? undefined : ledger.close()));

  async function stored(nonce: string, change: Parameters<Ledger['change']>[1] = {}, routeId = 'perp-basis') {
    const claim = await ledger.claim({ ...claimOf(nonce), routeId });
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    const record = await ledger.hold(claim.record, SETTLING, ANSWER);
    if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
    return (await ledger.change(record, change)) ?? record;
  }

  const found = async (filter: PaymentFilter): Promise<readonly string[]> => {
    const { payments } = await searchPayments(ledger, { filter, limit: 50, maxLooked: MANY });
    return payments.map(({ nonce }) => Buffer.from(nonce.slice(2), 'hex').toString().replaceAll('\0', ''));
  };

  it('each field: found by it alone, in either case', async () => {
    await stored('paid', { state: 'settled', transaction: '0xABCD', proof: 'rpc' });
    clock.advance(1000);
    const between = asMs(clock.now());
    await stored('poor', { state: 'refused', reason: 'insufficient_funds' }, 'perp-carry');
    expect(await found({})).toEqual(['poor', 'paid']);
    expect(await found({ transaction: '0xabc' })).toEqual(['paid']);
    expect(await found({ text: 'ABCD' })).toEqual(['paid']);
    expect(await found({ text: 'insufficient' })).toEqual(['poor']);
    expect(await found({ reason: 'FUNDS', state: 'refused' })).toEqual(['poor']);
    expect(await found({ state: 'settled' })).toEqual(['paid']);
    expect(await found({ route: 'perp-carry' })).toEqual(['poor']);
    expect(await found({ route: 'perp' })).toEqual([]);
    expect(await found({ scheme: 'exact' })).toEqual(['poor', 'paid']);
    expect(
      await found({ payer: `0x${'11'.repeat(20)}`, nonce: Buffer.from('paid').toString('hex') }),
    ).toEqual(['paid']);
    expect(await found({ since: between })).toEqual(['poor']);
    expect(await found({ until: between })).toEqual(['paid']);
    expect(await found({ reason: 'funds', state: 'settled' })).toEqual([]);
  });

  it('page by page, many in one millisecond: each once, in order', async () => {
    for (let i = 0; i < 23; i++) {
      await stored(`n${i}`, i % 2 === 0 ? { state: 'settled' } : {});
      if (i % 7 === 0) clock.advance(1);
    }
    const all: string[] = [];
    for await (const { key } of newestFirst(ledger)) all.push(key);
    for (const limit of [1, 4, 23]) {
      const read: string[] = [];
      let after: ReturnType<typeof placeIn>;
      let pages = 0;
      do {
        const page = await searchPayments(ledger, { filter: {}, after, limit, maxLooked: MANY });
        expect(page.isCut).toBe(false);
        read.push(...page.payments.map(({ key }) => key));
        after = page.next && placeIn(placeText(page.next));
        pages += 1;
      } while (after !== undefined);
      expect(read).toEqual(all);
      expect(pages).toBe(Math.ceil(23 / limit));
    }
  });

  it('a bound on what is looked at: cut, said, and continued', async () => {
    await stored('old', { reason: 'timeout' });
    for (let i = 0; i < 9; i++) {
      clock.advance(1);
      await stored(`n${i}`);
    }
    const filter = { reason: 'timeout' };
    const first = await searchPayments(ledger, { filter, limit: 5, maxLooked: 6 });
    expect(first).toMatchObject({ payments: [], looked: 6, isCut: true });
    const second = await searchPayments(ledger, { filter, after: first.next, limit: 5, maxLooked: 6 });
    expect(second).toMatchObject({ looked: 4, next: undefined, isCut: false });
    expect(second.payments.map(({ reason }) => reason)).toEqual(['timeout']);
  });

  it('a search of many pages: the event loop turns meanwhile', async () => {
    // All at once would wait for a busy server longer than it lets a statement wait.
    for (let from = 0; from < 520; from += 20)
      await Promise.all(Array.from({ length: 20 }, (_, i) => stored(`n${from + i}`)));
    let isTurned = false;
    setImmediate(() => {
      isTurned = true;
    });
    const { looked } = await searchPayments(ledger, { filter: { text: 'none' }, limit: 5, maxLooked: MANY });
    expect([looked, isTurned]).toEqual([520, true]);
  });
});

test('a word that is no place: undefined', () => {
  expect(['', '1', '1-xyz', `x-${'0'.repeat(40)}`].map(placeIn)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
