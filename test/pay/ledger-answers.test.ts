import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { until } from '../until.ts';
import { type FakeClock, fakeClock } from './fakes.ts';
import { ANSWER, claimOf, KB, large, SETTLING } from './ledger-claims.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('one answer sold to several payments', () => {
  const MINUTE = 60_000;
  const open = (clock: FakeClock, owner: string) => {
    const store = openLmdbStore(folder, { formats: FORMATS, clock });
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

  it('is let go once by a payment whose answer arrived twice', async () => {
    const clock = fakeClock();
    const { ledger } = open(clock, 'a');
    const held = await Promise.all(['a', 'b'].map((name) => hold(ledger, name)));
    const [first, second] = await Promise.all(
      held.map((record) => ledger.change(record, { state: 'settled', settledAt: clock.now() })),
    );
    if (first === undefined || second === undefined) throw new Error('not settled');
    expect(await ledger.arrived(first)).toBe(true);
    expect(await ledger.arrived(first)).toBe(false);
    expect(await ledger.answer(second)).toEqual(ANSWER);
    expect(await ledger.arrived(second)).toBe(true);
    expect(await ledger.answer(second)).toBeUndefined();
    await ledger.close();
  });

  it('is released by a payment that lost a race with another process', async () => {
    const clock = fakeClock();
    const a = open(clock, 'a');
    const b = open(clock, 'b');
    const held = await Promise.all(
      [a.ledger, b.ledger].map((ledger) => hold(ledger, 'x', large(60 * KB)).catch(() => undefined)),
    );
    const winners = held.filter((answer) => answer !== undefined);
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    if (winner === undefined) throw new Error('nothing held');
    await drop(held[0] === undefined ? b.ledger : a.ledger, winner);
    await until(() => expect(a.store.answerBytes()).toBe(0));
    await Promise.all([a.ledger.close(), b.ledger.close()]);
  });

  it('its process killed: swept, but not while referenced', async () => {
    const clock = fakeClock();
    const killed = open(clock, 'killed');
    const both = large(60 * KB);
    const alone = large(20 * KB);
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

  it('old: left to the sweep, its process counts no longer', async () => {
    const clock = fakeClock();
    const { ledger } = open(clock, 'a');
    const record = await hold(ledger, 'a');
    clock.advance(15 * MINUTE + 1);
    expect(await ledger.sweep()).toBe(0);
    await drop(ledger, record);
    expect(await ledger.answer(record)).toEqual(ANSWER);
    expect(await ledger.sweep()).toBe(1);
    expect(await ledger.answer(record)).toBeUndefined();
    const young = await hold(ledger, 'b');
    expect(await ledger.sweep()).toBe(0);
    await drop(ledger, young);
    expect(await ledger.answer(young)).toBeUndefined();
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
