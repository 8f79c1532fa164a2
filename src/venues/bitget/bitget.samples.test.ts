import { expect, it } from 'vitest';
import { decodeCall, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import { callFor, contextOf, describeSamples, requestFor } from '../../../test/venues/samples.ts';
import { bitget } from './index.ts';

describeSamples(bitget, (samples) => {
  it('has a call for every recording that carries metrics, contracts, rates or books', () => {
    const without = samples.filter(({ url, method }) => callFor(bitget, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(['error-40017.json']);
  });

  it('reads recorded tickers of both generations', () => {
    expect(decodeFile(bitget, 'ticker-btcusdt.json').quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        fundingRate: -0.000014,
        markPrice: 104824.2,
        indexPrice: 104881.953125,
        openInterestRaw: 7452.6421,
        openInterestBase: 7452.6421,
        openInterestUsd: 7452.6421 * 104824.2,
        volume24hRaw: 79089.5675,
        volume24hBase: 79089.5675,
        volume24hUsd: 8274870921.80485,
        bestBid: 104823.5,
        bestAsk: 104823.8,
        venueTime: 1750332210370,
      },
    ]);
    expect(decodeFile(bitget, 'v3-tickers.json').quotes).toMatchObject([
      { markPrice: 90216.4, fundingRate: 0.000047, openInterestBase: 27606.0718, volume24hBase: 50772.839 },
    ]);
    expect(reasons(decodeFile(bitget, 'tickers-coin-doc.json'))).toEqual([
      ['BTCUSD', 'inverse'],
      ['ETHUSD_231229', 'dated'],
    ]);
  });

  it('reads recorded contracts, funding, open interest and history', () => {
    for (const file of ['contract-row.json', 'contracts-doc.json', 'v3-instruments.json']) {
      expect(decodeFile(bitget, file).instruments, file).toMatchObject([
        { symbol: 'BTCUSDT', ticker: 'BTC', contractSize: 1, fundingIntervalHours: 8 },
      ]);
    }
    expect(decodeFile(bitget, 'current-fund-rate.json').quotes).toEqual([
      { symbol: 'BTCUSDT', fundingRate: -0.000024, fundingIntervalHours: 8, nextFundingTime: 1761667200000 },
    ]);
    expect(decodeFile(bitget, 'funding-time.json').quotes).toEqual([
      { symbol: 'BTCUSDT', nextFundingTime: 1745424000000, fundingIntervalHours: 8 },
    ]);
    expect(decodeFile(bitget, 'open-interest.json').quotes).toMatchObject([{ openInterestBase: 52234.134 }]);
    expect(decodeFile(bitget, 'history-fund-rate.json').funding).toEqual([
      { symbol: 'BTCUSDT', time: 1695776400000, rate: 0.0005 },
      { symbol: 'BTCUSDT', time: 1695715200000, rate: 0.000013 },
    ]);
    expect(decodeFile(bitget, 'merge-depth-doc.json').books).toMatchObject([
      {
        symbol: 'BTCUSDT',
        bids: [
          [26346.5, 0.16],
          [26346, 0.32],
        ],
        asks: [
          [26347.5, 0.25],
          [26348, 0.16],
        ],
      },
    ]);
  });

  it('reads mark candles once the request names the contract, which the recorded one does not', () => {
    expect(reasons(decodeFile(bitget, 'history-mark-candles.json'))).toEqual([[null, 'missing_field']]);
    const payload = samples.find(({ file }) => file === 'history-mark-candles.json')?.payloads[0];
    const named = '/api/v2/mix/market/history-mark-candles?symbol=BTCUSDT';
    expect(decodeCall(bitget, named, payload).history).toEqual([
      { symbol: 'BTCUSDT', time: 1695835800000, markPrice: 26210.5 },
      { symbol: 'BTCUSDT', time: 1695836100000, markPrice: 26194.5 },
    ]);
  });

  it('replays the recorded book session to the stated best levels', () => {
    const { books, rejects } = decodeFile(bitget, 'ws-books-v1-dashusdt.jsonl');
    expect([books.length, rejects]).toEqual([60, []]);
    const book = replay(books);
    expect(book.bids.slice(0, 3)).toEqual([
      [113.49, 35.65],
      [113.48, 46.64],
      [113.46, 44.71],
    ]);
    expect(book.asks.slice(0, 3)).toEqual([
      [113.55, 1.82],
      [113.56, 4.6],
      [113.57, 3.25],
    ]);
  });

  it('reads the recorded frames of v2 and v3 as their source normalised them', () => {
    const classic = decodeFile(bitget, 'ws-v2-mixed-a.jsonl');
    expect(classic.books[1]).toMatchObject({
      symbol: 'ADAUSDT',
      kind: 'snapshot',
      bids: [[0.3553, 112096]],
      asks: [[0.3555, 10230]],
      venueTime: Date.parse('2024-10-31T00:00:59.988Z'),
    });
    expect(classic.quotes).toMatchObject([
      {
        symbol: 'STORJUSDT',
        openInterestBase: 8572031.1,
        fundingRate: 0.0001,
        nextFundingTime: Date.parse('2024-10-31T08:00:00.000Z'),
        indexPrice: 0.47080586,
        markPrice: 0.4705,
        venueTime: Date.parse('2024-10-31T00:00:23.155Z'),
      },
    ]);
    const unified = decodeFile(bitget, 'ws-v3-books-ticker.jsonl');
    expect(unified.books).toMatchObject([
      {
        kind: 'snapshot',
        bids: [
          [76742.8, 2.8986],
          [76742.7, 0.0001],
        ],
        sequence: 483814309734,
      },
      {
        kind: 'delta',
        bids: [
          [76598.9, 0.0783],
          [76596.4, 0],
        ],
        previousSequence: 483415077719,
      },
    ]);
    expect(unified.quotes).toMatchObject([
      {
        openInterestBase: 29539.3825,
        fundingRate: -0.00003,
        nextFundingTime: Date.parse('2026-04-28T08:00:00.000Z'),
        markPrice: 76631.3,
        venueTime: Date.parse('2026-04-28T06:48:00.084Z'),
      },
    ]);
  });

  it('survives every field of every recording broken', () => {
    const problems = samples.flatMap((sample) => {
      const call = callFor(bitget, sample.url, sample.method);
      if (call === undefined) return [];
      const context = contextOf([], requestFor(sample.url, sample.method));
      return sample.payloads
        .slice(0, 3)
        .flatMap(
          (payload) =>
            mutate({ name: sample.file, payload, decode: call.decode, context }, { limit: 250 }).problems,
        );
    });
    expect(problems).toEqual([]);
  });
});
