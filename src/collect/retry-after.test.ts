import { describe, expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const NOW = Date.UTC(2026, 9, 20, 12, 0, 0);

describe('readRetryAfter', () => {
  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': ' 3 s' }, 3000],
    [{ 'retry-after': '250ms' }, 250],
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'x-retry-after-ms': '40', 'retry-after': '9' }, 40],
    [{ 'retry-after': new Date(NOW + 90_000).toUTCString() }, 90_000],
  ])('%j asks for %i ms', (headers, expected) => {
    expect(readRetryAfter(headers, NOW)).toEqual({ ms: expected, guessed: false });
  });

  it.each([
    {},
    { 'retry-after': '0' },
    { 'retry-after': new Date(NOW - 90_000).toUTCString() },
    { 'retry-after': '' },
    { 'retry-after': 'soon' },
    { 'retry-after-ms': '-5' },
  ])('%j says nothing', (headers) => {
    expect(readRetryAfter(headers, NOW)).toBeUndefined();
  });

  const ms = (text: string, reading = {}) => readRetryAfter({ 'retry-after': text }, NOW, reading);

  it("reads a plain number in the venue's own unit", () => {
    expect(ms('4000', { unit: 'milliseconds' })).toEqual({ ms: 4000, guessed: false });
    expect(ms('4 s', { unit: 'milliseconds' })).toEqual({ ms: 4000, guessed: false });
  });

  it('implausible seconds: read as milliseconds only where it may doubt', () => {
    expect(ms('4000')).toEqual({ ms: 4_000_000, guessed: false });
    expect(ms('4000', { doubtAbove: 1000 })).toEqual({ ms: 4000, guessed: true });
    expect(ms('4000', { doubtAbove: 1000, unit: 'seconds' })).toEqual({ ms: 4_000_000, guessed: false });
    expect(ms('900', { doubtAbove: 1000 })).toEqual({ ms: 900_000, guessed: false });
  });
});
