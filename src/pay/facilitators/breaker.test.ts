import { describe, expect, it } from 'vitest';
import { Breaker } from './breaker.ts';

function start() {
  const time = { now: 1_000 };
  const breaker = new Breaker({ openAfter: 3, restMs: 100, now: () => time.now });
  const tryOnce = (isWell: boolean): boolean => {
    const entered = breaker.enter();
    if (entered) breaker.leave(isWell);
    return entered;
  };
  return { time, breaker, tryOnce };
}

describe('a circuit breaker', () => {
  it('consecutive failures: opens, and admits one trial after the rest', () => {
    const { time, breaker, tryOnce } = start();
    expect([false, false, false].map(tryOnce)).toEqual([true, true, true]);
    expect(breaker.enter()).toBe(false);
    time.now += 99;
    expect(breaker.enter()).toBe(false);
    time.now += 1;
    expect(breaker.enter()).toBe(true);
    expect(breaker.enter()).toBe(false);
    breaker.leave(true);
    expect([false, false].map(tryOnce)).toEqual([true, true]);
    expect(breaker.enter()).toBe(true);
  });

  it('opens again after a failed trial, and counts consecutive failures only', () => {
    const { time, breaker, tryOnce } = start();
    expect([false, false, true, false, false].map(tryOnce)).toEqual([true, true, true, true, true]);
    expect(tryOnce(false)).toBe(true);
    time.now += 100;
    expect(tryOnce(false)).toBe(true);
    time.now += 99;
    expect(breaker.enter()).toBe(false);
    time.now += 1;
    expect(breaker.enter()).toBe(true);
  });

  it('closes when a call that began before it opened succeeds', () => {
    const { breaker, tryOnce } = start();
    expect(breaker.enter()).toBe(true);
    for (let i = 0; i < 3; i++) tryOnce(false);
    expect(breaker.enter()).toBe(false);
    breaker.leave(true);
    expect(breaker.enter()).toBe(true);
  });

  it('admits another trial when one never ends', () => {
    const { time, breaker, tryOnce } = start();
    for (let i = 0; i < 3; i++) tryOnce(false);
    time.now += 100;
    expect(breaker.enter()).toBe(true);
    time.now += 100;
    expect(breaker.enter()).toBe(true);
  });
});
