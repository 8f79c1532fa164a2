import { describe, expect, it } from 'vitest';
import { publishedFixture } from '../domain/amount-fixture.ts';
import { emptyDecoded } from '../domain/decoded.ts';
import { addTradedHours } from './amounts.ts';

const TIME = 1_790_000_000_000;

describe('traded hours', () => {
  it.each([
    ['one', 500],
    ['two', 250],
    ['unknown', 500],
  ] as const)('with %s side(s) count each trade once', (sides, hourUsd) => {
    const out = emptyDecoded();
    addTradedHours(out, 'BTC', { ...publishedFixture.volume, sides }, [[TIME, '500']], 1);
    expect(out.history).toEqual([{ symbol: 'BTC', time: TIME, hourUsd }]);
  });

  it('without a time or a turnover are faults', () => {
    const out = emptyDecoded();
    addTradedHours(out, 'BTC', publishedFixture.volume, [[TIME, 'x'], ['', '1'], null], 1);
    expect([out.history, out.rejects.map(({ reason }) => reason)]).toEqual([[], Array(3).fill('malformed')]);
  });
});
