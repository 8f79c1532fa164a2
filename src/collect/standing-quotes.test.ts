import { beforeEach, describe, expect, it } from 'vitest';
import { asMs, asPrice, asRate } from '../domain/units.ts';
import { RESTATE_MS, StandingQuotes } from './standing-quotes.ts';

const START = Date.UTC(2026, 10, 28, 12);
const at = (ms: number) => asMs(START + ms);
const mark = (symbol: string, price: number) => ({ symbol, markPrice: asPrice(price) });

describe('StandingQuotes', () => {
  let standing: StandingQuotes;
  beforeEach(() => {
    standing = new StandingQuotes();
    standing.take(1, [{ ...mark('A', 5), venueTime: at(0) }, mark('B', 7)], at(0));
  });

  it('nothing is due before the time: says nothing', () => {
    expect(standing.take(1, [mark('B', 8)], at(RESTATE_MS - 1))).toEqual([]);
  });

  it('a frame comes when due: restates what stood before it, no stamps', () => {
    standing.take(1, [{ symbol: 'A', indexPrice: asPrice(4) }], at(1000));
    expect(standing.take(1, [mark('B', 8)], at(RESTATE_MS))).toEqual([
      { ...mark('A', 5), indexPrice: 4, restated: true },
      { ...mark('B', 7), restated: true },
    ]);
    expect(standing.take(1, [], at(RESTATE_MS + 1))).toEqual([]);
  });

  it('a settlement has passed: the rate of it stands no more', () => {
    const rated = { fundingRate: asRate(1e-4), nextFundingTime: at(RESTATE_MS) };
    standing.take(1, [{ symbol: 'A', ...rated }], at(1));
    expect(standing.take(1, [], at(RESTATE_MS))[0]).toEqual({ ...mark('A', 5), restated: true });
  });

  it('one side of the touch is named alone: the other stands no more', () => {
    standing.take(1, [{ symbol: 'A', bestBid: asPrice(4), bestAsk: asPrice(6) }], at(1));
    standing.take(1, [{ symbol: 'A', bestBid: asPrice(3) }], at(2));
    expect(standing.take(1, [], at(RESTATE_MS))[0]).toEqual({ ...mark('A', 5), bestBid: 3, restated: true });
  });

  it('a frame of another connection comes: says nothing of this one', () => {
    expect(standing.take(2, [], at(RESTATE_MS))).toEqual([]);
  });

  it('the connection is gone: nothing of it stands', () => {
    standing.forget(1);
    standing.take(1, [], at(1));
    expect(standing.take(1, [], at(2 * RESTATE_MS))).toEqual([]);
  });

  it('a contract is doubted or listed no more: nothing of it stands', () => {
    standing.doubt(['A']);
    expect(standing.take(1, [], at(RESTATE_MS))).toEqual([{ ...mark('B', 7), restated: true }]);
    standing.keepOnly(new Map());
    expect(standing.take(1, [], at(2 * RESTATE_MS))).toEqual([]);
  });
});
