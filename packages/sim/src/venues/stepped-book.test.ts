import { afterEach, expect, it } from 'vitest';
import {
  BOOK_RATE,
  bookStep,
  bookTime,
  SteppedBook,
  setBookRate,
  setBookStep,
  stepTime,
} from './stepped-book.ts';

const START = 1_700_000_000_000;

afterEach(() => setBookRate(BOOK_RATE));

it('a slower pace from a moment on: numbers go on one by one', () => {
  const before = bookStep(START + 500);
  setBookStep(START + 2500, 4000);
  const times = [500, 1999, 2000, 5999, 6000, 10_000].map((ms) => START + ms);
  expect(times.map((t) => bookStep(t) - before)).toEqual([0, 1, 2, 2, 3, 4]);
  expect(times.map((t) => bookTime(t) - START)).toEqual([0, 1000, 2000, 2000, 6000, 10_000]);
});

it('back at the usual pace: every step has its time and one number', () => {
  setBookStep(START, 4000);
  setBookStep(START + 9000, 1000);
  const steps = Array.from({ length: 200 }, (_, i) => bookStep(START - 5000 + i * 100));
  for (const [i, step] of steps.entries()) {
    expect(step - (steps[i - 1] ?? step)).toBeLessThanOrEqual(1);
    expect(bookStep(stepTime(step))).toBe(step);
    expect(bookTime(stepTime(step))).toBe(stepTime(step));
  }
});

it('many changes of pace: what is shown now stays exact', () => {
  for (let i = 0; i < 500; i++) setBookStep(START + i * 8000, i % 2 === 0 ? 4000 : 1000);
  const now = START + 500 * 8000;
  expect(bookTime(now) % 1000).toBe(0);
  expect(stepTime(bookStep(now))).toBe(bookTime(now));
});

it('a book over a change of pace: it leaves no step out', () => {
  const rendered: number[] = [];
  const render = (t: number) => {
    rendered.push(t - START);
    return { bids: [[String(t), '1']], asks: [[String(t + 1), '1']] };
  };
  const book = new SteppedBook(render, START);
  setBookStep(START + 2000, 4000);
  book.advance(START + 6500);
  expect(rendered.sort((a, b) => a - b)).toEqual([0, 1000, 2000, 6000]);
});
