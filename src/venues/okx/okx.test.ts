import { describe, expect, it } from 'vitest';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { callFor, contextOf } from '../../../test/venues/samples.ts';
import type { Decoded } from '../../domain/decoded.ts';
import { okx } from './index.ts';
import * as fixture from './okx-fixture.ts';

function decode(url: string, payload: unknown, listed = contextOf()): Decoded {
  const call = callFor(okx, url, url.startsWith('/') ? 'GET' : undefined);
  if (call === undefined) throw new Error(`no call for ${url}`);
  return call.decode(payload, { ...listed, request: { method: 'GET', path: url } });
}

const INFO = decode('/api/v5/public/instruments?instType=SWAP', fixture.INSTRUMENTS);
const LISTED = contextOf(INFO.instruments);
const reasons = ({ rejects }: Decoded) => rejects.map(({ symbol, reason }) => [symbol, reason]);

describe('okx instruments', () => {
  it('lists live linear swaps with the units of one contract and the index they follow', () => {
    expect(
      INFO.instruments.map(({ symbol, base, contractSize, settle, indexId, assetClass }) => [
        symbol,
        base,
        contractSize,
        settle,
        indexId,
        assetClass,
      ]),
    ).toEqual([
      ['BTC-USDT-SWAP', 'BTC', 0.01, 'USDT', 'BTC-USDT', 'crypto'],
      ['BTC-USDC-SWAP', 'BTC', 0.0001, 'USDC', 'BTC-USDC', 'crypto'],
      ['SHIB-USDT-SWAP', 'SHIB', 1_000_000, 'USDT', 'SHIB-USDT', 'crypto'],
      ['TEN-USDT-SWAP', 'TEN', 10, 'USDT', 'TEN-USDT', 'crypto'],
      ['TSLA-USDT-SWAP', 'TSLA', 1, 'USDT', 'TSLA-USDT', 'equity'],
      ['PRE-USDT-SWAP', 'PRE', 1, 'USDT', 'PRE-USDT', 'prelaunch'],
    ]);
  });

  it('rejects every other row with a reason', () => {
    expect(reasons(INFO)).toEqual([
      ['BTC-USD-SWAP', 'inverse'],
      ['NEW-USDT-SWAP', 'prelisting'],
      ['HALT-USDT-SWAP', 'not_trading'],
      ['ODD-USDT-SWAP', 'unknown_unit'],
      ['BTC-USDT-261225', 'dated'],
      ['BTC-USD_UM-SWAP', 'foreign_quote'],
      [null, 'placeholder'],
    ]);
  });
});

describe('okx metrics', () => {
  it('reads fundingTime as the next settlement and its distance to the following one as the interval', () => {
    const decoded = decode('/api/v5/public/funding-rate?instId=ANY', fixture.FUNDING_RATES, LISTED);
    expect(decoded.quotes).toEqual([
      {
        symbol: 'BTC-USDT-SWAP',
        fundingRate: 0.000079238688534,
        nextFundingTime: 1_790_006_400_000,
        fundingIntervalHours: 8,
      },
      {
        symbol: 'SHIB-USDT-SWAP',
        fundingRate: -0.0002,
        nextFundingTime: 1_790_006_400_000,
        fundingIntervalHours: 4,
      },
      { symbol: 'BTC-USDC-SWAP', nextFundingTime: 1_790_006_400_000 },
    ]);
    expect(reasons(decoded)).toEqual([
      ['BTC-USDC-SWAP', 'missing_field'],
      ['BTC-USDC-SWAP', 'missing_field'],
      ['BTC-USD-SWAP', 'inverse'],
    ]);
  });

  it('reads marks; inverse and dollar-margined swaps are left out', () => {
    const decoded = decode('/api/v5/public/mark-price?instType=SWAP', fixture.MARK_PRICES);
    expect(decoded.quotes).toEqual([
      { symbol: 'BTC-USDT-SWAP', markPrice: 64000.5 },
      { symbol: 'SHIB-USDT-SWAP', markPrice: 0.0000123 },
    ]);
    expect(reasons(decoded)).toEqual([
      ['BTC-USD-SWAP', 'inverse'],
      ['BTC-USD_UM-SWAP', 'foreign_quote'],
    ]);
  });

  it('assigns an index to every swap that follows it, and to no other', () => {
    const decoded = decode('/api/v5/market/index-tickers?quoteCcy=USDT', fixture.INDEX_TICKERS, LISTED);
    expect(decoded.quotes).toEqual([{ symbol: 'BTC-USDT-SWAP', indexPrice: 64010 }]);
    expect(reasons(decoded)).toEqual([
      ['BTC-USD', 'not_listed'],
      ['SPOTONLY-USDT', 'not_listed'],
    ]);
    const alone = decode('/api/v5/market/index-tickers', fixture.INDEX_TICKERS);
    expect(alone.quotes.map(({ symbol }) => symbol)).toEqual(['BTC-USDT-SWAP', 'SPOTONLY-USDT-SWAP']);
  });

  it('reads open interest in coins, or from contracts where the list gives their size', () => {
    const url = '/api/v5/public/open-interest?instType=SWAP';
    expect(decode(url, fixture.OPEN_INTEREST, LISTED).quotes).toEqual([
      {
        symbol: 'BTC-USDT-SWAP',
        openInterestRaw: 2125419,
        openInterestBase: 21254.19,
        openInterestUsd: 1360278787.9,
      },
      { symbol: 'SHIB-USDT-SWAP', openInterestRaw: 500, openInterestBase: 500_000_000 },
    ]);
    expect(decode(url, fixture.OPEN_INTEREST).quotes[1]).toEqual({
      symbol: 'SHIB-USDT-SWAP',
      openInterestRaw: 500,
    });
  });

  it('reads volume in contracts and coins, quote volume by the last price, and the touch', () => {
    const { quotes } = decode('/api/v5/market/tickers?instType=SWAP', fixture.TICKERS, LISTED);
    expect(quotes).toEqual([
      {
        symbol: 'BTC-USDT-SWAP',
        volume24hRaw: 500050,
        volume24hBase: 5000.5,
        volume24hUsd: 320032000,
        bestBid: 64000,
        bestAsk: 64000.1,
      },
      { symbol: 'SHIB-USDT-SWAP', volume24hRaw: 3, volume24hBase: 3_000_000, bestBid: 0.0000122 },
    ]);
  });

  it('turns an error with HTTP 200 into one reject', () => {
    const error = { code: '50011', msg: 'Too Many Requests', data: [] };
    expect(decode('/api/v5/market/tickers?instType=SWAP', error).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '50011 Too Many Requests' },
    ]);
  });
});

describe('okx books', () => {
  const url = '/api/v5/market/books?instId=BTC-USDT-SWAP&sz=400';

  it('turns contracts into coins', () => {
    const [book] = decode(url, fixture.BOOKS, LISTED).books;
    expect(book).toEqual({
      symbol: 'BTC-USDT-SWAP',
      kind: 'snapshot',
      bids: [[64000, 0.05]],
      asks: [
        [64000.1, 0.02],
        [64000.3, 0.19],
      ],
      sequence: 9_690_930_615,
      venueTime: 1_790_000_000_417,
    });
  });

  it('keeps sizes in contracts where no list is known', () => {
    const decoded = decode(url, fixture.BOOKS);
    expect(decoded.books[0]?.bids).toEqual([[64000, 5]]);
    expect(reasons(decoded)).toEqual([['BTC-USDT-SWAP', 'unknown_unit']]);
  });

  it('leaves out books of contracts that are not listed', () => {
    const decoded = decode('/api/v5/market/books?instId=BTC-USD-SWAP', fixture.BOOKS, LISTED);
    expect(decoded.books).toEqual([]);
    expect(reasons(decoded)).toEqual([['BTC-USD-SWAP', 'inverse']]);
  });

  it('chains deltas by prevSeqId; a snapshot has no predecessor', () => {
    const [snapshot] = decode('books BTC-USDT-SWAP', fixture.BOOK_SNAPSHOT, LISTED).books;
    const [update] = decode('books BTC-USDT-SWAP', fixture.BOOK_UPDATE, LISTED).books;
    expect(snapshot?.previousSequence).toBeUndefined();
    expect(update).toMatchObject({ kind: 'delta', bids: [[64000, 0]], sequence: 102 });
    expect(update?.previousSequence).toBe(snapshot?.sequence);
    const five = { ...fixture.BOOK_SNAPSHOT, arg: { channel: 'books5', instId: 'BTC-USDT-SWAP' } };
    expect(decode('books5', { ...five, action: undefined }, LISTED).books[0]?.kind).toBe('snapshot');
  });
});

describe('okx history and frames', () => {
  it('reads the realised rate as settled', () => {
    expect(decode('/api/v5/public/funding-rate-history', fixture.FUNDING_HISTORY).funding).toEqual([
      { symbol: 'BTC-USDT-SWAP', time: 1_789_977_600_000, rate: 0.0000746572360545 },
    ]);
  });

  it('reads mark candles and open-interest history by the contract of the request', () => {
    const candles = '/api/v5/market/history-mark-price-candles?instId=BTC-USDT-SWAP&bar=1H';
    expect(decode(candles, fixture.MARK_CANDLES).history).toEqual([
      { symbol: 'BTC-USDT-SWAP', time: 1_789_992_000_000, markPrice: 64000.1 },
    ]);
    const interest = '/api/v5/rubik/stat/contracts/open-interest-history?instId=BTC-USDT-SWAP&period=1H';
    expect(decode(interest, fixture.OPEN_INTEREST_HISTORY).history).toEqual([
      {
        symbol: 'BTC-USDT-SWAP',
        time: 1_789_992_000_000,
        openInterestBase: 21254.19,
        openInterestUsd: 1360278787.9,
      },
    ]);
  });

  it('reads pushes as responses, and acknowledgements of its own frames', () => {
    expect(decode('funding-rate BTC-USDT-SWAP', fixture.FUNDING_PUSH).quotes).toHaveLength(1);
    for (const frame of ['pong', { event: 'subscribe', arg: {} }, { event: 'notice', code: '64008' }]) {
      expect(decode('/ws/v5/public', frame).rejects).toEqual([]);
    }
    expect(decode('/ws/v5/public', { event: 'error', code: '60018', msg: 'Wrong' }).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '60018 Wrong' },
    ]);
  });

  it('knows its channels by name, address and subscription', () => {
    const names = [
      'tickers BTC-USDT-SWAP',
      'books50-l2-tbt',
      'bbo-tbt',
      'wss://ws.okx.com:8443/ws/v5/public',
      '{"op":"subscribe","args":[{"channel":"mark-price","instId":"BTC-USDT-SWAP"}]}',
    ];
    expect(names.map((name) => callFor(okx, name)?.name)).toEqual(names.map(() => 'stream'));
    expect(callFor(okx, 'https://www.okx.com/api/v5/public/mark-price?instType=SWAP')?.name).toBe(
      'public/mark-price',
    );
    expect(callFor(okx, 'candle1m BTC-USDT-SWAP')).toBeUndefined();
  });
});

describe('okx on changed payloads', () => {
  const history = '/api/v5/rubik/stat/contracts/open-interest-history?instId=BTC-USDT-SWAP';

  it.each([
    ['/api/v5/public/instruments', fixture.INSTRUMENTS],
    ['/api/v5/public/funding-rate?instId=ANY', fixture.FUNDING_RATES],
    ['/api/v5/public/mark-price', fixture.MARK_PRICES],
    ['/api/v5/market/index-tickers', fixture.INDEX_TICKERS],
    ['/api/v5/public/open-interest', fixture.OPEN_INTEREST],
    ['/api/v5/market/tickers', fixture.TICKERS],
    ['/api/v5/market/books?instId=BTC-USDT-SWAP', fixture.BOOKS],
    ['/api/v5/public/funding-rate-history', fixture.FUNDING_HISTORY],
    ['/api/v5/market/mark-price-candles?instId=BTC-USDT-SWAP', fixture.MARK_CANDLES],
    [history, fixture.OPEN_INTEREST_HISTORY],
    ['books', fixture.BOOK_SNAPSHOT],
    ['books', fixture.BOOK_UPDATE],
    ['funding-rate', fixture.FUNDING_PUSH],
  ])('%s stays sane whatever field is changed', (url, payload) => {
    const call = callFor(okx, url);
    if (call === undefined) throw new Error(`no call for ${url}`);
    for (const instruments of [[], INFO.instruments]) {
      const context = contextOf(instruments, { method: 'GET', path: url });
      const { tried, problems } = mutate({ name: url, payload, decode: call.decode, context });
      expect(problems).toEqual([]);
      expect(tried).toBeGreaterThan(20);
    }
  });

  it('any nonsense through any decoder is a reject or nothing', () => {
    expect(nonsenseProblems(okx)).toEqual([]);
    expect(nonsenseProblems(okx, LISTED)).toEqual([]);
  });
});
