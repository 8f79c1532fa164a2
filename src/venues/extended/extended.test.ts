import { describe, expect, it } from 'vitest';
import { decoderOf } from '../../../test/venues/decode-call.ts';
import { decodeSample, describeSamples, loadSample } from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import { extended } from './index.ts';

const decode = decoderOf(extended);
const MARKETS = '/info/markets';
const STATS = {
  fundingRate: '0.00001',
  nextFundingRate: 1_777_442_400_000,
  markPrice: '2',
  indexPrice: '2',
  openInterest: '40',
  openInterestBase: '20',
};
const ROW = {
  name: 'NVDA_24_5-USD',
  type: 'PERPETUAL',
  category: 'RWA',
  active: true,
  status: 'ACTIVE',
  marketStats: STATS,
};

describe('extended', () => {
  it('an equity: without its trading hours; RWA alone: no coin', () => {
    const { instruments, quotes } = decode(MARKETS, { status: 'OK', data: [ROW] });
    expect(instruments[0]).toMatchObject({
      symbol: 'NVDA_24_5-USD',
      ticker: 'NVDA',
      quote: 'USD',
      settle: 'USDC',
    });
    expect(instruments[0]).toHaveProperty('assetClass', 'unknown');
    expect(quotes[0]).toMatchObject({
      fundingIntervalHours: 1,
      nextFundingTime: 1_777_442_400_000,
      openInterestBase: 20,
      openInterestUsd: 40,
    });
  });

  it('prices and touch, and the class of crypto, also of a bare row', () => {
    const marketStats = { ...STATS, indexPrice: '3', bidPrice: '1.9', askPrice: '2.1' };
    const row = { ...ROW, name: 'ETH-USD', category: 'Crypto', marketStats };
    for (const data of [[row], row]) {
      const { instruments, quotes } = decode(MARKETS, { status: 'OK', data });
      expect(instruments).toMatchObject([{ symbol: 'ETH-USD', assetClass: 'crypto' }]);
      expect(quotes).toMatchObject([{ markPrice: 2, indexPrice: 3, bestBid: 1.9, bestAsk: 2.1 }]);
    }
  });

  it.each([
    ['RWA', 'Equity', 'equity'],
    ['RWA', 'ETF/Index', 'index'],
    ['RWA', 'Commodity', 'commodity'],
    ['RWA', 'FX', 'fx'],
    ['RWA', 'Pre-market', 'prelaunch'],
    ['RWA', 'TradFi', 'unknown'],
    ['RWA', 'Bonds', 'unknown'],
    // A token of gold.
    ['Crypto', 'Commodity', 'crypto'],
    ['Infra', 'Equity', undefined],
  ])('files %s %s under %s', (category, subCategory, assetClass) => {
    const row = { ...ROW, name: 'QNT-USD', category, subCategory };
    const [instrument] = decode(MARKETS, { status: 'OK', data: [row] }).instruments;
    expect(instrument?.assetClass).toBe(assetClass);
  });

  it('a category that is an object is a fault', () => {
    const { rejects } = decode(MARKETS, { status: 'OK', data: [{ ...ROW, name: 'QNT-USD', category: {} }] });
    expect(rejects).toEqual([{ symbol: 'QNT-USD', reason: 'malformed', detail: 'category' }]);
  });

  it('names thousands of a token by a small k, and by no other', () => {
    const data = ['kNOT-USD', 'kXEC-USD', 'KAITO-USD'].map((name) => ({ ...ROW, name }));
    const { instruments } = decode(MARKETS, { status: 'OK', data });
    expect(instruments.map(({ ticker, multiplier }) => [ticker, multiplier])).toEqual([
      ['NOT', 1000],
      ['XEC', 1000],
      ['KAITO', 1],
    ]);
  });

  it('a market of quotes on request: funding, but no book and no touch', () => {
    const marketStats = { ...STATS, bidPrice: '1.9', askPrice: '2.1' };
    const row = { ...ROW, name: 'ETH-USD', isRfq: true, marketStats };
    const { instruments, quotes, rejects } = decode(MARKETS, { status: 'OK', data: [row] });
    expect(rejects).toEqual([]);
    expect(instruments).toMatchObject([{ symbol: 'ETH-USD', indicativeBook: true }]);
    expect(quotes).toMatchObject([{ fundingIntervalHours: 1, openInterestBase: 20 }]);
    expect(quotes[0]).not.toHaveProperty('bestBid');
    expect(quotes[0]).not.toHaveProperty('bestAsk');
  });

  it('selects by type and status, not by value', () => {
    const data = [
      { ...ROW, name: 'A-USD', type: 'SPOT' },
      { ...ROW, name: 'B-USD', status: 'DELISTED', active: false },
      { ...ROW, name: 'C-USD', status: 'REDUCE_ONLY' },
      { ...ROW, name: 'DSPOT', isRfq: true },
      { ...ROW, name: 'E-USD', status: 'PRELISTED' },
    ];
    const decoded = decode(MARKETS, { status: 'OK', data });
    expect(decoded.quotes).toEqual([]);
    expect(decoded.rejects.map((r) => r.reason)).toEqual([
      'spot',
      'delisted',
      'not_trading',
      'not_listed',
      'prelisting',
    ]);
    const error = { status: 'ERROR', error: { code: 1006, message: 'Rate limit exceeded' } };
    expect(decode(MARKETS, error).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '1006 Rate limit exceeded' },
    ]);
  });

  it('volume: halved; open interest of unknown sides: as published', () => {
    const stats = { ...STATS, openInterestBase: '20.01', dailyVolume: '10.02', dailyVolumeBase: '5.006' };
    const { quotes } = decode(MARKETS, { status: 'OK', data: [{ ...ROW, marketStats: stats }] });
    expect(quotes[0]).toMatchObject({
      openInterestRaw: 20.01,
      openInterestBase: 20.01,
      openInterestUsd: 40,
      volume24hRaw: 10.02,
      volume24hUsd: 5.01,
      volume24hBase: 2.503,
    });
  });

  it('rows without a status, as in older payloads: by their activity', () => {
    const { status: _, ...old } = ROW;
    const data = [
      old,
      { ...old, name: 'OFF-USD', active: false },
      { name: 'NEITHER-USD', marketStats: STATS },
    ];
    const decoded = decode(MARKETS, { status: 'OK', data });
    expect(decoded.instruments.map((i) => i.symbol)).toEqual(['NVDA_24_5-USD']);
    expect(decoded.quotes).toHaveLength(1);
    expect(decoded.rejects).toEqual([
      { symbol: 'OFF-USD', reason: 'not_trading' },
      { symbol: 'NEITHER-USD', reason: 'missing_field', detail: 'status' },
    ]);
  });

  it('an open interest row without a time or an amount is a fault', () => {
    const data = [{ I: '2.002', i: '4', t: 1_777_420_800_000 }, { I: '1', i: '2' }, { t: 1_777_420_800_000 }];
    const { history, rejects } = decode('/info/BTC-USD/open-interests', { status: 'OK', data });
    expect(history).toEqual([
      { symbol: 'BTC-USD', time: 1_777_420_800_000, openInterestBase: 2.002, openInterestUsd: 4 },
    ]);
    expect(rejects.map((r) => [r.reason, r.detail])).toEqual([
      ['malformed', 'time'],
      ['missing_field', 'openInterest'],
    ]);
  });

  it('a contract of 1000 coins: prices divided, amounts multiplied', () => {
    const { quotes } = decode(MARKETS, { status: 'OK', data: [{ ...ROW, name: '1000PEPE-USD' }] });
    expect(quotes[0]).toMatchObject({ markPrice: 0.002, openInterestBase: 20_000, openInterestRaw: 20 });
  });

  it('reads the new size of a delta from c, not from q', () => {
    const data = {
      t: 'DELTA',
      m: 'BTC-USD',
      b: [{ q: '-0.5', p: '10', c: '3' }],
      a: [{ q: '-1', p: '11', c: '0' }],
    };
    const { books } = decode('orderbooks', { type: 'DELTA', data, ts: 1_785_778_403_488, seq: 7 });
    expect(books[0]).toMatchObject({ kind: 'delta', sequence: 7, bids: [[10, 3]], asks: [[11, 0]] });
  });

  it('settled rates on the hour, past open interest, marks at the open', () => {
    const at = Date.UTC(2026, 3, 30);
    const past = (path: string, row: object) => decode(path, { status: 'OK', data: [row] });
    expect(past('/info/BTC-USD/funding', { m: 'BTC-USD', f: '0.000008', T: at + 1234 }).funding).toEqual([
      { symbol: 'BTC-USD', time: at, rate: 0.000008, intervalHours: 1 },
    ]);
    const asked = { request: { method: 'GET', path: '/', symbol: 'BTC-USD' } } as const;
    const rows = (row: object) => ({ status: 'OK', data: [row] });
    const interest = rows({ i: '112620590.6', I: '1473.14', t: at });
    expect(decode('/info/BTC-USD/open-interests', interest, asked).history).toEqual([
      { symbol: 'BTC-USD', time: at, openInterestBase: 1473.14, openInterestUsd: 112_620_590.6 },
    ]);
    // One row may come without a list around it.
    const paid = { m: 'BTC-USD', f: '0.000008', T: at };
    expect(decode('/info/BTC-USD/funding', { status: 'OK', data: paid }).funding).toHaveLength(1);
    const open = { status: 'OK', data: { i: '2', I: '1', t: at } };
    expect(decode('/info/BTC-USD/open-interests', open, asked).history).toHaveLength(1);
    const close = { status: 'OK', data: { o: '1', c: '2', T: at } };
    expect(decode('/info/candles/BTC-USD/mark-prices', close, asked).history).toHaveLength(1);
    const candle = rows({ o: '75650', l: '75640', h: '75660', c: '75657.5', T: at });
    expect(decode('/info/candles/BTC-USD/mark-prices', candle, asked).history).toEqual([
      { symbol: 'BTC-USD', time: at, markPrice: 75_650 },
    ]);
  });

  it('pushed marks and rates, and books whose changes state sizes', () => {
    const push = (type: string, data: object) => ({ type, data, ts: 1_777_442_400_000, seq: 7 });
    expect(decode('prices/mark', push('MP', { m: 'BTC-USD', p: '63807.6' })).quotes).toEqual([
      { symbol: 'BTC-USD', markPrice: 63_807.6 },
    ]);
    expect(decode('prices/index', push('IP', { m: 'BTC-USD', p: '63808' })).quotes).toEqual([
      { symbol: 'BTC-USD', indexPrice: 63_808 },
    ]);
    expect(decode('funding', push('FUNDING', { m: 'BTC-USD', f: '0.001' })).quotes).toEqual([
      { symbol: 'BTC-USD', fundingRate: 0.001, fundingIntervalHours: 1 },
    ]);
    const whole = { m: 'BTC-USD', b: [{ p: '63720', q: '14.7' }], a: [{ p: '63721', q: '5.1' }] };
    const change = { m: 'BTC-USD', b: [{ p: '63717', q: '-0.5', c: '0.8' }], a: [] };
    const books = [push('SNAPSHOT', whole), push('DELTA', change)].map(
      (frame) => decode('orderbooks', frame).books[0],
    );
    expect(books).toMatchObject([
      { kind: 'snapshot', sequence: 7, bids: [[63_720, 14.7]], asks: [[63_721, 5.1]] },
      { kind: 'delta', venueTime: 1_777_442_400_000, bids: [[63_717, 0.8]], asks: [] },
    ]);
    // A side that did not change is absent.
    const { b, a } = change;
    const none = { bids: [], asks: [] };
    const sides = { ...none, bids: [[63_717, 0.8]] };
    expect(decode('orderbooks', push('DELTA', { m: 'BTC-USD', b })).books).toMatchObject([sides]);
    expect(decode('orderbooks', push('DELTA', { m: 'BTC-USD', a })).books).toMatchObject([none]);
    const rest = {
      market: 'BTC-USD',
      bid: [{ qty: '0.04852', price: '61827' }],
      ask: [{ qty: '2', price: '61840' }],
    };
    expect(decode('/info/markets/BTC-USD/orderbook', { status: 'OK', data: rest }).books).toMatchObject([
      { kind: 'snapshot', bids: [[61_827, 0.04852]], asks: [[61_840, 2]] },
    ]);
    // The answer's own name counts before the one that was asked for.
    const named = { status: 'OK', data: { ...rest, market: 'ETH-USD' } };
    expect(decode('/info/markets/BTC-USD/orderbook', named).books).toMatchObject([{ symbol: 'ETH-USD' }]);
    const stats = decode('/info/markets/BTC-USD/stats', { status: 'OK', data: STATS }).quotes;
    expect(stats).toMatchObject([{ symbol: 'BTC-USD', fundingRate: 0.00001, openInterestBase: 20 }]);
  });

  describeSamples(extended, () => {
    it('markets: one call has it all', () => {
      const decoded = decodeSample(extended, loadSample('extended', 'markets.json'))[0];
      expect(decoded?.quotes).toEqual([
        {
          symbol: 'BTC-USD',
          fundingRate: 0.000013,
          fundingIntervalHours: 1,
          nextFundingTime: 1_777_442_400_000,
          markPrice: 77_259.68025,
          indexPrice: 77_299.0204125,
          bestBid: 77_259,
          bestAsk: 77_260,
          openInterestRaw: 1500.40958,
          openInterestBase: 1500.40958,
          openInterestUsd: 115_861_923.311902,
          volume24hBase: 3025.00058 / 2,
          volume24hUsd: 231_016_077.51296 / 2,
          volume24hRaw: 231_016_077.51296,
        },
      ]);
      expect(decodeSample(extended, loadSample('extended', 'markets-filter-cases.json'))[0]).toMatchObject({
        quotes: [],
        rejects: [{ reason: 'spot' }, { reason: 'delisted' }],
      });
    });

    it('history: funding, open interest, mark candles', () => {
      const [funding] = decodeSample(extended, loadSample('extended', 'funding-history.json'));
      expect(funding?.funding).toEqual([
        { symbol: 'BTC-USD', time: 1_777_507_200_000, rate: 0.000008, intervalHours: 1 },
      ]);
      const [interest] = decodeSample(extended, loadSample('extended', 'open-interests.json'));
      expect(interest?.history).toEqual([
        {
          symbol: 'BTC-USD',
          time: 1_777_420_800_000,
          openInterestBase: 1473.14084,
          openInterestUsd: 112_620_590.606036,
        },
      ]);
      const [candles] = decodeSample(extended, loadSample('extended', 'candles-mark.json'));
      expect(candles?.history).toEqual([{ symbol: 'BTC-USD', time: 1_777_517_880_000, markPrice: 75_657.5 }]);
    });

    it('books and ticks', () => {
      const [rest] = decodeSample(extended, loadSample('extended', 'orderbook.json'));
      expect(rest?.books).toMatchObject([{ bids: [[76_214, 14.46084]], asks: [[76_215, 0.11585]] }]);
      const frames = decodeSample(extended, loadSample('extended', 'ws-book.jsonl')).flatMap((d) => d.books);
      expect(frames.map((b) => [b.kind, b.sequence, b.bids])).toEqual([
        ['snapshot', 1, [[63_720, 14.79329]]],
        ['delta', 2, [[63_717, 0.85928]]],
      ]);
      const [mark] = decodeSample(extended, loadSample('extended', 'ws-mark.jsonl'));
      expect(mark?.quotes).toEqual([{ symbol: 'BTC-USD', markPrice: 63_807.605956625 }]);
      const [funding] = decodeSample(extended, loadSample('extended', 'ws-funding.jsonl'));
      expect(funding?.quotes).toEqual([{ symbol: 'BTC-USD', fundingRate: 0.001, fundingIntervalHours: 1 }]);
    });
  });

  it('asks for open interest a second time in an interval that is documented', () => {
    const instrument = {
      venue: 'extended',
      symbol: 'BTC-USD',
      base: 'BTC',
      ticker: 'BTC',
      quote: 'USD',
      settle: 'USD',
      multiplier: 1,
      contractSize: 1,
    };
    const asked = (extended.second?.ways ?? []).map(({ request }) => request(instrument, asMs(1.8e12)).path);
    const interest = asked.filter((path) => path.includes('/open-interests'));
    expect(interest).toHaveLength(1);
    expect(interest[0]).toMatch(/[?&]interval=PT1H(&|$)/);
  });
});
