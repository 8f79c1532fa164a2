import { describe, expect, it } from 'vitest';
import { decodeFile, decodeFileAs } from '../../../test/venues/decode-file.ts';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import {
  callFor,
  contextOf,
  describeSamples,
  instrumentsFrom,
  loadSample,
  requestFor,
} from '../../../test/venues/samples.ts';
import type { Decoded } from '../../domain/decoded.ts';
import { okx } from './index.ts';

/** Payloads of the OKX v5 API, written from its documented format; values are made up. */

function envelope(data: unknown): object {
  return { code: '0', msg: '', data };
}

function swap(base: string, quote: string, values: Readonly<Record<string, unknown>> = {}): object {
  return {
    instType: 'SWAP',
    instId: `${base}-${quote}-SWAP`,
    uly: `${base}-${quote}`,
    instFamily: `${base}-${quote}`,
    baseCcy: '',
    quoteCcy: '',
    settleCcy: quote,
    ctVal: '1',
    ctMult: '1',
    ctValCcy: base,
    ctType: 'linear',
    state: 'live',
    ruleType: 'normal',
    instCategory: '1',
    expTime: '',
    lotSz: '0.01',
    tickSz: '0.1',
    ...values,
  };
}

const INSTRUMENTS = envelope([
  swap('BTC', 'USDT', { ctVal: '0.01' }),
  swap('BTC', 'USDC', { ctVal: '0.0001' }),
  swap('SHIB', 'USDT', { ctVal: '1000000' }),
  swap('TEN', 'USDT', { ctVal: '2', ctMult: '5' }),
  swap('TSLA', 'USDT', { instCategory: '3' }),
  swap('PRE', 'USDT', { ruleType: 'pre_market' }),
  swap('XAU', 'USDT', { instCategory: '4' }),
  swap('EUR', 'USDT', { instCategory: '5' }),
  // The index is the underlying, else the family.
  swap('TWO', 'USDT', { instFamily: 'OTHER-USDC' }),
  swap('OLD', 'USDT', { uly: '' }),
  swap('BTC', 'USD', { ctType: 'inverse', ctValCcy: 'USD', ctVal: '100', settleCcy: 'BTC' }),
  swap('NEW', 'USDT', { state: 'preopen', ctVal: '', ctMult: '', ctValCcy: '', uly: '', ctType: '' }),
  swap('HALT', 'USDT', { state: 'suspend' }),
  swap('ODD', 'USDT', { ctVal: '' }),
  swap('PAST', 'USDT', { state: 'expired' }),
  swap('LAST', 'USDT', { state: 'settling' }),
  swap('KIND', 'USDT', { ctType: '' }),
  swap('UNIT', 'USDT', { ctValCcy: 'USDT' }),
  swap('NONE', 'USDT', { uly: '', instFamily: '' }),
  swap('HALF', 'USDT', { uly: '', instFamily: 'HALF' }),
  swap('BARE', 'USDT', { instType: '' }),
  swap('CALL', 'USDT', { instType: 'OPTION' }),
  swap('SPOT', 'USDT', { instType: 'SPOT' }),
  swap('LENT', 'USDT', { instType: 'MARGIN' }),
  swap('NEWS', 'USDT', { instType: 'EVENTS' }),
  { ...swap('BTC', 'USDT'), instType: 'FUTURES', instId: 'BTC-USDT-261225' },
  swap('BTC', 'USD_UM', { settleCcy: 'USD' }),
  { instType: 'SWAP', instId: '', state: 'preopen' },
]);

function funding(instId: string, values: Readonly<Record<string, unknown>> = {}): object {
  return {
    formulaType: 'withRate',
    fundingRate: '0.0000792386885340',
    fundingTime: '1790006400000',
    instId,
    instType: 'SWAP',
    method: 'current_period',
    nextFundingRate: '',
    nextFundingTime: '1790035200000',
    prevFundingTime: '1789977600000',
    settFundingRate: '0.0001418433662153',
    settState: 'settled',
    ts: '1790000000309',
    ...values,
  };
}

const FUNDING_RATES = envelope([
  funding('BTC-USDT-SWAP'),
  // The period that ends is of four hours, the one after it of eight.
  funding('SHIB-USDT-SWAP', { fundingRate: '-0.0002', prevFundingTime: '1789992000000' }),
  funding('BTC-USDC-SWAP', { fundingRate: '', nextFundingTime: '' }),
  funding('BTC-USD-SWAP'),
]);

const MARK_PRICES = envelope([
  { instType: 'SWAP', instId: 'BTC-USDT-SWAP', markPx: '64000.5', ts: '1790000000506' },
  { instType: 'SWAP', instId: 'SHIB-USDT-SWAP', markPx: '0.0000123', ts: '1790000000506' },
  { instType: 'SWAP', instId: 'BTC-USD-SWAP', markPx: '64010.5', ts: '1790000000506' },
  { instType: 'SWAP', instId: 'BTC-USD_UM-SWAP', markPx: '64010.5', ts: '1790000000506' },
  { instType: 'OPTION', instId: 'BTC-USD-261225-60000-C', markPx: '0.1', ts: '1790000000506' },
  { instType: 'FUTURES', instId: 'BTC-USDT-261225', markPx: '64020', ts: '1790000000506' },
  { instType: 'MARGIN', instId: 'BTC-USDT', markPx: '64000', ts: '1790000000506' },
  { instType: 'OTHER', instId: 'BTC', markPx: '64000', ts: '1790000000506' },
]);

const INDEX_TICKERS = envelope([
  { instId: 'BTC-USDT', idxPx: '64010', high24h: '65000', ts: '1790000000815' },
  { instId: 'BTC-USD', idxPx: '64020', high24h: '65000', ts: '1790000000815' },
  { instId: 'SPOTONLY-USDT', idxPx: '1.5', high24h: '2', ts: '1790000000815' },
]);

const OPEN_INTEREST = envelope([
  {
    instId: 'BTC-USDT-SWAP',
    instType: 'SWAP',
    oi: '2125419',
    oiCcy: '21254.25',
    oiUsd: '1360278787.9',
    ts: '1',
  },
  { instId: 'SHIB-USDT-SWAP', instType: 'SWAP', oi: '500', ts: '1790000000969' },
]);

const TICKERS = envelope([
  {
    instType: 'SWAP',
    instId: 'BTC-USDT-SWAP',
    last: '64000',
    lastSz: '1',
    askPx: '64000.1',
    askSz: '11',
    bidPx: '64000',
    bidSz: '5',
    volCcy24h: '5000.75',
    vol24h: '500050',
    ts: '1790000000000',
  },
  {
    instType: 'SWAP',
    instId: 'SHIB-USDT-SWAP',
    last: '',
    askPx: '',
    bidPx: '0.0000122',
    vol24h: '3',
    ts: '1790000000000',
  },
]);

const BOOKS = envelope([
  {
    asks: [
      ['64000.1', '2', '0', '1'],
      ['64000.3', '19', '0', '1'],
    ],
    bids: [['64000', '5', '0', '1']],
    ts: '1790000000417',
    seqId: 9_690_930_615,
  },
]);

const FUNDING_HISTORY = envelope([
  {
    fundingRate: '0.0000746604960499',
    fundingTime: '1789977600000',
    instId: 'BTC-USDT-SWAP',
    instType: 'SWAP',
    method: 'current_period',
    realizedRate: '0.0000746572360545',
  },
]);

const MARK_CANDLES = envelope([['1789992000000', '64000.1', '64100', '63900', '64050', '0']]);

const OPEN_INTEREST_HISTORY = envelope([
  ['1789992000000', '2125419', '21254.25', '1360278787.9'],
  ['1789988400000', '2125500', '', ''],
]);

/** The cells after the prices: contracts, coins, quote currency, whether the candle is finished. */
const HOUR_CANDLES = envelope([
  ['1789992000000', '64000.1', '64100', '63900', '64050', '3100', '31', '1984001.5', '1'],
]);

const BOOK_SNAPSHOT = {
  arg: { channel: 'books', instId: 'BTC-USDT-SWAP' },
  action: 'snapshot',
  data: [
    {
      asks: [['64000.1', '2', '0', '3']],
      bids: [['64000', '5', '0', '8']],
      ts: '1790000000005',
      checksum: 0,
      seqId: 100,
      prevSeqId: -1,
    },
  ],
};

const BOOK_UPDATE = {
  arg: { channel: 'books', instId: 'BTC-USDT-SWAP' },
  action: 'update',
  data: [
    {
      asks: [],
      bids: [['64000', '0', '0', '0']],
      ts: '1790000000205',
      checksum: 0,
      seqId: 102,
      prevSeqId: 100,
    },
  ],
};

const FUNDING_PUSH = {
  arg: { channel: 'funding-rate', instId: 'SHIB-USDT-SWAP' },
  data: [funding('SHIB-USDT-SWAP', { prevFundingTime: '1789992000000' })],
};

function decode(url: string, payload: unknown, listed = contextOf()): Decoded {
  const call = callFor(okx, url, url.startsWith('/') ? 'GET' : undefined);
  if (call === undefined) throw new Error(`no call for ${url}`);
  return call.decode(payload, { ...listed, request: { method: 'GET', path: url } });
}

const INFO = decode('/api/v5/public/instruments?instType=SWAP', INSTRUMENTS);
const LISTED = contextOf(INFO.instruments);
const reasons = ({ rejects }: Decoded) => rejects.map(({ symbol, reason }) => [symbol, reason]);

describe('okx instruments', () => {
  it.each([
    ['ctVal', '1e28'],
    ['ctMult', 1e28],
    ['instCategory', {}],
  ])('a %s of %j is a fault', (name, value) => {
    const row = swap('BTC', 'USDT', { [name]: value });
    const { rejects } = decode('/api/v5/public/instruments', envelope([row]));
    const detail = name === 'ctMult' ? 'ctVal' : name;
    expect(rejects).toMatchObject([{ symbol: 'BTC-USDT-SWAP', detail }]);
  });

  it.each([
    ['Infinity', 1],
    ['2e15', 1],
    ['', 0],
    ['0', 0],
  ])('a last price of "%s": unknown volume in dollars, %i faults', (last, faults) => {
    const row = { instId: 'BTC-USDT-SWAP', last, bidPx: '64000', vol24h: '3', volCcy24h: '0.03' };
    const { quotes, rejects } = decode('/api/v5/market/tickers', envelope([row]), LISTED);
    expect(quotes).toEqual([
      { symbol: 'BTC-USDT-SWAP', volume24hRaw: 3, volume24hBase: 0.03, bestBid: 64_000 },
    ]);
    expect(rejects).toEqual(
      Array(faults).fill({ symbol: 'BTC-USDT-SWAP', reason: 'malformed', detail: 'volume24hUsd' }),
    );
  });

  it('lists live linear swaps with contract units and their index', () => {
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
      ['XAU-USDT-SWAP', 'XAU', 1, 'USDT', 'XAU-USDT', 'commodity'],
      ['EUR-USDT-SWAP', 'EUR', 1, 'USDT', 'EUR-USDT', 'fx'],
      ['TWO-USDT-SWAP', 'TWO', 1, 'USDT', 'TWO-USDT', 'crypto'],
      ['OLD-USDT-SWAP', 'OLD', 1, 'USDT', 'OLD-USDT', 'crypto'],
    ]);
    expect(INFO.instruments[1]).toMatchObject({ venue: 'okx', ticker: 'BTC', quote: 'USDC' });
  });

  it('rejects every other row with a reason', () => {
    expect(reasons(INFO)).toEqual([
      [null, 'placeholder'],
      ['BTC-USD-SWAP', 'inverse'],
      ['NEW-USDT-SWAP', 'prelisting'],
      ['HALT-USDT-SWAP', 'not_trading'],
      ['ODD-USDT-SWAP', 'missing_field'],
      ['PAST-USDT-SWAP', 'delisted'],
      ['LAST-USDT-SWAP', 'delisted'],
      ['KIND-USDT-SWAP', 'missing_field'],
      ['UNIT-USDT-SWAP', 'unknown_unit'],
      ['NONE-USDT-SWAP', 'missing_field'],
      ['HALF-USDT-SWAP', 'malformed'],
      ['BARE-USDT-SWAP', 'missing_field'],
      ['CALL-USDT-SWAP', 'option'],
      ['SPOT-USDT-SWAP', 'spot'],
      ['LENT-USDT-SWAP', 'spot'],
      ['NEWS-USDT-SWAP', 'not_trading'],
      ['BTC-USDT-261225', 'dated'],
      ['BTC-USD_UM-SWAP', 'foreign_quote'],
    ]);
    for (const name of ['NONE-USDT-SWAP', 'HALF-USDT-SWAP'])
      expect(INFO.rejects.find(({ symbol }) => symbol === name)?.detail).toBe('uly, instFamily');
  });
});

describe('okx metrics', () => {
  it('fundingTime: the next settlement; the interval ends there', () => {
    const decoded = decode('/api/v5/public/funding-rate?instId=ANY', FUNDING_RATES, LISTED);
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
      // A rate may be "" on a new listing.
      { symbol: 'BTC-USDC-SWAP', nextFundingTime: 1_790_006_400_000, fundingIntervalHours: 8 },
    ]);
    expect(reasons(decoded)).toEqual([['BTC-USD-SWAP', 'inverse']]);
  });

  const FOUR_HOURS_LATER = '1790020800000';
  const NO_INTERVAL = 'fundingIntervalHours';

  it.each([
    ['undefined', undefined, FOUR_HOURS_LATER, 4, []],
    ['blank', '', FOUR_HOURS_LATER, 4, []],
    ['0', '0', FOUR_HOURS_LATER, 4, []],
    ['no whole hours before', '1789979400000', FOUR_HOURS_LATER, 4, []],
    ['more than a day before', '1789916400000', FOUR_HOURS_LATER, 4, []],
    ['the settlement itself', '1790006400000', FOUR_HOURS_LATER, 4, []],
    ['behind the settlement', '1790010000000', FOUR_HOURS_LATER, 4, []],
    ['undefined', undefined, '', undefined, [['missing_field', NO_INTERVAL]]],
    ['no whole hours before', '1789979400000', undefined, undefined, [['missing_field', NO_INTERVAL]]],
    ['undefined', undefined, '1790008200000', undefined, [['out_of_range', NO_INTERVAL]]],
    ['undefined', undefined, 'soon', undefined, [['malformed', NO_INTERVAL]]],
  ])(
    'prevFundingTime %s (%s), nextFundingTime %s: %s h, rejects %j',
    (_, prevFundingTime, nextFundingTime, hours, rejected) => {
      const rows = envelope([funding('BTC-USDT-SWAP', { prevFundingTime, nextFundingTime })]);
      const { quotes, rejects } = decode('/api/v5/public/funding-rate?instId=ANY', rows, LISTED);
      expect(quotes.map(({ fundingIntervalHours }) => fundingIntervalHours)).toEqual([hours]);
      expect(rejects.map(({ reason, detail }) => [reason, detail])).toEqual(rejected);
    },
  );

  it('marks; inverse and dollar-margined swaps and others: left out', () => {
    const decoded = decode('/api/v5/public/mark-price?instType=SWAP', MARK_PRICES);
    expect(decoded.quotes).toEqual([
      { symbol: 'BTC-USDT-SWAP', markPrice: 64000.5 },
      { symbol: 'SHIB-USDT-SWAP', markPrice: 0.0000123 },
    ]);
    expect(reasons(decoded)).toEqual([
      ['BTC-USD-SWAP', 'inverse'],
      ['BTC-USD_UM-SWAP', 'foreign_quote'],
      ['BTC-USD-261225-60000-C', 'option'],
      ['BTC-USDT-261225', 'dated'],
      ['BTC-USDT', 'spot'],
      ['BTC', 'not_listed'],
    ]);
  });

  it('assigns an index to every swap that follows it, and to no other', () => {
    const decoded = decode('/api/v5/market/index-tickers?quoteCcy=USDT', INDEX_TICKERS, LISTED);
    expect(decoded.quotes).toEqual([{ symbol: 'BTC-USDT-SWAP', indexPrice: 64010 }]);
    expect(reasons(decoded)).toEqual([
      ['BTC-USD', 'not_listed'],
      ['SPOTONLY-USDT', 'not_listed'],
    ]);
    const alone = decode('/api/v5/market/index-tickers', INDEX_TICKERS);
    expect(alone.quotes.map(({ symbol }) => symbol)).toEqual(['BTC-USDT-SWAP', 'SPOTONLY-USDT-SWAP']);
    const nameless = decode('/api/v5/market/index-tickers', envelope([{ idxPx: '1' }, 'x']));
    expect(nameless.rejects).toEqual(Array(2).fill({ symbol: null, reason: 'malformed', detail: 'row' }));
  });

  it('open interest: in coins, or from contracts of a listed size', () => {
    const url = '/api/v5/public/open-interest?instType=SWAP';
    expect(decode(url, OPEN_INTEREST, LISTED).quotes).toEqual([
      {
        symbol: 'BTC-USDT-SWAP',
        openInterestRaw: 2125419,
        openInterestBase: 21254.25,
        openInterestUsd: 1360278787.9,
      },
      { symbol: 'SHIB-USDT-SWAP', openInterestRaw: 500, openInterestBase: 500_000_000 },
    ]);
    expect(decode(url, OPEN_INTEREST).quotes[1]).toEqual({
      symbol: 'SHIB-USDT-SWAP',
      openInterestRaw: 500,
    });
  });

  it('volume in contracts and coins, quote volume by the last price', () => {
    const { quotes } = decode('/api/v5/market/tickers?instType=SWAP', TICKERS, LISTED);
    expect(quotes).toEqual([
      {
        symbol: 'BTC-USDT-SWAP',
        volume24hRaw: 500050,
        volume24hBase: 5000.75,
        volume24hUsd: 320_048_000,
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
    const full = url.replace('books?', 'books-full?');
    const [book, ...others] = [url, full].flatMap((asked) => decode(asked, BOOKS, LISTED).books);
    expect(others).toEqual([book]);
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
    const decoded = decode(url, BOOKS);
    expect(decoded.books[0]?.bids).toEqual([[64000, 5]]);
    expect(reasons(decoded)).toEqual([['BTC-USDT-SWAP', 'unknown_unit']]);
  });

  it('leaves out books of contracts that are not listed', () => {
    const decoded = decode('/api/v5/market/books?instId=BTC-USD-SWAP', BOOKS, LISTED);
    expect(decoded.books).toEqual([]);
    expect(reasons(decoded)).toEqual([['BTC-USD-SWAP', 'inverse']]);
  });

  it('chains deltas by prevSeqId; a snapshot has no predecessor', () => {
    const [snapshot] = decode('books BTC-USDT-SWAP', BOOK_SNAPSHOT, LISTED).books;
    const [update] = decode('books BTC-USDT-SWAP', BOOK_UPDATE, LISTED).books;
    expect(snapshot?.previousSequence).toBeUndefined();
    expect(update).toMatchObject({ kind: 'delta', bids: [[64000, 0]], sequence: 102 });
    expect(update?.previousSequence).toBe(snapshot?.sequence);
    const kindOf = (channel: string, frame: object) =>
      decode(channel, { ...frame, arg: { channel, instId: 'BTC-USDT-SWAP' } }, LISTED).books[0]?.kind;
    for (const channel of ['books5', 'bbo-tbt'])
      expect(kindOf(channel, { ...BOOK_SNAPSHOT, action: undefined })).toBe('snapshot');
    for (const channel of ['books-l2-tbt', 'books50-l2-tbt'])
      expect([BOOK_SNAPSHOT, BOOK_UPDATE].map((frame) => kindOf(channel, frame))).toEqual([
        'snapshot',
        'delta',
      ]);
  });
});

describe('okx history and frames', () => {
  it('reads the realised rate as settled', () => {
    expect(decode('/api/v5/public/funding-rate-history', FUNDING_HISTORY).funding).toEqual([
      { symbol: 'BTC-USDT-SWAP', time: 1_789_977_600_000, rate: 0.0000746572360545 },
    ]);
  });

  it('mark candles and open interest: of the requested contract', () => {
    const candles = '/api/v5/market/history-mark-price-candles?instId=BTC-USDT-SWAP&bar=1H';
    expect(decode(candles, MARK_CANDLES).history).toEqual([
      { symbol: 'BTC-USDT-SWAP', time: 1_789_992_000_000, markPrice: 64000.1 },
    ]);
    const interest = '/api/v5/rubik/stat/contracts/open-interest-history?instId=BTC-USDT-SWAP&period=1H';
    expect(decode(interest, OPEN_INTEREST_HISTORY, LISTED).history).toEqual([
      {
        symbol: 'BTC-USDT-SWAP',
        time: 1_789_992_000_000,
        openInterestBase: 21254.25,
        openInterestUsd: 1360278787.9,
      },
      { symbol: 'BTC-USDT-SWAP', time: 1_789_988_400_000, openInterestBase: 21255 },
    ]);
  });

  it.each(['market/history-candles', 'market/candles'])('reads the turnover of an hour from %s', (path) => {
    expect(decode(`/api/v5/${path}?instId=BTC-USDT-SWAP&bar=1H`, HOUR_CANDLES).history).toEqual([
      { symbol: 'BTC-USDT-SWAP', time: 1_789_992_000_000, hourUsd: 1_984_001.5 },
    ]);
  });

  it('takes the sums over all contracts of a coin for no contract', () => {
    const totals = envelope([['1789992000000', '2125419', '1360278787.9']]);
    expect(decode('/api/v5/rubik/stat/contracts/open-interest-volume?ccy=BTC', totals).rejects).toEqual([
      { symbol: null, reason: 'not_listed', detail: 'sum over all contracts of a coin' },
    ]);
  });

  it('reads pushes as responses, and acknowledgements of its own frames', () => {
    expect(decode('funding-rate SHIB-USDT-SWAP', FUNDING_PUSH).quotes).toEqual([
      {
        symbol: 'SHIB-USDT-SWAP',
        fundingRate: 0.000079238688534,
        nextFundingTime: 1_790_006_400_000,
        fundingIntervalHours: 4,
      },
    ]);
    for (const frame of ['pong', { event: 'subscribe', arg: {} }, { event: 'notice', code: '64008' }]) {
      expect(decode('/ws/v5/public', frame).rejects).toEqual([]);
    }
    expect(decode('/ws/v5/public', { event: 'error', code: '60018', msg: 'Wrong' }).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '60018 Wrong' },
    ]);
    for (const frame of [{}, { arg: {}, data: [] }, { arg: { channel: 'tickers' } }])
      expect(decode('/ws/v5/public', frame).rejects).toMatchObject([{ detail: 'push' }]);
  });

  it('assigns a pushed index to the swaps that follow it', () => {
    const arg = { channel: 'index-tickers', instId: 'BTC-USDT' };
    const push = decode('index-tickers', { arg, ...INDEX_TICKERS }, LISTED);
    const asked = decode('/api/v5/market/index-tickers?quoteCcy=USDT', INDEX_TICKERS, LISTED);
    expect(push.quotes).toEqual(asked.quotes);
    expect(push.quotes.length).toBeGreaterThan(0);
  });

  it('knows its channels by name, address and subscription', () => {
    const names = [
      'tickers BTC-USDT-SWAP',
      'books50-l2-tbt',
      'bbo-tbt',
      'wss://ws.okx.com/ws/v5/public',
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
    ['/api/v5/public/instruments', INSTRUMENTS],
    ['/api/v5/public/funding-rate?instId=ANY', FUNDING_RATES],
    ['/api/v5/public/mark-price', MARK_PRICES],
    ['/api/v5/market/index-tickers', INDEX_TICKERS],
    ['/api/v5/public/open-interest', OPEN_INTEREST],
    ['/api/v5/market/tickers', TICKERS],
    ['/api/v5/market/books?instId=BTC-USDT-SWAP', BOOKS],
    ['/api/v5/public/funding-rate-history', FUNDING_HISTORY],
    ['/api/v5/market/mark-price-candles?instId=BTC-USDT-SWAP', MARK_CANDLES],
    [history, OPEN_INTEREST_HISTORY],
    ['books', BOOK_SNAPSHOT],
    ['books', BOOK_UPDATE],
    ['funding-rate', FUNDING_PUSH],
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

/** Recordings of calls that carry no metric. */
const WITHOUT_CALL = ['index-components.json', 'error-58001.json', 'ws-notice-64008.jsonl'];

interface Expected {
  readonly derived_by_replay: {
    readonly frames: number;
    readonly bids: readonly (readonly [string, string])[];
    readonly asks: readonly (readonly [string, string])[];
  };
}

const numbers = (levels: readonly (readonly [string, string])[]) =>
  levels.map(([price, size]) => [Number(price), Number(size)]);

describeSamples(okx, (samples) => {
  it('every recording with metrics, contracts, rates or books: has a call', () => {
    const without = samples.filter(({ url, method }) => callFor(okx, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(WITHOUT_CALL);
  });

  it('recorded linear swaps: with sizes, in shapes of 2022 and 2025', () => {
    const old = decodeFile(okx, 'instruments-swap.json');
    expect(old.instruments).toHaveLength(25);
    expect(old.rejects.map(({ reason }) => reason)).toEqual(Array(6).fill('inverse'));
    const sizes = new Map(old.instruments.map(({ symbol, contractSize }) => [symbol, contractSize]));
    expect(
      ['BTC', 'ETH', 'DOGE', 'SHIB', 'BABYDOGE', '1INCH'].map((b) => sizes.get(`${b}-USDT-SWAP`)),
    ).toEqual([0.01, 0.1, 1000, 1e6, 1e9, 1]);
    expect(decodeFile(okx, 'instruments-swap-2025.json').instruments).toMatchObject([
      { symbol: 'ETH-USDT-SWAP', contractSize: 0.1, indexId: 'ETH-USDT' },
      { symbol: 'BTC-USDT-SWAP', contractSize: 0.01, indexId: 'BTC-USDT' },
    ]);
  });

  it('reads the recorded metrics', () => {
    expect(decodeFile(okx, 'funding-rate-btc-usdt-swap.json').quotes).toEqual([
      {
        symbol: 'BTC-USDT-SWAP',
        fundingRate: 0.000079238688534,
        nextFundingTime: 1_703_088_000_000,
        fundingIntervalHours: 8,
        fundingCap: 0.00375,
        fundingFloor: -0.00375,
      },
    ]);
    expect(decodeFile(okx, 'mark-price-swap.json').quotes).toEqual([
      { symbol: 'BTC-USDT-SWAP', markPrice: 84660.1 },
    ]);
    expect(decodeFile(okx, 'index-tickers.json').quotes).toEqual([
      { symbol: 'BTC-USDT-SWAP', indexPrice: 103895 },
    ]);
    // 2 125 419 contracts of 0.01 BTC: the venue's own coin figure agrees with the contract size.
    expect(decodeFile(okx, 'open-interest-swap.json').quotes).toEqual([
      { symbol: 'BTC-USDT-SWAP', openInterestRaw: 2125419, openInterestBase: 21254.19 },
    ]);
  });

  it('leaves out inverse, dated and spot rows', () => {
    const reasonsOf = (file: string) => decodeFile(okx, file).rejects.map(({ reason }) => reason);
    expect(reasonsOf('tickers-swap-doc.json')).toEqual(['inverse', 'inverse']);
    expect(reasonsOf('funding-rate-history.json')).toEqual(['inverse', 'inverse']);
    expect(reasonsOf('ws-tickers-linear-future.jsonl')).toEqual(['dated']);
    expect(reasonsOf('ws-open-interest-mark-price-doc.jsonl')).toEqual(['inverse', 'dated']);
    expect(reasonsOf('rubik-open-interest-volume.json')).toEqual(['not_listed']);
  });

  it('reads the funding push of 2025', () => {
    expect(decodeFile(okx, 'ws-funding-rate-ltc-usdt-swap.jsonl').quotes).toEqual([
      {
        symbol: 'LTC-USDT-SWAP',
        fundingRate: 0.0001,
        nextFundingTime: 1_765_209_600_000,
        fundingIntervalHours: 8,
        fundingCap: 0.015,
        fundingFloor: -0.015,
      },
    ]);
  });

  it('turns the recorded book into coins by the recorded list', () => {
    const listed = instrumentsFrom(okx, 'instruments-swap.json');
    const [book] = decodeFile(okx, 'books-btc-usdt-swap.json', listed).books;
    expect(book?.bids).toEqual([
      [29701.6, 0.05],
      [29701.5, 0.02],
      [29700.4, 0.02],
    ]);
    expect(book?.asks[0]).toEqual([29701.7, 0.02]);
    expect(book?.sequence).toBeUndefined();
  });

  it('replays the recorded 60 frames to the expected book', () => {
    const { derived_by_replay: expected } = loadSample('okx', 'ws-books-uni-usd-swap.jsonl')
      .expected as Expected;
    const file = 'ws-books-uni-usd-swap.jsonl';
    const { books } = decodeFileAs(okx, file, 'UNI-USD-SWAP', 'UNI-USDT-SWAP');
    expect(books).toHaveLength(expected.frames);
    expect(books.map(({ kind }) => kind)).toEqual(['snapshot', ...Array(59).fill('delta')]);
    const book = replay(books);
    expect(book.bids.slice(0, 3)).toEqual(numbers(expected.bids));
    expect(book.asks.slice(0, 3)).toEqual(numbers(expected.asks));
    const inverse = decodeFile(okx, file);
    expect([inverse.books, reasons(inverse)[0]]).toEqual([[], ['UNI-USD-SWAP', 'inverse']]);
  });

  it('reads the sequence numbers of the newer frames', () => {
    const file = 'ws-books-seq-near-usdt.jsonl';
    expect(reasons(decodeFile(okx, file))).toEqual(Array(2).fill(['NEAR-USDT', 'spot']));
    const [snapshot, update] = decodeFileAs(okx, file, 'NEAR-USDT', 'NEAR-USDT-SWAP').books;
    expect(snapshot).toMatchObject({ kind: 'snapshot', sequence: 9690930615 });
    expect(update).toMatchObject({
      kind: 'delta',
      sequence: 9690930617,
      previousSequence: 9690930615,
      asks: [],
    });
  });

  it('survives mutations of every recording', () => {
    for (const { file, url, method, payloads } of samples) {
      const call = callFor(okx, url, method);
      if (call === undefined) continue;
      const context = contextOf([], requestFor(url));
      for (const payload of payloads.slice(0, 3)) {
        const { problems } = mutate({ name: file, payload, decode: call.decode, context }, { limit: 300 });
        expect(problems).toEqual([]);
      }
    }
  });
});
