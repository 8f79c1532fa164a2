import { expect, it } from 'vitest';
import { ListWatch, type PartAnswer } from './list-watch.ts';

const answer = (rows: number, more: Partial<PartAnswer> = {}): PartAnswer => ({
  rows,
  bySettle: new Map(),
  mayBeEmpty: false,
  ...more,
});
const settled = (currencies: Readonly<Record<string, number>>): PartAnswer => {
  const bySettle = new Map(Object.entries(currencies));
  return answer(
    [...bySettle.values()].reduce((sum, contracts) => sum + contracts, 0),
    { bySettle },
  );
};

it('a part without a row at first: a fault however often', () => {
  const watch = new ListWatch();
  for (let round = 0; round < 3; round++) expect(watch.judge('part', answer(0))).toContain('no row');
  expect(watch.judge('part', answer(20))).toBeUndefined();
});

it('a part that had rows is empty: a fault however often, others stand', () => {
  const watch = new ListWatch();
  watch.judge('part', answer(20));
  for (let round = 0; round < 3; round++) expect(watch.judge('part', answer(0))).toBe('no row after 20');
  expect(watch.judge('other', answer(300))).toBeUndefined();
});

it('a part that may be empty: believed at first, after rows at second', () => {
  const watch = new ListWatch();
  const empty = answer(0, { mayBeEmpty: true });
  expect(watch.judge('part', empty)).toBeUndefined();
  expect(watch.judge('part', answer(20, { mayBeEmpty: true }))).toBeUndefined();
  expect(watch.judge('part', empty)).toBe('0 rows after 20');
  expect(watch.judge('part', empty)).toBeUndefined();
});

it('a list of one row after many: doubted until a second answer is alike', () => {
  const watch = new ListWatch();
  watch.judge('part', answer(300));
  expect(watch.judge('part', answer(1))).toBe('1 rows after 300');
  expect(watch.judge('part', answer(100))).toContain('100 rows after 300');
  expect(watch.judge('part', answer(300))).toBeUndefined();
  expect(watch.judge('part', answer(100))).toContain('100 rows after 300');
  expect(watch.judge('part', answer(101))).toBeUndefined();
});

it('delistings of less than half, and a list of three: believed at once', () => {
  const watch = new ListWatch();
  watch.judge('part', answer(300));
  expect(watch.judge('part', answer(160))).toBeUndefined();
  watch.judge('small', answer(3));
  expect(watch.judge('small', answer(1))).toBeUndefined();
});

it('all contracts of one currency gone: doubted until said again', () => {
  const watch = new ListWatch();
  watch.judge('part', settled({ USDT: 280, USDC: 20 }));
  expect(watch.judge('part', settled({ USDT: 280 }))).toBe('no contract settled in USDC after 20');
  expect(watch.judge('part', settled({ USDT: 281, USDC: 20 }))).toBeUndefined();
  expect(watch.judge('part', settled({ USDT: 280 }))).toContain('USDC');
  expect(watch.judge('part', settled({ USDT: 281 }))).toBeUndefined();
});

it('the last contract of a currency gone: believed at once', () => {
  const watch = new ListWatch();
  watch.judge('part', settled({ USDT: 280, USDC: 1 }));
  expect(watch.judge('part', settled({ USDT: 280 }))).toBeUndefined();
});
