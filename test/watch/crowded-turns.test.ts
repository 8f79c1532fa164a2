import { expect, it, onTestFinished } from 'vitest';
import { conditionFrom, marketRig, watchRig } from './watch-rig.ts';

const CONTRACTS = [
  { venue: 'binance', ticker: 'BTC' },
  { venue: 'okx', ticker: 'BTC' },
  { venue: 'okx', ticker: 'ETH' },
] as const;

it('a turn has time for one look: the others have theirs in the next', () => {
  const market = marketRig();
  for (const venue of ['binance', 'okx']) market.list(venue, ['BTC', 'ETH']);
  const quoteAll = (fundingRate: number): void => {
    for (const { venue, ticker } of CONTRACTS) {
      const row = { symbol: `${ticker}USDT`, markPrice: 100, fundingRate, fundingIntervalHours: 8 };
      market.tape.sinks.market.quotes(venue, [row as never], market.now());
    }
  };
  let spentMs = 0;
  const stopwatch = (): number => {
    spentMs += 101;
    return spentMs;
  };
  const rig = watchRig(market, { stopwatch });
  onTestFinished(() => rig.close());
  quoteAll(0.0001);
  for (const asked of CONTRACTS) rig.hold(conditionFrom(market, { ...asked, above: 0.0005 }));
  rig.turn(CONTRACTS.length);
  const crowdedBefore = rig.engine.counts.crowded;
  quoteAll(0.0006);
  const firings = CONTRACTS.map(() => {
    rig.turn();
    return rig.told.length;
  });
  expect(firings).toEqual([1, 2, 3]);
  expect(rig.engine.counts.crowded - crowdedBefore).toBe(2);
});
