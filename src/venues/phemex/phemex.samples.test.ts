import { expect, it } from 'vitest';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { replay } from '../../../test/venues/replay.ts';
import { callFor, describeSamples, loadSample } from '../../../test/venues/samples.ts';
import { phemex } from './index.ts';

describeSamples(phemex, (samples) => {
  it('has a call for every recording that carries metrics, contracts, rates or books', () => {
    const without = samples.filter(({ url, method }) => callFor(phemex, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(['error-rest-code.json']);
  });

  it('recorded tickers of both versions and of the socket', () => {
    expect(decodeFile(phemex, 'ticker-v3.json').quotes).toMatchObject([
      {
        symbol: 'ETHUSDT',
        markPrice: 1905.733555189,
        indexPrice: 1906.275,
        bestBid: 1906,
        openInterestBase: 7115,
      },
    ]);
    expect(decodeFile(phemex, 'ticker-v2.json').quotes).toMatchObject([
      {
        markPrice: 1903.16,
        indexPrice: 1903.62867093,
        volume24hBase: 67_460.4,
        volume24hUsd: 127_962_734.6031,
      },
    ]);
    expect(decodeFile(phemex, 'ws-market24h-p.jsonl').quotes).toMatchObject([
      { symbol: 'BTCUSDC', fundingRate: -0.00000599, markPrice: 95_472.2, openInterestBase: 96.3639 },
    ]);
    expect(decodeFile(phemex, 'real-funding-rates.json').quotes).toMatchObject([
      { fundingRate: 0.00001369, fundingIntervalHours: 8, nextFundingTime: 1_742_457_600_000 },
    ]);
    expect(decodeFile(phemex, 'products.json').instruments).toMatchObject([
      { symbol: 'BTCUSDC', settle: 'USDC', fundingIntervalHours: 8, indexId: '.BTCUSDC' },
    ]);
  });

  it('recorded books and ticks of 2026', () => {
    const { books, quotes, rejects } = decodeFile(phemex, 'ws-book-2026.jsonl');
    expect(books.map(({ symbol, kind, sequence }) => [symbol, kind, sequence])).toEqual([
      ['ETHUSDT', 'snapshot', 68_604_886_383],
      ['BTCUSDT', 'delta', 68_604_886_406],
      ['BTCUSDT', 'delta', 68_604_886_692],
    ]);
    expect(books[0]?.venueTime).toBe(1_790_133_513_660);
    expect(quotes).toEqual([
      { symbol: 'BTCUSDT', markPrice: 86_513.6 },
      { symbol: 'BTCUSDT', indexPrice: 86_555.32311612 },
    ]);
    expect(rejects).toEqual([]);
    expect(decodeFile(phemex, 'orderbook.json').books).toMatchObject([
      {
        bids: [
          [20_672.4, 0.818],
          [20_672.2, 0.614],
        ],
        sequence: 77_770_771,
      },
    ]);
  });

  it('replays the recorded session of the old model: sequences only grow, the book never crosses', () => {
    const { books } = decodeFile(phemex, 'ws-book-legacy-xtzusd.jsonl');
    expect(books.length).toBe(loadSample('phemex', 'ws-book-legacy-xtzusd.jsonl').payloads.length);
    expect(books[0]?.kind).toBe('snapshot');
    for (const [i, book] of books.entries()) {
      if (i === 0) continue;
      expect(book.sequence).toBeGreaterThanOrEqual(books[i - 1]?.sequence ?? 0);
      const { bids, asks } = replay(books.slice(0, i + 1));
      expect(bids[0]?.[0]).toBeLessThan(asks[0]?.[0] ?? 0);
      // The server deletes what leaves its window of thirty levels.
      expect(Math.max(bids.length, asks.length)).toBeLessThanOrEqual(30);
    }
  });
});
