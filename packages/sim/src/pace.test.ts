import { expect, it } from 'vitest';
import { Pace, SLOWEST, tickSlowness } from './pace.ts';

const after = (pace: Pace, ...lags: readonly number[]): readonly number[] =>
  lags.map((lag) => {
    pace.observe(lag);
    return pace.slowness;
  });

const looks = (count: number, lag: number): readonly number[] => Array.from({ length: count }, () => lag);

it('an event loop that stays late: slower three times, then no more', () => {
  expect(after(new Pace(), 40, 40, 40, 40, 400, 400, 400, 400)).toEqual([1, 2, 2, 4, 4, 8, 8, 8]);
});

it('the slowest books: rows come a quarter as often, no rarer', () => {
  expect([1, 2, 4, SLOWEST].map(tickSlowness)).toEqual([1, 2, 4, 4]);
});

it('one late look, or looks in between: the pace stays', () => {
  expect(after(new Pace(), 40, 5, 40, 20, 40, 5)).toEqual(looks(6, 1));
});

it('ten calm looks: a step back towards the usual pace', () => {
  const pace = new Pace();
  after(pace, 40, 40, 40, 40);
  expect(after(pace, ...looks(10, 3)).at(-1)).toBe(2);
  expect(after(pace, ...looks(10, 3)).at(-1)).toBe(1);
});

it('a faster pace that did not last: tried again after twice the looks', () => {
  const pace = new Pace();
  after(pace, 40, 40, ...looks(10, 3));
  expect(pace.slowness).toBe(1);
  after(pace, 40, 40);
  expect(after(pace, ...looks(19, 3)).at(-1)).toBe(2);
  expect(after(pace, 3)).toEqual([1]);
});

it('a reader that is busy or late: slower, though the world is not late', () => {
  for (const load of [
    { utilization: 0.9, lag: 0.1 },
    { utilization: 0.3, lag: 0.5 },
  ]) {
    const pace = new Pace();
    pace.hear({ ...load, level: 0 });
    expect(after(pace, 3, 3, 3, 3)).toEqual([1, 2, 2, 4]);
    expect(pace.state).toEqual({ slowness: 4, isSlowest: false });
    expect(after(pace, 3, 3)).toEqual([4, 8]);
    expect(pace.state).toEqual({ slowness: 8, isSlowest: true });
  }
});

it('a reader that sheds something: as slow until it has taken all up', () => {
  const pace = new Pace();
  after(pace, 40, 40, 40, 40);
  pace.hear({ utilization: 0.2, lag: 0, level: 1 });
  expect(after(pace, ...looks(40, 3)).at(-1)).toBe(4);
  pace.hear({ utilization: 0.2, lag: 0, level: 0 });
  expect(after(pace, ...looks(10, 3)).at(-1)).toBe(2);
});
