import { asBase, asMs, asPrice, asUsd } from '../../src/domain/units.ts';
import { ladder, makeBooks } from '../../src/market/books/book-fixture.ts';
import { createRegistry } from '../../src/market/registry/lookup.ts';
import type { BorrowRow, SpotMarket } from '../../src/modules/spot/spot-rows.ts';
import type { SpotBookView } from '../../src/modules/spot-market/books/spot-book-view.ts';
import type { BorrowStore } from '../../src/modules/spot-market/borrow/borrow-store.ts';
import { BorrowTable } from '../../src/modules/spot-market/borrow/borrow-table.ts';
import type { PerpTable } from '../../src/modules/spot-market/market/spot-identity.ts';
import { SpotTable } from '../../src/modules/spot-market/market/spot-table.ts';
import type { SpotSide } from '../../src/modules/spot-market/port.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { plainBooks } from '../spot/plain-books.ts';
import { EXAMPLE_NOW } from './example-market.ts';

const REGISTRY = createRegistry();

/** Rates of every hour of every day, so that a mean is of whole days. */
const steady: BorrowStore = {
  day: () => Array.from({ length: 24 }, (_, hour) => 5e-7 + hour * 1e-8),
  save: () => undefined,
  dropBefore: () => undefined,
  close: async () => undefined,
};

const pair = (venue: string, symbol: string, more: Partial<SpotMarket> = {}): SpotMarket => ({
  venue,
  symbol,
  base: 'BTC',
  quote: 'USDT',
  ticker: 'BTC',
  multiplier: 1,
  tick: asPrice(0.1),
  lot: asBase(0.00001),
  minUsd: asUsd(5),
  ...more,
});

const MARKETS: readonly SpotMarket[] = [
  pair('binance', 'BTCUSDT', { canShort: true }),
  pair('bybit', 'BTCUSDT', { canShort: true }),
  pair('okx', 'BTC-USDT'),
  pair('hyperliquid', '@142', { base: 'UBTC', quote: 'USDC', relation: 'wrapped' }),
];

const lent = (more: Partial<BorrowRow>): BorrowRow => ({ asset: 'BTC', ticker: 'BTC', ...more });

/** Rates that three of the venues state. */
function exampleBorrow(): BorrowTable {
  const table = new BorrowTable(steady, { now: () => EXAMPLE_NOW });
  const at = asMs(EXAMPLE_NOW - DAY_MS / 96);
  const rates: readonly (readonly [string, BorrowRow])[] = [
    ['bybit', lent({ ratePerHour: 5e-7, rateRaw: 5e-7, period: 'hour', tier: 'No VIP', limit: asBase(300) })],
    ['okx', lent({ ratePerHour: 1e-6, rateRaw: 2.4e-5, period: 'day', tier: 'Lv1', limit: asBase(10) })],
    ['hyperliquid', lent({ asset: 'UBTC', refused: 'closed' })],
  ];
  for (const [venue, row] of rates) table.take(venue, 'example', { borrow: [row] }, at);
  return table;
}

/** A spot table at the prices of a table of perpetuals, received when its rows were. */
function tableBeside(perps: PerpTable, canonicalId: string): SpotTable {
  const table = new SpotTable(REGISTRY, perps);
  const [row] = perps.rowsOf(canonicalId).filter(({ indexPrice }) => indexPrice !== undefined);
  const index = Math.round(row?.indexPrice ?? 0);
  for (const market of MARKETS) {
    const { venue, symbol, relation } = market;
    table.takeList(venue, { markets: [market] }, row?.updatedAt ?? EXAMPLE_NOW);
    const volume = { volume24hBase: asBase(12_500), volume24hUsd: asUsd(12_500 * index) };
    const sizes = { bestBidSize: asBase(1.25), bestAskSize: asBase(0.8) };
    const touch = { bestBid: asPrice(index - 0.5), bestAsk: asPrice(index + 0.5), ...sizes };
    const stated = relation === 'wrapped' ? { midPrice: asPrice(index + 2) } : touch;
    const tickers = [{ symbol, lastPrice: asPrice(index), ...stated, ...volume }];
    table.takeTickers(venue, { tickers }, row?.updatedAt ?? EXAMPLE_NOW);
  }
  return table;
}

/** Coins of a level of each book; okx has none. */
const LEVELS: readonly (readonly [venue: string, symbol: string, size: number])[] = [
  ['binance', 'BTCUSDT', 0.6],
  ['bybit', 'BTCUSDT', 0.2],
  ['hyperliquid', '@142', 0.01],
];

/** Books at the price of the perpetuals, received when their rows were. */
function booksBeside(perps: PerpTable, canonicalId: string): SpotBookView {
  const [row] = perps.rowsOf(canonicalId).filter(({ indexPrice }) => indexPrice !== undefined);
  const mid = Math.round(row?.indexPrice ?? 1000);
  const step = mid / 25_000;
  const sketches = LEVELS.map(([venue, symbol, size]) => ({
    venue,
    symbol,
    bids: ladder(mid - 0.5, -step, size, 60),
    asks: ladder(mid + 0.5, step, size, 60),
    source: 'rest' as const,
  }));
  return plainBooks(makeBooks(row?.updatedAt ?? EXAMPLE_NOW, sketches).view);
}

/** The spot side of bitcoin at four venues, whatever the time and the price of the perpetuals beside it are. */
export function exampleSpot(): SpotSide {
  // The books are of the asset that was looked for last.
  let books = plainBooks(makeBooks(EXAMPLE_NOW, []).view);
  return {
    borrow: exampleBorrow(),
    read: async () => undefined,
    get books() {
      return books;
    },
    spot: {
      rowsOf: (canonicalId, perps) => {
        books = booksBeside(perps, canonicalId);
        return tableBeside(perps, canonicalId).rowsOf(canonicalId, perps);
      },
      leftOut: () => ({ apart: 0, untold: 0, old: 0 }),
      tickersOf: () => ['BTC'],
      venues: () =>
        MARKETS.map(({ venue }) => ({
          venue,
          listAt: EXAMPLE_NOW,
          tickersAt: asMs(EXAMPLE_NOW + DAY_MS),
          listed: 1,
          offered: 1,
          refused: new Map(),
        })),
    },
  };
}
