import { expect, it } from 'vitest';
import { ListWatch } from './list-watch.ts';

const parts = (...rows: readonly number[]) => new Map(rows.map((count, i) => [`part ${i}`, count]));

it('a part that had rows is empty: doubted once, believed if repeated', () => {
  const watch = new ListWatch();
  expect(watch.judge(parts(300, 20))).toBeUndefined();
  expect(watch.judge(parts(300, 0))).toContain('had 20 rows is empty');
  expect(watch.judge(parts(300, 0))).toBeUndefined();
  expect(watch.judge(parts(300, 0))).toBeUndefined();
});

it('a part that was always empty: believed', () => {
  const watch = new ListWatch();
  expect(watch.judge(parts(300, 0))).toBeUndefined();
  expect(watch.judge(parts(299, 0))).toBeUndefined();
});

it('a list of one row after many: doubted until a second answer is alike', () => {
  const watch = new ListWatch();
  watch.judge(parts(300));
  expect(watch.judge(parts(1))).toBe('a part of the list has 1 rows after 300');
  expect(watch.judge(parts(100))).toContain('100 rows after 300');
  expect(watch.judge(parts(300))).toBeUndefined();
  expect(watch.judge(parts(100))).toContain('100 rows after 300');
  expect(watch.judge(parts(101))).toBeUndefined();
});

it('delistings of less than half, and a list of three: believed at once', () => {
  const watch = new ListWatch();
  watch.judge(parts(300));
  expect(watch.judge(parts(160))).toBeUndefined();
  const small = new ListWatch();
  small.judge(parts(3));
  expect(small.judge(parts(1))).toBeUndefined();
});
