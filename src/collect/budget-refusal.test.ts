import { describe, expect, it } from 'vitest';
import { ask, makeBudget, take } from '../../test/collect/budget-rig.ts';
import { settled } from '../../test/collect/manual-time.ts';
import type { RateBudget, RateLimitPermit } from './budget.ts';

describe('RateBudget after a refusal', () => {
  const pools = [
    { name: 'default', limit: 100, perMs: 10_000 },
    { name: 'other', limit: 100, perMs: 10_000 },
  ];
  const refuse = (budget: RateBudget, permit: RateLimitPermit, headers = {}, status = 429): number => {
    const pause = budget.backOff({ status, headers }, undefined, permit.grantedAt);
    permit.done();
    return pause;
  };

  it('pauses the pool for as long as the venue asks, and no other pool', async () => {
    const { time, budget } = makeBudget({ pools });
    expect(refuse(budget, await take(budget, 1), { 'retry-after': '7' })).toBe(7000);
    let granted = false;
    void ask(budget, 1).then(() => {
      granted = true;
    });
    await take(budget, 1, 'other');
    await time.advance(6999);
    expect(granted).toBe(false);
    await time.advance(1);
    expect(granted).toBe(true);
  });

  it('a clock set back: the pause at most doubles, and so does the next', async () => {
    const { time, budget } = makeBudget({ pools });
    expect(refuse(budget, await take(budget, 1))).toBe(10_000);
    const next = take(budget, 1);
    time.setBack(3_600_000);
    await time.advance(20_000);
    expect(budget.stats().pools.default?.waiting).toBe(0);
    expect(refuse(budget, await next)).toBe(20_000);
    time.setBack(3_600_000);
    const until = budget.stats().pools.default?.pausedUntil ?? Number.NaN;
    expect(until - time.clock.now()).toBe(20_000);
  });

  it('refusals that go on: the pause doubles, and restarts after a success', async () => {
    const { time, budget } = makeBudget({ pools });
    const pauses: number[] = [];
    for (let i = 0; i < 3; i++) {
      pauses.push(refuse(budget, await take(budget, 1)));
      await time.advance(100_000);
    }
    budget.resetBackoff(undefined);
    pauses.push(refuse(budget, await take(budget, 1)));
    expect(pauses).toEqual([10_000, 20_000, 40_000, 10_000]);
  });

  it('counts requests refused together as one refusal', async () => {
    const { budget } = makeBudget({ pools });
    const permits = await Promise.all([take(budget, 1), take(budget, 1), take(budget, 1)]);
    expect(permits.map((permit) => refuse(budget, permit))).toEqual([10_000, 10_000, 10_000]);
    expect(budget.stats().pools.default?.pauses).toBe(1);
  });

  it('takes a ban for the whole host, minutes where it does not say how long', async () => {
    const { time, budget } = makeBudget({ pools });
    expect(refuse(budget, await take(budget, 1), {}, 418)).toBe(120_000);
    let granted = false;
    void ask(budget, 1, { pool: 'other' }).then(() => {
      granted = true;
    });
    await time.advance(119_999);
    expect(granted).toBe(false);
    await time.advance(1);
    expect(granted).toBe(true);
  });

  it('a ban by a status of its own: the whole host pauses for its time', async () => {
    const limitStatus = { status: 403, banMs: 600_000 };
    const { budget } = makeBudget({ pools, limitStatus });
    expect(refuse(budget, await take(budget, 1), {}, 403)).toBe(600_000);
    const { default: own, other } = budget.stats().pools;
    expect(own?.pausedUntil).toBeDefined();
    expect(other?.pausedUntil).toBe(own?.pausedUntil);
  });

  it('pauses the pool for its window where a status of its own is no ban', async () => {
    const { budget } = makeBudget({ pools, limitStatus: { status: 403 } });
    expect(refuse(budget, await take(budget, 1), {}, 403)).toBe(10_000);
    expect(budget.stats().pools.other?.pausedUntil).toBeUndefined();
  });

  it('implausible seconds: read as milliseconds, longer when refused', async () => {
    const { time, budget } = makeBudget({ pools });
    const pauses: number[] = [];
    for (let i = 0; i < 9; i++) {
      pauses.push(refuse(budget, await take(budget, 1), { 'retry-after': '2500' }));
      await time.advance(pauses.at(-1) ?? 0);
    }
    expect(pauses).toEqual([2500, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
  });

  it('takes the length of a ban at its word', async () => {
    const { budget } = makeBudget({ pools });
    expect(refuse(budget, await take(budget, 1), { 'retry-after': '7200' }, 418)).toBe(7_200_000);
  });

  it("reads the venue's own unit", async () => {
    const { budget } = makeBudget({ pools, retryAfterUnit: 'milliseconds' });
    expect(refuse(budget, await take(budget, 1), { 'retry-after': '400' })).toBe(400);
    await settled();
  });
});
