import { describe, expect, it } from 'vitest';
import {
  callFor,
  contextOf,
  decodeSample,
  describeSamples,
  loadSample,
} from '../../../test/venues/samples.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import { asMs } from '../../domain/units.ts';
import { allMarks, depth, frames } from './books.ts';
import { apex } from './index.ts';
import { decodeAllTickers, decodeFundingHistory, decodeSymbols, decodeTicker } from './wire.ts';

const none = contextOf();
const HOURLY = { fundingIntervalHours: 1 };

describe('apex', () => {
  it('lists enabled USDT perpetuals; the hyphenated symbol is the other id', () => {
    const row = {
      crossSymbolName: '1000PEPEUSDT',
      symbol: '1000PEPE-USDT',
      baseTokenId: '1000PEPE',
      settleAssetId: 'USDT',
    };
    const perpetualContract = [
      { ...row, enableTrade: true },
      { ...row, crossSymbolName: 'OLDUSDT', enableTrade: false },
      { ...row, crossSymbolName: 'NEWUSDT', enableTrade: true, isPrelaunch: true },
      { ...row, crossSymbolName: 'BTCUSDC', settleAssetId: 'USDC', enableTrade: true },
    ];
    const decoded = decodeSymbols({ data: { contractConfig: { perpetualContract } } }, none);
    const listed = { venue: 'apex', quote: 'USDT', settle: 'USDT', contractSize: 1, fundingIntervalHours: 1 };
    expect(decoded.instruments).toEqual([
      {
        ...listed,
        symbol: '1000PEPEUSDT',
        altId: '1000PEPE-USDT',
        base: '1000PEPE',
        ticker: 'PEPE',
        multiplier: 1000,
      },
    ]);
    // The base is the token's name, whatever the symbol says; without either name, the symbol is all there is.
    const bare = { crossSymbolName: 'XBTUSDT', settleAssetId: 'USDT', enableTrade: true };
    const odd = decodeSymbols({ data: { perpetualContract: [{ ...bare, baseTokenId: 'BTC' }, bare] } }, none);
    expect(odd.instruments).toMatchObject([
      { ...listed, symbol: 'XBTUSDT', altId: 'XBTUSDT', base: 'BTC' },
      { ...listed, symbol: 'XBTUSDT', altId: 'XBTUSDT', base: 'XBT' },
    ]);
    expect(decoded.rejects.map((r) => r.reason)).toEqual(['not_trading', 'prelisting', 'foreign_quote']);
  });

  it('lists stock contracts with their class, and rejects other lists', () => {
    const stock = (base: string, category?: string, enableTrade = true) => ({
      crossSymbolName: `${base}USDT`,
      symbol: `${base}-USDT`,
      baseTokenId: base,
      settleAssetId: 'USDT',
      enableTrade,
      category,
    });
    const contractConfig = {
      perpetualContract: [],
      stockContract: [
        stock('NVDA', 'STOCK'),
        stock('US100', 'INDEX'),
        stock('XAU', 'COMMODITY'),
        stock('ODD'),
        stock('OLD', 'STOCK', false),
      ],
      prelaunchContract: [stock('NEW')],
      predictionContract: [{ symbol: 'ELECTION-USDT' }, { symbol: 'RAIN-USDT' }],
    };
    const { instruments, rejects } = decodeSymbols({ data: { contractConfig } }, none);
    expect(instruments.map((i) => [i.symbol, i.ticker, i.assetClass])).toEqual([
      ['NVDAUSDT', 'NVDA', 'equity'],
      ['US100USDT', 'US100', 'index'],
      ['XAUUSDT', 'XAU', 'commodity'],
      ['ODDUSDT', 'ODD', 'unknown'],
    ]);
    expect(rejects).toEqual([
      { symbol: 'OLDUSDT', reason: 'not_trading' },
      { symbol: 'NEWUSDT', reason: 'prelisting' },
      { symbol: null, reason: 'not_listed', detail: '2 prediction markets' },
    ]);
  });

  it('the rate: the running estimate, with the next full hour undated', () => {
    const row = {
      symbol: 'BTCUSDT',
      fundingRate: '0.0002',
      predictedFundingRate: '0.0000125',
      nextFundingTime: '10:00:00',
    };
    const receivedAt = asMs(Date.UTC(2026, 8, 28, 8, 30));
    expect(decodeTicker({ data: [row] }, { ...none, receivedAt }).quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        fundingRate: 0.0002,
        fundingIntervalHours: 1,
        nextFundingTime: Date.UTC(2026, 8, 28, 9),
      },
    ]);
    const old = { ...row, fundingRate: '0.0001', nextFundingTime: '2026-09-28T11:00:00Z' };
    expect(decodeTicker({ data: [old, { symbol: 'ETHUSDT', markPrice: '5' }] }, none).quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        fundingRate: 0.0001,
        ...HOURLY,
        nextFundingTime: Date.UTC(2026, 8, 28, 11),
      },
      { symbol: 'ETHUSDT', markPrice: 5 },
    ]);
  });

  it('rejects an error code inside HTTP 200', () => {
    const body = { code: 3, msg: 'invalid symbol', key: 'X' };
    expect(decodeSymbols(body, none).rejects).toHaveLength(1);
    expect(decodeSymbols({ code: '0', data: { perpetualContract: [] } }, none).rejects).toEqual([]);
    expect(decodeTicker(body, none).rejects).toMatchObject([
      { reason: 'error_body', detail: '3 invalid symbol' },
    ]);
  });

  it('sorts a snapshot, whose bids arrive worst first', () => {
    const data = {
      s: 'BTCUSDT',
      b: [
        ['9', '1'],
        ['10', '2'],
      ],
      a: [
        ['11', '1'],
        ['12', '1'],
      ],
      u: 5,
    };
    const book = {
      symbol: 'BTCUSDT',
      kind: 'snapshot',
      bids: [
        [10, 2],
        [9, 1],
      ],
      asks: [
        [11, 1],
        [12, 1],
      ],
    };
    const whole = { data: { ...data, a: data.a.toReversed() } };
    expect(depth.decode(whole, none).books).toEqual([{ ...book, sequence: 5 }]);
    // The REST book that the stream is compared with has no sequence number.
    expect(apex.books?.rest?.call.decode(whole, none).books).toEqual([book]);
  });

  it('a change of the socket: levels as they come, after its own number', () => {
    const data = {
      s: 'BTCUSDT',
      b: [
        ['9', '1'],
        ['10', '0'],
      ],
      a: [
        ['12', '1'],
        ['11', '0'],
      ],
      u: 6,
    };
    const frame = { topic: 'orderBook200.H.BTCUSDT', type: 'delta', ts: 1_790_000_000_123_456, data };
    const sides = {
      bids: [
        [9, 1],
        [10, 0],
      ],
      asks: [
        [12, 1],
        [11, 0],
      ],
    };
    const stamps = { sequence: 6, previousSequence: 5, venueTime: 1_790_000_000_123 };
    expect(frames.decode(frame, none).books).toEqual([
      { symbol: 'BTCUSDT', kind: 'delta', ...sides, ...stamps },
    ]);
  });

  it('frames without a topic: refusals tell why, answers and pings nothing', () => {
    const refused = { success: false, ret_msg: 'bad topic', op: 'subscribe' };
    expect(frames.decode(refused, none).rejects).toMatchObject([
      { reason: 'error_body', detail: 'bad topic' },
    ]);
    for (const quiet of [{ success: true }, { op: 'ping' }, { topic: 'recentlyTrade.H.BTCUSDT', data: [] }])
      expect(frames.decode(quiet, none).rejects).toEqual([]);
    expect(frames.decode({ data: [] }, none).rejects).toMatchObject([{ detail: 'no topic' }]);
  });

  it.each([
    ['/api/v3/depth?symbol=BTCUSDT', 'depth'],
    ['/api/v3/history-funding?symbol=BTC-USDT', 'history-funding'],
    ['/api/v3/data/all-ticker-info', 'all-ticker-info'],
    ['orderBook200.H.BTCUSDT', 'frame'],
    ['instrumentInfo.all', 'frame'],
  ])('%s is %s', (named, call) => expect(callFor(apex, named)?.name).toBe(call));

  it('the topic of all markets states the running rate of each', () => {
    const frame = { topic: 'instrumentInfo.all', data: [{ s: 'BTC-USDT', mp: '100', fr: '0.0001' }], ts: 1 };
    expect(frames.decode(frame, none).quotes).toEqual([
      { symbol: 'BTCUSDT', fundingRate: 0.0001, ...HOURLY, markPrice: 100 },
    ]);
    expect(allMarks.call).toBe(frames);
  });

  it('replies to the venue’s ping with the same argument', () => {
    expect(apex.streams?.[0]?.pong?.({ op: 'ping', args: ['1761069137485'] })).toBe(
      '{"op":"pong","args":["1761069137485"]}',
    );
    expect(apex.streams?.[0]?.pong?.({ success: true, ret_msg: 'pong' })).toBeUndefined();
  });

  it('all tickers a second time: the coming rate, settlement, base amounts', () => {
    const row = {
      symbol: 'BTCUSDT',
      markPrice: '43513.50',
      indexPrice: '40828.94',
      openInterest: '1586.836',
      turnover24h: '5626085.2',
      volume24h: '169.317',
      fundingRate: '-0.0002',
      predictedFundingRate: '0.0000125',
      nextFundingTime: '2026-09-28T09:00:00Z',
    };
    const { quotes, rejects } = decodeAllTickers({ data: [row, { symbol: 'ELECTION' }] }, none);
    expect(quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        fundingRate: -0.0002,
        nextFundingTime: Date.UTC(2026, 8, 28, 9),
        ...HOURLY,
        markPrice: 43_513.5,
        indexPrice: 40_828.94,
        openInterestBase: 1586.836,
        volume24hBase: 169.317,
        openInterestRaw: 1586.836,
        openInterestUsd: 1586.836 * 43_513.5,
        volume24hRaw: 169.317,
        volume24hUsd: 169.317 * 43_513.5,
      },
    ]);
    expect(rejects).toMatchObject([{ symbol: 'ELECTION', reason: 'foreign_quote' }]);
  });

  it('a book with one null side: read; of an unknown contract: rejected', () => {
    const bids = [['10', '2']];
    const oneSided = { data: { s: 'BTCUSDT', b: bids, a: null, u: 5 } };
    expect(depth.decode(oneSided, none)).toMatchObject({
      books: [{ symbol: 'BTCUSDT', bids: [[10, 2]], asks: [] }],
      rejects: [],
    });
    const frame = { topic: 'orderBook200.H.BTCUSDT', ts: 1_790_000_000_123_456, ...oneSided };
    for (const type of ['snapshot', 'delta'])
      expect(frames.decode({ ...frame, type }, none)).toMatchObject({
        books: [{ bids: [[10, 2]], asks: [] }],
        rejects: [],
      });
    const unknown = { data: { s: '', b: null, a: null, u: 0 } };
    expect(depth.decode(unknown, none)).toMatchObject({
      books: [],
      rejects: [{ symbol: null, reason: 'missing_field' }],
    });
    const damaged = { data: { s: 'BTCUSDT', b: bids, a: 'x', u: 5 } };
    expect(depth.decode(damaged, none)).toMatchObject({ books: [], rejects: [{ reason: 'malformed' }] });
  });

  it.each([
    ['orderBook200.H.BTCUSDT', undefined, 'missing_field'],
    ['orderBook200.H.BTCUSDT', 'whole', 'malformed'],
    ['instrumentInfo.H.BTCUSDT', { unexpected: [1] }, 'malformed'],
  ])('a frame of %s of the type %j is a reject', (topic, type, reason) => {
    const data = { s: 'BTCUSDT', b: [['1', '2']], a: [['3', '4']], u: 7, symbol: 'BTCUSDT', markPrice: '2' };
    const decoded = frames.decode({ topic, type, ts: 1_790_000_000_123_456, data }, none);
    const rejects = [{ symbol: 'BTCUSDT', reason, detail: 'type' }];
    expect(decoded).toEqual({ ...emptyDecoded(), rejects });
  });

  it.each([7, { unexpected: [1] }, 'tomorrow'])(
    '%j as the time of the next settlement is a reject',
    (time) => {
      const row = { symbol: 'BTCUSDT', fundingRate: '0.0001', nextFundingTime: time };
      const receivedAt = asMs(Date.UTC(2026, 8, 28, 8, 30));
      const { quotes, rejects } = decodeTicker({ data: [row] }, { ...none, receivedAt });
      expect(quotes).toEqual([{ symbol: 'BTCUSDT', fundingRate: 0.0001, ...HOURLY }]);
      expect(rejects).toMatchObject([{ symbol: 'BTCUSDT', detail: 'nextFundingTime' }]);
    },
  );

  it('a book of the socket is stamped by its frame, in microseconds', () => {
    const data = { s: 'BTCUSDT', b: [['1', '2']], a: [['3', '4']], u: 7 };
    const frame = { topic: 'orderBook200.H.BTCUSDT', type: 'snapshot', ts: 1_790_000_000_123_456, data };
    expect(frames.decode(frame, none).books).toMatchObject([{ sequence: 7, venueTime: 1_790_000_000_123 }]);
  });

  it('a ticker alone, by its topic, or with short keys: read', () => {
    const push = (topic: string, data: object) => frames.decode({ topic, ts: 1, data }, none).quotes;
    const amounts = {
      openInterestBase: 3,
      openInterestUsd: 15,
      volume24hBase: 7,
      volume24hUsd: 35,
      volume24hRaw: 35,
    };
    const stated = { symbol: 'BTCUSDT', markPrice: 5, indexPrice: 6, openInterestRaw: 3, ...amounts };
    const ticker = {
      symbol: 'BTCUSDT',
      fundingRate: '0.0001',
      markPrice: '5',
      indexPrice: '6',
      openInterest: '3',
      volume24h: '7',
      turnover24h: '35',
    };
    const whole = { ...stated, fundingRate: 0.0001, fundingIntervalHours: 1 };
    expect(push('instrumentInfo.H.BTCUSDT', ticker)).toEqual([whole]);
    expect(decodeTicker({ data: ticker }, none).quotes).toEqual([whole]);
    const short = { s: 'BTCUSDT', mp: '5', xp: '6', o: '3', v: '7', to: '35' };
    expect(push('instrumentInfo.all', [short])).toEqual([stated]);
  });

  it('a change of a ticker without read fields: no row and no fault', () => {
    const data = { symbol: 'BTCUSDT', symbolStatus: '0' };
    const change = { topic: 'instrumentInfo.H.BTCUSDT', type: 'delta', ts: 1, data };
    expect(frames.decode(change, none)).toEqual(emptyDecoded());
    const priced = { ...change, data: { ...data, fundingRate: '0.0001', indexPrice: '5' } };
    const at = asMs(Date.UTC(2026, 8, 28, 8, 30));
    expect(frames.decode(priced, { ...none, receivedAt: at }).quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        fundingRate: 0.0001,
        ...HOURLY,
        indexPrice: 5,
        nextFundingTime: Date.UTC(2026, 8, 28, 9),
      },
    ]);
    const noMetric = { symbol: 'BTCUSDT', reason: 'missing_field', detail: 'no metric' };
    expect(frames.decode({ ...change, type: 'snapshot' }, none).rejects).toEqual([noMetric]);
    expect(decodeTicker({ data: [data] }, none).rejects).toEqual([noMetric]);
    const all = { topic: 'instrumentInfo.all', type: 'snapshot', ts: 1, data: [{ s: 'BTC-USDT', p: '5' }] };
    expect(frames.decode(all, none).rejects).toEqual([noMetric]);
  });

  it('reads settled rates under either name of their time', () => {
    const row = { symbol: 'BTC-USDT', rate: '0.0001' };
    const historyFunds = [
      { ...row, fundingTimestamp: 1_790_006_400_000 },
      { ...row, fundingTime: 1_790_002_800_000 },
    ];
    expect(decodeFundingHistory({ data: { historyFunds } }, none).funding).toEqual([
      { symbol: 'BTCUSDT', time: 1_790_006_400_000, rate: 0.0001, intervalHours: 1 },
      { symbol: 'BTCUSDT', time: 1_790_002_800_000, rate: 0.0001, intervalHours: 1 },
    ]);
  });

  describeSamples(apex, () => {
    it('ticker, symbols, frames', () => {
      const [ticker] = decodeSample(apex, loadSample('apex', 'ticker.json'));
      expect(ticker?.quotes[0]).toMatchObject({
        symbol: 'BTCUSDT',
        fundingRate: 0,
        markPrice: 43_513.5,
        indexPrice: 40_828.94,
        volume24hUsd: 5_626_085.23749999,
        volume24hBase: 169.317,
      });
      const [symbols] = decodeSample(apex, loadSample('apex', 'symbols-perpetualContract.json'));
      expect(symbols?.instruments).toMatchObject([{ symbol: 'BTCUSDT', ticker: 'BTC' }]);
      const [all] = decodeSample(apex, loadSample('apex', 'ws-instrumentInfo-all-shape.jsonl'));
      expect(all?.quotes[0]).toMatchObject({
        symbol: 'BTCUSDT',
        markPrice: 100.2,
        indexPrice: 100.1,
        openInterestBase: 5,
        volume24hUsd: 1000,
      });
      const [docs] = decodeSample(apex, loadSample('apex', 'ws-instrumentInfo-docs.jsonl'));
      expect(docs?.quotes[0]).toMatchObject({
        fundingRate: 0.0000125,
        nextFundingTime: Date.UTC(2022, 7, 26, 8),
      });
    });

    it('book changes number by one; times are microseconds', () => {
      const books = decodeSample(apex, loadSample('apex', 'ws-book-deltas.jsonl')).flatMap((d) => d.books);
      expect(books.map((b) => [b.kind, b.previousSequence, b.sequence, b.venueTime])).toEqual([
        ['delta', 5_234_002, 5_234_003, 1_790_585_479_522],
        ['delta', 5_234_003, 5_234_004, 1_790_585_479_622],
      ]);
      const [funding] = decodeSample(apex, loadSample('apex', 'history-funding.json'));
      expect([funding?.funding.length, funding?.rejects[0]?.reason]).toEqual([0, 'foreign_quote']);
    });
  });
});
