import { ladder, makeBooks } from '../../src/market/books/book-fixture.ts';
import type { BookView } from '../../src/market/books/book-view.ts';
import { EXAMPLE_NOW } from './example-market.ts';

interface BookLine {
  readonly venue: string;
  readonly ticker: string;
  readonly bid: number;
  readonly ask: number;
  readonly step: number;
  /** Base units of a level. */
  readonly size: number;
}

const LINES: readonly BookLine[] = [
  { venue: 'binance', ticker: 'BTC', bid: 91_250.4, ask: 91_250.5, step: 2.5, size: 0.42 },
  { venue: 'bybit', ticker: 'BTC', bid: 91_251.9, ask: 91_252, step: 3, size: 0.3 },
  { venue: 'okx', ticker: 'BTC', bid: 91_248.6, ask: 91_248.8, step: 4, size: 0.05 },
  { venue: 'hyperliquid', ticker: 'BTC', bid: 91_261, ask: 91_263, step: 20, size: 0.004 },
  { venue: 'binance', ticker: 'ETH', bid: 3105.19, ask: 3105.2, step: 0.4, size: 6 },
  { venue: 'bybit', ticker: 'ETH', bid: 3104.8, ask: 3104.82, step: 0.5, size: 4 },
  { venue: 'binance', ticker: 'IOTX', bid: 0.03119, ask: 0.03121, step: 0.00001, size: 40_000 },
  { venue: 'bybit', ticker: 'IOTX', bid: 0.03108, ask: 0.03111, step: 0.00001, size: 30_000 },
  { venue: 'binance', ticker: 'CHZ', bid: 0.04119, ask: 0.0412, step: 0.00001, size: 60_000 },
  { venue: 'okx', ticker: 'CHZ', bid: 0.04128, ask: 0.0413, step: 0.00001, size: 40_000 },
  { venue: 'hyperliquid-xyz', ticker: 'SPX', bid: 6712.2, ask: 6712.8, step: 0.6, size: 0.5 },
];

/** Books of the example market, confirmed 300 ms ago. */
export function exampleBooks(): BookView {
  const sketches = LINES.map(({ venue, ticker, bid, ask, step, size }) => ({
    venue,
    symbol: `${ticker}USDT`,
    ageMs: 300,
    bids: ladder(bid, -step, size, 40),
    asks: ladder(ask, step, size, 40),
  }));
  return makeBooks(EXAMPLE_NOW, sketches).view;
}
