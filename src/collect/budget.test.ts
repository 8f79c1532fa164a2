import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, makeBudget, signal, take } from '../../test/collect/budget-rig.ts';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { BudgetRegistry } from './budget.ts';
import { PRIORITY } from './priority.ts';

/** Largest sum of weights in any window [t, t + perMs). */
function heaviest(events: readonly { at: number; weight: number }[], perMs: number): number {
  let most = 0;
  for (const { at } of events) {
    const inside = events.filter((e) => e.at >= at && e.at < at + perMs);
    most = Math.max(
      most,
      inside.reduce((sum, e) => sum + e.weight, 0),
    );
  }
  return most;
}

const pattern = fc.record({
  limit: fc.integer({ min: 1, max: 60 }),
  perMs: fc.integer({ min: 10, max: 5000 }),
  requests: fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 400 }),
      weight: fc.integer({ min: 1, max: 30 }),
      takesMs: fc.integer({ min: 0, max: 3000 }),
      /** When on the way, 0..1, the venue counts it. */
      countedAt: fc.double({ min: 0, max: 1, noNaN: true }),
      owner: fc.constantFrom('a', 'b', 'c'),
      priority: fc.integer({ min: 0, max: 3 }),
      reported: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 40 },
  ),
});

describe('RateBudget', () => {
  it('any window at the venue: within the limit, and every request is served', async () => {
    await fc.assert(
      fc.asyncProperty(pattern, async ({ limit, perMs, requests }) => {
        const { time, budget } = makeBudget({
          pools: [{ name: 'default', limit, perMs, usedHeader: 'x-used' }],
        });
        const counted: { at: number; weight: number }[] = [];
        let served = 0;
        for (const r of requests) {
          await time.advance(r.afterMs);
          void budget.acquire({ ...r, signal }).then((outcome) => {
            if (!outcome.ok) return;
            served++;
            counted.push({ at: time.now + r.takesMs * r.countedAt, weight: r.weight });
            time.timer(r.takesMs, () => {
              if (r.reported !== undefined) budget.observe({ 'x-used': String(r.reported) });
              outcome.value.done();
            });
          });
        }
        await time.advance(requests.length * (perMs + 3000) * 2);
        expect(heaviest(counted, perMs)).toBeLessThanOrEqual(limit);
        // Weights up to the margin together stay below it; only a single heavy request may use all of the limit.
        const light = counted.filter((e) => e.weight <= limit * 0.85);
        expect(heaviest(light, perMs)).toBeLessThanOrEqual(limit * 0.85);
        expect(served).toBe(requests.filter((r) => r.weight <= limit).length);
        expect(budget.stats().pools.default?.waiting).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('fails at once for a weight that can never fit, and for an unknown pool', async () => {
    const { budget } = makeBudget({ pools: [{ name: 'default', limit: 10, perMs: 1000 }] });
    expect(await ask(budget, 11)).toMatchObject({ ok: false, failure: { kind: 'rate_limited' } });
    expect(await ask(budget, 1, { pool: 'other' })).toMatchObject({ ok: false });
  });

  it('keeps a request in the window until its answer is one window old', async () => {
    const { time, budget } = makeBudget({ pools: [{ name: 'default', limit: 10, perMs: 1000 }] }, 1);
    const slow = await take(budget, 10);
    let second = false;
    void ask(budget, 10).then(() => {
      second = true;
    });
    await time.advance(5000);
    expect(second).toBe(false);
    slow.done();
    await time.advance(999);
    expect(second).toBe(false);
    await time.advance(1);
    expect(second).toBe(true);
  });

  it("takes the venue's count when it is higher, and only then", async () => {
    const pools = [{ name: 'default', limit: 100, perMs: 1000, usedHeader: 'x-used' }];
    const { time, budget } = makeBudget({ pools });
    (await take(budget, 10)).done();
    budget.observe({ 'x-used': '3' });
    expect(budget.stats().pools.default).toMatchObject({ used: 10, reported: 3 });
    budget.observe({ 'x-used': '80' });
    expect(budget.stats().pools.default).toMatchObject({ used: 80, reported: 80 });
    let granted = false;
    void ask(budget, 10).then(() => {
      granted = true;
    });
    await time.advance(999);
    expect(granted).toBe(false);
    await time.advance(1);
    expect(granted).toBe(true);
  });

  it('serves instruments, then bulk quotes, then per-contract calls', async () => {
    const { time, budget } = makeBudget({ pools: [{ name: 'default', limit: 1, perMs: 1000 }] });
    (await take(budget, 1)).done();
    const order: string[] = [];
    const queue = (name: string, priority: number): void => {
      void ask(budget, 1, { priority }).then((outcome) => {
        order.push(name);
        if (outcome.ok) outcome.value.done();
      });
    };
    queue('spread', PRIORITY.perContract);
    queue('backfill', PRIORITY.backfill);
    queue('bulk', PRIORITY.bulk);
    queue('instruments', PRIORITY.instruments);
    await time.advance(4000);
    expect(order).toEqual(['instruments', 'bulk', 'spread', 'backfill']);
  });

  it.each([PRIORITY.perContract, PRIORITY.backfill])(
    'a poll with reserved weight: does not wait for priority %d',
    async (priority) => {
      const { time, budget } = makeBudget({ pools: [{ name: 'default', limit: 100, perMs: 60_000 }] });
      budget.reserve('marks', undefined, 2, 5000);
      let others = 0;
      for (let i = 0; i < 300; i++) {
        void ask(budget, 1, { priority }).then((outcome) => {
          others++;
          if (outcome.ok) outcome.value.done();
        });
      }
      const waits: number[] = [];
      for (let at = 0; at < 180_000; at += 5000) {
        void take(budget, 2).then((permit) => {
          waits.push(permit.waitedMs);
          permit.done();
        });
        await time.advance(5000);
      }
      expect(waits).toEqual(Array(36).fill(0));
      // 85 of 100 are used, 27.3 of them kept for the poll; a window's worth at 0, 60, 120 and 180 s.
      expect(others).toBe(4 * 57);
    },
  );

  it('reservations of many polls leave a quarter of the window to the others', async () => {
    const { time, budget } = makeBudget({ pools: [{ name: 'default', limit: 100, perMs: 1000 }] }, 1);
    budget.reserve('marks', undefined, 90, 5000);
    budget.reserve('volumes', undefined, 40, 500);
    let others = 0;
    for (let i = 0; i < 80; i++) {
      void ask(budget, 1, { priority: PRIORITY.perContract }).then((outcome) => {
        others++;
        if (outcome.ok) outcome.value.done();
      });
    }
    await time.advance(1);
    expect(others).toBe(25);
  });

  it('takes turns between the venues of a host', async () => {
    const { time, budget } = makeBudget({ pools: [{ name: 'default', limit: 1, perMs: 1000 }] });
    const order: string[] = [];
    for (const owner of ['a', 'a', 'a', 'b', 'c']) {
      void ask(budget, 1, { owner }).then((outcome) => {
        order.push(owner);
        if (outcome.ok) outcome.value.done();
      });
    }
    await time.advance(5000);
    expect(order).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  it('starves nobody: the longest waiting gets a turn in ten', async () => {
    const { time, budget } = makeBudget({ pools: [{ name: 'default', limit: 1, perMs: 1000 }] });
    let spreadServed = false;
    let stop = false;
    const insist = async (): Promise<void> => {
      while (!stop) {
        const outcome = await ask(budget, 1);
        if (outcome.ok) outcome.value.done();
      }
    };
    void insist();
    void insist();
    void ask(budget, 1, { priority: PRIORITY.perContract }).then((outcome) => {
      spreadServed = true;
      if (outcome.ok) outcome.value.done();
    });
    await time.advance(12_000);
    stop = true;
    await time.advance(5000);
    expect(spreadServed).toBe(true);
  });

  it('forgets a request that is aborted while it waits', async () => {
    const { time, budget } = makeBudget({ pools: [{ name: 'default', limit: 1, perMs: 1000 }] });
    (await take(budget, 1)).done();
    const abort = new AbortController();
    const waiting = budget.acquire({ weight: 1, owner: 'a', priority: 0, signal: abort.signal });
    abort.abort();
    expect(await waiting).toMatchObject({ ok: false, failure: { kind: 'aborted' } });
    expect(budget.stats().pools.default?.waiting).toBe(0);
    expect(time.pending).toBe(0);
  });

  it('venues with the same id: one budget, with all of their pools', () => {
    const { clock, timer } = new ManualTime();
    const book = new BudgetRegistry({ clock, timer });
    const first = book.of({ id: 'host', pools: [{ name: 'default', limit: 5, perMs: 1000 }] });
    const second = book.of({ id: 'host', pools: [{ name: 'candles', limit: 3, perMs: 1000 }] });
    expect(second).toBe(first);
    expect(Object.keys(book.stats().host?.pools ?? {})).toEqual(['default', 'candles']);
  });

  it('lets everything through where no limit is known', async () => {
    const { budget } = makeBudget({ pools: [] });
    const permits = await Promise.all(Array.from({ length: 50 }, () => take(budget, 100)));
    expect(permits.every((permit) => permit.waitedMs === 0)).toBe(true);
  });
});
