import { describe, expect, it } from 'vitest';
import { decodeCall, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile, decodeFileAs } from '../../../test/venues/decode-file.ts';
import { nonsenseProblems } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import { mutationProblems } from '../../../test/venues/sample-mutations.ts';
import { callFor, describeSamples, instrumentsFrom } from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import { kraken } from './index.ts';
import { decodeFundingHistory } from './wire.ts';

const API = '/derivatives/api/v3';
const NOON = '2026-10-20T12:00:00.500Z';
const ONE_PM = Date.UTC(2026, 9, 20, 13);

const listed = (symbol: string, more: object = {}) => ({
  symbol,
  type: 'flexible_futures',
  tradeable: true,
  contractSize: 1,
  ...more,
});
const list = (...instruments: readonly unknown[]) => ({ result: 'success', instruments, serverTime: NOON });

describe('kraken instruments', () => {
  it('lists linear perpetuals by type and prefix, with new coin names', () => {
    const { instruments } = decodeCall(
      kraken,
      `${API}/instruments`,
      list(
        listed('PF_XBTUSD'),
        listed('PF_ETHUSD', { base: 'ETH' }),
        listed('PF_XDGUSD', { base: 'XDG' }),
        listed('PF_AAPLxUSD', { base: 'AAPLx' }),
        listed('PF_PEPEUSD', { base: 'PEPE', tickSize: 1e-10 }),
      ),
    );
    expect(instruments.map((i) => [i.symbol, i.base, i.ticker, i.multiplier, i.assetClass])).toEqual([
      ['PF_XBTUSD', 'BTC', 'BTC', 1, undefined],
      ['PF_ETHUSD', 'ETH', 'ETH', 1, undefined],
      ['PF_XDGUSD', 'DOGE', 'DOGE', 1, undefined],
      ['PF_AAPLxUSD', 'AAPLx', 'AAPL', 1, 'equity'],
      ['PF_PEPEUSD', 'PEPE', 'PEPE', 1, undefined],
    ]);
    expect(instruments[0]).toMatchObject({ quote: 'USD', settle: 'USD', fundingIntervalHours: 1 });
    // The base that a row states counts before that of its symbol.
    const stated = list(listed('PF_XBTUSD', { base: 'ETH' }));
    expect(decodeCall(kraken, `${API}/instruments`, stated).instruments).toMatchObject([{ base: 'ETH' }]);
    const one = { result: 'success', instrument: listed('PF_ETHUSD') };
    expect(decodeCall(kraken, `${API}/instruments`, one).instruments).toHaveLength(1);
  });

  it('a contract in small letters: listed in capitals, as its tickers', () => {
    const rows = list(listed('pf_xbtusd'), listed('pf_solusd', { tradeable: false }), listed('pi_xbtusd'));
    const { instruments, rejects } = decodeCall(kraken, `${API}/instruments`, rows);
    expect(instruments).toMatchObject([{ symbol: 'PF_XBTUSD', base: 'BTC', ticker: 'BTC' }]);
    expect(rejects).toEqual([
      { symbol: 'PF_SOLUSD', reason: 'not_trading' },
      { symbol: 'pi_xbtusd', reason: 'inverse' },
    ]);
    const ticker = { result: 'success', tickers: [{ symbol: 'pf_xbtusd', markPrice: 5 }], serverTime: NOON };
    expect(decodeCall(kraken, `${API}/tickers`, ticker, instruments).quotes).toMatchObject([
      { symbol: 'PF_XBTUSD', markPrice: 5 },
    ]);
  });

  it('rejects other rows with a reason', () => {
    const rows = list(
      listed('PI_XBTUSD', { type: 'futures_inverse' }),
      listed('FF_XBTUSD_261225', { lastTradingTime: '2026-12-25T16:00:00.000Z' }),
      listed('PF_NEWUSD', { lastTradingTime: '2026-12-25T16:00:00.000Z' }),
      listed('PF_OLDUSD', { tradeable: false }),
      listed('PF_XBTEUR'),
      listed('OF_XBTUSD_100000'),
      { symbol: 'in_xbtusd', type: 'spot index', tradeable: false },
      listed('PF_ODDUSD', { contractSize: 0 }),
      listed('PF_WHATUSD', { type: 'futures_vanilla' }),
      listed('PF_COINUSD', { type: 'futures_inverse' }),
      listed('PV_XRPXBT'),
      listed('XBT/USD'),
      listed('XXBTZUSD'),
      7,
    );
    const decoded = decodeCall(kraken, `${API}/instruments`, rows);
    expect(decoded.rejects.find(({ symbol }) => symbol === 'PF_WHATUSD')?.detail).toBe('type');
    expect(reasons(decoded)).toEqual([
      ['PI_XBTUSD', 'inverse'],
      ['FF_XBTUSD_261225', 'dated'],
      ['PF_NEWUSD', 'dated'],
      ['PF_OLDUSD', 'not_trading'],
      ['PF_XBTEUR', 'foreign_quote'],
      ['OF_XBTUSD_100000', 'option'],
      ['in_xbtusd', 'not_listed'],
      ['PF_ODDUSD', 'out_of_range'],
      ['PF_WHATUSD', 'malformed'],
      ['PF_COINUSD', 'inverse'],
      ['PV_XRPXBT', 'quanto'],
      ['XBT/USD', 'spot'],
      ['XXBTZUSD', 'spot'],
      [null, 'malformed'],
    ]);
  });

  it('parses the base of a symbol', () => {
    const bases = ['PF_XBTUSD', 'pf_ethusd', 'PF_AAPLxUSD', 'PF_1INCHUSD', 'PI_XBTUSD'].map(kraken.baseOf);
    expect(bases).toEqual(['BTC', 'ETH', 'AAPL', '1INCH', undefined]);
  });
});

describe('kraken tickers', () => {
  const row = {
    symbol: 'PF_ETHUSD',
    markPrice: 2000,
    indexPrice: 2000,
    bid: 1999,
    ask: 2001,
    vol24h: 50,
    volumeQuote: 100_500,
    openInterest: 30,
    fundingRate: 0.05,
    fundingRatePrediction: 0.9,
    suspended: false,
  };
  const tickers = (...rows: readonly unknown[]) => ({ result: 'success', tickers: rows, serverTime: NOON });
  const decode = (...rows: readonly unknown[]) => decodeCall(kraken, `${API}/tickers`, tickers(...rows));

  it('an absolute rate: a fraction of the index, at the next full hour', () => {
    expect(decode(row).quotes).toEqual([
      {
        symbol: 'PF_ETHUSD',
        fundingRate: 0.000025,
        fundingIntervalHours: 1,
        nextFundingTime: ONE_PM,
        markPrice: 2000,
        indexPrice: 2000,
        openInterestRaw: 30,
        openInterestBase: 30,
        openInterestUsd: 60_000,
        volume24hRaw: 50,
        volume24hBase: 50,
        volume24hUsd: 100_500,
        bestBid: 1999,
        bestAsk: 2001,
      },
    ]);
  });

  it('an absolute rate: over the index, else over the mark', () => {
    // Stated of PF_BANUSD on 2025-02-23: over the mark it would be beyond the cap of 0.0025.
    const ban = { fundingRate: -0.000332662867745574, markPrice: 0.12664089, indexPrice: 0.136173 };
    const [byIndex, byMark, zero] = decode(
      { ...row, ...ban },
      { ...row, markPrice: 2500, indexPrice: undefined },
      { ...row, fundingRate: 0 },
    ).quotes;
    expect(byIndex?.fundingRate).toBeCloseTo(-0.002443, 6);
    expect(byMark?.fundingRate).toBe(0.00002);
    expect(zero?.fundingRate).toBe(0);
  });

  it('no price, or just listed: the rate is unknown', () => {
    const bare = decode({ symbol: 'PF_ETHUSD', fundingRate: 0.05, openInterest: 1 });
    expect(bare.quotes).toEqual([{ symbol: 'PF_ETHUSD', openInterestRaw: 1, openInterestBase: 1 }]);
    expect(reasons(bare)).toEqual([['PF_ETHUSD', 'out_of_range']]);
    const zeros = decode({ ...row, markPrice: 0, indexPrice: 0, bid: 0, ask: 0, fundingRate: 0 });
    expect(zeros.quotes[0]).not.toHaveProperty('fundingRate');
    expect(zeros.rejects).toEqual([]);
  });

  it('leaves out suspended, inverse, dated and index rows', () => {
    const decoded = decode(
      { ...row, suspended: true },
      { ...row, symbol: 'PI_ETHUSD' },
      { ...row, symbol: 'FI_ETHUSD_261225' },
      { symbol: 'rr_ethusd', last: 1 },
      null,
    );
    expect(decoded.quotes).toEqual([]);
    expect(reasons(decoded)).toEqual([
      ['PF_ETHUSD', 'not_trading'],
      ['PI_ETHUSD', 'inverse'],
      ['FI_ETHUSD_261225', 'dated'],
      ['rr_ethusd', 'not_listed'],
      [null, 'malformed'],
    ]);
  });

  it('polled: no rate, which the socket states as a fraction', () => {
    const [poll] = kraken.polls.filter(({ kind }) => kind === 'quotes');
    const { instruments } = decodeCall(kraken, `${API}/instruments`, list(listed('PF_ETHUSD')));
    const known = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    const polled = poll?.call.decode(tickers(row), { instruments: known }).quotes;
    expect(polled).toMatchObject([{ symbol: 'PF_ETHUSD', markPrice: 2000 }]);
    expect(polled?.[0]).not.toHaveProperty('fundingRate');
    const [stream] = kraken.streams ?? [];
    const topics = stream?.topics({ instruments, now: asMs(ONE_PM) }) ?? [];
    expect(stream?.subscribe(topics, 1)).toEqual([
      '{"event":"subscribe","feed":"ticker","product_ids":["PF_ETHUSD"]}',
    ]);
  });

  it('matches a listed contract in any case', () => {
    const { instruments } = decodeCall(kraken, `${API}/instruments`, list(listed('PF_ETHUSD')));
    const payload = tickers({ ...row, symbol: 'pf_ethusd' }, { ...row, symbol: 'PF_SOLUSD' });
    const decoded = decodeCall(kraken, `${API}/tickers`, payload, instruments);
    expect(decoded.quotes.map(({ symbol }) => symbol)).toEqual(['PF_ETHUSD']);
    expect(reasons(decoded)).toEqual([['PF_SOLUSD', 'not_listed']]);
  });

  it('one ticker or a bare row: read; no server time: receipt time', () => {
    const one = decodeCall(kraken, `${API}/tickers/PF_ETHUSD`, { result: 'success', ticker: row });
    expect(one.quotes[0]).not.toHaveProperty('nextFundingTime');
    const bare = decodeCall(kraken, `${API}/tickers`, row, [], asMs(ONE_PM - 1));
    expect(bare.quotes[0]?.nextFundingTime).toBe(ONE_PM);
  });

  it('turns each kind of error body into one reject', () => {
    const bodies = [
      { result: 'error', error: 'apiLimitExceeded', serverTime: NOON },
      { status: 'BAD_REQUEST', result: 'error', errors: [{ code: 11, message: 'Argument invalid: symbol' }] },
      { timestamp: 1, path: '/x', status: 404, error: 'Not Found', message: '', requestId: 'x' },
      { result: 'unavailable' },
    ];
    for (const body of bodies) {
      for (const path of [
        'instruments',
        'tickers',
        'orderbook?symbol=PF_ETHUSD',
        'historical-funding-rates',
      ]) {
        expect(reasons(decodeCall(kraken, `${API}/${path}`, body))).toEqual([[null, 'error_body']]);
      }
    }
    const shapes = [
      ...bodies,
      { errors: ['Down'] },
      { error: 'Not Found', message: 'gone' },
      { result: 'x', status: 'y' },
    ];
    const details = shapes.map((body) => decodeCall(kraken, `${API}/tickers`, body).rejects[0]?.detail);
    expect(details).toEqual([
      'apiLimitExceeded',
      '11 Argument invalid: symbol',
      'Not Found',
      'unavailable',
      'Down',
      'Not Found gone',
      'x y',
    ]);
  });
});

describe('kraken history', () => {
  const rates = [
    { timestamp: '2026-10-20T11:00:00Z', fundingRate: 0.1, relativeFundingRate: 0.00003 },
    { timestamp: '2026-10-20T10:00:00.000Z', fundingRate: 0.1, relativeFundingRate: -0.00002 },
    { timestamp: '2022-06-28T04:00:00.000Z', fundingRate: 0.1, relativeFundingRate: 0.00001 },
    { timestamp: 'soon', relativeFundingRate: 1 },
  ];

  it('a relative rate is paid at the end of the period that its stamp begins', () => {
    const decoded = decodeCall(kraken, `${API}/historical-funding-rates?symbol=PF_ETHUSD`, {
      result: 'success',
      rates,
    });
    expect(decoded.funding).toEqual([
      { symbol: 'PF_ETHUSD', time: Date.UTC(2022, 5, 28, 8), rate: 0.00001, intervalHours: 4 },
      { symbol: 'PF_ETHUSD', time: Date.UTC(2026, 9, 20, 11), rate: -0.00002, intervalHours: 1 },
      { symbol: 'PF_ETHUSD', time: Date.UTC(2026, 9, 20, 12), rate: 0.00003, intervalHours: 1 },
    ]);
    expect(decoded.rejects).toMatchObject([{ detail: 'time' }, { detail: 'rate' }]);
  });

  it.each([
    ['its answer names the time', { serverTime: '2026-10-20T11:20:00.000Z' }, undefined],
    ['its receipt is known', {}, Date.UTC(2026, 9, 20, 11, 20)],
  ])('the hour that runs is no payment where %s', (_, named, receivedAt) => {
    const request = { method: 'GET', path: `${API}/historical-funding-rates`, symbol: 'PF_ETHUSD' } as const;
    const context = { instruments: new Map(), request };
    const decoded = decodeFundingHistory(
      { result: 'success', rates: rates.slice(0, 2), ...named },
      receivedAt === undefined ? context : { ...context, receivedAt: asMs(receivedAt) },
    );
    expect(decoded.funding).toMatchObject([{ time: Date.UTC(2026, 9, 20, 11), rate: -0.00002 }]);
    expect(decoded.rejects).toEqual([
      { symbol: 'PF_ETHUSD', reason: 'placeholder', detail: 'interval still running' },
    ]);
  });

  it('the day when four hours became one: unknown payments are left out', () => {
    const row = { timestamp: '2022-09-29T08:00:00Z', fundingRate: 1, relativeFundingRate: 0.00002 };
    const decoded = decodeCall(kraken, `${API}/historical-funding-rates?symbol=PF_ETHUSD`, row);
    expect(decoded).toMatchObject({ funding: [], rejects: [{ reason: 'missing_field' }] });
  });

  it('reads mark and index candles and columns of open interest', () => {
    const candles = [{ time: 1_790_000_000_000, open: '2000.5', close: '1' }];
    const charts = (kind: string) =>
      decodeCall(kraken, `/api/charts/v1/${kind}/PF_ETHUSD/1h?from=1`, { candles, more_candles: false })
        .history;
    expect(charts('mark')).toEqual([{ symbol: 'PF_ETHUSD', time: 1_790_000_000_000, markPrice: 2000.5 }]);
    expect(charts('spot')).toEqual([{ symbol: 'PF_ETHUSD', time: 1_790_000_000_000, indexPrice: 2000.5 }]);
    const result = {
      timestamp: [1_790_000_000, 1_790_003_600],
      data: [['7', '9', '6', '8'], ['8']],
      more: false,
    };
    const path = '/api/charts/v1/analytics/PF_ETHUSD/open-interest?since=1&interval=3600';
    expect(decodeCall(kraken, path, { result, errors: [] }).history).toEqual([
      { symbol: 'PF_ETHUSD', time: 1_790_000_000_000, openInterestBase: 7 },
      { symbol: 'PF_ETHUSD', time: 1_790_003_600_000, openInterestBase: 8 },
    ]);
    const inMs = { result: { ...result, timestamp: [1_790_000_000_000, '1790003600000'] }, errors: [] };
    expect(decodeCall(kraken, path, inMs).history.map(({ time }) => time)).toEqual([
      1_790_000_000_000, 1_790_003_600_000,
    ]);
    expect(reasons(decodeCall(kraken, path, { result: null, errors: [{ code: 1, message: 'x' }] }))).toEqual([
      [null, 'error_body'],
    ]);
  });
});

describe('kraken rows without their envelope', () => {
  it('are decoded', () => {
    const rate = { timestamp: '2026-10-20T10:00:00.000Z', fundingRate: 1, relativeFundingRate: 0.00002 };
    const rates = decodeCall(kraken, `${API}/historical-funding-rates?symbol=PF_ETHUSD`, rate);
    expect(rates.funding).toMatchObject([{ symbol: 'PF_ETHUSD', rate: 0.00002 }]);
    const candle = { time: 1_790_000_000_000, open: '2000.5' };
    expect(decodeCall(kraken, '/api/charts/v1/mark/PF_ETHUSD/1h', candle).history).toMatchObject([
      { markPrice: 2000.5 },
    ]);
    expect(decodeCall(kraken, `${API}/instruments`, listed('PF_ETHUSD')).instruments).toHaveLength(1);
    const orderBook = { bids: [[1, 2]], asks: [[3, 4]] };
    for (const book of [orderBook, { result: 'success', orderBook, serverTime: NOON }])
      expect(decodeCall(kraken, `${API}/orderbook?symbol=PF_ETHUSD`, book).books).toEqual([
        { symbol: 'PF_ETHUSD', kind: 'snapshot', ...orderBook },
      ]);
  });
});

describe('kraken frames', () => {
  const push = (frame: object) => decodeCall(kraken, '{"event":"subscribe","feed":"book"}', frame);
  const delta = { feed: 'book', product_id: 'PF_ETHUSD', timestamp: 1_790_000_000_000, seq: 8 };

  it('snapshots without empty levels, single levels in sequence: read', () => {
    const whole = push({
      feed: 'book_snapshot',
      product_id: 'PF_ETHUSD',
      timestamp: 1_790_000_000_000,
      seq: 7,
      tickSize: null,
      bids: [
        { price: 1999, qty: 2 },
        { price: 1998, qty: 0 },
        { price: 1997, qty: 0.5 },
      ],
      asks: [{ price: 2001, qty: 3 }],
    });
    expect(whole.books).toEqual([
      {
        symbol: 'PF_ETHUSD',
        kind: 'snapshot',
        bids: [
          [1999, 2],
          [1997, 0.5],
        ],
        asks: [[2001, 3]],
        sequence: 7,
        venueTime: 1_790_000_000_000,
      },
    ]);
    expect(push({ ...delta, side: 'sell', price: 2001, qty: -1 }).books).toMatchObject([
      { kind: 'delta', bids: [], asks: [[2001, 0]], sequence: 8, previousSequence: 7 },
    ]);
    expect(push({ ...delta, side: 'buy', price: 1999, qty: 5 }).books[0]?.bids).toEqual([[1999, 5]]);
    for (const odd of [
      { side: 'both', price: 1, qty: 1 },
      { side: 'buy', price: 1 },
    ])
      expect(reasons(push({ ...delta, ...odd }))).toEqual([['PF_ETHUSD', 'malformed']]);
  });

  it('reads the relative rate of the ticker; a time of 0 is unknown', () => {
    const ticker = {
      feed: 'ticker',
      time: 1_790_000_000_000,
      product_id: 'PF_ETHUSD',
      funding_rate: 0.05,
      relative_funding_rate: 0.0000251,
      next_funding_rate_time: 1_790_003_600_000,
      markPrice: 2000,
      index: 2001,
      openInterest: 30,
      volume: 50,
      suspended: false,
    };
    const quote = {
      symbol: 'PF_ETHUSD',
      fundingRate: 0.0000251,
      fundingIntervalHours: 1,
      nextFundingTime: 1_790_003_600_000,
      markPrice: 2000,
      indexPrice: 2001,
      openInterestRaw: 30,
      openInterestBase: 30,
      openInterestUsd: 60_000,
      volume24hRaw: 50,
      volume24hBase: 50,
      venueTime: 1_790_000_000_000,
    };
    expect(push(ticker).quotes).toEqual([{ ...quote, volume24hUsd: 100_000 }]);
    const quoted = push({ ...ticker, volumeQuote: 100_500, bid: 1999, ask: 2001 });
    expect(quoted.quotes).toEqual([{ ...quote, volume24hUsd: 100_500, bestBid: 1999, bestAsk: 2001 }]);
    const early = push({ ...ticker, relative_funding_rate: 0, next_funding_rate_time: 0 }).quotes[0];
    expect(early).not.toHaveProperty('fundingRate');
    expect(early).not.toHaveProperty('nextFundingTime');
    expect(reasons(push({ ...ticker, suspended: true }))).toEqual([['PF_ETHUSD', 'not_trading']]);
  });

  it('reads best prices of ticker_lite, and ignores events and other feeds', () => {
    const lite = { feed: 'ticker_lite', product_id: 'PF_ETHUSD', bid: 1, ask: 2, volume: 3 };
    expect(push(lite).quotes).toEqual([
      { symbol: 'PF_ETHUSD', volume24hRaw: 3, volume24hBase: 3, bestBid: 1, bestAsk: 2 },
    ]);
    for (const frame of [
      { event: 'info', version: 1 },
      { event: 'subscribed', feed: 'book', product_ids: ['PF_ETHUSD'] },
      { event: 'alert', message: 'Already subscribed to feed, re-requesting' },
      { feed: 'heartbeat', time: 1 },
      { feed: 'trade', product_id: 'PF_ETHUSD' },
      { feed: 'trade_snapshot', product_id: 'PF_ETHUSD' },
    ]) {
      expect(push(frame)).toEqual({
        instruments: [],
        quotes: [],
        funding: [],
        history: [],
        books: [],
        rejects: [],
      });
    }
    expect(reasons(push({ event: 'alert', message: 'Bad request: invalid product `PF_X`' }))).toEqual([
      [null, 'error_body'],
    ]);
    expect(push({ event: 'error' }).rejects).toMatchObject([{ reason: 'error_body', detail: 'error' }]);
    expect(push({ feed: 'news' }).rejects).toMatchObject([
      { reason: 'unexpected_shape', detail: 'no known feed' },
    ]);
  });
});

describe('kraken calls', () => {
  it.each([
    ['https://futures.kraken.com/derivatives/api/v3/tickers', 'tickers'],
    ['derivatives/api/v3/instruments?x=1', 'instruments'],
    ['/derivatives/api/v4/historicalfundingrates?symbol=PF_XBTUSD', 'historical-funding-rates'],
    ['/api/charts/v1/mark/PF_XBTUSD/1h', 'charts'],
    ['/api/charts/v1/spot/PF_XBTUSD/1m', 'charts of the index'],
    ['/api/charts/v1/analytics/PF_XBTUSD/open-interest', 'open-interest analytics'],
    ['wss://futures.kraken.com/ws/v1', 'frame'],
    ['book', 'frame'],
    ['ticker', 'frame'],
    ['feed ticker, product_ids [PF_ETHUSD]', 'frame'],
    ['{"event":"subscribe","feed":"ticker","product_ids":["PF_ETHUSD"]}', 'frame'],
  ])('%s is %s', (text, name) => {
    expect(callFor(kraken, text)?.name).toBe(name);
  });

  it('reads no data from nonsense', () => {
    expect(nonsenseProblems(kraken)).toEqual([]);
  });
});

describeSamples(kraken, (samples) => {
  it('has a call for every recording but those of errors and of states', () => {
    const without = samples.filter(({ url, method }) => callFor(kraken, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual([
      'instruments-status.json',
      'error-400.json',
      'error-404.json',
    ]);
  });

  it('selects the recorded contracts as published', () => {
    const chosen = decodeFile(kraken, 'instruments-selection-2026.json').instruments;
    expect(chosen.map(({ symbol, base }) => [symbol, base])).toEqual([
      ['PF_XBTUSD', 'BTC'],
      ['PF_1INCHUSD', '1INCH'],
    ]);
    expect(decodeFile(kraken, 'instruments.json').instruments.map(({ ticker }) => ticker)).toEqual([
      'ETH',
      'PEPE',
      'AAPL',
    ]);
  });

  it('reads the recorded row with its absolute rate as published', () => {
    const [quote] = decodeFile(kraken, 'ticker-row-pf-enjusd.json').quotes;
    expect(quote).toMatchObject({
      symbol: 'PF_ENJUSD',
      markPrice: 0.0434,
      indexPrice: 0.043391,
      fundingIntervalHours: 1,
      openInterestBase: 72_513,
      volume24hBase: 1696,
      volume24hUsd: 73.5216,
    });
    // Over the index; over the mark it would be -0.0000174289.
    expect(quote?.fundingRate).toBeCloseTo(-0.00001743252557136, 14);
    expect(decodeFile(kraken, 'ticker-pf-xbtusd.json').quotes[0]).not.toHaveProperty('fundingRate');
  });

  it('reads the recorded frame: relative rate and next time as published', () => {
    expect(decodeFile(kraken, 'ws-ticker-pf-ethusd.jsonl').quotes).toMatchObject([
      {
        symbol: 'PF_ETHUSD',
        fundingRate: 1.86711875e-5,
        nextFundingTime: Date.UTC(2026, 6, 9, 10),
        markPrice: 1751.97553924942,
        openInterestBase: 24_085.822,
      },
    ]);
  });

  it('the recorded inverse session: numbered without a gap, not crossed', () => {
    const file = 'ws-book-pi-ethusd.jsonl';
    const { books, rejects } = decodeFileAs(kraken, file, 'PI_ETHUSD', 'PF_ETHUSD');
    expect(books).toHaveLength(601);
    expect(rejects).toEqual([]);
    books.slice(1).forEach((book, i) => {
      expect(book.previousSequence).toBe(books[i]?.sequence);
    });
    const { bids, asks } = replay(books);
    expect(bids[0]?.[0]).toBeLessThan(asks[0]?.[0] ?? 0);
    for (const known of [[], instrumentsFrom(kraken, 'instruments.json')]) {
      const inverse = decodeFile(kraken, file, known);
      expect([inverse.books, reasons(inverse)[0]]).toEqual([[], ['PI_ETHUSD', 'inverse']]);
    }
  });

  it('reads recorded rates, candles and the whole REST book', () => {
    const read = (file: string) => decodeFileAs(kraken, file, 'PI_XBTUSD', 'PF_XBTUSD');
    for (const file of ['funding-history-2022.json', 'candles-mark.json', 'orderbook.json']) {
      expect(reasons(decodeFile(kraken, file))).toEqual([['PI_XBTUSD', 'inverse']]);
    }
    expect(read('funding-history-2022.json').funding[0]).toEqual({
      symbol: 'PF_XBTUSD',
      time: Date.UTC(2022, 5, 28, 4),
      rate: -0.000016898883333333,
      intervalHours: 4,
    });
    expect(read('candles-mark.json').history[0]).toEqual({
      symbol: 'PF_XBTUSD',
      time: 1_731_715_200_000,
      markPrice: 91_126.5834675817,
    });
    const [book] = read('orderbook.json').books;
    expect([book?.bids[0], book?.asks[0]]).toEqual([
      [61_011.5, 2900],
      [61_029.5, 1450],
    ]);
  });

  it('survives every field of every recording broken', () => {
    const known = instrumentsFrom(kraken, 'instruments.json');
    const problems = [...mutationProblems(kraken, samples), ...mutationProblems(kraken, samples, known)];
    // A negative quantity is how the venue may write that nothing is left.
    expect(problems.filter((problem) => !problem.includes('negative at .qty: 0'))).toEqual([]);
  });
});
