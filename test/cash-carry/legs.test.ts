import { describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import type { BookView } from '../../src/market/books/book-view.ts';
import type { MarketRow } from '../../src/market/view.ts';
import { touchedPerp } from '../../src/modules/cash-carry/carry-pair.ts';
import { type CarryBorrow, touchedLeg } from '../../src/modules/cash-carry/spot-leg.ts';
import type { SpotMarket } from '../../src/modules/spot/spot-rows.ts';
import type { SpotRow } from '../../src/modules/spot-market/market/spot-table.ts';
import type { SpotSide } from '../../src/modules/spot-market/port.ts';
import { PUBLIC_FEES } from '../../src/products/rows/asked-fees.ts';
import { exampleBooks } from '../api/example-books.ts';
import { exampleRows } from '../api/example-market.ts';

const NOW = asMs(1_790_000_000_000);
const RATE = 1e-6;

/** Reads how a coin is borrowed at a market where a venue states this. */
function borrowOf(market: Pick<SpotMarket, 'canShort'>, stated: object): CarryBorrow {
  const state = {
    row: { ticker: 'BTC', ratePerHour: RATE, ...stated },
    receivedAt: NOW,
    calls: [],
  };
  const spot = {
    market: { venue: 'backpack', symbol: 'BTC_USDC', ticker: 'BTC', quote: 'USDC', ...market },
    ticker: { bestBid: 99, bestAsk: 101 },
    receivedAt: NOW,
  } as unknown as SpotRow;
  const side = { borrow: { stateOf: () => state, listWord: () => undefined } } as unknown as SpotSide;
  return touchedLeg(spot, side, NOW, new Map()).borrow;
}

describe('the borrow of a leg', () => {
  it.each([
    ['nothing is said of what is left: its rate', {}, {}, [RATE, undefined]],
    ['some is left to lend: its rate', { canShort: true }, { available: 3 }, [RATE, undefined]],
    ['nothing is left to lend: closed', {}, { available: 0 }, [undefined, 'closed']],
    ['an account may borrow some: its rate', {}, { limit: 2, limitUsd: 9 }, [RATE, undefined]],
    ['an account may borrow no coin: closed', {}, { limit: 0 }, [undefined, 'closed']],
    ['an account may borrow no dollar: closed', {}, { limitUsd: 0 }, [undefined, 'closed']],
    ['no sale on margin: not borrowable', { canShort: false }, {}, [undefined, 'not_borrowable']],
  ] as const)('%s', (_, market, stated, expected) => {
    const { hourly, reason } = borrowOf(market, stated);
    expect([hourly, reason]).toEqual(expected);
  });
});

describe('what is visible of a perpetual at its touch', () => {
  const row = exampleRows()[0] as MarketRow;
  it.each([
    ['a fresh book: the smaller side', true, 100],
    ['an old book: unknown', false, undefined],
  ] as const)('%s', (_, isFresh, expected) => {
    const top = () => ({ isFresh, bestBid: 100, bestAsk: 101, bidSize: 1, askSize: 2 });
    const books = { ...exampleBooks(), top } as unknown as BookView;
    expect(touchedPerp(row, undefined, PUBLIC_FEES, books).visibleUsd).toBe(expected);
  });
});
