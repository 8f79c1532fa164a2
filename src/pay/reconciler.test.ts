import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { claimOf } from '../../test/pay/ledger-claims.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { createOwner } from '../storage/process-owner.ts';
import { createReconciler } from './reconciler.ts';
import type { PaymentRecord, PaymentState } from './record.ts';
import { claimedRecord, transition } from './transition.ts';

const NOW = asMs(1_700_000_000_000);
/** A process that has ended. */
const GONE = createOwner().replace(`/${process.pid}/`, `/${spawnSync('true').pid}/`);

/** A reconciler over some records, and what it does with them; a payment that it runs an event on is no longer due. */
function reconcilerOf(records: readonly PaymentRecord[], run: (record: PaymentRecord) => void = () => {}) {
  const taken: string[] = [];
  const kept = new Map(records.map((record) => [record.key, record]));
  const closing = new AbortController();
  const reconciler = createReconciler(
    {
      clock: { now: () => NOW },
      ledger: {
        due: (by: UnixMs, limit: number, states: ReadonlySet<PaymentState>) =>
          [...kept.values()]
            .filter(({ dueAt, state }) => (dueAt ?? Number.POSITIVE_INFINITY) <= by && states.has(state))
            .slice(0, limit),
        get: (key: string) => kept.get(key),
      } as never,
      closing: closing.signal,
    },
    {
      run: async (record: PaymentRecord, { kind }: { kind: string }) => {
        taken.push(kind);
        kept.set(record.key, { ...record, dueAt: undefined });
        run(record);
      },
    } as never,
  );
  return { reconciler, taken, closing };
}

const record = (name: string, owner: string, change: Partial<PaymentRecord>): PaymentRecord => ({
  ...claimedRecord(claimOf(name), { now: NOW, owner }),
  leaseUntil: asMs(NOW + 30_000),
  dueAt: asMs(NOW + 60_000),
  ...change,
});

const many = (count: number, change: Partial<PaymentRecord>): readonly PaymentRecord[] =>
  Array.from({ length: count }, (_, i) => record(`${change.state}${i}`, createOwner(), change));

const EXPIRED = { state: 'delivered', leaseUntil: undefined, dueAt: NOW, answerUntil: NOW } as const;
const UNKNOWN = { state: 'unknown', leaseUntil: undefined, dueAt: asMs(NOW - 1) } as const;

it('a recovery: takes up payments of a dead process only', async () => {
  const { reconciler, taken } = reconcilerOf([
    record('settling', GONE, { state: 'settling' }),
    record('examined', GONE, { state: 'unknown' }),
    record('watched', GONE, { state: 'refused' }),
    record('settled', GONE, { state: 'settled' }),
    record('mine', createOwner(), { state: 'unknown' }),
  ]);
  await reconciler.recover();
  expect(taken).toEqual(['taken_up', 'taken_up']);
});

describe('a run', () => {
  it('due answers: all are deleted before open payments are looked at', async () => {
    const { reconciler, taken } = reconcilerOf([...many(3, UNKNOWN), ...many(450, EXPIRED)]);
    expect(await reconciler.run()).toBe(453);
    expect(taken.slice(0, 450)).toEqual(Array(450).fill('answer_expired'));
    expect(taken.slice(450)).toEqual(Array(3).fill('taken_up'));
  });

  it('an answer that cannot be deleted: open payments are looked at first', async () => {
    const { reconciler, taken } = reconcilerOf([...many(450, EXPIRED), ...many(2, UNKNOWN)], ({ key }) => {
      if (key === failing) throw new Error('not written');
    });
    const failing = record('delivered7', createOwner(), EXPIRED).key;
    await expect(reconciler.run()).rejects.toThrow('could not be reconciled');
    expect(taken.filter((kind) => kind === 'answer_expired')).toHaveLength(450);
    expect(taken.filter((kind) => kind === 'taken_up')).toHaveLength(2);
  });

  it('ends where all answers that are due are on their way to their buyers', async () => {
    const onTheirWay = { state: 'settled', leaseUntil: asMs(NOW + 1), dueAt: NOW } as const;
    const { reconciler, taken } = reconcilerOf(many(200, onTheirWay));
    expect(await reconciler.run()).toBe(200);
    expect(taken).toEqual([]);
  });

  it('ends with the ten that it looks at when the paywall closes', async () => {
    const { reconciler, taken, closing } = reconcilerOf(many(40, UNKNOWN), () => closing.abort());
    expect(await reconciler.run()).toBe(10);
    expect(taken).toHaveLength(10);
  });
});

it('an arrived answer that can be asked for again: expires, not before', () => {
  const settled = record('settled', createOwner(), { state: 'settled', answerUntil: asMs(NOW + 600_000) });
  const step = transition(settled, { kind: 'arrived_with_id' }, { now: NOW, owner: 'me' });
  expect(step?.change).toMatchObject({ state: 'delivered', dueAt: settled.answerUntil });
});
