import { describe, expect, it } from 'vitest';
import { callFor, decodeSample, describeSamples, loadSample } from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import { frames, restBook } from './books.ts';
import { pacifica } from './index.ts';
import { decodeFundingHistory, decodeInfo, decodeInfoRates, decodeMarkKline, decodePrices } from './wire.ts';

const none = { instruments: new Map() };

describe('pacifica', () => {
  it('lists perpetuals only; k names are per thousand', () => {
    const rows = [
      { symbol: 'kBONK', instrument_type: 'perpetual' },
      { symbol: 'SOL-USDC', instrument_type: 'spot' },
      { symbol: 'SPOTTED', instrument_type: 'spot' },
      { symbol: 'OLD' },
    ];
    const { instruments, rejects } = decodeInfo({ success: true, data: rows }, none);
    expect(instruments).toMatchObject([
      { symbol: 'kBONK', ticker: 'BONK', multiplier: 1000, fundingIntervalHours: 1 },
      { symbol: 'OLD', quote: 'USDC', settle: 'USDC', contractSize: 1 },
    ]);
    expect(rejects).toEqual([
      { symbol: 'SOL-USDC', reason: 'spot' },
      { symbol: 'SPOTTED', reason: 'spot' },
    ]);
  });

  it('the next settlement: the full hour after stamp or receipt', () => {
    const row = { symbol: 'BTC', mark: '100', next_funding: '0.0001' };
    const at = asMs(Date.UTC(2026, 0, 1, 10, 59, 59));
    const stamped = decodePrices({ success: true, data: [{ ...row, timestamp: at }] }, none);
    expect(stamped.quotes[0]).toMatchObject({ nextFundingTime: Date.UTC(2026, 0, 1, 11), venueTime: at });
    const received = decodePrices({ success: true, data: [row] }, { ...none, receivedAt: at });
    expect(received.quotes[0]?.nextFundingTime).toBe(Date.UTC(2026, 0, 1, 11));
    expect(decodePrices({ success: true, data: [row] }, none).quotes[0]?.nextFundingTime).toBeUndefined();
  });

  it('open interest and volume: halved; raw numbers: unchanged', () => {
    const row = { symbol: 'kBONK', mark: '0.02', open_interest: '7001', volume_24h: '33.3' };
    expect(decodePrices({ success: true, data: [row] }, none).quotes).toMatchObject([
      {
        openInterestRaw: 7001,
        openInterestBase: 3_500_500,
        volume24hRaw: 33.3,
        volume24hUsd: 16.65,
      },
    ]);
  });

  it('reads the coming rate of the list, not the one last paid', () => {
    const row = {
      symbol: 'BTC',
      instrument_type: 'perpetual',
      funding_rate: '0.0002',
      next_funding_rate: '-0.0001',
    };
    expect(decodeInfoRates({ success: true, data: [row, { symbol: 'SOL-USDC' }] }, none)).toMatchObject({
      quotes: [{ symbol: 'BTC', fundingRate: -0.0001, fundingIntervalHours: 1 }],
      rejects: [{ symbol: 'SOL-USDC', reason: 'spot' }],
    });
  });

  it('success false inside HTTP 200 is a reject', () => {
    const body = { success: false, data: null, error: 'Internal server error', code: 500 };
    expect(decodePrices(body, none)).toMatchObject({
      quotes: [],
      rejects: [{ symbol: null, reason: 'error_body', detail: '500 Internal server error' }],
    });
  });

  const frame = (payload: object) => frames.decode(payload, none);
  const sides = [[{ p: '106504', a: '0.26203', n: 1 }], [{ p: '106559', a: '0.26802', n: 1 }]];

  it('the running estimate is the rate, by REST and by push', () => {
    const row = { symbol: 'XPL', mark: '1.08', oracle: '1.07', funding: '0.0001', next_funding: '0.0003' };
    const quote = {
      symbol: 'XPL',
      fundingRate: 0.0003,
      fundingIntervalHours: 1,
      markPrice: 1.08,
      indexPrice: 1.07,
    };
    // One row may come without a list around it.
    for (const data of [[row], row])
      expect(decodePrices({ success: true, data }, none).quotes).toEqual([quote]);
    expect(frame({ channel: 'prices', data: [row] }).quotes).toEqual([quote]);
  });

  it('the rate paid at an hour is the next one of its row, put on the hour', () => {
    const rates = { funding_rate: '0.0002', next_funding_rate: '0.0000125' };
    const rows = [{ oracle_price: '117170', ...rates, created_at: Date.UTC(2025, 6, 29, 17, 0, 4) }];
    const request = { method: 'GET', path: '/funding_rate/history?symbol=BTC', symbol: 'BTC' } as const;
    expect(decodeFundingHistory({ success: true, data: rows }, { ...none, request }).funding).toEqual([
      { symbol: 'BTC', time: Date.UTC(2025, 6, 29, 17), rate: 0.0000125, intervalHours: 1 },
    ]);
  });

  it('a candle of marks is its open at its open time', () => {
    const candle = {
      s: 'BTC',
      t: 1_748_954_160_000,
      T: 1_748_954_220_000,
      i: '1m',
      o: '105370',
      c: '105376',
    };
    for (const data of [[candle], candle])
      expect(decodeMarkKline({ success: true, data }, none).history).toEqual([
        { symbol: 'BTC', time: 1_748_954_160_000, markPrice: 105_370 },
      ]);
  });

  it('a book is whole by REST and in each frame, which is numbered', () => {
    const data = { s: 'BTC', l: sides, t: 1_751_370_536_325 };
    const book = { symbol: 'BTC', kind: 'snapshot', bids: [[106_504, 0.26203]], asks: [[106_559, 0.26802]] };
    expect(restBook.decode({ success: true, data }, none).books).toMatchObject([book]);
    const [pushed] = frame({ channel: 'book', data: { ...data, li: 1_559_885_104 } }).books;
    expect(pushed).toMatchObject({ ...book, sequence: 1_559_885_104, venueTime: 1_751_370_536_325 });
  });

  it.each([
    ['no sides', 'l'],
    ['a price of zero', [[{ p: '0', a: '1', n: 1 }], []]],
    ['a price beyond any', [[{ p: '1e15', a: '1', n: 1 }], []]],
    ['a size beyond any', [[{ p: '1', a: '1e24', n: 1 }], []]],
    ['a negative size', [[{ p: '1', a: '-1', n: 1 }], []]],
    ['a level that is none', [['1'], []]],
  ])('a book with %s is rejected', (_, l) => {
    const { books, rejects } = frame({ channel: 'book', data: { s: 'BTC', l, t: 1, li: 1 } });
    expect([books, rejects]).toMatchObject([[], [{ symbol: 'BTC', reason: 'malformed' }]]);
  });

  it('acknowledgements and pongs are silent; other channels are a reject', () => {
    for (const channel of ['subscribe', 'unsubscribe', 'pong'])
      expect(frame({ channel }).rejects).toEqual([]);
    for (const odd of [{ channel: 'trades' }, {}])
      expect(frame(odd).rejects).toMatchObject([{ detail: 'no known channel' }]);
  });

  it.each([
    ['/api/v1/book?symbol=BTC', 'book'],
    ['/api/v1/funding_rate/history?symbol=BTC', 'funding_rate/history'],
    ['/api/v1/kline/mark?symbol=BTC', 'kline/mark'],
    ['wss://ws.pacifica.fi/ws', 'frame'],
    ['{"method":"subscribe","params":{"source":"book","symbol":"BTC"}}', 'frame'],
    ['prices', 'frame'],
  ])('%s is %s', (named, call) => expect(callFor(pacifica, named)?.name).toBe(call));

  it('the touch of a perpetual is read, that of a spot pair left out', () => {
    const touch = (s: string) =>
      frame({ channel: 'bbo', data: { s, b: '87185', B: '1', a: '87186', A: '2' } });
    expect(touch('BTC').quotes).toEqual([{ symbol: 'BTC', bestBid: 87_185, bestAsk: 87_186 }]);
    expect(touch('SOL-USDC').rejects).toEqual([{ symbol: 'SOL-USDC', reason: 'spot' }]);
  });

  it('calls: charged by their credits, in tenths of the header', () => {
    expect(pacifica.polls.map(({ call, weight }) => [call.name, weight])).toEqual([
      ['info', 2],
      ['info/prices', 2],
    ]);
    expect(pacifica.books?.rest?.weight).toBe(2);
    expect(pacifica.second?.ways.map(({ call, weight }) => [call.name, weight])).toEqual([
      ['info rates', 2],
      ['funding_rate/history', 10],
      ['kline/mark', 12],
    ]);
  });

  describeSamples(pacifica, () => {
    it('prices: the running estimate is the rate, not the last settled one', () => {
      expect(decodeSample(pacifica, loadSample('pacifica', 'prices.json'))[0]?.quotes).toEqual([
        {
          symbol: 'XPL',
          fundingRate: 0.00011096,
          fundingIntervalHours: 1,
          nextFundingTime: 1_759_226_400_000,
          markPrice: 1.084819,
          indexPrice: 1.084524,
          openInterestRaw: 3_634_796,
          openInterestBase: 3_634_796 / 2,
          openInterestUsd: (3_634_796 / 2) * 1.084819,
          volume24hRaw: 20_896_698.0672,
          volume24hUsd: 20_896_698.0672 / 2,
          venueTime: 1_759_222_967_974,
        },
      ]);
    });

    it('instruments, history, book and frames', () => {
      const info = decodeSample(pacifica, loadSample('pacifica', 'info.json'))[0];
      expect(info?.instruments.map((i) => i.symbol)).toEqual(['BTC']);
      const history = decodeSample(pacifica, loadSample('pacifica', 'funding-history.json'))[0];
      expect(history?.funding).toEqual([
        { symbol: 'BTC', time: Date.UTC(2025, 6, 29, 17), rate: 0.0000125, intervalHours: 1 },
      ]);
      const book = decodeSample(pacifica, loadSample('pacifica', 'book.json'))[0]?.books[0];
      expect([book?.bids[0], book?.asks[0]]).toEqual([
        [106_504, 0.26203],
        [106_559, 0.26802],
      ]);
      const frame = decodeSample(pacifica, loadSample('pacifica', 'ws-book-docs.jsonl'))[0]?.books[0];
      expect(frame).toMatchObject({ symbol: 'SOL', kind: 'snapshot', sequence: 1_559_885_104 });
      const prices = decodeSample(pacifica, loadSample('pacifica', 'ws-prices.jsonl'))[0];
      expect(prices?.quotes[0]).toMatchObject({ symbol: 'BTC', markPrice: 105_473, fundingRate: 0.0000125 });
      const bbo = decodeSample(pacifica, loadSample('pacifica', 'ws-bbo.jsonl'))[0];
      expect(bbo?.rejects).toEqual([{ symbol: 'SOL-USDC', reason: 'spot' }]);
    });
  });
});
