import { createWorld } from '@perpmeter/sim/create-world';
import { simKucoin } from '@perpmeter/sim/venues/kucoin';
import { describe, expect, it } from 'vitest';
import { decodeCall, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { callFor, contextOf, describeSamples, requestFor } from '../../../test/venues/samples.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { asMs } from '../../domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { secondWaysOf } from '../second-way.ts';
import { kucoin } from './index.ts';

const ok = (data: unknown) => ({ code: '200000', data });

function contract(symbol: string, changes: object = {}) {
  return {
    symbol,
    type: 'FFWCSX',
    baseCurrency: symbol.replace(/USD[TC]M$/, ''),
    quoteCurrency: 'USDT',
    settleCurrency: 'USDT',
    multiplier: 0.01,
    isInverse: false,
    isQuanto: true,
    status: 'Open',
    marketStage: 'NORMAL',
    assetClass: 'CRYPTO',
    indexSymbol: '.KETHUSDT',
    takerFeeRate: 0.0006,
    fundingFeeRate: -3.8e-5,
    predictedFundingFeeRate: null,
    currentFundingRateGranularity: 14_400_000,
    fundingRateGranularity: 28_800_000,
    nextFundingRateDateTime: 1_790_006_400_000,
    nextFundingRateTime: 3_000_000,
    markPrice: 4000,
    indexPrice: 4001,
    openInterest: '30000',
    volumeOf24h: 500.5,
    turnoverOf24h: 2_002_500,
    ...changes,
  };
}

const ACTIVE = ok([
  contract('ETHUSDTM'),
  contract('XBTUSDTM', { multiplier: 0.001, currentFundingRateGranularity: null }),
  contract('XBTUSDCM', { quoteCurrency: 'USDC', settleCurrency: 'USDC' }),
  contract('10000CATUSDTM', { multiplier: 10, markPrice: 0.05, indexPrice: 0.05 }),
  contract('1MBABYDOGEUSDTM', { multiplier: 1 }),
  contract('AAPLUSDTM', { assetClass: 'STOCK', takerFeeRate: 0.0004 }),
  contract('XAUUSDTM', { assetClass: 'METAL' }),
  contract('BPUSDTM', { marketStage: 'PRE_MARKET' }),
  contract('OILUSDTM', { assetClass: 'COMMODITY', marketStage: undefined }),
  contract('XBTUSDM', { multiplier: -1, isInverse: true, settleCurrency: 'XBT', quoteCurrency: 'USD' }),
  contract('XBTMZ26', { type: 'FFICSX', multiplier: -1, fundingFeeRate: null }),
  contract('ENDUSDTM', { status: 'BeingSettled' }),
  contract('NEWUSDTM', { status: 'Init' }),
  contract('HALTUSDTM', { status: 'Paused' }),
  contract('ODDUSDTM', { multiplier: 0 }),
  null,
]);

const LISTED = decodeCall(kucoin, '/api/v1/contracts/active', ACTIVE).instruments;

describe('kucoin contracts', () => {
  it('lists open linear perpetuals: XBT is BTC, blocks split by name', () => {
    expect(LISTED.map((i) => [i.symbol, i.ticker, i.multiplier, i.contractSize, i.settle])).toEqual([
      ['ETHUSDTM', 'ETH', 1, 0.01, 'USDT'],
      ['XBTUSDTM', 'BTC', 1, 0.001, 'USDT'],
      ['XBTUSDCM', 'BTC', 1, 0.01, 'USDC'],
      ['10000CATUSDTM', 'CAT', 10_000, 10, 'USDT'],
      ['1MBABYDOGEUSDTM', 'BABYDOGE', 1_000_000, 1, 'USDT'],
      ['AAPLUSDTM', 'AAPL', 1, 0.01, 'USDT'],
      ['XAUUSDTM', 'XAU', 1, 0.01, 'USDT'],
      ['BPUSDTM', 'BP', 1, 0.01, 'USDT'],
      ['OILUSDTM', 'OIL', 1, 0.01, 'USDT'],
    ]);
    expect(LISTED.map((i) => i.assetClass)).toEqual([
      'crypto',
      'crypto',
      'crypto',
      'crypto',
      'crypto',
      'equity',
      'commodity',
      'prelaunch',
      'commodity',
    ]);
    expect(LISTED[5]?.takerFeeBps).toBe(4);
    expect(LISTED[0]).toEqual({
      venue: 'kucoin',
      symbol: 'ETHUSDTM',
      base: 'ETH',
      ticker: 'ETH',
      multiplier: 1,
      quote: 'USDT',
      settle: 'USDT',
      contractSize: 0.01,
      assetClass: 'crypto',
      fundingIntervalHours: 4,
      indexId: '.KETHUSDT',
    });
  });

  it('takes the interval in force, else the configured one', () => {
    expect(LISTED.slice(0, 2).map((i) => i.fundingIntervalHours)).toEqual([4, 8]);
  });

  it('rejects every other row with a reason', () => {
    expect(reasons(decodeCall(kucoin, '/api/v1/contracts/active', ACTIVE))).toEqual([
      ['XBTUSDM', 'inverse'],
      ['XBTMZ26', 'dated'],
      ['ENDUSDTM', 'delisted'],
      ['NEWUSDTM', 'prelisting'],
      ['HALTUSDTM', 'not_trading'],
      ['ODDUSDTM', 'out_of_range'],
      [null, 'malformed'],
    ]);
  });

  it.each([
    [{ status: 'CancelOnly' }, 'not_trading', undefined],
    [{ status: 'Settled' }, 'delisted', undefined],
    [{ status: 'Closed' }, 'delisted', undefined],
    [{ status: 'Other' }, 'malformed', 'status'],
    [{ type: 'Other' }, 'malformed', 'type'],
    [{ quoteCurrency: 'USDC' }, 'quanto', undefined],
    [{ symbol: 'ETHEURM', settleCurrency: 'EUR' }, 'foreign_quote', undefined],
  ])('a row of %j is %s', (changes, reason, detail) => {
    const row = contract('ETHUSDTM', changes);
    expect(decodeCall(kucoin, '/api/v1/contracts/active', ok([row])).rejects).toEqual([
      { symbol: row.symbol, reason, ...(detail === undefined ? {} : { detail }) },
    ]);
  });

  it('reads every metric of a row: lots x multiplier, volume in coins', () => {
    const { quotes } = decodeCall(kucoin, '/api/v1/contracts/active', ACTIVE);
    expect(quotes[0]).toEqual({
      symbol: 'ETHUSDTM',
      fundingRate: -0.000038,
      fundingIntervalHours: 4,
      nextFundingTime: 1_790_006_400_000,
      markPrice: 4000,
      indexPrice: 4001,
      openInterestRaw: 30_000,
      openInterestBase: 300,
      openInterestUsd: 1_200_000,
      volume24hRaw: 500.5,
      volume24hBase: 500.5,
      volume24hUsd: 2_002_500,
    });
    // 30000 lots of 10 units of 10,000 CAT; a price per one CAT.
    expect(quotes[3]).toMatchObject({ markPrice: 0.000005, openInterestBase: 3e9, volume24hBase: 5_005_000 });
    expect(quotes[3]?.openInterestUsd).toBeCloseTo(15_000, 6);
    expect(quotes[7]).not.toHaveProperty('indexPrice');
  });

  it('converts the remaining time into an instant only with a receipt time', () => {
    const old = ok([
      contract('ETHUSDTM', {
        nextFundingRateDateTime: undefined,
        currentFundingRateGranularity: undefined,
        fundingRateGranularity: undefined,
      }),
    ]);
    const [recorded] = decodeCall(kucoin, '/api/v1/contracts/active', old).quotes;
    expect(recorded).not.toHaveProperty('nextFundingTime');
    expect(recorded).not.toHaveProperty('fundingIntervalHours');
    const receivedAt = asMs(1_790_006_400_000 - 3_000_000 + 900);
    const [live] = decodeCall(kucoin, '/api/v1/contracts/active', old, [], receivedAt).quotes;
    expect(live?.nextFundingTime).toBe(1_790_006_400_000);
  });

  it('restricts metrics to listed contracts', () => {
    const decoded = decodeCall(kucoin, '/api/v1/contracts/active', ok([contract('ELSEUSDTM')]), LISTED);
    expect([decoded.quotes, reasons(decoded)]).toEqual([[], [['ELSEUSDTM', 'not_listed']]]);
  });

  it('turns error bodies with HTTP 200 into one reject', () => {
    const body = { msg: 'Invalid symbol.', code: '200003' };
    expect(decodeCall(kucoin, '/api/v1/level2/depth20?symbol=NOPEUSDTM', body).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '200003 Invalid symbol.' },
    ]);
  });
});

describe('kucoin single and unified calls', () => {
  it('reads best prices of all contracts', () => {
    const rows = [
      { symbol: '10000CATUSDTM', bestBidPrice: '0.05', bestAskPrice: '0.06', ts: 1 },
      { symbol: 'XBTUSDM', bestBidPrice: '1', bestAskPrice: '2' },
      { symbol: 'XBTMZ26', bestBidPrice: '1', bestAskPrice: '2' },
    ];
    const decoded = decodeCall(kucoin, '/api/v1/allTickers', ok(rows), LISTED);
    expect(decoded.quotes).toEqual([
      { symbol: '10000CATUSDTM', bestBid: 0.05 / 10_000, bestAsk: 0.06 / 10_000 },
    ]);
    expect(reasons(decoded)).toEqual([
      ['XBTUSDM', 'inverse'],
      ['XBTMZ26', 'dated'],
    ]);
  });

  it('mark and index of one contract: stamped by the second of the mark', () => {
    const row = {
      symbol: 'ETHUSDTM',
      granularity: 1000,
      timePoint: 1_790_000_000_000,
      value: 4000,
      indexPrice: 4001,
    };
    expect(decodeCall(kucoin, '/api/v1/mark-price/ETHUSDTM/current', ok(row)).quotes).toEqual([
      { symbol: 'ETHUSDTM', markPrice: 4000, indexPrice: 4001, venueTime: 1_790_000_000_000 },
    ]);
  });

  it('a contract listed before its market: a mark without an index', () => {
    const classic = {
      symbol: 'BPUSDTM',
      value: 5,
      indexPrice: 5,
      markPrice: 5,
      timePoint: 1_790_000_000_000,
    };
    const pushed = { topic: '/contract/instrument:BPUSDTM', subject: 'mark.index.price', data: classic };
    const unified = { T: 'mark-price', P: 1, d: { s: 'BPUSDTM', mp: '5', ip: '5' } };
    for (const [call, payload] of [
      ['/api/v1/mark-price/BPUSDTM/current', ok(classic)],
      ['/contract/instrument', { type: 'message', ...pushed }],
      ['mark-price', unified],
    ] as const) {
      const { quotes, rejects } = decodeCall(kucoin, call, payload, LISTED);
      expect(quotes).toMatchObject([{ symbol: 'BPUSDTM', markPrice: 5 }]);
      expect(quotes[0]).not.toHaveProperty('indexPrice');
      expect(rejects).toEqual([]);
    }
  });

  it('names the contract by its rate', () => {
    const current = {
      symbol: '.ETHUSDTMFPI4H',
      granularity: 14_400_000,
      value: 6.1e-5,
      fundingTime: 1_790_006_400_000,
    };
    expect(decodeCall(kucoin, '/api/v1/funding-rate/ETHUSDTM/current', ok(current)).quotes).toEqual([
      {
        symbol: 'ETHUSDTM',
        fundingRate: 0.000061,
        fundingIntervalHours: 4,
        nextFundingTime: 1_790_006_400_000,
      },
    ]);
    const one = { symbol: '.ETHUSDTMFPI8H', nextFundingRate: 0.00003, fundingTime: 1_790_006_400_000 };
    expect(decodeCall(kucoin, '/api/ua/v2/market/funding-rate?symbol=ETHUSDTM', ok(one)).quotes).toEqual([
      { symbol: 'ETHUSDTM', fundingRate: 0.00003, nextFundingTime: 1_790_006_400_000 },
    ]);
  });

  it('skips rate rows in the bulk list', () => {
    const row = { nextFundingRate: '0.0001', fundingTime: 1_790_006_400_000, currentGranularity: 28_800_000 };
    const rows = [
      { symbol: 'ETHUSDTM', ...row },
      { symbol: '.ETHUSDTMFPI8H', ...row },
    ];
    const decoded = decodeCall(kucoin, '/api/ua/v2/market/funding-rate', ok(rows));
    const time = { fundingIntervalHours: 8, nextFundingTime: 1_790_006_400_000 };
    expect(decoded.quotes).toEqual([{ symbol: 'ETHUSDTM', fundingRate: 0.0001, ...time }]);
    expect(reasons(decoded)).toEqual([['.ETHUSDTMFPI8H', 'not_listed']]);
  });

  it('current open interest or its history: by the requested interval', () => {
    const now = ok([{ symbol: 'ETHUSDTM', openInterest: '200', ts: 1_790_000_000_000 }]);
    expect(decodeCall(kucoin, '/api/ua/v2/market/open-interest', now, LISTED).quotes).toEqual([
      { symbol: 'ETHUSDTM', openInterestRaw: 200, openInterestBase: 2 },
    ]);
    const past = ok([{ openInterest: '200', ts: 1_790_000_000_000 }]);
    const asked = '/api/ua/v2/market/open-interest?symbol=ETHUSDTM&interval=5min';
    expect(decodeCall(kucoin, asked, past, LISTED).history).toEqual([
      { symbol: 'ETHUSDTM', time: 1_790_000_000_000, openInterestBase: 2 },
    ]);
    expect(reasons(decodeCall(kucoin, asked, past))).toEqual([['ETHUSDTM', 'unknown_unit']]);
  });

  it('open interest: polled by the unified call alone, for all at once', () => {
    const plan = { instruments: LISTED, now: asMs(1_790_000_000_000) };
    const asked = kucoin.polls.flatMap(({ requests }) => requests(plan));
    expect(asked.filter(({ base }) => base === 'unified')).toEqual([
      { method: 'GET', path: '/api/ua/v2/market/open-interest', base: 'unified' },
    ]);
    const classic = kucoin.polls.filter(({ requests }) =>
      requests(plan).some(({ path }) => path.endsWith('contracts/active')),
    );
    const quotes = classic.flatMap(({ call }) => call.decode(ACTIVE, contextOf(LISTED)).quotes);
    expect(quotes.length).toBe(2 * LISTED.length);
    for (const quote of quotes) expect(quote).not.toHaveProperty('openInterestRaw');
    const named = decodeCall(kucoin, '/api/v1/contracts/active', ACTIVE);
    expect(named.quotes[0]?.openInterestRaw).toBe(30_000);
  });

  it('rejects an open interest whose timestamp is an hour old', () => {
    const made = 1_790_000_000_000;
    const rows = ok([{ symbol: 'ETHUSDTM', openInterest: '200', ts: made }]);
    const at = (ms: number) =>
      decodeCall(kucoin, '/api/ua/v2/market/open-interest', rows, LISTED, asMs(made + ms));
    expect(at(3_600_000).quotes).toHaveLength(1);
    expect(at(3_600_001).quotes).toEqual([]);
    expect(at(3_600_001).rejects).toEqual([
      { symbol: 'ETHUSDTM', reason: 'out_of_range', detail: 'open interest stands still' },
    ]);
  });

  it('reads settled rates and mark candles', () => {
    const rows = [{ symbol: 'ETHUSDTM', fundingRate: 2.1e-4, timepoint: 1_790_006_400_000 }];
    const point = { symbol: 'ETHUSDTM', time: 1_790_006_400_000, rate: 0.00021 };
    expect(decodeCall(kucoin, '/api/v1/contract/funding-rates?symbol=ETHUSDTM', ok(rows)).funding).toEqual([
      point,
    ]);
    const unified = { symbol: 'ETHUSDTM', list: [{ fundingRate: 2.1e-4, ts: 1_790_006_400_000 }] };
    expect(decodeCall(kucoin, '/api/ua/v2/market/funding-rate-history', ok(unified)).funding).toEqual([
      point,
    ]);
  });

  it.each([
    '/api/ua/v2/market/kline?tradeType=FUTURES&symbol=ETHUSDTM&klineType=MARK_PRICE&interval=1hour',
    '/api/ua/v1/market/kline?tradeType=FUTURES&symbol=ETHUSDTM-mark-price&interval=1hour',
  ])('reads candles of the mark, named by their type or by the symbol: %s', (asked) => {
    const candles = { list: [['1790000000', '4000', '4050', '4100', '3900', '1', '2']] };
    expect(decodeCall(kucoin, asked, ok(candles)).history).toEqual([
      { symbol: 'ETHUSDTM', time: 1_790_000_000_000, markPrice: 4000 },
    ]);
  });

  it('does not read trade candles as marks', () => {
    const asked = '/api/ua/v2/market/kline?tradeType=FUTURES&symbol=ETHUSDTM&klineType=TRADE&interval=1hour';
    expect(callFor(kucoin, asked)).toBeUndefined();
  });

  it('reads the history of the simulated venue in v2', () => {
    const now = Date.UTC(2026, 9, 20, 13, 20, 0);
    const world = createWorld(1);
    const listed = world.contracts(simKucoin.listing).filter(({ status }) => status === 'live');
    const contract = listed.find(({ symbol }) => symbol === 'ETHUSDTM');
    if (contract === undefined) throw new Error('no ETHUSDTM');
    const ask = (path: string): unknown => {
      const [to = '', text = ''] = path.split('?');
      const request = { method: 'GET', path: to, query: new URLSearchParams(text), body: '', now };
      return JSON.parse(simKucoin.rest(request, world)?.body ?? 'null');
    };
    const active = '/api/v1/contracts/active';
    const { instruments } = decodeCall(kucoin, active, ask(active));
    const past = (path: string) => decodeCall(kucoin, path, ask(path), instruments).history;
    const from = now - 6 * HOUR_MS;
    const marks = past(
      `/api/ua/v2/market/kline?tradeType=FUTURES&symbol=ETHUSDTM&klineType=MARK_PRICE&interval=1hour&startAt=${from / 1000}`,
    );
    expect(marks.length).toBeGreaterThan(4);
    for (const { time, markPrice } of marks)
      expect((markPrice ?? 0) / world.mark(contract, time)).toBeCloseTo(1, 4);
    const interest = past(`/api/ua/v2/market/open-interest?symbol=ETHUSDTM&interval=1hour&startAt=${from}`);
    expect(interest.length).toBeGreaterThan(4);
    for (const { time, openInterestBase } of interest)
      expect((openInterestBase ?? 0) / world.openInterest(contract, time)).toBeCloseTo(1, 2);
    const week = past(
      `/api/ua/v2/market/open-interest?symbol=ETHUSDTM&interval=1hour&startAt=0&pageSize=200`,
    );
    expect(week).toHaveLength(7 * 24);
    for (const points of [marks, week])
      expect(points.map(({ time }) => time)).toEqual(
        points.map(({ time }) => time).toSorted((a, b) => b - a),
      );
  });

  it('reads the REST book, stamped in nanoseconds', () => {
    const book = {
      sequence: 9,
      symbol: 'ETHUSDTM',
      bids: [[3999, 50]],
      asks: [['4000', '100']],
      ts: 1.79e18,
    };
    expect(decodeCall(kucoin, '/api/v1/level2/depth100?symbol=ETHUSDTM', ok(book), LISTED).books).toEqual([
      {
        symbol: 'ETHUSDTM',
        kind: 'snapshot',
        bids: [[3999, 0.5]],
        asks: [[4000, 1]],
        sequence: 9,
        venueTime: 1_790_000_000_000,
      },
    ]);
  });
});

describe('kucoin back-fill', () => {
  const [eth] = LISTED;
  const to = asMs(1_790_006_400_000);

  it('hours of marks: asked in seconds; open interest: in milliseconds', () => {
    const asked = (kind: string) => {
      const endpoint = kucoin.backfill?.find((endpoint) => endpoint.kind === kind);
      if (endpoint === undefined || eth === undefined) throw new Error(`no ${kind}`);
      return { ...endpoint, ...endpoint.request(eth, asMs(to - 7 * DAY_MS), to) };
    };
    expect(asked('mark')).toMatchObject({
      base: 'unified',
      points: 200,
      stepMs: HOUR_MS,
      weight: 3,
      path: '/api/ua/v2/market/kline?tradeType=FUTURES&symbol=ETHUSDTM&klineType=MARK_PRICE&interval=1hour&startAt=1789401600&endAt=1790006399',
    });
    expect(asked('interest')).toMatchObject({
      base: 'unified',
      points: 200,
      stepMs: HOUR_MS,
      reachMs: 7 * DAY_MS,
      weight: 5,
      path: '/api/ua/v2/market/open-interest?symbol=ETHUSDTM&interval=1hour&startAt=1789401600000&endAt=1790006399999&pageSize=200',
    });
  });

  it('the second reader: asks for open interest, and gets marks here', () => {
    const asked = secondWaysOf(kucoin).map(({ request }) => eth && request(eth, to).path);
    expect(asked.filter((path) => path?.includes('open-interest'))).toEqual([
      `/api/ua/v2/market/open-interest?symbol=ETHUSDTM&interval=5min&startAt=${to - 900_000}&endAt=${to}`,
    ]);
    expect(asked.filter((path) => path?.includes('klineType=MARK_PRICE'))).toHaveLength(1);
  });
});

describe('kucoin frames', () => {
  const topic = (name: string, subject: string, data: object) => ({
    topic: name,
    type: 'message',
    subject,
    data,
  });

  it('reads the classic socket', () => {
    const change = { sequence: 8, change: '4000,sell,0', timestamp: 1_790_000_000_000 };
    const delta = decodeCall(
      kucoin,
      '/contractMarket/level2:ETHUSDTM',
      topic('/contractMarket/level2:ETHUSDTM', 'level2', change),
      LISTED,
    );
    expect(delta.books).toEqual([
      {
        symbol: 'ETHUSDTM',
        kind: 'delta',
        bids: [],
        asks: [[4000, 0]],
        sequence: 8,
        previousSequence: 7,
        venueTime: 1_790_000_000_000,
      },
    ]);
    const rate = topic('/contract/instrument:ETHUSDTM', 'funding.rate', {
      granularity: 60_000,
      fundingRate: 0.0001,
    });
    // The granularity of the push is no funding interval.
    expect(decodeCall(kucoin, '/contract/instrument:ETHUSDTM', rate).quotes).toEqual([
      { symbol: 'ETHUSDTM', fundingRate: 0.0001 },
    ]);
    const wrong = topic('/contractMarket/level2:ETHUSDTM', 'level2', { ...change, change: '4000,hold,1' });
    expect(reasons(decodeCall(kucoin, '/contractMarket/level2', wrong, LISTED))).toEqual([
      ['ETHUSDTM', 'malformed'],
    ]);
  });

  it('a bought level: a change of the bids; depth topics: snapshots', () => {
    const change = { sequence: 8, change: '3999,buy,50', timestamp: 1_790_000_000_000 };
    const pushed = topic('/contractMarket/level2:ETHUSDTM', 'level2', change);
    const [delta] = decodeCall(kucoin, 'obu', pushed, LISTED).books;
    expect([delta?.bids, delta?.asks]).toEqual([[[3999, 0.5]], []]);
    const sides = { bids: [['3999', 50]], asks: [['4000', 100]] };
    const data = { ...sides, sequence: 9, timestamp: 1_790_000_000_001, ts: 1_790_000_000_002 };
    const depth = topic('/contractMarket/level2Depth5:ETHUSDTM', 'level2', data);
    expect(decodeCall(kucoin, 'obu', depth, LISTED).books).toEqual([
      {
        symbol: 'ETHUSDTM',
        kind: 'snapshot',
        bids: [[3999, 0.5]],
        asks: [[4000, 1]],
        sequence: 9,
        venueTime: 1_790_000_000_001,
      },
    ]);
  });

  it('marks, volume and settlements of the classic socket: by subject', () => {
    const read = (name: string, subject: string, data: object) =>
      decodeCall(kucoin, '/contract/instrument', topic(name, subject, data), LISTED);
    const prices = { granularity: 1000, indexPrice: 4001, markPrice: 4000, timestamp: 1_790_000_000_000 };
    expect(read('/contract/instrument:ETHUSDTM', 'mark.index.price', prices).quotes).toEqual([
      { symbol: 'ETHUSDTM', markPrice: 4000, indexPrice: 4001, venueTime: 1_790_000_000_000 },
    ]);
    const traded = { volume: 500.5, turnover: 2_002_500, lastPrice: 4000, symbol: 'ETHUSDTM', ts: 1.79e18 };
    expect(read('/contractMarket/snapshot:ETHUSDTM', 'snapshot.24h', traded).quotes).toEqual([
      { symbol: 'ETHUSDTM', volume24hRaw: 500.5, volume24hBase: 500.5, volume24hUsd: 2_002_500 },
    ]);
    const settled = {
      symbol: 'ETHUSDTM',
      fundingTime: 1_790_006_400_000,
      fundingRate: -0.0001,
      timestamp: 1,
    };
    for (const subject of ['funding.begin', 'funding.end'])
      expect(read('/contract/announcement', subject, settled).funding).toEqual([
        { symbol: 'ETHUSDTM', time: 1_790_006_400_000, rate: -0.0001 },
      ]);
  });

  it('the touch of both ticker topics: stamped by the last trade', () => {
    const touch = { sequence: 5, bestBidPrice: '3999.9', bestBidSize: 7, bestAskPrice: 4000, bestAskSize: 1 };
    const data = { ...touch, symbol: 'ETHUSDTM', ts: 1.79e18 };
    for (const subject of ['tickerV2', 'ticker']) {
      const name = `/contractMarket/${subject}:ETHUSDTM`;
      const { quotes, rejects } = decodeCall(kucoin, name, topic(name, subject, data), LISTED);
      expect([quotes, rejects]).toEqual([[{ symbol: 'ETHUSDTM', bestBid: 3999.9, bestAsk: 4000 }], []]);
    }
  });

  it('the unified socket: increments by O and C, all rates in one frame', () => {
    const data = { s: 'ETHUSDTM', O: 5, C: 7, M: 1.79e18, a: [['4000', '100']], b: [] };
    const delta = { T: 'obu.FUTURES', dp: 'increment@10ms', t: 'delta', P: 1.79e18, d: data };
    expect(decodeCall(kucoin, 'obu', delta, LISTED).books).toEqual([
      {
        symbol: 'ETHUSDTM',
        kind: 'delta',
        bids: [],
        asks: [[4000, 1]],
        sequence: 7,
        firstSequence: 5,
        venueTime: 1_790_000_000_000,
      },
    ]);
    const whole = { ...delta, t: 'snapshot', d: { ...data, b: [['3999', '50']] } };
    expect(decodeCall(kucoin, 'obu', whole, LISTED).books).toEqual([
      {
        symbol: 'ETHUSDTM',
        kind: 'snapshot',
        bids: [[3999, 0.5]],
        asks: [[4000, 1]],
        sequence: 7,
        venueTime: 1_790_000_000_000,
      },
    ]);
    const rate = (s: string) => ({ s, fr: '0.000072', nt: 1_790_006_400_000, gl: 28_800_000 });
    const all = { T: 'funding-fee-all-symbols', P: 1, d: [rate('ETHUSDTM'), rate('XBTUSDM')] };
    const decoded = decodeCall(kucoin, 'funding-fee-all-symbols', all);
    expect(decoded.quotes).toEqual([
      {
        symbol: 'ETHUSDTM',
        fundingRate: 0.000072,
        fundingIntervalHours: 8,
        nextFundingTime: 1_790_006_400_000,
      },
    ]);
    expect(reasons(decoded)).toEqual([['XBTUSDM', 'inverse']]);
  });

  it('reads mark, index and open interest of the unified socket, in lots', () => {
    const d = { s: 'ETHUSDTM', mp: '4000', ip: '4001', oi: '30000', ts: 1_790_000_000_000 };
    expect(decodeCall(kucoin, 'mark-price', { T: 'mark-price', P: 1, d }, LISTED).quotes).toMatchObject([
      { markPrice: 4000, indexPrice: 4001, openInterestRaw: 30_000, openInterestBase: 300, venueTime: d.ts },
    ]);
  });

  it.each([
    [
      'topic /contractMarket/execution:X',
      { topic: '/contractMarket/execution:X', subject: 'match', data: {} },
    ],
    ['topic ', { topic: 7.5, data: {} }],
    ['type trade.FUTURES undefined', { T: 'trade.FUTURES', d: {} }],
    ['type obu.FUTURES whole', { T: 'obu.FUTURES', t: 'whole', d: {} }],
    ['no frame', { id: 'p6' }],
  ])('names what it does not read: %s', (detail, frame) => {
    expect(decodeCall(kucoin, 'obu', frame, LISTED).rejects).toEqual([
      { symbol: null, reason: 'unexpected_shape', detail },
    ]);
  });

  it('ignores control frames and rejects refusals', () => {
    const quiet = [
      { sessionId: 'x', message: 'welcome', pingInterval: 18_000 },
      { id: 'p0', type: 'welcome' },
      { id: 'p1', result: true },
      { type: 'pong', id: 'p2', ts: 1 },
      { id: 'p3', type: 'ack' },
    ];
    for (const frame of quiet) expect(decodeCall(kucoin, 'obu', frame).rejects).toEqual([]);
    expect(
      decodeCall(kucoin, 'obu', { id: 'p4', result: false, message: 'invalid request data' }).rejects,
    ).toEqual([{ symbol: null, reason: 'error_body', detail: 'invalid request data' }]);
    const classic = { id: 'p5', type: 'error', code: 404, data: 'topic does not exist' };
    const said = (frame: object) => decodeCall(kucoin, 'obu', frame).rejects;
    for (const [frame, detail] of [
      [classic, '404 topic does not exist'],
      [{ ...classic, code: undefined }, 'topic does not exist'],
      [{ code: '400001', msg: 'token is invalid' }, '400001 token is invalid'],
      [{ id: 'p7', result: false, reason: 'too many topics' }, 'too many topics'],
    ] as const)
      expect(said(frame)).toEqual([{ symbol: null, reason: 'error_body', detail }]);
  });
});

describe('kucoin calls', () => {
  it.each([
    ['https://api-futures.kucoin.com/api/v1/contracts/active', 'contracts'],
    ['/api/v1/contracts/XBTUSDTM', 'contracts'],
    ['/api/v1/mark-price/XBTUSDTM/current', 'mark-price'],
    ['/api/v1/level2/depth20?symbol=XBTUSDTM', 'level2'],
    ['https://api.kucoin.com/api/ua/v2/market/open-interest', 'open-interest'],
    ['wss://x-push-futures.kucoin.com mark-price', 'public sockets'],
    [
      '{"id":"1","action":"SUBSCRIBE","channel":"obu","tradeType":"FUTURES","symbol":"XBTUSDTM"}',
      'public sockets',
    ],
    ['{"id":1,"type":"subscribe","topic":"/contractMarket/level2Depth50:XBTUSDTM"}', 'public sockets'],
  ])('%s is %s', (named, call) => expect(callFor(kucoin, named)?.name).toBe(call));

  it('never throws and never reads data from unrelated bodies', () => {
    expect(nonsenseProblems(kucoin)).toEqual([]);
    expect(nonsenseProblems(kucoin, contextOf(LISTED))).toEqual([]);
  });

  it('survives every field broken', () => {
    const decode = callFor(kucoin, '/api/v1/contracts/active')?.decode;
    if (decode === undefined) throw new Error('no call');
    expect(mutate({ name: 'active', payload: ACTIVE, decode }).problems).toEqual([]);
  });
});

/** Recordings of calls that carry no metric: candles of the last price, a basket, a token, a status. */
const WITHOUT_CALL = [
  'kline-XBTUSDTM.json',
  'index-query-KXBTUSDT.json',
  'bullet-public.json',
  'status.json',
];

describeSamples(kucoin, (samples) => {
  const contracts = (): readonly Instrument[] => {
    const { instruments } = decodeFile(kucoin, 'contracts-active-2025-03.json');
    return instruments.flatMap((btc) => [
      btc,
      { ...btc, symbol: 'ETHUSDTM', ticker: 'ETH', contractSize: 0.01 },
    ]);
  };

  it('every recording with metrics, contracts, rates or books: has a call', () => {
    const without = samples.filter(({ url, method }) => callFor(kucoin, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(WITHOUT_CALL);
  });

  it('reads recorded contracts of 2022 and 2025', () => {
    const recent = decodeFile(kucoin, 'contracts-active-2025-03.json');
    expect(recent.instruments).toMatchObject([{ symbol: 'XBTUSDTM', ticker: 'BTC', contractSize: 0.001 }]);
    expect(recent.quotes).toEqual([
      {
        symbol: 'XBTUSDTM',
        fundingRate: 0.000052,
        fundingIntervalHours: 8,
        markPrice: 86378.69,
        indexPrice: 86382.64,
        openInterestRaw: 6748176,
        openInterestBase: 6748.176,
        openInterestUsd: 6748.176 * 86378.69,
        volume24hRaw: 12069.225,
        volume24hBase: 12069.225,
        volume24hUsd: 1034643198.3265533,
      },
    ]);
    const old = decodeFile(kucoin, 'contracts-active-2022-06.json');
    expect(old.quotes).toMatchObject([
      { fundingRate: -0.000013, openInterestBase: 9876.432, markPrice: 29538.28 },
    ]);
    expect(reasons(old)).toEqual([['XBTUSDM', 'inverse']]);
  });

  it('reads recorded answers about one contract', () => {
    expect(decodeFile(kucoin, 'mark-price-XBTUSDTM.json').quotes).toEqual([
      { symbol: 'XBTUSDTM', markPrice: 67687.08, indexPrice: 67683.58, venueTime: 1729254307000 },
    ]);
    expect(decodeFile(kucoin, 'funding-rate-current-2025-05.json').quotes).toEqual([
      {
        symbol: 'XBTUSDTM',
        fundingRate: 0.000061,
        fundingIntervalHours: 8,
        nextFundingTime: 1748491200000,
        fundingCap: 0.003,
        fundingFloor: -0.003,
      },
    ]);
    expect(decodeFile(kucoin, 'ua-funding-rate-2025-06.json').quotes).toEqual([
      {
        symbol: 'XBTUSDTM',
        fundingRate: 0.00003,
        nextFundingTime: 1750406400000,
        fundingCap: 0.003,
        fundingFloor: -0.003,
      },
    ]);
    expect(decodeFile(kucoin, 'ua-v2-funding-rate-2026-09.json').quotes).toEqual([
      {
        symbol: 'XBTUSDTM',
        fundingRate: -0.000004,
        fundingIntervalHours: 8,
        nextFundingTime: 1789315200000,
        fundingCap: 0.003,
        fundingFloor: -0.003,
      },
    ]);
    expect(reasons(decodeFile(kucoin, 'level2-snapshot-XBTUSDM.json'))).toEqual([['XBTUSDM', 'inverse']]);
    expect(reasons(decodeFile(kucoin, 'errors.jsonl'))).toEqual(Array(5).fill([null, 'error_body']));
  });

  it('reads recorded history and open interest', () => {
    const { funding, rejects } = decodeFile(kucoin, 'funding-rates-history-2023-12.json');
    expect([funding.length, rejects]).toEqual([30, []]);
    expect(funding[0]).toEqual({ symbol: 'XBTUSDTM', time: 1702296000000, rate: 0.00021 });
    expect(decodeFile(kucoin, 'ua-open-interest-2026-03.json', contracts()).quotes).toEqual([
      { symbol: 'ETHUSDTM', openInterestRaw: 8053960, openInterestBase: 80539.6 },
    ]);
    // The recorded request does not name its contract.
    expect(reasons(decodeFile(kucoin, 'ua-open-interest-history.json', contracts()))).toEqual([
      ['…', 'foreign_quote'],
    ]);
  });

  it('reads recorded frames of the classic socket', () => {
    expect(decodeFile(kucoin, 'ws-level2-XBTUSDTM-2024-11.jsonl', contracts()).books).toMatchObject([
      { symbol: 'XBTUSDTM', kind: 'delta', asks: [[90631.2, 0.002]], bids: [], sequence: 1709400450243 },
    ]);
    expect(decodeFile(kucoin, 'ws-level2Depth50-XBTUSDTM-2024-11.jsonl', contracts()).books).toMatchObject([
      {
        kind: 'snapshot',
        bids: [
          [89778.6, 1.534],
          [89778.2, 0.054],
        ],
        asks: [
          [89778.7, 0.854],
          [89779.2, 0.004],
        ],
      },
    ]);
    expect(decodeFile(kucoin, 'ws-instrument-XBTUSDTM-2024-11.jsonl').quotes).toEqual([
      { symbol: 'XBTUSDTM', markPrice: 90445.02, indexPrice: 90445.02, venueTime: 1731899129000 },
    ]);
    expect(decodeFile(kucoin, 'ws-snapshot24h-XBTUSDTM-2024-11.jsonl').quotes).toMatchObject([
      { symbol: 'XBTUSDTM', volume24hBase: 5834.46 },
    ]);
    expect(decodeFile(kucoin, 'ws-announcement-funding.jsonl').funding).toEqual([
      { symbol: 'XBTUSDTM', time: 1551770400000, rate: -0.002966 },
    ]);
  });

  it('reads recorded frames of the unified socket', () => {
    const { books, quotes, rejects } = decodeFile(kucoin, 'ws-uta-2026-09.jsonl', contracts());
    expect(books).toMatchObject([
      {
        symbol: 'ETHUSDTM',
        kind: 'snapshot',
        asks: [
          [2749.69, 0.96],
          [2749.7, 1.02],
        ],
        sequence: 1736604716203,
      },
      { symbol: 'XBTUSDTM', kind: 'delta', firstSequence: 1747821262584, sequence: 1747821262585 },
    ]);
    expect(quotes).toMatchObject([
      { markPrice: 86201.79, indexPrice: 86248.81, openInterestRaw: 11481754, openInterestBase: 11481.754 },
      { fundingRate: -0.000076, nextFundingTime: 1790121600000, fundingIntervalHours: 8 },
    ]);
    expect(rejects).toMatchObject([{ reason: 'error_body', detail: 'invalid request data' }]);
  });

  it('survives every field of every recording broken', () => {
    const context = contextOf(contracts());
    const problems = samples.flatMap((sample) => {
      const call = callFor(kucoin, sample.url, sample.method);
      if (call === undefined) return [];
      const asked = { ...context, request: requestFor(sample.url, sample.method) };
      return sample.payloads.flatMap((payload) => {
        const test = { name: sample.file, payload, decode: call.decode, context: asked };
        return mutate(test, { limit: 250 }).problems;
      });
    });
    expect(problems).toEqual([]);
  });
});
