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
    [{ 'retry-after': new Date(NOW - 90_000).toUTCString() }, 0],
    [{ 'retry-after': '0' }, 0],
  ])('%j asks for %i ms', (headers, expected) => {
    expect(readRetryAfter(headers, NOW)).toBe(expected);
  });

  it.each([{}, { 'retry-after': '' }, { 'retry-after': 'soon' }, { 'retry-after-ms': '-5' }])(
    '%j says nothing',
    (headers) => {
      expect(readRetryAfter(headers, NOW)).toBeUndefined();
    },
  );

  it("reads a plain number in the venue's own unit", () => {
    expect(readRetryAfter({ 'retry-after': '4000' }, NOW, { unit: 'milliseconds' })).toBe(4000);
    expect(readRetryAfter({ 'retry-after': '4 s' }, NOW, { unit: 'milliseconds' })).toBe(4000);
  });

  it('takes an implausible number of seconds for milliseconds only where it may doubt', () => {
    expect(readRetryAfter({ 'retry-after': '4000' }, NOW)).toBe(4_000_000);
    expect(readRetryAfter({ 'retry-after': '4000' }, NOW, { doubtAbove: 1000 })).toBe(4000);
    expect(readRetryAfter({ 'retry-after': '4000' }, NOW, { doubtAbove: 1000, unit: 'seconds' })).toBe(
      4_000_000,
    );
    expect(readRetryAfter({ 'retry-after': '900' }, NOW, { doubtAbove: 1000 })).toBe(900_000);
  });
});
