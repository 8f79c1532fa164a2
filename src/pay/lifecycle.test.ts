import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimOf } from '../../test/pay/ledger-claims.ts';
import { asMs } from '../domain/units.ts';
import {
  type EventKind,
  LIFECYCLE,
  type LifecycleEvent,
  type Stage,
  stageOf,
  type TransitionRule,
  transitionRule,
} from './lifecycle.ts';
import { PAYMENT_STATES, type PaymentRecord } from './record.ts';
import { claimedRecord, transition } from './transition.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const START = { now: asMs(1_700_000_000_000), owner: 'me' };
const ANSWER = { status: 200, headers: {}, body: Buffer.from('{}') };
const transaction = '0xcd';
const reason = 'because';

/** One of each kind. */
const EVENTS: readonly LifecycleEvent[] = [
  { kind: 'prepared', facilitator: 'f', answer: ANSWER },
  { kind: 'sold', facilitator: 'f', answer: ANSWER, transaction, proof: 'rpc' },
  { kind: 'passed_on', facilitator: 'g' },
  { kind: 'settled', transaction, proof: 'rpc' },
  ...(['refused', 'ruled_out', 'unclear'] as const).map((kind) => ({ kind, reason, transaction })),
  ...(['abandoned', 'taken_up', 'given_up', 'handed_out', 'arrived', 'arrived_with_id'] as const).map(
    (kind) => ({
      kind,
    }),
  ),
  ...(['kept', 'lost', 'wrong_id', 'put_off', 'answer_expired'] as const).map((kind) => ({ kind })),
];

/** All cells of the table. */
const CELLS = (Object.entries(LIFECYCLE) as [Stage, Partial<Record<EventKind, TransitionRule>>][]).flatMap(
  ([from, cells]) =>
    (Object.entries(cells) as [EventKind, TransitionRule][]).map(([event, cell]) => ({
      from,
      event,
      ...cell,
    })),
);

/** The ledger's record after an event; undefined where it cannot happen. */
function after(record: PaymentRecord, event: LifecycleEvent, now: number) {
  const step = transition(record, event, { ...START, now: asMs(now) });
  if (step === undefined) return undefined;
  const answer = step.store.includes('hold_answer') ? { answerId: 'a', storedBytes: 9 } : {};
  const dropped = step.store.includes('drop_answer') ? { answerId: undefined, storedBytes: 0 } : {};
  return { step, next: { ...record, ...step.change, ...answer, ...dropped, version: record.version + 1 } };
}

/** A payment, and the transitions it went through. */
interface Life {
  readonly record: PaymentRecord;
  /** As it was after each of them, the first as it was claimed. */
  readonly records: readonly PaymentRecord[];
  readonly path: readonly {
    readonly from: Stage;
    readonly event: EventKind;
    readonly cell: TransitionRule;
  }[];
}

const claimed = claimedRecord(claimOf('a'), START);

function live(events: readonly LifecycleEvent[], now: number): Life {
  let life: Life = { record: claimed, records: [claimed], path: [] };
  for (const event of events) {
    const done = after(life.record, event, now);
    if (done === undefined) continue;
    const step = { from: stageOf(life.record), event: event.kind, cell: done.step };
    life = { ...life, record: done.next, path: [...life.path, step] };
    if (done.step.to === 'none') break;
    life = { ...life, records: [...life.records, done.next] };
  }
  return life;
}

/** Lives that reach far: an event that cannot happen is passed over. */
const lives = fc
  .tuple(
    fc.array(fc.constantFrom(...EVENTS), { minLength: 1, maxLength: 40 }),
    fc.integer({ min: START.now, max: START.now + 1_000_000 }),
  )
  .map(([events, now]) => live(events, now));

describe('the life of a payment', () => {
  it('begins with the claim of its nonce', () => {
    expect(stageOf(undefined)).toBe('none');
    expect(stageOf(claimed)).toBe(transitionRule('none', 'claim')?.to);
  });

  it('every pair of stage and event: defined or refused as in the table', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(lives, fc.nat(100), ({ records }, nth) => {
        const record = records[nth % records.length] ?? claimed;
        const from = stageOf(record);
        for (const event of EVENTS) {
          const cell = transitionRule(from, event.kind);
          const done = after(record, event, START.now + 5_000);
          expect(done === undefined).toBe(cell === undefined);
          if (done === undefined || cell === undefined) continue;
          if (cell.to !== 'none') expect(stageOf(done.next)).toBe(cell.to);
          seen.add(`${from} ${event.kind}`);
        }
      }),
      { numRuns: 2_000 },
    );
    const all = CELLS.filter(({ from }) => from !== 'none').map(({ from, event }) => `${from} ${event}`);
    expect([...seen].sort()).toEqual(all.sort());
  });

  it('a settlement: only once; afterwards nobody is asked for money', () => {
    fc.assert(
      fc.property(lives, ({ record, path }) => {
        const at = path.findIndex(({ cell, from }) => cell.to === 'settled' && from !== 'settled');
        if (at < 0) return;
        const later = path.slice(at + 1);
        expect(later.filter(({ event }) => event === 'settled' || event === 'sold')).toEqual([]);
        expect(later.filter(({ cell }) => cell.action === 'settle' || cell.action === 'examine')).toEqual([]);
        expect(later.every(({ cell }) => cell.to === 'settled' || cell.to === 'delivered')).toBe(true);
        expect(record).toMatchObject({ transaction, proof: 'rpc', closedAt: undefined });
        expect(path[at]?.cell.store).toContain('flush');
      }),
    );
  });

  it('asks for money only when answer and facilitator are stored', () => {
    for (const { to, action, store, event } of CELLS.filter((cell) => cell.action === 'settle')) {
      expect([event, to, action, store.includes('flush')]).toEqual([event, 'settling', 'settle', true]);
    }
    fc.assert(
      fc.property(lives, ({ record, path }) => {
        if (!path.some(({ cell }) => cell.action === 'settle')) return;
        expect(path[0]?.cell.store).toContain('hold_answer');
        expect(record.facilitator).toMatch(/^[fg]$/);
      }),
    );
  });

  it('money that may have moved: the payment stays until it is decided', () => {
    const open: readonly Stage[] = ['settling', 'unknown', 'watched'];
    for (const stage of open) expect(transitionRule(stage, 'settled')?.to).toBe('settled');
    for (const { from, event, store } of CELLS.filter((cell) => cell.store.includes('release'))) {
      expect(['claimed', 'settling'], `${from} ${event}: ${store}`).toContain(from);
      if (from === 'settling') expect(event).toBe('abandoned');
    }
    fc.assert(
      fc.property(lives, ({ record, path }) => {
        if (path.at(-1)?.cell.to === 'none') return;
        const stage = stageOf(record);
        if (open.includes(stage)) expect([typeof record.dueAt, record.answerId]).toEqual(['number', 'a']);
        if (record.answerId !== undefined) expect(record.dueAt).toBeDefined();
        const isExpired = path.some(({ event }) => event === 'answer_expired');
        if (stage === 'settled' && !isExpired) expect(record.answerId).toBe('a');
      }),
    );
  });

  it('is drawn in docs/payment-lifecycle.md', () => {
    const args = ['--import', 'tsx', 'scripts/payment-diagram.ts', '--check'];
    expect(() => execFileSync(process.execPath, args, { cwd: root, stdio: 'pipe' })).not.toThrow();
  });

  it('is written by the table, and stored by its one writer, alone', () => {
    const filesWith = (pattern: RegExp): string[] =>
      (readdirSync(`${root}src`, { recursive: true }) as string[])
        .filter((name) => /^(?:pay|cli|service|api)\/.*\.ts$/.test(name) && !name.endsWith('.test.ts'))
        .filter((name) => pattern.test(readFileSync(`${root}src/${name}`, 'utf8')));
    const states = PAYMENT_STATES.join('|');
    expect(filesWith(new RegExp(`(?:\\bstate:|^ *\\w+\\.state =) '(?:${states})'`, 'm'))).toEqual([]);
    const writer = ['pay/step-writer.ts'];
    expect(filesWith(/\bledger\s*\.claim\(/)).toEqual(['pay/payment-runner.ts']);
    expect(filesWith(/\bledger\s*\.(?:change|hold|release|arrived)\(/)).toEqual(writer);
    for (const effect of new Set(CELLS.flatMap(({ store }) => store))) {
      expect(filesWith(new RegExp(`store\\.includes\\('${effect}'\\)`)), effect).toEqual(writer);
    }
  });
});
