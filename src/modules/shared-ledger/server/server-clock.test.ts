import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { asMs } from '../../../domain/units.ts';
import { ServerClock } from './server-clock.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'], now: 0 }));
afterEach(() => vi.useRealTimers());

/** A clock of a host that is a minute ahead of the server. */
const ahead = () => new ServerClock({ now: () => asMs(1_060_000) });

/** An answer that was under way for so long, made in the middle of that. */
function answer(clock: ServerClock, serverMs: number, tripMs: number): void {
  const askedAt = performance.now();
  vi.advanceTimersByTime(tripMs);
  clock.set(serverMs, askedAt);
}

it('before the first answer: the time of the host', () => {
  const clock = ahead();
  vi.advanceTimersByTime(500);
  expect(clock.now()).toBe(1_060_500);
});

it('an answer: the time of the server, and on from there', () => {
  const clock = ahead();
  answer(clock, 1_000_000, 20);
  expect(clock.now()).toBe(1_000_010);
  vi.advanceTimersByTime(1000);
  expect(clock.now()).toBe(1_001_010);
});

it('further answers that are in accord: the time goes evenly', () => {
  const clock = ahead();
  answer(clock, 1_000_000, 20);
  for (const serverMs of [1_000_025, 1_000_048, 1_000_067]) {
    answer(clock, serverMs, 20);
    expect(clock.now() - performance.now()).toBe(999_990);
  }
});

it('an answer that was long under way: taken where none is known', () => {
  const clock = ahead();
  answer(clock, 1_000_000, 2002);
  expect(clock.now()).toBe(1_001_001);
  answer(clock, 900_000, 1001);
  expect(clock.now()).toBe(1_002_002);
});

it('its function alone: the same time', () => {
  const clock = ahead();
  const { now } = clock;
  answer(clock, 1_000_000, 20);
  expect(now()).toBe(1_000_010);
});
