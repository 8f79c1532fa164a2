import { describe, expect, it } from 'vitest';
import { ManualTime } from '../../../test/collect/manual-time.ts';
import { Restraint } from './restraint.ts';

const never = new AbortController().signal;
const spent = (weight: number, perMs = 60_000) => ({
  budget: { id: 'toy', pools: [{ name: 'default', limit: 1000, perMs }] },
  pool: 'default',
  weight,
});

function rig(isHeld?: () => boolean) {
  const time = new ManualTime();
  const restraint = new Restraint(time.clock, time.timer, isHeld);
  const passed: string[] = [];
  const ask = (name: string, weight: number, isUrgent: boolean, perMs?: number): void => {
    void restraint.pass(spent(weight, perMs), () => isUrgent, never).then(() => passed.push(name));
  };
  return { time, passed, ask };
}

describe('the restraint of a back-fill', () => {
  it('spends a fifth of a long window, and what is regained later', async () => {
    const { time, passed, ask } = rig();
    for (let i = 0; i < 25; i++) ask(String(i), 10, true);
    await time.advance(0);
    expect(passed).toHaveLength(20);
    await time.advance(60_000);
    expect(passed).toHaveLength(25);
  });

  it('spends half of a short window', async () => {
    const { time, passed, ask } = rig();
    for (let i = 0; i < 60; i++) ask(String(i), 10, true, 10_000);
    await time.advance(0);
    expect(passed).toHaveLength(50);
  });

  it('leaves most to what is urgent, even where all others came first', async () => {
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

  it('lets nothing pass while it is held, however urgent, and goes on after it', async () => {
    let isHeld = true;
    const { time, passed, ask } = rig(() => isHeld);
    ask('major', 10, true);
    await time.advance(60_000);
    expect(passed).toEqual([]);
    isHeld = false;
    await time.advance(1000);
    expect(passed).toEqual(['major']);
  });

  it('lets a request pass that weighs more than is left to what may wait', async () => {
    const { time, passed, ask } = rig();
    ask('heavy', 150, false);
    ask('heavier than all', 500, false);
    await time.advance(600_000);
    expect(passed).toHaveLength(2);
  });
});
