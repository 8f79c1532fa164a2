import { expect, it } from 'vitest';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import { callFor, contextOf, describeSamples, requestFor } from '../../../test/venues/samples.ts';
import { bybit } from './index.ts';

/** Recordings of calls that carry no metric. */
const WITHOUT_CALL = ['index-price-components.json', 'error-10004.json', 'error-10001.json'];

describeSamples(bybit, (samples) => {
  it('has a call for every recording that carries metrics, contracts, rates or books', () => {
    const without = samples.filter(({ url, method }) => callFor(bybit, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(WITHOUT_CALL);
  });

  it('lists recorded contracts and leaves out the one before its launch', () => {
    expect(decodeFile(bybit, 'instruments-linear.json').instruments).toEqual([
      {
        venue: 'bybit',
        symbol: 'BTCUSDT',
        base: 'BTC',
        ticker: 'BTC',
        multiplier: 1,
        contractSize: 1,
        quote: 'USDT',
        settle: 'USDT',
        fundingIntervalHours: 8,
      },
    ]);
    const multiplied = decodeFile(bybit, 'instruments-linear-multiplier.json').instruments;
    expect(multiplied.map(({ base, ticker, multiplier }) => [base, ticker, multiplier])).toEqual([
      ['10000NFT', 'NFT', 10_000],
      ['1000BONK', 'BONK', 1000],
    ]);
    expect(decodeFile(bybit, 'instruments-linear-prelisting.json').rejects).toEqual([
      { symbol: 'BIOUSDT', reason: 'prelisting' },
    ]);
  });

  it('reads the ticker of 2022: open interest halved, old names of bid and ask', () => {
    expect(decodeFile(bybit, 'tickers-linear.json').quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        fundingRate: 0.0001,
        nextFundingTime: 1_663_689_600_000,
        markPrice: 19255,
        indexPrice: 19260.68,
        bestBid: 19255,
        bestAsk: 19255.5,
        openInterestRaw: 48069.549,
        openInterestBase: 24034.7745,
        openInterestUsd: 24034.7745 * 19255,
        volume24hRaw: 243730.252,
        volume24hBase: 243730.252,
        volume24hUsd: 4686694853.047006,
      },
    ]);
  });

  it('leaves out inverse contracts', () => {
    expect(decodeFile(bybit, 'tickers-inverse.json').rejects).toEqual([
      { symbol: 'BTCUSD', reason: 'inverse' },
    ]);
    expect(decodeFile(bybit, 'open-interest-history.json').rejects).toEqual([
      { symbol: 'BTCUSD', reason: 'inverse' },
    ]);
    expect(decodeFile(bybit, 'ws-tickers-inverse-future-roq.jsonl').rejects).toEqual([
      { symbol: 'BTCUSDM23', reason: 'dated' },
    ]);
  });

  it('reads the ticker stream: the delta changes mark, index and the bid', () => {
    const [snapshot, delta] = decodeFile(bybit, 'ws-tickers-btcusdt.jsonl').quotes;
    expect(snapshot).toMatchObject({
      markPrice: 61875.25,
      indexPrice: 61903.73,
      fundingRate: 0.00008055,
      openInterestRaw: 58117.022,
      openInterestBase: 29058.511,
      openInterestUsd: 3596005265.51 / 2,
      volume24hUsd: 6073739017.8331,
      venueTime: 1_715_748_762_463,
    });
    expect(delta).toEqual({
      symbol: 'BTCUSDT',
      markPrice: 61875.06,
      indexPrice: 61903.59,
      bestBid: 61873.9,
      openInterestUsd: 3595994223.27 / 2,
      venueTime: 1_715_748_763_063,
    });
    expect(decodeFile(bybit, 'ws-tickers-doc.jsonl').quotes[0]).toMatchObject({
      fundingIntervalHours: 8,
      fundingRate: -0.005,
      openInterestBase: 492373.72 / 2,
    });
  });

  it('reads books: REST, snapshot and delta with deletions', () => {
    expect(decodeFile(bybit, 'orderbook-btcusdt.json').books).toEqual([
      {
        symbol: 'BTCUSDT',
        kind: 'snapshot',
        bids: [[65485.47, 47.081829]],
        asks: [[65557.7, 16.606555]],
        sequence: 230704,
        venueTime: 1716863718905,
      },
    ]);
    const [delta] = decodeFile(bybit, 'ws-orderbook-50-delta.jsonl').books;
    expect(delta?.bids.filter(([, size]) => size === 0)).toEqual([[30240, 0]]);
    expect(delta?.asks.filter(([, size]) => size === 0)).toEqual([
      [30248.7, 0],
      [30249.6, 0],
    ]);
    const [first, second] = decodeFile(bybit, 'ws-orderbook-spot-roq.jsonl').books;
    if (first === undefined || second === undefined) throw new Error('no books');
    expect(second.previousSequence).toBe(first.sequence);
    const book = replay([first, second]);
    expect([book.bids.length, book.asks.length]).toEqual([50, 50]);
    expect(book.bids[0]).toEqual([27579.99, 0.031244]);
    expect(book.asks[0]).toEqual([27580, 0.080386]);
  });

  it('reads recorded history', () => {
    expect(decodeFile(bybit, 'funding-history.json').funding).toEqual([
      { symbol: 'ETHPERP', time: 1_672_041_600_000, rate: 0.0001 },
    ]);
    expect(decodeFile(bybit, 'mark-price-kline.json').history).toEqual([
      { symbol: 'BTCUSDT', time: 1_670_608_800_000, markPrice: 17164.16 },
    ]);
  });

  it('knows the recorded errors by any decoder', () => {
    for (const file of ['error-10001.json', 'error-10004.json']) {
      const sample = samples.find((one) => one.file === file);
      const tickers = callFor(bybit, '/v5/market/tickers');
      const decoded = tickers?.decode(sample?.payloads[0], contextOf());
      expect(decoded?.rejects.map(({ reason }) => reason)).toEqual(['error_body']);
      expect(decoded?.quotes).toEqual([]);
    }
  });

  it('survives mutations of every recording', () => {
    for (const { file, url, method, payloads } of samples) {
      const call = callFor(bybit, url, method);
      if (call === undefined) continue;
      const context = contextOf([], requestFor(url));
      for (const payload of payloads) {
        const { problems } = mutate({ name: file, payload, decode: call.decode, context }, { limit: 300 });
        expect(problems).toEqual([]);
      }
    }
  });
});
