import { describe, expect, it } from 'vitest';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { BackgroundThrottle } from './background-throttle.ts';

const never = new AbortController().signal;
const cost = (weight: number, perMs = 60_000) => ({
  budget: { id: 'toy', pools: [{ name: 'default', limit: 1000, perMs }] },
  pool: 'default',
  weight,
});

function rig(isHeld?: () => boolean) {
  const time = new ManualTime();
  const throttle = new BackgroundThrottle(time.clock, time.timer, isHeld);
  const passed: string[] = [];
  const ask = (name: string, weight: number, isUrgent: boolean, perMs?: number): void => {
    void throttle.acquire(cost(weight, perMs), () => isUrgent, never).then(() => passed.push(name));
  };
  return { time, passed, ask };
}

describe('BackgroundThrottle', () => {
  it('grants a fifth of a long rate-limit window, and refilled weight later', async () => {
    const { time, passed, ask } = rig();
    for (let i = 0; i < 25; i++) ask(String(i), 10, true);
    await time.advance(0);
    expect(passed).toHaveLength(20);
    await time.advance(60_000);
    expect(passed).toHaveLength(25);
  });

  it('grants half of a short rate-limit window', async () => {
    const { time, passed, ask } = rig();
    for (let i = 0; i < 60; i++) ask(String(i), 10, true, 10_000);
    await time.advance(0);
    expect(passed).toHaveLength(50);
  });

  it('most of the bucket: reserved for urgent requests', async () => {
    const { time, passed, ask } = rig();
    for (let i = 0; i < 20; i++) ask('later', 10, false);
    await time.advance(0);
    expect(passed.length).toBeLessThanOrEqual(6);
    for (let i = 0; i < 14; i++) ask('major', 10, true);
    await time.advance(0);
    expect(passed.filter((name) => name === 'major')).toHaveLength(14);
    await time.advance(300_000);
    expect(passed.filter((name) => name === 'later')).toHaveLength(20);
  });

  it('while it is held: lets nothing pass, however urgent', async () => {
    let isHeld = true;
    const { time, passed, ask } = rig(() => isHeld);
    ask('major', 10, true);
    await time.advance(60_000);
    expect(passed).toEqual([]);
    isHeld = false;
    await time.advance(1000);
    expect(passed).toEqual(['major']);
  });

  it('grants a request that weighs more than the non-urgent part', async () => {
    const { time, passed, ask } = rig();
    ask('heavy', 150, false);
    ask('heavier than all', 500, false);
    await time.advance(600_000);
    expect(passed).toHaveLength(2);
  });
});
