import { describe, expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { DAY_MS, HOUR_MS } from '../runtime/duration.ts';
import { makeMarket } from './market-fixture.ts';

const MINUTE_MS = HOUR_MS / 60;

/** A market that shows a contract, whose venue lists its symbol again. */
function relisted(afterMs: number) {
  const fixture = makeMarket();
  const first = asMs(fixture.now() - 100 * DAY_MS);
  fixture.list('binance', [{ base: 'ACE', listedAt: first }]);
  fixture.quote('binance', { symbol: 'ACEUSDT', mark: 2, rate: 0.0003, interval: 8 });
  fixture.pass(2 * HOUR_MS);
  fixture.quote('binance', { symbol: 'ACEUSDT', mark: 2, rate: 0.0003, interval: 8 });
  fixture.list('binance', [{ base: 'ACE', listedAt: asMs(first + afterMs) }]);
  return fixture;
}

describe('a symbol whose venue states another time of its listing', () => {
  it('later by days: nothing of the former contract is shown', () => {
    const { market, quote } = relisted(100 * DAY_MS + HOUR_MS + MINUTE_MS);
    expect(market.view.rows()).toEqual([]);
    quote('binance', { symbol: 'ACEUSDT', mark: 9 });
    const [row] = market.view.rows();
    expect(row).toMatchObject({ symbol: 'ACEUSDT', markPrice: 9 });
    expect(row?.fundingRate).toBeUndefined();
  });

  it('later by minutes, or earlier: the same contract', () => {
    for (const afterMs of [10 * MINUTE_MS, -DAY_MS])
      expect(relisted(afterMs).market.view.rows()).toMatchObject([{ fundingRate: 0.0003 }]);
  });
});
