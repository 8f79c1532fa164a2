import { describe, expect, it } from 'vitest';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import {
  callFor,
  contextOf,
  decodeSample,
  describeSamples,
  loadSample,
  requestFor,
} from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import { frames } from './books.ts';
import { derive } from './index.ts';
import { decodeFundingHistory, decodeInstruments, decodeTicker, decodeTickers } from './wire.ts';

const none = contextOf();

const SLIM = {
  t: 1_790_001_234_567,
  A: '5',
  a: '2501.5',
  B: '4',
  b: '2500.5',
  f: '0.0000125',
  I: '2500',
  M: '2501',
  option_pricing: null,
  stats: { c: '1.797', v: '4494.297', pr: '4490', n: 93, oi: '291.023', h: '2600', l: '2400', p: '-0.021' },
  minp: '2450',
  maxp: '2550',
};

const LONG = {
  instrument_type: 'perp',
  instrument_name: 'ETH-PERP',
  perp_details: { index: 'ETH-USD', funding_rate: '0.0000125' },
  best_ask_amount: '5',
  best_ask_price: '2501.5',
  best_bid_amount: '4',
  best_bid_price: '2500.5',
  index_price: '2500',
  mark_price: '2501',
  timestamp: 1_790_001_234_567,
  stats: { contract_volume: '1.797', num_trades: '93', open_interest: '291.022' },
};

const QUOTE = {
  symbol: 'ETH-PERP',
  fundingRate: 0.0000125,
  fundingIntervalHours: 1,
  nextFundingTime: 1_790_002_800_000,
  markPrice: 2501,
  indexPrice: 2500,
  bestBid: 2500.5,
  bestAsk: 2501.5,
  volume24hBase: 1.797,
  venueTime: 1_790_001_234_567,
};

/** A notification of v3. */
const notified = (channel: string, data: unknown) => ({
  jsonrpc: '2.0',
  method: 'subscription',
  params: { channel, data },
});

describe('derive', () => {
  it('lists active perpetuals with their own fee; leaves out the rest', () => {
    const row = { instrument_type: 'perp', is_active: true, taker_fee_rate: '0.0003', quote_currency: 'USD' };
    const instruments = [
      { ...row, instrument_name: 'BTC-PERP' },
      { ...row, instrument_name: 'OLD-PERP', is_active: false },
      { ...row, instrument_name: 'ETH-20271231-3500-C', instrument_type: 'option' },
      { ...row, instrument_name: 'ETH-USDC', instrument_type: 'erc20' },
    ];
    const decoded = decodeInstruments({ result: { instruments } }, none);
    expect(decoded.instruments).toMatchObject([
      { symbol: 'BTC-PERP', ticker: 'BTC', quote: 'USD', takerFeeBps: 3 },
    ]);
    // `get_instrument` answers with the row alone.
    expect(decodeInstruments({ result: instruments[0] }, none).instruments).toEqual(decoded.instruments);
    expect(decoded.rejects.map((r) => r.reason)).toEqual(['not_trading', 'option', 'spot']);
    const { quote_currency: _, ...unquoted } = { ...row, instrument_name: 'BTC-PERP' };
    const other = { ...unquoted, quote_currency: 'USDT' };
    expect(decodeInstruments({ result: { instruments: [unquoted, other] } }, none)).toMatchObject({
      instruments: [],
      rejects: [
        { symbol: 'BTC-PERP', reason: 'missing_field', detail: 'quote_currency' },
        { symbol: 'BTC-PERP', reason: 'foreign_quote', detail: 'USDT' },
      ],
    });
  });

  it.each([
    ['/public/get_all_instruments', 'get_all_instruments'],
    ['/public/get_instruments', 'get_all_instruments'],
    ['/public/get_instrument', 'get_all_instruments'],
    ['/public/get_ticker', 'get_ticker'],
    ['ticker_slim.BTC-PERP.1000', 'frame'],
    ['wss://api.derive.xyz/v3/ws', 'frame'],
    ['{"method":"subscribe","params":{"channels":["orderbook.BTC-PERP.1.100"]}}', 'frame'],
  ])('%s is %s', (named, call) => expect(callFor(derive, named)?.name).toBe(call));

  it('an error: one reject with its code; another form: a fault', () => {
    const error = { id: 'x', error: { code: -32000, message: 'Rate limit exceeded' } };
    const rejected = [{ symbol: null, reason: 'error_body', detail: '-32000 Rate limit exceeded' }];
    for (const decode of [decodeInstruments, decodeTickers, decodeTicker, frames.decode])
      expect(decode(error, none).rejects).toEqual(rejected);
    expect(decodeTickers({ result: {} }, none).rejects).toMatchObject([{ detail: 'no tickers' }]);
    expect(decodeTicker({ result: {} }, none).rejects).toMatchObject([{ detail: 'no ticker' }]);
    expect(decodeTickers({ result: { tickers: { 'BTC-PERP': 7 } } }, none).rejects).toEqual([
      { symbol: 'BTC-PERP', reason: 'malformed', detail: 'row' },
    ]);
    expect(frames.decode({ id: 1, result: { status: {} } }, none).rejects).toEqual([]);
    expect(frames.decode({}, none).rejects).toMatchObject([
      { detail: 'neither ticker nor book: no channel' },
    ]);
  });

  it('a ticker: known by its prices, its details, or the address', () => {
    const request = requestFor('/public/get_ticker?instrument_name=ETH-PERP');
    const quoted = (result: object) => decodeTicker({ result }, { ...none, request }).quotes;
    expect(quoted({ M: '2501' })).toMatchObject([{ symbol: 'ETH-PERP', markPrice: 2501 }]);
    expect(quoted({ I: '2500' })).toMatchObject([{ symbol: 'ETH-PERP', indexPrice: 2500 }]);
    expect(quoted({ mark_price: '2501' })).toMatchObject([{ symbol: 'ETH-PERP', markPrice: 2501 }]);
    expect(quoted({ perp_details: { funding_rate: '0.1' } })).toMatchObject([{ fundingRate: 0.1 }]);
    // Without a stamp the next settlement follows from the receipt; a row without a value has none.
    const receivedAt = asMs(1_790_001_234_567);
    const { t: _, ...timeless } = SLIM;
    const received = { ...none, receivedAt };
    const [quote] = decodeTickers({ result: { tickers: { 'ETH-PERP': timeless } } }, received).quotes;
    expect(quote?.nextFundingTime).toBe(QUOTE.nextFundingTime);
    expect(quote).not.toHaveProperty('venueTime');
    const empty = decodeTickers({ result: { tickers: { 'ETH-PERP': { t: SLIM.t } } } }, none);
    expect(empty).toMatchObject({ quotes: [], rejects: [{ symbol: 'ETH-PERP', detail: 'no metric' }] });
  });

  it.each([
    ['stats', { ...SLIM, stats: { unexpected: [1] } }],
    ['stats', { ...SLIM, stats: 7 }],
    ['venueTime', { ...SLIM, t: 'Infinity' }],
    ['perp_details', { ...LONG, perp_details: { unexpected: [1] } }],
    ['venueTime', { ...LONG, timestamp: {} }],
  ])('a ticker is read but for an unreadable %s, which is a reject', (detail, ticker) => {
    const { quotes, rejects } = frames.decode(notified('ticker.ETH-PERP.1000', ticker), none);
    expect(quotes).toMatchObject([{ symbol: 'ETH-PERP', markPrice: 2501 }]);
    expect(rejects).toEqual([{ symbol: 'ETH-PERP', reason: 'malformed', detail }]);
  });

  it.each(['bids', 'asks'])('a book of %s alone is a fault', (side) => {
    const data = { instrument_name: 'ETH-PERP', [side]: [['2500', '4']] };
    const { rejects } = frames.decode(notified('orderbook.ETH-PERP.1.100', data), none);
    expect(rejects).toMatchObject([{ symbol: 'ETH-PERP', reason: 'malformed' }]);
  });

  it('a v3 row: quoted in USDC; without a type: a fault, not spot', () => {
    const row = { is_active: true, taker_fee_rate: '0.0003', base_fee: '0.01', quote_currency: 'USDC' };
    const instruments = [
      { ...row, instrument_type: 'perp', instrument_name: 'ZEC-PERP' },
      { ...row, instrument_name: 'CC-PERP' },
    ];
    const decoded = decodeInstruments(
      {
        id: 'x',
        result: { instruments, pagination: { num_pages: 1, count: 2 } },
      },
      none,
    );
    expect(decoded.instruments).toMatchObject([{ symbol: 'ZEC-PERP', quote: 'USDC', settle: 'USDC' }]);
    expect(decoded.rejects).toEqual([
      { symbol: 'CC-PERP', reason: 'missing_field', detail: 'instrument_type' },
    ]);
  });

  it('requests the v3 host, without a currency', () => {
    expect(derive.bases).toEqual({ rest: 'https://api.derive.xyz/v3', ws: 'wss://api.derive.xyz/v3' });
    const [request] =
      derive.polls.find(({ kind }) => kind === 'quotes')?.requests({ instruments: [], now: asMs(0) }) ?? [];
    expect(request).toMatchObject({
      method: 'POST',
      path: '/public/get_tickers',
      body: '{"instrument_type":"perp"}',
    });
  });

  it('reads slim tickers keyed by instrument, without premium volume', () => {
    const ticker = {
      f: '0.00001',
      M: '100',
      I: '101',
      b: '0',
      a: '99',
      stats: { oi: '5', c: '7', v: '700', pr: '9' },
      t: 1_779_953_796_714,
    };
    const { quotes, rejects } = decodeTickers(
      { result: { tickers: { 'BTC-PERP': ticker, 'ETH-USDC': ticker } } },
      none,
    );
    expect(quotes).toEqual([
      {
        symbol: 'BTC-PERP',
        fundingRate: 0.00001,
        fundingIntervalHours: 1,
        nextFundingTime: 1_779_955_200_000,
        markPrice: 100,
        indexPrice: 101,
        bestAsk: 99,
        openInterestRaw: 5,
        openInterestBase: 5,
        openInterestUsd: 500,
        volume24hBase: 7,
        volume24hUsd: 700,
        volume24hRaw: 700,
        venueTime: 1_779_953_796_714,
      },
    ]);
    expect(rejects).toEqual([{ symbol: 'ETH-USDC', reason: 'spot' }]);
  });

  it('the ticker of one instrument: slim in v3, long before it', () => {
    const path = '/public/get_ticker';
    const request = { method: 'POST', path, body: '{"instrument_name":"ETH-PERP"}' } as const;
    const asked = { ...none, request };
    expect(decodeTicker({ id: 'x', result: SLIM }, asked)).toMatchObject({ quotes: [QUOTE], rejects: [] });
    expect(decodeTicker({ id: 'x', result: LONG }, none)).toMatchObject({ quotes: [QUOTE], rejects: [] });
    expect(decodeTicker({ id: 'x', result: SLIM }, none).rejects).toEqual([
      { symbol: null, reason: 'missing_field', detail: 'symbol of the request' },
    ]);
    expect(decodeTicker({ id: 'x', result: null }, none).rejects).toMatchObject([
      { reason: 'unexpected_shape' },
    ]);
  });

  it.each([
    ['a slim ticker in its wrapper', 'ticker_slim', { timestamp: SLIM.t, instrument_ticker: SLIM }],
    ['a slim ticker straight in data', 'ticker_slim', SLIM],
    ['a long ticker in its wrapper', 'ticker', { timestamp: SLIM.t, instrument_ticker: LONG }],
    ['a long ticker straight in data', 'ticker', LONG],
  ])('%s is read, its instrument from the channel', (_, kind, data) => {
    const decoded = frames.decode(notified(`${kind}.ETH-PERP.1000`, data), none);
    expect(decoded).toMatchObject({ quotes: [QUOTE], rejects: [] });
  });

  it('open interest: one-sided if slim, two-sided if long, raw as published', () => {
    const [slim] = frames.decode(notified('ticker_slim.ETH-PERP.1000', SLIM), none).quotes;
    expect(slim).toMatchObject({ openInterestRaw: 291.023, openInterestBase: 291.023 });
    expect(slim?.openInterestUsd).toBeCloseTo(291.023 * 2501, 6);
    const [long] = frames.decode(notified('ticker.ETH-PERP.1000', LONG), none).quotes;
    expect(long).toMatchObject({ openInterestRaw: 291.022, openInterestBase: 145.511 });
    expect(long?.openInterestUsd).toBeCloseTo(145.511 * 2501, 6);
  });

  it('open interest by margin type: ignored beside that of the stats', () => {
    const byMargin = { SM: [{ current_open_interest: '120', interest_cap: '9000', manager_currency: null }] };
    const ticker = { ...LONG, open_interest: { ...byMargin, PM: [] } };
    const read = [
      frames.decode(notified('ticker.ETH-PERP.1000', { timestamp: 1, instrument_ticker: ticker }), none),
      decodeTicker({ id: 'x', result: ticker }, none),
    ];
    for (const { quotes, rejects } of read) {
      expect(rejects).toEqual([]);
      expect(quotes).toMatchObject([{ openInterestRaw: 291.022, openInterestBase: 145.511 }]);
    }
  });

  it('a notification without params is read too', () => {
    const { quotes } = frames.decode({ channel: 'ticker_slim.ETH-PERP.100', data: SLIM }, none);
    expect(quotes).toMatchObject([QUOTE]);
  });

  it('tickers of options and spot pairs: rejected, in every form', () => {
    const forms = (name: string) => [
      notified(`ticker_slim.${name}.1000`, SLIM),
      notified(`ticker_slim.${name}.1000`, { timestamp: 1, instrument_ticker: { ...SLIM, f: null } }),
      notified(`ticker.${name}.1000`, { ...LONG, instrument_name: name }),
    ];
    const reasons = (name: string) =>
      forms(name).flatMap((frame) => frames.decode(frame, none).rejects.map(({ reason }) => reason));
    expect(reasons('ETH-20271231-2400_5-C')).toEqual(['option', 'option', 'option']);
    expect(reasons('ETH-USDC')).toEqual(['spot', 'spot', 'spot']);
  });

  it('a slim frame without its channel: rejected with a reason', () => {
    expect(frames.decode({ method: 'subscription', params: { data: SLIM } }, none).rejects).toEqual([
      { symbol: null, reason: 'missing_field', detail: 'symbol of the request' },
    ]);
    expect(frames.decode(notified('trades.ETH-PERP', [{ trade_price: '1' }]), none).rejects).toEqual([
      { symbol: null, reason: 'unexpected_shape', detail: 'neither ticker nor book: trades.ETH-PERP' },
    ]);
  });

  it.each([
    ['pairs', [['2500', '4']], [['2501', '5']]],
    ['objects', [{ price: '2500', amount: '4' }], [{ price: '2501', amount: '5' }]],
  ])('reads a snapshot with levels as %s', (_, bids, asks) => {
    const data = { timestamp: SLIM.t, instrument_name: 'ETH-PERP', publish_id: 77, bids, asks };
    expect(frames.decode(notified('orderbook.ETH-PERP.1.100', data), none).books).toEqual([
      {
        symbol: 'ETH-PERP',
        kind: 'snapshot',
        sequence: 77,
        venueTime: SLIM.t,
        bids: [[2500, 4]],
        asks: [[2501, 5]],
      },
    ]);
  });

  it('funding history of v3: a candle is paid at the end of its hour', () => {
    const rate = { open: '0.00002', high: '0.00003', low: '0.00001', close: '0.000015' };
    const row = { timestamp: 1_789_999_200_000, risk_universe_id: 1, currency: 'ETH', ...rate };
    const rows = [{ ...row, funding_rate: '0.000015' }, row];
    const path = '/public/get_funding_rate_history';
    const request = { method: 'POST', path, body: '{"instrument_name":"ETH-PERP"}' } as const;
    const payload = { id: 'x', result: { instrument_name: null, funding_rate_history: rows } };
    const decoded = decodeFundingHistory(payload, { ...none, request });
    expect(decoded.funding).toEqual([
      { symbol: 'ETH-PERP', time: 1_790_002_800_000, rate: 0.000015, intervalHours: 1 },
    ]);
    expect(decoded.rejects).toEqual([{ symbol: 'ETH-PERP', reason: 'missing_field', detail: 'rate' }]);
    const running = decodeFundingHistory(payload, { ...none, request, receivedAt: asMs(1_790_001_000_000) });
    expect(running).toMatchObject({ funding: [], rejects: [{ reason: 'placeholder' }, {}] });
    // Without the question its rows still name their currency; those before v3 do not.
    expect(decodeFundingHistory(payload, none).funding).toEqual(decoded.funding);
    const older = { result: { funding_rate_history: [{ timestamp: 1, funding_rate: '0.1' }] } };
    expect(decodeFundingHistory(older, none).rejects).toMatchObject([{ reason: 'missing_field' }]);
  });

  it('an error inside HTTP 200 is a reject', () => {
    const body = { id: 1, error: { code: -32_000, message: 'Rate limit exceeded' } };
    expect(decodeTickers(body, none).rejects).toMatchObject([{ reason: 'error_body' }]);
    expect(frames.decode(body, none).rejects).toMatchObject([{ reason: 'error_body' }]);
  });

  describeSamples(derive, () => {
    it('the long ticker', () => {
      expect(decodeSample(derive, loadSample('derive', 'ticker-btc.json'))[0]?.quotes).toMatchObject([
        {
          symbol: 'BTC-PERP',
          fundingRate: -0.000022223906766867,
          markPrice: 99_543.64292635793,
          indexPrice: 99_577.2,
          openInterestRaw: 72.80473938948199,
          openInterestBase: 72.80473938948199 / 2,
          volume24hBase: 464.712,
          bestBid: 99_554.5,
          bestAsk: 99_567.9,
        },
      ]);
    });

    it('instruments and funding history of the instrument asked for', () => {
      const list = decodeSample(derive, loadSample('derive', 'all-instruments.json'))[0];
      expect(list?.instruments).toMatchObject([{ symbol: 'BTC-PERP', takerFeeBps: 3 }]);
      const history = decodeSample(derive, loadSample('derive', 'funding-rate-history.json'))[0];
      expect(history?.funding).toEqual([
        { symbol: 'BTC-PERP', time: 1_736_215_200_000, rate: -0.000020014, intervalHours: 1 },
      ]);
    });

    it('a slim frame takes its instrument from the channel', () => {
      const payload = loadSample('derive', 'ws-ticker-slim-eth.json').payloads[0];
      const { quotes } = frames.decode(payload, contextOf([], requestFor('ticker_slim.ETH-PERP.1000')));
      expect(quotes).toMatchObject([
        {
          symbol: 'ETH-PERP',
          markPrice: 1992.49,
          indexPrice: 1991.79,
          fundingRate: 0.0000125,
          openInterestBase: 4248.342,
          volume24hBase: 3088.047,
          volume24hUsd: 6_249_174.098,
          bestBid: 1992.36,
          bestAsk: 1992.37,
          venueTime: 1_779_953_796_714,
        },
      ]);
    });

    it('a book frame is a snapshot', () => {
      const book = decodeSample(derive, loadSample('derive', 'ws-orderbook-btc.jsonl'))[0]?.books[0];
      expect(book).toMatchObject({
        symbol: 'BTC-PERP',
        kind: 'snapshot',
        sequence: 628_419,
        bids: [[104_669, 40]],
      });
    });
  });
});

describeKeepAlive(derive, {});
