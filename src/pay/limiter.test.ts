import { describe, expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { Limiter, type LimiterOptions } from './limiter.ts';

function limiter(more: Partial<LimiterOptions> = {}) {
  let now = 1_000_000;
  const clock = { now: () => asMs(now) };
  const made = new Limiter({ clock, burst: 2, refillMs: 10_000, ...more });
  return { made, advance: (ms: number) => (now += ms) };
}

describe('the limiter', () => {
  it('allows a burst, then one request per refill', () => {
    const { made, advance } = limiter();
    made.take('a');
    expect(made.waitSeconds('a')).toBe(0);
    made.take('a');
    expect(made.waitSeconds('a')).toBe(10);
    expect(made.waitSeconds('b')).toBe(0);
    advance(9_999);
    expect(made.waitSeconds('a')).toBe(1);
    advance(1);
    expect(made.waitSeconds('a')).toBe(0);
    advance(1_000_000);
    made.take('a');
    made.take('a');
    expect(made.waitSeconds('a')).toBe(10);
  });

  it('lets uses beyond the burst grow back one by one, up to its debt', () => {
    const { made, advance } = limiter({ maxDebt: 3 });
    for (let i = 0; i < 4; i++) made.take('a');
    expect(made.waitSeconds('a')).toBe(30);
    advance(29_999);
    expect(made.waitSeconds('a')).toBe(1);
    advance(1);
    expect(made.waitSeconds('a')).toBe(0);
    for (let i = 0; i < 100; i++) made.take('a');
    expect(made.waitSeconds('a')).toBe(40);
  });

  it('a use given back: it counts as none, and never adds to the burst', () => {
    const { made } = limiter();
    made.giveBack('a');
    for (const step of ['take', 'take', 'giveBack'] as const) made[step]('a');
    expect(made.waitSeconds('a')).toBe(0);
    for (const step of ['giveBack', 'giveBack', 'take', 'take'] as const) made[step]('a');
    expect(made.waitSeconds('a')).toBe(10);
  });

  it('counts on from now where the clock was set back', () => {
    const { made, advance } = limiter();
    made.take('a');
    made.take('b');
    made.take('b');
    advance(-3_600_000);
    expect(made.waitSeconds('a')).toBe(0);
    expect(made.waitSeconds('b')).toBe(10);
    advance(10_000);
    expect(made.waitSeconds('b')).toBe(0);
  });

  it('evicts the least recently used key', () => {
    const { made } = limiter({ maxKeys: 2 });
    for (const key of ['a', 'a', 'b', 'b', 'a', 'c']) made.take(key);
    expect(made.waitSeconds('b')).toBe(0);
    expect(made.waitSeconds('a')).toBeGreaterThan(0);
  });
});
