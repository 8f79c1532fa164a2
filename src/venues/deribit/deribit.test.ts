import { describe, expect, it } from 'vitest';
import { decodeCall, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile, decodeFileAs } from '../../../test/venues/decode-file.ts';
import { nonsenseProblems } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import { mutationProblems } from '../../../test/venues/sample-mutations.ts';
import { callFor, contextOf, describeSamples, instrumentsFrom } from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import { deribit } from './index.ts';

const API = '/api/v2/public';
const LINEAR = 'BTC_USDC-PERPETUAL';
const ok = (result: unknown) => ({ jsonrpc: '2.0', result, usIn: 1, usOut: 2, usDiff: 1, testnet: false });

const listed = (instrument_name: string, more: object = {}) => ({
  instrument_name,
  kind: 'future',
  settlement_period: 'perpetual',
  instrument_type: 'linear',
  settlement_currency: 'USDC',
  is_active: true,
  state: 'open',
  contract_size: 0.0001,
  taker_commission: 0.00035,
  ...more,
});

const LISTED = decodeCall(
  deribit,
  `${API}/get_instruments?currency=USDC&kind=future`,
  ok([
    listed('BTC_USDC-PERPETUAL', { underlying_type: 'crypto' }),
    listed('1000PEPE_USDC-PERPETUAL', { contract_size: 1, taker_commission: 0.0005 }),
    listed('NVDA_USDC-PERPETUAL', { underlying_type: 'equity', state: undefined }),
    listed('QQQ_USDC-PERPETUAL', { underlying_type: 'equity_etf' }),
    listed('OPENAI_USDC-PERPETUAL', { underlying_type: 'preipo' }),
    listed('TOP_USDC-PERPETUAL', { underlying_type: 'crypto_index' }),
    listed('XAU_USDC-PERPETUAL', { underlying_type: 'commodity' }),
  ]),
).instruments;

describe('deribit instruments', () => {
  it('lists linear perpetuals; the step of orders is no contract size', () => {
    expect(LISTED.map((i) => [i.symbol, i.ticker, i.multiplier, i.contractSize, i.assetClass])).toEqual([
      ['BTC_USDC-PERPETUAL', 'BTC', 1, 1, 'crypto'],
      ['1000PEPE_USDC-PERPETUAL', 'PEPE', 1000, 1, undefined],
      ['NVDA_USDC-PERPETUAL', 'NVDA', 1, 1, 'equity'],
      ['QQQ_USDC-PERPETUAL', 'QQQ', 1, 1, 'etf'],
      ['OPENAI_USDC-PERPETUAL', 'OPENAI', 1, 1, 'prelaunch'],
      ['TOP_USDC-PERPETUAL', 'TOP', 1, 1, 'index'],
      ['XAU_USDC-PERPETUAL', 'XAU', 1, 1, 'commodity'],
    ]);
    const fees = LISTED.filter(({ takerFeeBps }) => takerFeeBps !== undefined);
    expect(fees.map((i) => [i.symbol, i.takerFeeBps])).toEqual([['1000PEPE_USDC-PERPETUAL', 5]]);
    const terms = { venue: 'deribit', quote: 'USDC', settle: 'USDC', fundingIntervalHours: 8 };
    expect(LISTED[0]).toMatchObject(terms);
  });

  it('reads the former field of the type in old recordings alone', () => {
    const old = ok([listed('OLD_USDC-PERPETUAL', { instrument_type: undefined, future_type: 'linear' })]);
    const path = `${API}/get_instruments?currency=USDC&kind=future`;
    expect(decodeCall(deribit, path, old).instruments).toHaveLength(1);
    expect(decodeCall(deribit, path, old, [], asMs(Date.UTC(2026, 0, 1))).instruments).toHaveLength(0);
  });

  it('rejects other rows with a reason', () => {
    const rows = [
      listed('BTC-PERPETUAL', { instrument_type: 'reversed', settlement_currency: 'BTC' }),
      listed('BTC_USDC-25DEC26', { settlement_period: 'month' }),
      listed('BTC_USDC-25DEC26-100000-C', { kind: 'option', settlement_period: 'month' }),
      listed('BTC_USDC', { kind: 'spot', settlement_period: undefined }),
      listed('BTC-FS-25DEC26_PERP', { kind: 'future_combo', settlement_period: undefined }),
      listed('BTC-CS-25DEC26-9_10', { kind: 'option_combo', settlement_period: undefined }),
      listed('TERM_USDC-PERPETUAL', { settlement_period: 'week' }),
      listed('COIN_USDC-PERPETUAL', { settlement_currency: 'EURR' }),
      listed('ETH_USDT-PERPETUAL', { settlement_currency: 'USDT' }),
      listed('SOL_USDC-PERPETUAL', { is_active: false }),
      listed('XRP_USDC-PERPETUAL', { state: 'locked' }),
      listed('ADA_USDC-PERPETUAL', { kind: 'swap' }),
      null,
    ];
    const decoded = decodeCall(deribit, `${API}/get_instruments`, ok(rows));
    expect(decoded.rejects.at(-2)?.detail).toBe('kind');
    expect(reasons(decoded)).toEqual([
      ['BTC-PERPETUAL', 'inverse'],
      ['BTC_USDC-25DEC26', 'dated'],
      ['BTC_USDC-25DEC26-100000-C', 'option'],
      ['BTC_USDC', 'spot'],
      ['BTC-FS-25DEC26_PERP', 'not_listed'],
      ['BTC-CS-25DEC26-9_10', 'not_listed'],
      ['TERM_USDC-PERPETUAL', 'dated'],
      ['COIN_USDC-PERPETUAL', 'foreign_quote'],
      ['ETH_USDT-PERPETUAL', 'foreign_quote'],
      ['SOL_USDC-PERPETUAL', 'not_trading'],
      ['XRP_USDC-PERPETUAL', 'not_trading'],
      ['ADA_USDC-PERPETUAL', 'malformed'],
      [null, 'malformed'],
    ]);
  });
});

describe('deribit metrics', () => {
  const row = {
    instrument_name: '1000PEPE_USDC-PERPETUAL',
    current_funding: -0.0001,
    funding_8h: 0.5,
    mark_price: 0.01,
    estimated_delivery_price: 0.0101,
    open_interest: 400,
    volume: 5000,
    volume_usd: 50,
    volume_notional: 51,
    bid_price: 0.0099,
    ask_price: null,
    creation_timestamp: 1_790_000_000_000,
  };
  const summaries = `${API}/get_book_summary_by_currency?currency=USDC&kind=future`;

  it('the rate in force for eight hours, per coin, without a payment time', () => {
    const [quote] = decodeCall(deribit, summaries, ok([row]), LISTED).quotes;
    expect(quote).toEqual({
      symbol: '1000PEPE_USDC-PERPETUAL',
      fundingRate: -0.0001,
      fundingIntervalHours: 8,
      markPrice: 0.01 / 1000,
      indexPrice: 0.0101 / 1000,
      openInterestRaw: 400,
      openInterestBase: 400_000,
      openInterestUsd: expect.closeTo(4, 9),
      volume24hRaw: 5000,
      volume24hBase: 5_000_000,
      volume24hUsd: 50,
      bestBid: 0.0099 / 1000,
      venueTime: 1_790_000_000_000,
    });
    expect(deribit.continuousFunding).toBe(true);
    const other = { ...row, volume_usd: undefined, ask_price: 0.0102 };
    expect(decodeCall(deribit, summaries, ok([other]), LISTED).quotes).toMatchObject([
      { volume24hUsd: 51, bestAsk: 0.0102 / 1000 },
    ]);
  });

  it('keeps a rate of zero, and unknown what is null on an idle row', () => {
    const idle = { ...row, current_funding: 0, volume: null, volume_usd: null, volume_notional: null };
    const decoded = decodeCall(deribit, summaries, ok([idle]), LISTED);
    expect(decoded.quotes[0]?.fundingRate).toBe(0);
    expect(decoded.quotes[0]).not.toHaveProperty('volume24hBase');
    expect(decoded.rejects).toEqual([]);
  });

  it('leaves out dated, inverse and unlisted rows of the list', () => {
    const others = [
      ['BTC-PERPETUAL', 'inverse'],
      ['BTC_USDC-25DEC26', 'dated'],
      ['BTC_USDC-25DEC26-100000-C', 'option'],
      ['BTC-FS-25DEC26_PERP', 'not_listed'],
      ['ETH_USDC-PERPETUAL', 'not_listed'],
      ['BTC_USDC', 'spot'],
      ['X_EURR-PERPETUAL', 'foreign_quote'],
    ];
    const rows = others.map(([instrument_name]) => ({ ...row, instrument_name }));
    expect(reasons(decodeCall(deribit, summaries, ok(rows), LISTED))).toEqual(others);
  });

  it('rejects a requested inverse perpetual, with and without a list', () => {
    const inverse = { ...row, instrument_name: 'BTC-PERPETUAL', open_interest: 9000, mark_price: 90_000 };
    const named = `${API}/get_book_summary_by_instrument?instrument_name=BTC-PERPETUAL`;
    for (const instruments of [[], LISTED]) {
      const decoded = decodeCall(deribit, named, ok([inverse]), instruments);
      expect([decoded.quotes, reasons(decoded)]).toEqual([[], [['BTC-PERPETUAL', 'inverse']]]);
    }
    expect(reasons(decodeCall(deribit, summaries, ok([inverse])))).toEqual([['BTC-PERPETUAL', 'inverse']]);
  });

  it('a ticker with its own field names; 0 is an empty side', () => {
    const ticker = {
      ...row,
      timestamp: 1_790_000_000_123,
      creation_timestamp: undefined,
      state: 'open',
      index_price: 0.0102,
      bid_price: undefined,
      best_bid_price: 0.0098,
      best_ask_price: 0,
      stats: { volume: 7, volume_usd: 8 },
    };
    const [quote] = decodeCall(deribit, `${API}/ticker?instrument_name=x`, ok(ticker), LISTED).quotes;
    expect(quote).toMatchObject({
      indexPrice: 0.0102 / 1000,
      bestBid: 0.0098 / 1000,
      volume24hUsd: 8,
      venueTime: 1_790_000_000_123,
    });
    expect(quote).not.toHaveProperty('bestAsk');
    const both = ok({ ...ticker, best_ask_price: 0.0103 });
    expect(decodeCall(deribit, `${API}/ticker`, both, LISTED).quotes[0]?.bestAsk).toBe(0.0103 / 1000);
    const closed = decodeCall(deribit, `${API}/ticker`, ok({ ...ticker, state: 'closed' }), LISTED);
    expect(reasons(closed)).toEqual([['1000PEPE_USDC-PERPETUAL', 'not_trading']]);
  });

  it('turns errors into one reject, also inside HTTP 200', () => {
    const error = { jsonrpc: '2.0', error: { code: 10_028, message: 'too_many_requests', data: null } };
    for (const call of ['get_instruments', 'get_book_summary_by_currency', 'ticker', 'get_order_book']) {
      expect(decodeCall(deribit, `${API}/${call}`, error).rejects).toEqual([
        { symbol: null, reason: 'error_body', detail: '10028 too_many_requests' },
      ]);
      expect(reasons(decodeCall(deribit, `${API}/${call}`, ok(null)))).toEqual([[null, 'unexpected_shape']]);
    }
  });
});

describe('deribit history', () => {
  const query =
    'instrument_name=BTC_USDC-PERPETUAL&start_timestamp=1789986400000&end_timestamp=1790000800000';

  it('reads the hourly accrual, not the overlapping eight hours', () => {
    const rows = [
      { timestamp: 1_790_000_000_000, interest_1h: 0.00001, interest_8h: 0.0009, index_price: 1 },
      { timestamp: null, interest_1h: 0.00001 },
    ];
    const decoded = decodeCall(deribit, `${API}/get_funding_rate_history?${query}`, ok(rows));
    expect(decoded.funding).toEqual([
      { symbol: 'BTC_USDC-PERPETUAL', time: 1_790_000_000_000, rate: 0.00001, intervalHours: 1 },
    ]);
    expect(reasons(decoded)).toEqual([['BTC_USDC-PERPETUAL', 'missing_field']]);
  });

  it('takes the contract from the body of a request by POST', () => {
    const body =
      '{"method":"public/get_funding_rate_history","params":{"instrument_name": "BTC_USDC-PERPETUAL"}}';
    const request = { method: 'POST', path: '/api/v2', body } as const;
    const payload = ok([{ timestamp: 1_790_000_000_000, interest_1h: 0.00001 }]);
    const call = callFor(deribit, `${API}/get_funding_rate_history`);
    expect(call?.decode(payload, { ...contextOf(), request }).funding).toMatchObject([{ symbol: LINEAR }]);
  });

  it('reads the accrual of the requested window', () => {
    const value = (asked: string) =>
      decodeCall(deribit, `${API}/get_funding_rate_value?${asked}`, ok(0.0003));
    expect(value(query).funding).toEqual([
      { symbol: 'BTC_USDC-PERPETUAL', time: 1_790_000_800_000, rate: 0.0003, intervalHours: 4 },
    ]);
    expect(reasons(value('instrument_name=BTC_USDC-PERPETUAL'))).toEqual([
      ['BTC_USDC-PERPETUAL', 'missing_field'],
    ]);
  });
});

it('an error in the place of an accrual is that error and no more', () => {
  const asked = `${API}/get_funding_rate_value?instrument_name=${LINEAR}&start_timestamp=0&end_timestamp=3600000`;
  for (const error of [{ code: -32602, message: 'Invalid params' }, 'Invalid params'])
    expect(reasons(decodeCall(deribit, asked, { jsonrpc: '2.0', error }))).toEqual([[null, 'error_body']]);
});

describe('deribit books and frames', () => {
  const push = (channel: string, data: unknown, instruments = LISTED) => {
    const frame = { jsonrpc: '2.0', method: 'subscription', params: { channel, data } };
    return decodeCall(deribit, channel, frame, instruments);
  };
  const PEPE = '1000PEPE_USDC-PERPETUAL';
  const book = { timestamp: 1_790_000_000_000, change_id: 9, instrument_name: PEPE };

  it('reads a REST book and its metrics in single coins', () => {
    const payload = ok({ ...book, bids: [[0.01, 2]], asks: [], mark_price: 0.01, state: 'open' });
    const decoded = decodeCall(deribit, `${API}/get_order_book?instrument_name=${PEPE}`, payload, LISTED);
    expect(decoded.books).toEqual([
      {
        symbol: PEPE,
        kind: 'snapshot',
        bids: [[0.01 / 1000, 2000]],
        asks: [],
        sequence: 9,
        venueTime: 1_790_000_000_000,
      },
    ]);
    expect(decoded.quotes[0]?.markPrice).toBe(0.01 / 1000);
    const byId = `${API}/get_order_book_by_instrument_id?instrument_id=7`;
    expect(decodeCall(deribit, byId, payload, LISTED)).toEqual(decoded);
  });

  it('chains changes by prev_change_id; what is deleted has size 0', () => {
    const change = {
      ...book,
      type: 'change',
      prev_change_id: 4,
      bids: [
        ['new', 0.01, 2],
        ['delete', 0.009, 5],
      ],
      asks: [['change', 0.011, 3]],
    };
    expect(push(`book.${PEPE}.100ms`, change).books).toMatchObject([
      {
        kind: 'delta',
        previousSequence: 4,
        sequence: 9,
        bids: [
          [0.01 / 1000, 2000],
          [0.009 / 1000, 0],
        ],
        asks: [[0.011 / 1000, 3000]],
      },
    ]);
    const spoilt = push(`book.${PEPE}.100ms`, { ...change, asks: [['grow', 0.011, 3]] });
    expect([spoilt.books, reasons(spoilt)]).toEqual([[], [[PEPE, 'malformed']]]);
  });

  it('a missing type: snapshot or delta by content; grouped channels too', () => {
    const sides = { bids: [['new', 0.01, 2]], asks: [] };
    const kinds = [
      { type: 'snapshot', prev_change_id: 3 },
      { prev_change_id: 3 },
      { prev_change_id: null },
      {},
      { type: 'change' },
    ].map((more) => push(`book.${PEPE}.100ms`, { ...book, ...sides, ...more }).books[0]);
    expect(kinds.map((book) => [book?.kind, book?.previousSequence])).toEqual([
      ['snapshot', undefined],
      ['delta', 3],
      ['snapshot', undefined],
      ['snapshot', undefined],
      ['delta', undefined],
    ]);
    const grouped = push(`book.${PEPE}.none.20.100ms`, { ...book, bids: [[0.01, 2]], asks: [[0.011, 1]] });
    expect(grouped.books).toMatchObject([{ kind: 'snapshot', asks: [[0.011 / 1000, 1000]] }]);
  });

  it('reads rate and index of the perpetual channel, and best prices', () => {
    const perpetual = { interest: 0.0002, index_price: 90_000, timestamp: 1_790_000_000_000 };
    expect(push('perpetual.BTC_USDC-PERPETUAL.100ms', perpetual).quotes).toEqual([
      {
        symbol: 'BTC_USDC-PERPETUAL',
        fundingRate: 0.0002,
        fundingIntervalHours: 8,
        indexPrice: 90_000,
        venueTime: 1_790_000_000_000,
      },
    ]);
    const touch = { best_bid_price: 1, best_ask_price: 2, timestamp: 1_790_000_000_000 };
    expect(push('quote.BTC_USDC-PERPETUAL', touch).quotes).toEqual([
      { symbol: LINEAR, bestBid: 1, bestAsk: 2, venueTime: 1_790_000_000_000 },
    ]);
  });

  it('pushed tickers: of the contract in the row, before the channel', () => {
    for (const topic of ['ticker', 'incremental_ticker']) {
      expect(push(`${topic}.${LINEAR}.100ms`, { mark_price: 5 }).quotes).toEqual([
        { symbol: LINEAR, markPrice: 5 },
      ]);
      const named = { mark_price: 5, instrument_name: LINEAR };
      expect(push(`${topic}.${PEPE}.100ms`, named).quotes).toEqual([{ symbol: LINEAR, markPrice: 5 }]);
    }
  });

  it('a change of a ticker: only changed fields, none is no fault', () => {
    const channel = `incremental_ticker.${PEPE}`;
    const change = { type: 'change', instrument_name: PEPE, timestamp: 1_790_000_000_000 };
    expect(push(channel, { ...change, current_funding: -0.0001, stats: { high: 1 } })).toMatchObject({
      quotes: [{ symbol: PEPE, fundingRate: -0.0001, fundingIntervalHours: 8, venueTime: change.timestamp }],
      rejects: [],
    });
    const unread = { ...change, best_bid_amount: 400, last_price: 0.01 };
    expect(push(channel, unread)).toMatchObject({ quotes: [], rejects: [] });
    expect(decodeCall(deribit, channel, unread)).toMatchObject({ quotes: [], rejects: [] });
    expect(reasons(push(channel, { ...change, state: 'locked' }))).toEqual([[PEPE, 'not_trading']]);
    // The first frame is whole, as every one of `ticker` is.
    const empty = [[PEPE, 'missing_field']];
    expect(reasons(push(channel, { ...unread, type: 'snapshot' }))).toEqual(empty);
    expect(reasons(push(`ticker.${PEPE}.100ms`, { ...unread, type: undefined }))).toEqual(empty);
  });

  it.each([
    [
      'an error',
      { id: 4, error: { code: 11050, message: 'bad_request' } },
      'error_body',
      '11050 bad_request',
    ],
    ['a push without parameters', { method: 'subscription' }, 'unexpected_shape', 'no data'],
    ['a push without data', { params: { channel: `book.${PEPE}.100ms` } }, 'unexpected_shape', 'no data'],
    ['a frame of no kind', { id: 4 }, 'unexpected_shape', 'no push'],
    ['a refused subscription', { id: 4, result: [] }, 'error_body', 'no channel was taken'],
  ])('%s', (_, frame, reason, detail) => {
    const { rejects } = decodeCall(deribit, 'heartbeat', frame);
    expect(rejects).toEqual([{ symbol: null, reason, detail }]);
  });

  it('a push whose channel is no text is a reject', () => {
    const data = { instrument_name: LINEAR, type: 'snapshot', change_id: 5, bids: [[4, 1]], asks: [[5, 1]] };
    const frame = { method: 'subscription', params: { channel: { unexpected: [1] }, data } };
    const { books, rejects } = decodeCall(deribit, 'book.BTC_USDC-PERPETUAL.100ms', frame, LISTED);
    expect(books).toEqual([]);
    expect(rejects).toEqual([{ symbol: null, reason: 'unexpected_shape', detail: 'channel' }]);
  });

  it('a push of no channel holds nothing', () => {
    expect(reasons(decodeCall(deribit, 'heartbeat', { params: { data: {} } }))).toEqual([]);
  });

  it('answers the tests of a heartbeat alone', () => {
    const pong = (message: unknown) => deribit.books?.stream?.pong?.(message);
    const heartbeat = { method: 'heartbeat', params: { type: 'test_request' } };
    expect(JSON.parse(pong(heartbeat) ?? '')).toMatchObject({ method: 'public/test' });
    expect(pong({ ...heartbeat, params: { type: 'heartbeat' } })).toBeUndefined();
    expect(pong({ ...heartbeat, method: 'subscription' })).toBeUndefined();
  });

  it('quotes an error that is a text', () => {
    expect(decodeCall(deribit, 'heartbeat', { id: 4, error: 'down' }).rejects).toMatchObject([
      { reason: 'error_body', detail: 'down' },
    ]);
  });

  it.each([
    ['an action of no kind', ['grow', 0.011, 3]],
    ['no levels at all', 7],
  ])('a change among whose levels is %s has a hole, and is rejected', (_, level) => {
    const change = { ...book, type: 'change', prev_change_id: 4, bids: [['new', 0.01, 2], level], asks: [] };
    const { books, rejects } = push(`book.${PEPE}.100ms`, change);
    expect([books, rejects]).toMatchObject([[], [{ symbol: PEPE, reason: 'malformed' }]]);
  });

  it('ignores acknowledgements, heartbeats and other channels', () => {
    const frames = [
      { method: 'heartbeat', params: { type: 'test_request' }, jsonrpc: '2.0' },
      { jsonrpc: '2.0', id: 1, result: ['book.BTC_USDC-PERPETUAL.100ms'] },
      { jsonrpc: '2.0', id: 1, result: 'ok' },
      { method: 'public/subscribe', params: { channels: ['book.BTC_USDC-PERPETUAL.100ms'] } },
      { method: 'subscription', params: { channel: 'platform_state', data: { locked: false } } },
      {
        method: 'subscription',
        params: { channel: 'trades.BTC_USDC-PERPETUAL.100ms', data: [{ price: 1 }] },
      },
    ];
    for (const frame of frames) {
      const { books, quotes, rejects } = decodeCall(deribit, 'heartbeat', frame);
      expect([books, quotes, rejects]).toEqual([[], [], []]);
    }
  });
});

describe('deribit rows without their envelope', () => {
  it('are decoded', () => {
    const asked = `${API}/get_funding_rate_history?instrument_name=BTC_USDC-PERPETUAL`;
    const hour = { timestamp: 1_790_000_000_000, interest_1h: 0.00001, interest_8h: 0.1 };
    expect(decodeCall(deribit, asked, hour).funding).toMatchObject([{ rate: 0.00001, intervalHours: 1 }]);
    expect(
      decodeCall(deribit, `${API}/get_instruments`, listed('BTC_USDC-PERPETUAL')).instruments,
    ).toHaveLength(1);
    const named = { instrument_name: 'BTC_USDC-PERPETUAL', timestamp: 1_790_000_000_000 };
    const book = { ...named, change_id: 4, bids: [[1, 2]], asks: [] };
    expect(decodeCall(deribit, 'book.BTC_USDC-PERPETUAL.100ms', book).books).toMatchObject([{ sequence: 4 }]);
    const lacksOf = (half: object) =>
      decodeCall(deribit, 'book.BTC_USDC-PERPETUAL.100ms', { ...named, ...half }).rejects[0]?.detail;
    expect([lacksOf({ bids: [[1, 2]] }), lacksOf({ asks: [] })]).toEqual(['asks', 'bids']);
    const ticker = { ...named, mark_price: 5 };
    expect(decodeCall(deribit, 'ticker.BTC_USDC-PERPETUAL.100ms', ticker).quotes).toMatchObject([
      { markPrice: 5 },
    ]);
  });
});

describe('deribit calls', () => {
  it.each([
    [
      'https://www.deribit.com/api/v2/public/get_book_summary_by_currency?currency=USDC',
      'get_book_summary_by_currency',
    ],
    ['/public/get_instrument?instrument_name=BTC_USDC-PERPETUAL', 'get_instruments'],
    ['public/ticker', 'ticker'],
    ['ticker.BTC_USDC-PERPETUAL.agg2', 'frame'],
    ['book.BTC_USDC-PERPETUAL.none.20.100ms', 'frame'],
    ['wss://www.deribit.com/ws/api/v2', 'frame'],
    ['{"method":"public/subscribe","params":{"channels":["book.BTC_USDC-PERPETUAL.100ms"]}}', 'frame'],
  ])('%s is %s', (text, name) => {
    expect(callFor(deribit, text)?.name).toBe(name);
  });

  it('reads no data from nonsense', () => {
    expect(nonsenseProblems(deribit)).toEqual([]);
  });
});

describeSamples(deribit, (samples) => {
  it('has a call for every recording but that of trade candles', () => {
    const without = samples.filter(({ url, method }) => callFor(deribit, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(['tradingview-chart.json']);
  });

  it('lists the recorded contracts of a day, and none of the inverse list', () => {
    const { instruments, rejects } = decodeFile(deribit, 'instruments-usdc.json');
    expect([instruments.length, rejects]).toEqual([16, []]);
    expect(reasons(decodeFile(deribit, 'instruments-btc.json'))).toEqual([
      ['BTC-PERPETUAL', 'inverse'],
      ['BTC-27DEC24', 'dated'],
      ['BTC-27DEC24-100000-C', 'option'],
      ['BTC-COMBO-1', 'not_listed'],
    ]);
  });

  it('reads the recorded summary as published', () => {
    const file = 'book-summary-btc-perpetual.json';
    expect(reasons(decodeFile(deribit, file))).toEqual([['BTC-PERPETUAL', 'inverse']]);
    // Open interest of the inverse contract counts dollars: it is read here as coins, as a linear one states them.
    expect(decodeFileAs(deribit, file, 'BTC-PERPETUAL', LINEAR).quotes).toMatchObject([
      {
        symbol: LINEAR,
        fundingRate: 0.00012966,
        fundingIntervalHours: 8,
        markPrice: 87_102.01,
        indexPrice: 87_047.2,
        openInterestRaw: 9_978_911_260,
        openInterestBase: 9_978_911_260,
        volume24hRaw: 7377.18657991,
        volume24hBase: 7377.18657991,
        volume24hUsd: 661_040_250,
        bestBid: 87_083,
        bestAsk: 87_149.5,
        venueTime: 1_763_674_177_068,
      },
    ]);
  });

  it('reads recorded tickers, rates and books', () => {
    expect(decodeFile(deribit, 'ws-ticker-btc-usdc-perpetual.jsonl').quotes).toMatchObject([
      { fundingRate: 0.0001423, openInterestBase: 459.3409, indexPrice: 86_744.11 },
      { fundingRate: 0.0001423032929843748 },
    ]);
    expect(reasons(decodeFile(deribit, 'funding-history.json'))).toEqual([['BTC-PERPETUAL', 'inverse']]);
    expect(decodeFileAs(deribit, 'funding-history.json', 'BTC-PERPETUAL', LINEAR).funding).toEqual([
      { symbol: LINEAR, time: 1_569_891_600_000, rate: -4.739622041017375e-7, intervalHours: 1 },
    ]);
    const frames = decodeFile(deribit, 'ws-book-linear-frames.jsonl').books;
    expect(frames.map((b) => [b.kind, b.sequence, b.previousSequence])).toEqual([
      ['snapshot', 193809616666, undefined],
      ['delta', 193809650259, 193809644396],
      ['delta', 193809634213, 193809631160],
      ['snapshot', 193809623552, undefined],
    ]);
    const [rest] = decodeFileAs(deribit, 'order-book.json', 'BTC-PERPETUAL', LINEAR).books;
    expect([rest?.bids.length, rest?.sequence]).toEqual([20, 133112427566]);
  });

  it('replays the recorded chain without a gap', () => {
    const file = 'ws-book-option-chain.jsonl';
    const option = 'BTC-24SEP21-8000-P';
    expect(reasons(decodeFile(deribit, file))).toEqual(Array(31).fill([option, 'option']));
    const { books } = decodeFileAs(deribit, file, option, LINEAR);
    expect(books).toHaveLength(31);
    books.slice(1).forEach((book, i) => {
      expect(book.previousSequence).toBe(books[i]?.sequence);
    });
    const { bids, asks } = replay(books);
    expect(bids[0]?.[0]).toBeLessThan(asks[0]?.[0] ?? 0);
  });

  it('rejects recorded errors', () => {
    expect(reasons(decodeFile(deribit, 'error-rest.json'))).toEqual([[null, 'error_body']]);
    expect(reasons(decodeFile(deribit, 'error-ws.jsonl'))).toEqual(Array(4).fill([null, 'error_body']));
  });

  it('survives every field of every recording broken', () => {
    const known = instrumentsFrom(deribit, 'instruments-usdc.json');
    expect([...mutationProblems(deribit, samples), ...mutationProblems(deribit, samples, known)]).toEqual([]);
  });
});
