import { afterEach, expect, it } from 'vitest';
import { keepPace } from './keep-pace.ts';
import { Pace } from './pace.ts';
import { BOOK_RATE, bookStep, setBookRate } from './venues/stepped-book.ts';

const NOW = 1_800_000_000_000;

afterEach(() => setBookRate(BOOK_RATE));

/** Steps of the books within the next second. */
const stepsAfter = (now: number): number => bookStep(now + 1000) - bookStep(now);

it('late timers: books step rarer, which is said, until they are in time', () => {
  setBookRate(40);
  let now = NOW;
  let look: (lagMs: number) => void = () => {};
  const said: string[] = [];
  const lag = {
    start(looked: (lagMs: number) => void) {
      look = looked;
    },
  };
  keepPace({ pace: new Pace(), lag, bookRate: 40, now: () => now, say: (text) => void said.push(text) });
  const usual = stepsAfter(now);
  const looks = (times: number, lagMs: number) => {
    for (let i = 0; i < times; i++) {
      now += 1000;
      look(lagMs);
    }
    return stepsAfter(now);
  };
  expect(usual).toBe(40);
  expect(looks(1, 60)).toBe(40);
  expect(looks(1, 60)).toBe(20);
  expect(looks(2, 60)).toBe(10);
  expect(looks(2, 60)).toBe(5);
  expect(said).toEqual([
    'the machine is busy (timers 60 ms late): the simulated venues tick 2 times slower than usual',
    'the machine is busy (timers 60 ms late): the simulated venues tick 4 times slower than usual',
    'the machine is busy (timers 60 ms late): the simulated venues tick 4 times and their books change 8 times slower than usual',
  ]);
  expect(looks(60, 0)).toBe(40);
  expect(said.at(-1)).toBe('the simulated venues are at their usual pace again');
});
