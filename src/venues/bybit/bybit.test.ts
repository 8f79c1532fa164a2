import { describe, expect, it } from 'vitest';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { callFor, contextOf } from '../../../test/venues/samples.ts';
import type { Decoded } from '../../domain/decoded.ts';
import * as fixture from './bybit-fixture.ts';
import { bybit } from './index.ts';

function decode(url: string, payload: unknown, listed = contextOf()): Decoded {
  const call = callFor(bybit, url, url.startsWith('/') ? 'GET' : undefined);
  if (call === undefined) throw new Error(`no call for ${url}`);
  return call.decode(payload, { ...listed, request: { method: 'GET', path: url } });
}

const INFO = decode('/v5/market/instruments-info?category=linear&limit=1000', fixture.INSTRUMENTS);
const LISTED = contextOf(INFO.instruments);

describe('bybit instruments', () => {
  it('lists trading linear perpetuals with interval, multiplier and stated underlying', () => {
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
    const list = types.map((symbolType) => fixture.contract(`${symbolType}USDT`, symbolType, { symbolType }));
    const url = '/v5/market/instruments-info?category=linear&limit=1000';
    const { instruments } = decode(url, fixture.envelope({ category: 'linear', list, nextPageCursor: '' }));
    expect(instruments.map(({ assetClass }) => assetClass)).toEqual(['etf', 'crypto', 'fx']);
  });

  it('rejects every other row with a reason', () => {
    expect(INFO.rejects.map(({ symbol, reason }) => [symbol, reason])).toEqual([
      ['BIOUSDT', 'prelisting'],
      ['BTCUSDT-25DEC26', 'dated'],
      ['GONEUSDT', 'delisted'],
      ['BTCUSD', 'inverse'],
      ['BTCEUR', 'foreign_quote'],
    ]);
  });

  it('follows the cursor and stops where there is none or it does not move', () => {
    const poll = bybit.polls[0];
    const [request] = poll?.requests({ instruments: [], now: 0 as never }) ?? [];
    if (request === undefined) throw new Error('no request');
    const next = poll?.nextPage?.(fixture.INSTRUMENTS, request);
    expect(next?.path).toContain('limit=1000');
    expect(new URLSearchParams(next?.path.split('?')[1]).get('cursor')).toBe('first%3DBTCUSDT%26last%3DZZZ');
    expect(next && poll?.nextPage?.(fixture.INSTRUMENTS, next)).toBeUndefined();
    expect(poll?.nextPage?.(fixture.envelope({ list: [], nextPageCursor: '' }), request)).toBeUndefined();
    expect(poll?.nextPage?.(null, request)).toBeUndefined();
  });
});

describe('bybit tickers', () => {
  it('reads every metric of a contract', () => {
    const { quotes } = decode('/v5/market/tickers?category=linear', fixture.TICKERS, LISTED);
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

  it('halves both sides where one side is not stated, and prices it by the mark of the same row', () => {
    const row = fixture.ticker('BTCUSDT', {
      singleOpenInterest: undefined,
      singleOpenInterestValue: undefined,
    });
    const [both] = decode('/v5/market/tickers', fixture.envelope({ list: [row] })).quotes;
    expect(both).toMatchObject({
      openInterestRaw: 50000.5,
      openInterestBase: 25000.25,
      openInterestUsd: 1600028500.125,
    });
    const bare = { ...row, openInterestValue: undefined };
    const [priced] = decode('/v5/market/tickers', fixture.envelope({ list: [bare] })).quotes;
    expect(priced?.openInterestUsd).toBeCloseTo(25000.25 * 64000.5, 3);
  });

  it('leaves out dated, unlisted and other categories', () => {
    const reasons = ({ rejects }: Decoded) => rejects.map(({ symbol, reason }) => [symbol, reason]);
    expect(reasons(decode('/v5/market/tickers', fixture.TICKERS))).toEqual([
      ['BTC-25DEC26', 'dated'],
      ['BTCUSDT-25DEC26', 'dated'],
    ]);
    const other = fixture.envelope({
      category: 'linear',
      list: [fixture.ticker('OTHERUSDT'), fixture.ticker('BTCUSDM27'), fixture.ticker('BTCUSD')],
    });
    expect(reasons(decode('/v5/market/tickers', other, LISTED))).toEqual([
      ['OTHERUSDT', 'not_listed'],
      ['BTCUSDM27', 'dated'],
      ['BTCUSD', 'inverse'],
    ]);
    const spot = fixture.envelope({ category: 'spot', list: [fixture.ticker('BTCUSDT')] });
    expect(reasons(decode('/v5/market/tickers?category=spot', spot))).toEqual([['BTCUSDT', 'spot']]);
  });

  it('turns an error with HTTP 200 into one reject without the signed string', () => {
    expect(decode('/v5/market/tickers', fixture.ERROR).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '10001 params error: symbol invalid' },
    ]);
    const signed = { retCode: 10004, retMsg: 'error sign! origin_string[123KEY]', result: {} };
    expect(decode('/v5/market/tickers', signed).rejects[0]?.detail).toBe('10004 error sign! origin_string');
  });
});

describe('bybit frames', () => {
  it('reads a snapshot whole and a delta by what changed', () => {
    const [snapshot] = decode('tickers.BTCUSDT', fixture.TICKER_SNAPSHOT).quotes;
    expect(snapshot).toMatchObject({ markPrice: 64000.5, venueTime: 1_790_000_000_272 });
    const delta = decode('tickers.BTCUSDT', fixture.TICKER_DELTA);
    expect(delta.quotes).toEqual([
      { symbol: 'BTCUSDT', markPrice: 64001, bestBid: 64000.5, venueTime: 1_790_000_000_372 },
    ]);
    expect(delta.rejects).toEqual([]);
  });

  it('chains book deltas by u', () => {
    const [snapshot] = decode('orderbook.50.BTCUSDT', fixture.BOOK_SNAPSHOT).books;
    const [delta] = decode('orderbook.50.BTCUSDT', fixture.BOOK_DELTA).books;
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
    const [book] = decode(
      '/v5/market/orderbook?category=linear&symbol=1000PEPEUSDT',
      fixture.ORDERBOOK,
    ).books;
    expect(book).toMatchObject({ kind: 'snapshot', sequence: 230_704, venueTime: 1_790_000_000_005 });
    expect(book?.bids.map(([, size]) => size)).toEqual([100_000, 50_000]);
    expect(book?.bids[0]?.[0]).toBeCloseTo(0.0000119, 12);
  });

  it('leaves out the REST book of a spot pair, whose name is that of a linear contract', () => {
    const { books, rejects } = decode(
      '/v5/market/orderbook?category=spot&symbol=1000PEPEUSDT',
      fixture.ORDERBOOK,
    );
    expect([books, rejects]).toEqual([[], [{ symbol: '1000PEPEUSDT', reason: 'spot' }]]);
  });

  it('reads settled rates, open interest of one side and mark klines', () => {
    expect(decode('/v5/market/funding/history?category=linear', fixture.FUNDING_HISTORY).funding).toEqual([
      { symbol: 'BTCUSDT', time: 1_789_977_600_000, rate: 0.0001 },
      { symbol: 'BTCUSDT', time: 1_789_948_800_000, rate: -0.00002 },
    ]);
    expect(decode('/v5/market/open-interest', fixture.OPEN_INTEREST_HISTORY).history).toEqual([
      { symbol: '1000PEPEUSDT', time: 1_789_992_000_000, openInterestBase: 4_000_000 },
      { symbol: '1000PEPEUSDT', time: 1_789_988_400_000, openInterestBase: 3_500_000 },
    ]);
    expect(decode('/v5/market/mark-price-kline', fixture.MARK_KLINES).history).toEqual([
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
    ['/v5/market/instruments-info', fixture.INSTRUMENTS],
    ['/v5/market/tickers', fixture.TICKERS],
    ['/v5/market/orderbook', fixture.ORDERBOOK],
    ['/v5/market/funding/history', fixture.FUNDING_HISTORY],
    ['/v5/market/open-interest', fixture.OPEN_INTEREST_HISTORY],
    ['/v5/market/mark-price-kline', fixture.MARK_KLINES],
    ['tickers.BTCUSDT', fixture.TICKER_SNAPSHOT],
    ['tickers.BTCUSDT', fixture.TICKER_DELTA],
    ['orderbook.50.BTCUSDT', fixture.BOOK_DELTA],
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
