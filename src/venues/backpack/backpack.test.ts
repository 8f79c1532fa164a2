import { describe, expect, it } from 'vitest';
import { decodeCall, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { callFor, contextOf, describeSamples } from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import { frames } from './books.ts';
import { backpack } from './index.ts';

const none = contextOf();

const PEPE = {
  symbol: 'kPEPE_USDC_PERP',
  baseSymbol: 'kPEPE',
  quoteSymbol: 'USDC',
  marketType: 'PERP',
  orderBookState: 'Open',
  visible: true,
  fundingInterval: '3600000',
  fundingRateUpperBound: '150',
};
const SHARE = { ...PEPE, symbol: 'AAPL.US_USDC_PERP', baseSymbol: 'AAPL.US', rwaMarketType: 'STOCK' };
const MARKETS = [
  PEPE,
  { ...SHARE, fundingInterval: 3_600_000 },
  { ...PEPE, symbol: 'TON_USDC_PERP', orderBookState: 'Closed' },
  { ...PEPE, symbol: 'MSFT.US_USDC_PERP', orderBookState: 'PostOnly' },
  { ...PEPE, symbol: 'FRAG_USDC_PERP', visible: false },
  { ...PEPE, symbol: 'SOL_USDC', marketType: 'SPOT' },
  { ...PEPE, symbol: 'X_USDC_PREDICTION', marketType: 'PREDICTION' },
  { ...PEPE, symbol: 'BTC_USDC_IPERP', marketType: 'IPERP' },
  { ...PEPE, symbol: 'BTC_USDC_261225', marketType: 'DATED' },
  { ...PEPE, symbol: 'BTC_USDT_PERP', quoteSymbol: 'USDT' },
];
const LISTED = decodeCall(backpack, '/api/v1/markets', MARKETS).instruments;
const MARK = {
  fundingRate: '0.0002438565367033305404731178',
  indexPrice: '0.00493',
  markPrice: '0.00494',
  nextFundingTimestamp: 1_790_136_000_000,
  symbol: 'kPEPE_USDC_PERP',
};

const METRICS = ['fundingRate', 'nextFundingTime', 'markPrice', 'indexPrice'];

describe('backpack contracts', () => {
  it('lists open and visible perpetuals; equities lose their market suffix', () => {
    expect(LISTED).toMatchObject([
      {
        symbol: 'kPEPE_USDC_PERP',
        ticker: 'PEPE',
        multiplier: 1000,
        fundingIntervalHours: 1,
        assetClass: 'crypto',
        quote: 'USDC',
      },
      {
        symbol: 'AAPL.US_USDC_PERP',
        base: 'AAPL',
        ticker: 'AAPL',
        fundingIntervalHours: 1,
        assetClass: 'equity',
      },
    ]);
    expect(reasons(decodeCall(backpack, '/api/v1/markets', MARKETS))).toEqual([
      ['TON_USDC_PERP', 'delisted'],
      ['MSFT.US_USDC_PERP', 'not_trading'],
      ['FRAG_USDC_PERP', 'not_listed'],
      ['SOL_USDC', 'spot'],
      ['X_USDC_PREDICTION', 'not_listed'],
      ['BTC_USDC_IPERP', 'inverse'],
      ['BTC_USDC_261225', 'dated'],
      ['BTC_USDT_PERP', 'foreign_quote'],
    ]);
  });

  it('names the base by its field, else by the symbol', () => {
    const listed = { venue: 'backpack', symbol: 'kPEPE_USDC_PERP', quote: 'USDC', settle: 'USDC' };
    const rest = { contractSize: 1, fundingIntervalHours: 1, fundingCap: 0.015, assetClass: 'crypto' };
    const pepe = { ...listed, ...rest, base: 'kPEPE', ticker: 'PEPE', multiplier: 1000 };
    const { baseSymbol: _, ...unnamed } = PEPE;
    for (const row of [PEPE, unnamed])
      expect(decodeCall(backpack, '/api/v1/market', row).instruments).toEqual([pepe]);
    const other = { ...PEPE, baseSymbol: 'FROG' };
    expect(decodeCall(backpack, '/api/v1/market', other).instruments).toMatchObject([{ base: 'FROG' }]);
  });

  it.each([
    ['AAPL_USDC_PERP', 'STOCK', 'equity'],
    ['SPX_USDC_PERP', 'INDEX', 'index'],
    ['XAU_USDC_PERP', 'COMMODITY', 'commodity'],
    ['EUR_USDC_PERP', 'FX', 'fx'],
    ['ODD_USDC_PERP', 'BOND', undefined],
    ['AAPL.US_USDC_PERP', null, 'equity'],
    ['BTC_USDC_PERP', null, 'crypto'],
  ])('%s of the market type %s is of class %s', (symbol, rwaMarketType, assetClass) => {
    const [contract] = decodeCall(backpack, '/api/v1/markets', [
      { ...PEPE, symbol, rwaMarketType },
    ]).instruments;
    expect(contract?.assetClass).toBe(assetClass);
  });

  it('takes a perpetual in another currency for none of ours without a list', () => {
    const row = { ...MARK, symbol: 'BTC_USDT_PERP' };
    expect(reasons(decodeCall(backpack, '/api/v1/markPrices', [row]))).toEqual([
      ['BTC_USDT_PERP', 'foreign_quote'],
    ]);
  });

  it.each([
    ['kPEPE_USDC_PERP', 'kPEPE'],
    ['AAPL.US_USDC_PERP', 'AAPL'],
    ['BTC_USDC_PERP', 'BTC'],
    ['SOL_USDC', undefined],
  ])('%s spells %s', (symbol, base) => expect(backpack.baseOf(symbol)).toBe(base));
});

describe('backpack metrics', () => {
  it('mark, index, estimate and next settlement', () => {
    for (const payload of [[MARK], MARK, { ...MARK, nextFundingTimestamp: '1790136000000' }]) {
      const [quote] = decodeCall(backpack, '/api/v1/markPrices', payload, LISTED).quotes;
      expect(quote).toMatchObject({ symbol: 'kPEPE_USDC_PERP', nextFundingTime: 1_790_136_000_000 });
      expect(quote?.fundingRate).toBeCloseTo(0.00024385653670333, 17);
      expect(quote?.markPrice).toBeCloseTo(0.00000494, 12);
      expect(quote?.indexPrice).toBeCloseTo(0.00000493, 12);
      expect(quote).not.toHaveProperty('venueTime');
    }
    const [row] = MARKETS;
    const lacking = (named: string, payload: object) =>
      decodeCall(backpack, named, payload).rejects.map(({ detail }) => detail);
    expect(lacking('/api/v1/markPrices', { symbol: MARK.symbol })).toEqual(METRICS);
    expect(lacking('depth.X', { e: 'markPrice', s: MARK.symbol })).toEqual(METRICS);
    expect(lacking('/api/v1/markets', [{ ...row, fundingInterval: null }])).toEqual(['fundingInterval']);
  });

  it('open interest: halved; volumes: in thousands of coins', () => {
    const rows = [
      { openInterest: '1001', symbol: 'kPEPE_USDC_PERP', timestamp: 1_790_134_357_267 },
      { openInterest: '5', symbol: 'FDV_USDC_PREDICTION', timestamp: 1_790_134_357_267 },
    ];
    const interest = decodeCall(backpack, '/api/v1/openInterest', rows, LISTED);
    expect(interest.quotes).toEqual([
      { symbol: 'kPEPE_USDC_PERP', openInterestBase: 500_500, openInterestRaw: 1001 },
    ]);
    expect(reasons(interest)).toEqual([['FDV_USDC_PREDICTION', 'not_listed']]);
    const ticker = {
      symbol: 'kPEPE_USDC_PERP',
      volume: '200',
      quoteVolume: '0.99',
      priceChangePercent: 'N/A',
    };
    const tickers = decodeCall(
      backpack,
      '/api/v1/tickers',
      [ticker, { ...ticker, symbol: 'SOL_USDC' }],
      LISTED,
    );
    expect(tickers.quotes).toEqual([
      { symbol: 'kPEPE_USDC_PERP', volume24hBase: 200_000, volume24hRaw: 200, volume24hUsd: 0.99 },
    ]);
    expect(reasons(tickers)).toEqual([['SOL_USDC', 'spot']]);
  });

  it('requests marks under a unique address to bypass caches', () => {
    const poll = backpack.polls.find(({ call }) => call.name === 'markPrices');
    const path = (now: number) => poll?.requests({ instruments: [], now: asMs(now) })[0]?.path;
    expect(path(1)).not.toBe(path(2));
    expect(callFor(backpack, path(1) ?? '')?.name).toBe('markPrices');
  });
});

describe('backpack history', () => {
  const url = '/api/v1/fundingRates?symbol=kPEPE_USDC_PERP&limit=3';
  const row = (intervalEndTimestamp: string, fundingRate = '0.0000125') => ({
    fundingRate,
    intervalEndTimestamp,
    symbol: 'kPEPE_USDC_PERP',
  });
  const rows = [
    row('2026-09-23T04:00:00'),
    row('2026-09-23T03:00:00', '-0.00001'),
    row('2025-08-20T08:00:00'),
  ];
  const times = (named: string, received?: number) => {
    const receivedAt = received === undefined ? undefined : asMs(received);
    return decodeCall(backpack, named, rows, LISTED, receivedAt).funding.map(({ time }) =>
      new Date(time).toISOString(),
    );
  };

  it('skips the first row, which is of the running hour', () => {
    const { funding, rejects } = decodeCall(backpack, url, rows, LISTED);
    expect(funding).toEqual([
      { symbol: 'kPEPE_USDC_PERP', time: Date.UTC(2026, 8, 23, 3), rate: -0.00001, intervalHours: 1 },
      { symbol: 'kPEPE_USDC_PERP', time: Date.UTC(2025, 7, 20, 8), rate: 0.0000125, intervalHours: 8 },
    ]);
    expect(rejects).toEqual([
      { symbol: 'kPEPE_USDC_PERP', reason: 'placeholder', detail: 'interval still running' },
    ]);
  });

  it('keeps the first row of later pages, and after the hour has ended', () => {
    expect(times(`${url}&offset=3`)).toHaveLength(3);
    expect(times(url, Date.UTC(2026, 8, 23, 4))).toHaveLength(3);
    expect(times(url, Date.UTC(2026, 8, 23, 3, 59))).toHaveLength(2);
    expect(times(`${url}&offset=3`, Date.UTC(2026, 8, 23, 2))).toEqual(['2025-08-20T08:00:00.000Z']);
  });

  it('a time with a zone: read as is; hourly settlements since eight', () => {
    const late = [row('2025-08-20T09:00:00Z'), row('2025-08-20T18:00:00+08:00')];
    const { funding } = decodeCall(backpack, `${url}&offset=3`, late, LISTED);
    expect(funding.map(({ time, intervalHours }) => [time, intervalHours])).toEqual([
      [Date.UTC(2025, 7, 20, 9), 1],
      [Date.UTC(2025, 7, 20, 10), 1],
    ]);
  });

  it('a first row without a time: not the running hour, and a fault', () => {
    const { intervalEndTimestamp: _, ...timeless } = row('');
    const decoded = decodeCall(backpack, url, [timeless, row('2026-09-23T03:00:00')], LISTED);
    expect(reasons(decoded)).toEqual([['kPEPE_USDC_PERP', 'missing_field']]);
    expect(decoded.funding).toHaveLength(1);
  });

  it('candles of mark and index, in UTC', () => {
    const candle = [{ start: '2025-07-19 13:12:00', open: '0.01', close: '0.02' }];
    const of = (type: string) =>
      decodeCall(backpack, `/api/v1/klines?symbol=kPEPE_USDC_PERP&interval=1h${type}`, candle, LISTED);
    const time = Date.UTC(2025, 6, 19, 13, 12);
    expect(of('&priceType=MarkPrice').history).toEqual([
      { symbol: 'kPEPE_USDC_PERP', time, markPrice: 0.00001 },
    ]);
    expect(of('&priceType=IndexPrice').history).toMatchObject([{ indexPrice: 0.00001 }]);
    expect(reasons(of(''))).toEqual([[null, 'unknown_unit']]);
  });
});

describe('backpack books', () => {
  it('sorts REST books, whose bids arrive worst first', () => {
    const book = {
      asks: [
        ['0.006', '10'],
        ['0.007', '5'],
      ],
      bids: [
        ['0.001', '1'],
        ['0.005', '2'],
      ],
      lastUpdateId: '77',
      timestamp: 1_753_102_447_307_501,
    };
    const [decoded] = decodeCall(
      backpack,
      '/api/v1/depth?symbol=kPEPE_USDC_PERP&limit=5',
      book,
      LISTED,
    ).books;
    expect(decoded).toMatchObject({ kind: 'snapshot', sequence: 77, venueTime: 1_753_102_447_308 });
    expect(decoded?.bids[0]).toEqual([0.000005, 2000]);
    expect(decoded?.asks[0]?.[1]).toBe(10_000);
    expect(reasons(decodeCall(backpack, '/api/v1/depth', book))).toEqual([[null, 'missing_field']]);
  });

  it('deltas cover a range of sequence numbers', () => {
    const data = {
      e: 'depth',
      E: 1,
      T: 1_790_134_357_267_074,
      s: 'BTC_USDC_PERP',
      U: 78,
      u: 80,
      a: [['86656.1', '0.5']],
      b: [['86655.9', '0.00000']],
    };
    for (const payload of [{ stream: 'depth.200ms.BTC_USDC_PERP', data }, data]) {
      expect(frames.decode(payload, none).books).toEqual([
        {
          symbol: 'BTC_USDC_PERP',
          kind: 'delta',
          bids: [[86_655.9, 0]],
          asks: [[86_656.1, 0.5]],
          sequence: 80,
          firstSequence: 78,
          venueTime: 1_790_134_357_267,
        },
      ]);
    }
  });
});

describe('backpack frames', () => {
  const push = (e: string, data: object, s = 'kPEPE_USDC_PERP') =>
    frames.decode(
      { stream: `${e}.${s}`, data: { e, E: 1_790_134_357_847_601, s, ...data } },
      contextOf(LISTED),
    );

  it('reads timestamps of marks only', () => {
    const [mark] = push('markPrice', { p: '0.01', i: '0.02', f: '0.0001', n: 1_790_136_000_000 }).quotes;
    expect(mark).toEqual({
      symbol: 'kPEPE_USDC_PERP',
      fundingRate: 0.0001,
      nextFundingTime: 1_790_136_000_000,
      markPrice: 0.00001,
      indexPrice: 0.00002,
      venueTime: 1_790_134_357_848,
    });
    expect(push('openInterest', { o: '3' }).quotes).toEqual([
      { symbol: 'kPEPE_USDC_PERP', openInterestBase: 1500, openInterestRaw: 3 },
    ]);
    expect(push('ticker', { v: '2', V: '0.02' }).quotes).toMatchObject([
      { volume24hBase: 2000, volume24hUsd: 0.02 },
    ]);
    // A side without orders is null.
    expect(push('bookTicker', { b: null, a: '0.01' }).quotes).toEqual([
      { symbol: 'kPEPE_USDC_PERP', bestAsk: 0.00001 },
    ]);
    expect(push('bookTicker', { b: '0.01', a: null }).quotes).toEqual([
      { symbol: 'kPEPE_USDC_PERP', bestBid: 0.00001 },
    ]);
  });

  it('rejects other topics with a reason', () => {
    expect(push('trade', {}).rejects).toMatchObject([{ reason: 'unexpected_shape', detail: 'event trade' }]);
    expect(frames.decode({ data: {} }, none).rejects).toMatchObject([{ detail: 'no event' }]);
    expect(reasons(push('markPrice', {}, 'SOL_USDC'))).toEqual([['SOL_USDC', 'spot']]);
    expect(reasons(push('markPrice', {}, 'OTHER_USDC_PERP'))).toEqual([['OTHER_USDC_PERP', 'not_listed']]);
  });
});

it('reads an error of the socket, which stands in an object', () => {
  for (const name of ['message', 'msg']) {
    const error = { id: 1, error: { code: 4005, [name]: 'Invalid stream' } };
    expect(frames.decode(error, none).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '4005 Invalid stream' },
    ]);
  }
});

describe('backpack calls', () => {
  it.each([
    ['https://api.backpack.exchange/api/v1/markets?marketType=PERP', 'markets'],
    ['/api/v1/market?symbol=BTC_USDC_PERP', 'markets'],
    ['/api/v1/ticker?symbol=BTC_USDC_PERP', 'tickers'],
    ['/api/v1/depth?symbol=BTC_USDC_PERP&limit=1000', 'depth'],
    ['depth.200ms.BTC_USDC_PERP', 'socket'],
    ['wss://ws.backpack.exchange {"method":"SUBSCRIBE","params":["depth.BTC_USDC_PERP"]}', 'socket'],
  ])('%s is %s', (named, call) => expect(callFor(backpack, named)?.name).toBe(call));

  it('rejects errors, plain text and empty lists', () => {
    const decoded = (payload: unknown) => decodeCall(backpack, '/api/v1/markPrices', payload).rejects;
    expect(decoded({ code: 'INVALID_CLIENT_REQUEST', message: 'Symbol not found' })).toEqual([
      { symbol: null, reason: 'error_body', detail: 'INVALID_CLIENT_REQUEST Symbol not found' },
    ]);
    expect(decoded('failed to parse parameter `limit`')).toMatchObject([{ reason: 'unexpected_shape' }]);
    expect(decoded([])).toMatchObject([{ reason: 'unexpected_shape' }]);
  });

  it('never throws and never reads data from unrelated bodies', () => {
    expect(nonsenseProblems(backpack)).toEqual([]);
    expect(nonsenseProblems(backpack, contextOf(LISTED))).toEqual([]);
  });

  it.each([
    ['/api/v1/markets', MARKETS],
    ['/api/v1/markPrices', [MARK]],
  ])('survives every field of %s broken', (named, payload) => {
    const decode = callFor(backpack, named)?.decode;
    if (decode === undefined) throw new Error('no call');
    expect(mutate({ name: named, payload, decode }).problems).toEqual([]);
  });
});

describeSamples(backpack, (samples) => {
  it('every recording with metrics, contracts, rates or books: has a call', () => {
    const without = samples.filter(({ url, method }) => callFor(backpack, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(['status.json', 'error-order.json']);
  });

  it('recorded rows', () => {
    // Recorded before the hourly settlements.
    expect(decodeFile(backpack, 'markets.json').instruments).toMatchObject([
      { symbol: 'SOL_USDC_PERP', fundingIntervalHours: 8 },
    ]);
    expect(decodeFile(backpack, 'markPrices-row.json').quotes).toEqual([
      {
        symbol: 'BTC_USDC_PERP',
        fundingRate: 0.0001,
        nextFundingTime: 1_753_113_600_000,
        markPrice: 118_343.51853741,
        indexPrice: 118_333.18643195,
      },
    ]);
    expect(decodeFile(backpack, 'openInterest.json').quotes).toMatchObject([
      { openInterestRaw: 1273.85214, openInterestBase: 1273.85214 / 2 },
    ]);
    expect(decodeFile(backpack, 'depth.json').books).toMatchObject([
      {
        bids: [
          [12.9, 1],
          [1, 0.38647],
        ],
      },
    ]);
    expect(decodeFile(backpack, 'fundingRates.json').funding).toEqual([
      { symbol: 'BTC_USDC_PERP', time: Date.UTC(2026, 8, 23, 3), rate: 0.000010077, intervalHours: 1 },
    ]);
  });

  it('recorded frames', () => {
    const { quotes, rejects } = decodeFile(backpack, 'ws-markPrice-ticker-bbo.jsonl');
    expect(quotes).toMatchObject([
      { symbol: 'AAPL.US_USDC_PERP', markPrice: 340.43, indexPrice: 340.52, fundingRate: 0.00000625 },
      { symbol: 'BTC_USDC_PERP', volume24hBase: 1801.83549, volume24hUsd: 154_927_125.41812 },
      { symbol: 'BTC_USDC_PERP', bestBid: 86_655.9, bestAsk: 86_656 },
    ]);
    expect(rejects).toEqual([]);
    expect(decodeFile(backpack, 'ws-depth.jsonl').books).toMatchObject([
      { symbol: 'BTC_USDC_PERP', bids: [[86_655.9, 1.9423]], firstSequence: 6_730_019_258 },
      { symbol: 'AAPL.US_USDC_PERP', bids: [[340.32, 0]] },
    ]);
    expect(reasons(decodeFile(backpack, 'ws-errors.jsonl'))).toEqual(Array(3).fill([null, 'error_body']));
  });
});
