import { describe, expect, it } from 'vitest';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import { callFor, contextOf, describeSamples, requestFor } from '../../../test/venues/samples.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { bybit } from './index.ts';
import { decodeFormerTickers } from './wire.ts';

/** Payloads of the Bybit v5 API, written from its documented format; values are made up. */

function envelope(result: unknown): object {
  return { retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: 1_790_000_000_000 };
}

function contract(symbol: string, base: string, values: Readonly<Record<string, unknown>> = {}): object {
  return {
    symbol,
    contractType: 'LinearPerpetual',
    status: 'Trading',
    baseCoin: base,
    quoteCoin: 'USDT',
    launchTime: '1585526400000',
    deliveryTime: '0',
    priceFilter: { minPrice: '0.10', maxPrice: '1999999.80', tickSize: '0.10' },
    lotSizeFilter: { minOrderQty: '0.001', qtyStep: '0.001' },
    fundingInterval: 480,
    settleCoin: 'USDT',
    isPreListing: false,
    preListingInfo: null,
    symbolType: '',
    ...values,
  };
}

const INSTRUMENTS = envelope({
  category: 'linear',
  list: [
    contract('BTCUSDT', 'BTC'),
    contract('BTCPERP', 'BTC', { quoteCoin: 'USDC', settleCoin: 'USDC' }),
    contract('1000PEPEUSDT', '1000PEPE', { fundingInterval: 240 }),
    contract('SHIB1000USDT', 'SHIB1000'),
    contract('TSLAUSDT', 'TSLA', { symbolType: 'stock', fundingInterval: 60 }),
    contract('XAUUSDT', 'XAU', { symbolType: 'commodity' }),
    contract('PREUSDT', 'PRE', { isPreListing: true }),
    contract('BIOUSDT', 'BIO', { status: 'PreLaunch', isPreListing: true }),
    contract('BTCUSDT-25DEC26', 'BTC', { contractType: 'LinearFutures' }),
    contract('GONEUSDT', 'GONE', { status: 'Closed' }),
    contract('BTCUSD', 'BTC', { contractType: 'InversePerpetual', quoteCoin: 'USD', settleCoin: 'BTC' }),
    contract('BTCEUR', 'BTC', { quoteCoin: 'EUR', settleCoin: 'EUR' }),
    contract('BTCUSDM27', 'BTC', { contractType: 'InverseFutures' }),
    contract('SPOTUSDT', 'SPOT', { contractType: undefined }),
    contract('KINDUSDT', 'KIND', { contractType: 'Other' }),
    contract('ENDUSDT', 'END', { status: 'Settling' }),
    contract('LASTUSDT', 'LAST', { status: 'Delivering' }),
    contract('HALTUSDT', 'HALT', { status: 'Other' }),
  ],
  nextPageCursor: 'first%3DBTCUSDT%26last%3DZZZ',
});

function ticker(symbol: string, values: Readonly<Record<string, unknown>> = {}): object {
  return {
    symbol,
    lastPrice: '64000.10',
    indexPrice: '64010.00',
    markPrice: '64000.50',
    openInterest: '50000.5',
    openInterestValue: '3200057000.25',
    singleOpenInterest: '25000.25',
    singleOpenInterestValue: '1600028500.13',
    turnover24h: '6073739017.8331',
    volume24h: '98430.1050',
    fundingRate: '-0.00008055',
    nextFundingTime: '1790006400000',
    fundingIntervalHour: '8',
    fundingCap: '0.005',
    deliveryTime: '0',
    bid1Price: '64000.00',
    bid1Size: '3.783',
    ask1Price: '64000.10',
    ask1Size: '16.278',
    ...values,
  };
}

const TICKERS = envelope({
  category: 'linear',
  list: [
    ticker('BTCUSDT'),
    ticker('1000PEPEUSDT', {
      markPrice: '0.012',
      indexPrice: '0.01201',
      bid1Price: '0.0119',
      ask1Price: '',
      openInterest: '8000',
      singleOpenInterest: '4000',
      singleOpenInterestValue: '48',
      volume24h: '1000',
      turnover24h: '12',
      fundingIntervalHour: '4',
    }),
    ticker('BTCPERP', { fundingIntervalHour: '1' }),
    ticker('BTC-25DEC26', { fundingRate: '', nextFundingTime: '0', fundingIntervalHour: '' }),
    ticker('BTCUSDT-25DEC26', { fundingRate: '', nextFundingTime: '0', fundingIntervalHour: '' }),
  ],
});

const ORDERBOOK = envelope({
  s: '1000PEPEUSDT',
  b: [
    ['0.0119', '100'],
    ['0.0118', '50'],
  ],
  a: [['0.0121', '10']],
  ts: 1_790_000_000_031,
  u: 230_704,
  seq: 1_432_604_333,
  cts: 1_790_000_000_005,
});

const FUNDING_HISTORY = envelope({
  category: 'linear',
  list: [
    { symbol: 'BTCUSDT', fundingRate: '0.0001', fundingRateTimestamp: '1789977600000' },
    { symbol: 'BTCUSDT', fundingRate: '-0.00002', fundingRateTimestamp: '1789948800000' },
  ],
});

const OPEN_INTEREST_HISTORY = envelope({
  symbol: '1000PEPEUSDT',
  category: 'linear',
  list: [
    { openInterest: '8000', singleOpenInterest: '4001', timestamp: '1789992000000' },
    { openInterest: '7000', timestamp: '1789988400000' },
  ],
  nextPageCursor: '',
});

const MARK_KLINES = envelope({
  symbol: 'BTCUSDT',
  category: 'linear',
  list: [['1789992000000', '64000.1', '64100', '63900', '64050']],
});

const TICKER_SNAPSHOT = {
  topic: 'tickers.BTCUSDT',
  type: 'snapshot',
  data: ticker('BTCUSDT'),
  cs: 24_987_956_059,
  ts: 1_790_000_000_272,
};

const TICKER_DELTA = {
  topic: 'tickers.BTCUSDT',
  type: 'delta',
  data: { symbol: 'BTCUSDT', markPrice: '64001.00', bid1Price: '64000.50' },
  cs: 24_987_956_060,
  ts: 1_790_000_000_372,
};

const BOOK_SNAPSHOT = {
  topic: 'orderbook.50.BTCUSDT',
  type: 'snapshot',
  ts: 1_790_000_000_304,
  data: {
    s: 'BTCUSDT',
    b: [['64000.00', '1.5']],
    a: [['64000.10', '2']],
    u: 18_521_288,
    seq: 7_961_638_724,
  },
  cts: 1_790_000_000_301,
};

const BOOK_DELTA = {
  topic: 'orderbook.50.BTCUSDT',
  type: 'delta',
  ts: 1_790_000_000_324,
  data: { s: 'BTCUSDT', b: [['64000.00', '0']], a: [], u: 18_521_289, seq: 7_961_638_731 },
  cts: 1_790_000_000_321,
};

const ERROR = {
  retCode: 10_001,
  retMsg: 'params error: symbol invalid',
  result: {},
  retExtInfo: {},
  time: 1,
};

function decode(url: string, payload: unknown, listed = contextOf()): Decoded {
  const call = callFor(bybit, url, url.startsWith('/') ? 'GET' : undefined);
  if (call === undefined) throw new Error(`no call for ${url}`);
  return call.decode(payload, { ...listed, request: { method: 'GET', path: url } });
}

const INFO = decode('/v5/market/instruments-info?category=linear&limit=1000', INSTRUMENTS);
const LISTED = contextOf(INFO.instruments);

describe('bybit instruments', () => {
  it('lists trading linear perpetuals with interval and multiplier', () => {
    expect(
      INFO.instruments.map(({ symbol, ticker, multiplier, settle, fundingIntervalHours, assetClass }) => [
        symbol,
        ticker,
        multiplier,
        settle,
        fundingIntervalHours,
        assetClass,
      ]),
    ).toEqual([
      ['BTCUSDT', 'BTC', 1, 'USDT', 8, undefined],
      ['BTCPERP', 'BTC', 1, 'USDC', 8, undefined],
      ['1000PEPEUSDT', 'PEPE', 1000, 'USDT', 4, undefined],
      ['SHIB1000USDT', 'SHIB', 1000, 'USDT', 8, undefined],
      ['TSLAUSDT', 'TSLA', 1, 'USDT', 1, 'equity'],
      ['XAUUSDT', 'XAU', 1, 'USDT', 8, 'commodity'],
      ['PREUSDT', 'PRE', 1, 'USDT', 8, 'prelaunch'],
    ]);
  });

  it('reads the asset class of funds and of the zone of new coins', () => {
    const types = ['ETF', 'innovation', 'forex'];
    const list = types.map((symbolType) => contract(`${symbolType}USDT`, symbolType, { symbolType }));
    const url = '/v5/market/instruments-info?category=linear&limit=1000';
    const { instruments } = decode(url, envelope({ category: 'linear', list, nextPageCursor: '' }));
    expect(instruments.map(({ assetClass }) => assetClass)).toEqual(['etf', 'crypto', 'fx']);
  });

  it('rejects every other row with a reason', () => {
    expect(INFO.rejects.map(({ symbol, reason }) => [symbol, reason])).toEqual([
      ['BIOUSDT', 'prelisting'],
      ['BTCUSDT-25DEC26', 'dated'],
      ['GONEUSDT', 'delisted'],
      ['BTCUSD', 'inverse'],
      ['BTCEUR', 'foreign_quote'],
      ['BTCUSDM27', 'inverse'],
      ['SPOTUSDT', 'spot'],
      ['KINDUSDT', 'not_trading'],
      ['ENDUSDT', 'delisted'],
      ['LASTUSDT', 'delisted'],
      ['HALTUSDT', 'not_trading'],
    ]);
  });

  it('follows the cursor and stops where there is none or it does not move', () => {
    const poll = bybit.polls[0];
    const [request] = poll?.requests({ instruments: [], now: 0 as never }) ?? [];
    if (request === undefined) throw new Error('no request');
    const next = poll?.nextPage?.(INSTRUMENTS, request);
    expect(next?.path).toContain('limit=1000');
    expect(new URLSearchParams(next?.path.split('?')[1]).get('cursor')).toBe('first%3DBTCUSDT%26last%3DZZZ');
    expect(next && poll?.nextPage?.(INSTRUMENTS, next)).toBeUndefined();
    expect(poll?.nextPage?.(envelope({ list: [], nextPageCursor: '' }), request)).toBeUndefined();
    expect(poll?.nextPage?.(null, request)).toBeUndefined();
  });
});

describe('bybit tickers', () => {
  it('reads every metric of a contract', () => {
    const { quotes } = decode('/v5/market/tickers?category=linear', TICKERS, LISTED);
    expect(quotes[0]).toEqual({
      symbol: 'BTCUSDT',
      fundingRate: -0.00008055,
      fundingIntervalHours: 8,
      nextFundingTime: 1_790_006_400_000,
      markPrice: 64000.5,
      indexPrice: 64010,
      bestBid: 64000,
      bestAsk: 64000.1,
      openInterestRaw: 50000.5,
      openInterestBase: 25000.25,
      openInterestUsd: 1600028500.13,
      volume24hRaw: 98430.105,
      volume24hBase: 98430.105,
      volume24hUsd: 6073739017.8331,
    });
    const pepe = quotes[1];
    expect(pepe?.markPrice).toBeCloseTo(0.000012, 12);
    expect(pepe).toMatchObject({ openInterestRaw: 8000, openInterestBase: 4e6, volume24hBase: 1e6 });
    expect(pepe?.bestAsk).toBeUndefined();
  });

  it('one side not stated: both are halved, priced by the mark', () => {
    const row = ticker('BTCUSDT', {
      singleOpenInterest: undefined,
      singleOpenInterestValue: undefined,
      openInterestValue: '3200058000.25',
    });
    const [both] = decode('/v5/market/tickers', envelope({ list: [row] })).quotes;
    expect(both).toMatchObject({
      openInterestRaw: 50000.5,
      openInterestBase: 25000.25,
      openInterestUsd: 1600029000.125,
    });
    const bare = { ...row, openInterestValue: undefined };
    const [priced] = decode('/v5/market/tickers', envelope({ list: [bare] })).quotes;
    expect(priced?.openInterestUsd).toBeCloseTo(25000.25 * 64000.5, 3);
    const odd = ticker('BTCUSDT', { singleOpenInterest: '7', singleOpenInterestValue: '9' });
    const [single] = decode('/v5/market/tickers', envelope({ list: [odd] })).quotes;
    expect(single).toMatchObject({ openInterestRaw: 50000.5, openInterestBase: 7, openInterestUsd: 9 });
  });

  it('reads the touch of the ticker of before v5 under its own names', () => {
    const row = { ...ticker('BTCUSDT'), bidPrice: '63999', askPrice: '64001' };
    expect(decodeFormerTickers(envelope({ category: 'linear', list: [row] }), LISTED).quotes).toMatchObject([
      { symbol: 'BTCUSDT', bestBid: 63_999, bestAsk: 64_001 },
    ]);
  });

  it('takes a row without any funding for dated, unless it is listed', () => {
    for (const nextFundingTime of ['', '0']) {
      const payload = envelope({ list: [ticker('BTCUSDT', { fundingRate: '', nextFundingTime })] });
      expect(decode('/v5/market/tickers', payload).rejects).toEqual([{ symbol: 'BTCUSDT', reason: 'dated' }]);
      expect(decode('/v5/market/tickers', payload, LISTED).quotes).toHaveLength(1);
    }
    const rated = envelope({ list: [ticker('BTCUSDT', { nextFundingTime: '' })] });
    expect(decode('/v5/market/tickers', rated).quotes).toHaveLength(1);
  });

  it.each([
    ['inverse', 'BTCUSDT', 'inverse'],
    ['option', 'BTCUSDT', 'option'],
    ['linear', 'BTC-26DEC25-60000-C', 'option'],
    ['linear', 'BTC-26DEC25-60000-P-USDT', 'option'],
  ])('in the category %s %s is %s', (category, symbol, reason) => {
    const payload = envelope({ category, list: [ticker(symbol)] });
    expect(decode('/v5/market/tickers', payload).rejects).toEqual([{ symbol, reason }]);
  });

  it('leaves out dated, unlisted and other categories', () => {
    const reasons = ({ rejects }: Decoded) => rejects.map(({ symbol, reason }) => [symbol, reason]);
    expect(reasons(decode('/v5/market/tickers', TICKERS))).toEqual([
      ['BTC-25DEC26', 'dated'],
      ['BTCUSDT-25DEC26', 'dated'],
    ]);
    const other = envelope({
      category: 'linear',
      list: [ticker('OTHERUSDT'), ticker('BTCUSDM27'), ticker('BTCUSD')],
    });
    expect(reasons(decode('/v5/market/tickers', other, LISTED))).toEqual([
      ['OTHERUSDT', 'not_listed'],
      ['BTCUSDM27', 'dated'],
      ['BTCUSD', 'inverse'],
    ]);
    const spot = envelope({ category: 'spot', list: [ticker('BTCUSDT')] });
    expect(reasons(decode('/v5/market/tickers?category=spot', spot))).toEqual([['BTCUSDT', 'spot']]);
  });

  it('turns an error with HTTP 200 into one reject without the signed string', () => {
    expect(decode('/v5/market/tickers', ERROR).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '10001 params error: symbol invalid' },
    ]);
    const signed = { retCode: 10004, retMsg: 'error sign! origin_string[123KEY]', result: {} };
    expect(decode('/v5/market/tickers', signed).rejects[0]?.detail).toBe('10004 error sign! origin_string');
  });
});

describe('bybit frames', () => {
  it('reads a snapshot whole and a delta by what changed', () => {
    const [snapshot] = decode('tickers.BTCUSDT', TICKER_SNAPSHOT).quotes;
    expect(snapshot).toMatchObject({ markPrice: 64000.5, venueTime: 1_790_000_000_272 });
    const delta = decode('tickers.BTCUSDT', TICKER_DELTA);
    expect(delta.quotes).toEqual([
      { symbol: 'BTCUSDT', markPrice: 64001, bestBid: 64000.5, venueTime: 1_790_000_000_372 },
    ]);
    expect(delta.rejects).toEqual([]);
  });

  it('a delta without read fields: no fault; a snapshot: one', () => {
    const data = { symbol: 'BTCUSDT', lastPrice: '64000.60', bid1Size: '1.5' };
    expect(decode('tickers.BTCUSDT', { ...TICKER_DELTA, data })).toEqual(emptyDecoded());
    const broken = { ...TICKER_DELTA, data: { ...data, markPrice: 'x' } };
    expect(decode('tickers.BTCUSDT', broken).rejects).toEqual([
      { symbol: 'BTCUSDT', reason: 'malformed', detail: 'markPrice' },
    ]);
    const single = { ...TICKER_DELTA, data: { ...data, singleOpenInterest: '7' } };
    expect(decode('tickers.BTCUSDT', single).quotes).toMatchObject([{ openInterestBase: 7 }]);
    const missing = { symbol: 'BTCUSDT', reason: 'missing_field' };
    expect(decode('tickers.BTCUSDT', { ...TICKER_SNAPSHOT, data }).rejects).toContainEqual({
      ...missing,
      detail: 'markPrice',
    });
    expect(
      decode('/v5/market/tickers', envelope({ category: 'linear', list: [data] })).rejects,
    ).toContainEqual({
      ...missing,
      detail: 'markPrice',
    });
  });

  it('a book: stamped by the engine, else by the push', () => {
    const { cts: _, ...frame } = BOOK_DELTA;
    const [{ venueTime } = {}] = decode('orderbook.50.BTCUSDT', frame).books;
    expect(venueTime).toBe(1_790_000_000_324);
    const detailsOf = (odd: unknown) => decode('tickers.BTCUSDT', odd).rejects.map(({ detail }) => detail);
    expect([detailsOf([]), detailsOf({})]).toEqual([['no frame'], ['no topic']]);
  });

  it('a stamp of the push that cannot be read: a reject without another', () => {
    const { books, rejects } = decode('orderbook.50.BTCUSDT', {
      ...BOOK_SNAPSHOT,
      cts: undefined,
      ts: 'Infinity',
    });
    expect(books).toHaveLength(1);
    expect(rejects).toMatchObject([{ symbol: 'BTCUSDT', reason: 'malformed' }]);
  });

  it('chains book deltas by u', () => {
    const [snapshot] = decode('orderbook.50.BTCUSDT', BOOK_SNAPSHOT).books;
    const [delta] = decode('orderbook.50.BTCUSDT', BOOK_DELTA).books;
    expect(snapshot).toEqual({
      symbol: 'BTCUSDT',
      kind: 'snapshot',
      bids: [[64000, 1.5]],
      asks: [[64000.1, 2]],
      sequence: 18_521_288,
      venueTime: 1_790_000_000_301,
    });
    expect(delta).toMatchObject({ kind: 'delta', bids: [[64000, 0]], asks: [] });
    expect(delta?.previousSequence).toBe(snapshot?.sequence);
  });

  it('reads acknowledgements of its own frames', () => {
    expect(decode('ping', { success: true, ret_msg: 'pong', op: 'ping' }).rejects).toEqual([]);
    expect(
      decode('subscribe', { success: false, ret_msg: 'args size >10', op: 'subscribe' }).rejects,
    ).toEqual([{ symbol: null, reason: 'error_body', detail: 'subscribe args size >10' }]);
  });
});

describe('bybit books and history', () => {
  it('reads a REST book in single units', () => {
    const [book] = decode('/v5/market/orderbook?category=linear&symbol=1000PEPEUSDT', ORDERBOOK).books;
    expect(book).toMatchObject({ kind: 'snapshot', sequence: 230_704, venueTime: 1_790_000_000_005 });
    expect(book?.bids.map(([, size]) => size)).toEqual([100_000, 50_000]);
    expect(book?.bids[0]?.[0]).toBeCloseTo(0.0000119, 12);
  });

  it('the REST book of a spot pair: left out, despite its linear name', () => {
    const { books, rejects } = decode('/v5/market/orderbook?category=spot&symbol=1000PEPEUSDT', ORDERBOOK);
    expect([books, rejects]).toEqual([[], [{ symbol: '1000PEPEUSDT', reason: 'spot' }]]);
  });

  it('reads settled rates, open interest of one side and mark klines', () => {
    expect(decode('/v5/market/funding/history?category=linear', FUNDING_HISTORY).funding).toEqual([
      { symbol: 'BTCUSDT', time: 1_789_977_600_000, rate: 0.0001 },
      { symbol: 'BTCUSDT', time: 1_789_948_800_000, rate: -0.00002 },
    ]);
    expect(decode('/v5/market/open-interest', OPEN_INTEREST_HISTORY).history).toEqual([
      { symbol: '1000PEPEUSDT', time: 1_789_992_000_000, openInterestBase: 4_001_000 },
      { symbol: '1000PEPEUSDT', time: 1_789_988_400_000, openInterestBase: 3_500_000 },
    ]);
    const inverse = envelope({ symbol: 'BTCUSDT', category: 'inverse', list: [['1789992000000', '1']] });
    expect(decode('/v5/market/mark-price-kline', inverse).rejects).toEqual([
      { symbol: 'BTCUSDT', reason: 'inverse' },
    ]);
    expect(decode('/v5/market/mark-price-kline', MARK_KLINES).history).toEqual([
      { symbol: 'BTCUSDT', time: 1_789_992_000_000, markPrice: 64000.1 },
    ]);
  });

  it('reads the base of a symbol', () => {
    const bases = ['BTCUSDT', 'BTCPERP', 'SHIB1000USDT', 'BTC-26DEC25', 'BTCUSD'].map(bybit.baseOf);
    expect(bases).toEqual(['BTC', 'BTC', 'SHIB1000', undefined, undefined]);
  });
});

describe('bybit on changed payloads', () => {
  it.each([
    ['/v5/market/instruments-info', INSTRUMENTS],
    ['/v5/market/tickers', TICKERS],
    ['/v5/market/orderbook', ORDERBOOK],
    ['/v5/market/funding/history', FUNDING_HISTORY],
    ['/v5/market/open-interest', OPEN_INTEREST_HISTORY],
    ['/v5/market/mark-price-kline', MARK_KLINES],
    ['tickers.BTCUSDT', TICKER_SNAPSHOT],
    ['tickers.BTCUSDT', TICKER_DELTA],
    ['orderbook.50.BTCUSDT', BOOK_DELTA],
  ])('%s stays sane whatever field is changed', (url, payload) => {
    const call = callFor(bybit, url);
    if (call === undefined) throw new Error(`no call for ${url}`);
    const { tried, problems } = mutate({ name: url, payload, decode: call.decode });
    expect(problems).toEqual([]);
    expect(tried).toBeGreaterThan(20);
  });

  it('any nonsense through any decoder is a reject or nothing', () => {
    expect(nonsenseProblems(bybit)).toEqual([]);
    expect(nonsenseProblems(bybit, LISTED)).toEqual([]);
  });
});

/** Recordings of calls that carry no metric. */
const WITHOUT_CALL = ['index-price-components.json', 'error-10004.json', 'error-10001.json'];

describeSamples(bybit, (samples) => {
  it('every recording with metrics, contracts, rates or books: has a call', () => {
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
        listedAt: 1_585_526_400_000,
        fundingIntervalHours: 8,
        fundingCap: 0.00375,
        fundingFloor: -0.00375,
        terms: { tick: 0.1, lot: 0.001, minSize: 0.001, minNotionalUsd: 5, maxLeverage: 100 },
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

  it('the ticker of 2022: open interest halved, old names of bid and ask', () => {
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
      const sample = samples.find((sample) => sample.file === file);
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
