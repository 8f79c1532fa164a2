import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { dayNumber, leafHash } from '../../src/pay/sale-log.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { type FakeClock, fakeClock } from './fakes.ts';
import { ANSWER, claimOf } from './ledger-claims.ts';
import { isMissing, ledgerStores } from './ledger-stores.ts';

const RECEIPTS = { official: 'o', answer: 'r' };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stores = ledgerStores(() => folder).filter(([name]) => name !== 'memory');

describe.each(stores)('a payment that is stored settled, in %s', (name, openStore) => {
  const it = test.skipIf(isMissing(name));
  let clock: FakeClock;
  let ledger: Ledger;
  beforeEach(async () => {
    if (isMissing(name)) return;
    clock = fakeClock();
    ledger = new Ledger({ store: await openStore(), clock, owner: 'me' });
  });
  afterEach(() => (isMissing(name) ? undefined : ledger.close()));

  const settledAt = (at = clock.now()) => ({ state: 'settled', settledAt: at, facilitator: 'f' }) as const;
  async function claimed(key: string, paymentIdHash?: string): Promise<PaymentRecord> {
    const result = await ledger.claim({ ...claimOf(key), paymentIdHash });
    if (result.kind !== 'claimed') throw new Error(result.kind);
    return result.record;
  }

  it('its receipts: stored with it, and a leaf of their day', async () => {
    const stored = await ledger.hold(await claimed('a'), settledAt(), ANSWER, { receipts: RECEIPTS });
    if (stored === undefined || stored === 'full') throw new Error('not stored');
    expect(await ledger.get(stored.key)).toEqual(stored);
    expect(await ledger.receipts(stored)).toEqual(RECEIPTS);
    expect(await ledger.answer(stored)).toMatchObject({ status: ANSWER.status });
    const leaves = await ledger.saleLog?.leavesOf(dayNumber(clock.now()));
    expect(leaves?.hashes).toEqual(leafHash(Buffer.from(RECEIPTS.answer)));
  });

  it.each([
    ['has arrived', (sold: PaymentRecord) => ledger.arrived(sold)],
    ['is let go', (sold: PaymentRecord) => ledger.change(sold, { dueAt: undefined }, { drop: true })],
  ])('its answer %s: its receipts are kept', async (_, end) => {
    const sold = await ledger.hold(await claimed('a'), settledAt(), ANSWER, { receipts: RECEIPTS });
    if (sold === undefined || sold === 'full') throw new Error('not stored');
    expect(await end(sold)).toBeTruthy();
    const after = await ledger.get(sold.key);
    if (after === undefined) throw new Error('gone');
    expect(await ledger.answer(after)).toBeUndefined();
    expect(await ledger.receipts(after)).toEqual(RECEIPTS);
  });

  it('a kept answer has arrived: read so, and its time stays', async () => {
    const sold = await ledger.hold(await claimed('a'), settledAt(), ANSWER);
    if (sold === undefined || sold === 'full') throw new Error('not stored');
    const deliveredAt = clock.now();
    const kept = await ledger.kept(sold, { deliveredAt });
    expect(kept).toEqual({ ...sold, deliveredAt });
    expect(await ledger.get(sold.key)).toEqual(kept);
    expect(await ledger.list({ limit: 1 })).toEqual([kept]);
    clock.advance(1_000);
    const leaseUntil = asMs(clock.now() + 1_000);
    const handedOut = await ledger.change(kept ?? sold, { leaseUntil });
    expect(await ledger.get(sold.key)).toMatchObject({ state: 'settled', deliveredAt, leaseUntil });
    expect(await ledger.kept(sold, { deliveredAt: clock.now() })).toBeUndefined();
    expect(await ledger.answer(handedOut ?? sold)).toMatchObject({ status: ANSWER.status });
    expect(await ledger.arrived(handedOut ?? sold)).toBe(true);
    expect(await ledger.get(sold.key)).toMatchObject({
      state: 'delivered',
      deliveredAt,
      answerId: undefined,
    });
  });

  it('the day of its receipts is closed: stored without them, or not', async () => {
    const id = 'ab'.repeat(32);
    const claim = await claimed('a', id);
    await ledger.saleLog?.close(dayNumber(clock.now()));
    expect(await ledger.hold(claim, settledAt(), ANSWER, { receipts: RECEIPTS })).toBeUndefined();
    expect(await ledger.isUnchanged(claim)).toBe(true);
    const tomorrow = settledAt(asMs(clock.now() + DAY_MS));
    const stored = await ledger.hold(claim, tomorrow, ANSWER, { receipts: RECEIPTS });
    expect(stored).toMatchObject({ state: 'settled', paymentIdHash: id });
    expect(await ledger.purchase(id)).toMatchObject({ key: claim.key });
    const second = await ledger.hold(await claimed('b'), settledAt(), ANSWER);
    expect(second).toMatchObject({ state: 'settled' });
    expect(await ledger.saleLog?.leavesOf(dayNumber(clock.now()))).toEqual({ hashes: Buffer.alloc(0) });
  });
});
