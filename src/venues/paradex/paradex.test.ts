import { describe, expect, it } from 'vitest';
import { decoderOf } from '../../../test/venues/decode-call.ts';
import { brokenProblems } from '../../../test/venues/mutate.ts';
import { callFor, contextOf, decodeSample, describeSamples } from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import type { DecodeContext } from '../call.ts';
import { paradex } from './index.ts';

const decode = decoderOf(paradex);

const market = (symbol: string, more: Record<string, unknown> = {}) => ({
  symbol,
  base_currency: symbol.split('-')[0],
  quote_currency: 'USD',
  settlement_currency: 'USDC',
  asset_kind: 'PERP',
  expiry_at: 0,
  funding_period_hours: 8,
  ...more,
});

const MARKETS = {
  results: [
    market('BTC-USD-PERP'),
    market('kPEPE-USD-PERP', { funding_period_hours: '24' }),
    market('XAG-USD-PERP', { funding_period_hours: 0 }),
    market('BTC-USD-100000-C', { asset_kind: 'PERP_OPTION' }),
    market('BTC-USD-27NOV26-100000-P', { asset_kind: 'OPTION' }),
    market('USDC-USD', { asset_kind: 'SPOT' }),
    market('BTC-USD-27NOV26', { asset_kind: 'FUTURE' }),
    market('ODD-USD-PERP', { asset_kind: 'WHAT' }),
    market('BTC-EUR-PERP', { quote_currency: 'EUR' }),
  ],
};

const summary = (symbol: string, more: Record<string, unknown> = {}) => ({
  symbol,
  mark_price: '67307.7',
  oracle_price: '67307.7',
  underlying_price: '66806.7',
  last_traded_price: '66821.1',
  bid: '66821.1',
  bid_size: '1',
  ask: '67643.2',
  ask_size: '2',
  volume_24h: '2611476.26',
  total_volume: '589169794.97',
  open_interest: '152.777',
  funding_rate: '-0.00013',
  created_at: 1_790_000_000_123,
  ...more,
});

const SUMMARY = {
  results: [
    summary('BTC-USD-PERP'),
    summary('kPEPE-USD-PERP', { mark_price: '0.012', underlying_price: '0.0121', bid: '', ask: '0' }),
    summary('XAG-USD-PERP', { volume_24h: '' }),
    summary('BTC-USD-100000-C', { funding_rate: '' }),
  ],
};

const LIST = '/v1/markets';
const BULK = '/v1/markets/summary?market=ALL';
const listed = () => ({ instruments: contextOf(decode(LIST, MARKETS).instruments).instruments });

describe('paradex markets', () => {
  const { instruments, rejects } = decode(LIST, MARKETS);

  it('lists perpetuals with their stated funding period', () => {
    expect(instruments.map((i) => [i.symbol, i.ticker, i.multiplier, i.fundingIntervalHours])).toEqual([
      ['BTC-USD-PERP', 'BTC', 1, 8],
      ['kPEPE-USD-PERP', 'PEPE', 1000, 24],
      ['XAG-USD-PERP', 'XAG', 1, undefined],
    ]);
    const btc = { venue: 'paradex', symbol: 'BTC-USD-PERP', base: 'BTC', ticker: 'BTC', multiplier: 1 };
    const rest = { quote: 'USD', contractSize: 1, fundingIntervalHours: 8 };
    expect(instruments[0]).toEqual({ ...btc, ...rest, settle: 'USDC' });
    const settled = (settlement_currency?: string) =>
      decode(LIST, { results: [market('BTC-USD-PERP', { settlement_currency })] }).instruments[0]?.settle;
    expect([settled('USDT'), settled()]).toEqual(['USDT', 'USDC']);
    expect([paradex.baseOf('kPEPE-USD-PERP'), paradex.baseOf('USDC-USD')]).toEqual(['kPEPE', undefined]);
  });

  it('rejects the others with a reason', () => {
    expect(rejects.map((r) => r.reason)).toEqual([
      'option',
      'option',
      'spot',
      'dated',
      'malformed',
      'foreign_quote',
    ]);
    expect(rejects[4]).toMatchObject({ symbol: 'ODD-USD-PERP', detail: 'asset_kind' });
  });
});

describe('paradex markets that do not trade', () => {
  const receivedAt = asMs(Date.UTC(2026, 9, 20, 12));
  const rejected = (more: Record<string, unknown>, context: Partial<DecodeContext> = { receivedAt }) =>
    decode(LIST, { results: [market('BTC-USD-PERP', more)] }, context).rejects;
  const launch = receivedAt + 3_600_000;

  it('one that opens later: left out with its launch, in any mode', () => {
    const early = [
      { symbol: 'BTC-USD-PERP', reason: 'prelisting', detail: 'launch 2026-10-20T13:00:00.000Z' },
    ];
    expect(rejected({ open_at: launch })).toEqual(early);
    expect(rejected({ open_at: String(launch), trading_mode: 'RFQ_ONLY', expiry_at: launch + 1 })).toEqual(
      early,
    );
    expect(rejected({ open_at: receivedAt })).toEqual([]);
    expect(rejected({ open_at: launch }, {})).toEqual([]);
  });

  it('one whose end has come is delisted; 0 and an end ahead are none', () => {
    const over = [{ symbol: 'BTC-USD-PERP', reason: 'delisted' }];
    expect(rejected({ expiry_at: receivedAt })).toEqual(over);
    expect(rejected({ expiry_at: receivedAt - 1, trading_mode: 'STANDARD' })).toEqual(over);
    for (const expiry_at of [0, receivedAt + 1, undefined]) expect(rejected({ expiry_at })).toEqual([]);
    expect(rejected({ expiry_at: receivedAt - 1 }, {})).toEqual([]);
  });

  it('one that takes no orders: not trading; an unknown mode: a fault', () => {
    const refused = (trading_mode: unknown) => rejected({ trading_mode }).map((r) => [r.reason, r.detail]);
    expect(refused('RFQ_ONLY')).toEqual([['not_trading', undefined]]);
    expect(refused('AUCTION')).toEqual([['malformed', 'trading_mode']]);
    for (const mode of ['STANDARD', undefined, null, '']) expect(refused(mode)).toEqual([]);
  });

  it('the fee of a row: not read, it is below every published tier', () => {
    const fee_config = { api_fee: { taker_fee: { fee: '0.0002' } } };
    const { instruments } = decode(LIST, { results: [market('BTC-USD-PERP', { fee_config })] });
    expect(instruments[0]).not.toHaveProperty('takerFeeBps');
    expect(paradex.takerFeeBps).toBe(4.5);
  });
});

describe('paradex summary', () => {
  const { quotes, rejects } = decode(BULK, SUMMARY, listed());

  it('the rate per period, the underlying as index, no next payment', () => {
    expect(quotes[0]).toEqual({
      symbol: 'BTC-USD-PERP',
      fundingRate: -0.00013,
      fundingIntervalHours: 8,
      markPrice: 67307.7,
      indexPrice: 66806.7,
      bestBid: 66821.1,
      bestAsk: 67643.2,
      openInterestRaw: 152.777,
      openInterestBase: 152.777 / 2,
      openInterestUsd: (152.777 / 2) * 67307.7,
      volume24hRaw: 2611476.26,
      volume24hUsd: 2611476.26,
      venueTime: 1_790_000_000_123,
    });
  });

  it('thousands of tokens: converted; open interest: halved', () => {
    expect(quotes[1]).toMatchObject({ openInterestRaw: 152.777, fundingIntervalHours: 24 });
    expect(quotes[1]?.markPrice).toBeCloseTo(0.000012, 12);
    expect(quotes[1]?.openInterestBase).toBeCloseTo(152_777 / 2, 6);
  });

  it('leaves empty sides, empty volume and an unknown period undefined', () => {
    expect(quotes[1]).not.toHaveProperty('bestBid');
    expect(quotes[1]).not.toHaveProperty('bestAsk');
    expect(quotes[2]).not.toHaveProperty('volume24hUsd');
    expect(quotes[2]).not.toHaveProperty('fundingIntervalHours');
    expect(rejects).toEqual([{ symbol: 'BTC-USD-100000-C', reason: 'option' }]);
  });

  it('without a list recognises perpetuals by symbol, with an unknown period', () => {
    const decoded = decode(BULK, SUMMARY);
    expect(decoded.quotes).toHaveLength(3);
    expect(decoded.quotes[0]).not.toHaveProperty('fundingIntervalHours');
    const more = { results: [summary('NEW-USD-PERP'), summary('BTC-USD-27NOV26'), summary('USDC-USD')] };
    expect(decode(BULK, more, listed()).rejects.map((r) => r.reason)).toEqual([
      'not_listed',
      'dated',
      'spot',
    ]);
    const foreign = { results: [summary('BTC-EUR-PERP')] };
    expect(decode(BULK, foreign).rejects).toEqual([{ symbol: 'BTC-EUR-PERP', reason: 'not_listed' }]);
  });

  it('says what a row lacks', () => {
    const bare = decode(BULK, { results: [{ symbol: 'BTC-USD-PERP' }] });
    expect(new Set(bare.rejects.map(({ symbol }) => symbol))).toEqual(new Set(['BTC-USD-PERP']));
    expect(bare.rejects.map(({ reason, detail }) => [reason, detail])).toEqual([
      ['missing_field', 'fundingRate'],
      ['missing_field', 'markPrice'],
      ['missing_field', 'indexPrice'],
      ['missing_field', 'openInterestRaw'],
      ['missing_field', 'volume24hRaw'],
    ]);
  });

  it('rejects error bodies', () => {
    const body = { error: 'INVALID_TOKEN', message: 'invalid bearer jwt', data: null };
    for (const url of [LIST, BULK, '/v1/orderbook/BTC-USD-PERP', '/v1/funding/data', '/v1/config']) {
      expect(decode(url, body).rejects).toEqual([
        { symbol: null, reason: 'error_body', detail: 'INVALID_TOKEN invalid bearer jwt' },
      ]);
    }
    for (const body of [null, 'upstream down']) {
      expect(decode(BULK, body).rejects).toEqual([
        { symbol: null, reason: 'error_body', detail: body ?? 'null' },
      ]);
    }
  });
});

describe('paradex history', () => {
  it('funding rows: observations, with the period of the market', () => {
    const row = {
      market: 'kPEPE-USD-PERP',
      funding_rate: '-0.00007',
      funding_period_hours: 0,
      created_at: 1764160327843,
    };
    expect(decode('/v1/funding/data?market=kPEPE-USD-PERP', { results: [row] }, listed()).funding).toEqual([
      {
        symbol: 'kPEPE-USD-PERP',
        time: 1764160327000,
        rate: -0.00007,
        intervalHours: 24,
        observed: true,
      },
    ]);
  });

  it.each([0.5, 25])('row states a period of %d h: none is read, not that of the market', (hours) => {
    const row = {
      market: 'kPEPE-USD-PERP',
      funding_rate: '-0.00007',
      funding_period_hours: hours,
      created_at: 1764160327843,
    };
    const url = '/v1/funding/data?market=kPEPE-USD-PERP';
    const { funding, rejects } = decode(url, { results: [row] }, listed());
    expect(funding).toEqual([
      { symbol: 'kPEPE-USD-PERP', time: 1764160327000, rate: -0.00007, observed: true },
    ]);
    expect(rejects).toMatchObject([{ symbol: 'kPEPE-USD-PERP', reason: 'out_of_range' }]);
  });

  it('rejects a row whose time cannot be read', () => {
    const row = {
      market: 'BTC-USD-PERP',
      funding_rate: '0.0001',
      funding_period_hours: 8,
      created_at: 'soon',
    };
    const { funding, rejects } = decode('/v1/funding/data?market=BTC-USD-PERP', { results: [row] }, listed());
    expect([funding, rejects]).toMatchObject([[], [{ symbol: 'BTC-USD-PERP', reason: 'malformed' }]]);
  });

  it('reads mark and underlying candles at their start, and none of trades', () => {
    const url = '/v1/markets/klines?symbol=kPEPE-USD-PERP&resolution=60';
    const payload = { results: [[1719993660000, 0.012, 0.013, 0.011, 0.0125, 4561]] };
    const mark = decode(`${url}&price_kind=mark`, payload, listed()).history;
    expect(mark).toEqual([
      { symbol: 'kPEPE-USD-PERP', time: 1719993660000, markPrice: expect.closeTo(0.000012, 12) },
    ]);
    expect(decode(`${url}&price_kind=underlying`, payload).history[0]).toHaveProperty('indexPrice');
    expect(decode(url, payload)).toMatchObject({ history: [], rejects: [] });
  });
});

it('reads the REST book', () => {
  const stamps = { seq_no: 7, last_updated_at: 1_718_267_837_265 };
  const book = { market: 'kPEPE-USD-PERP', ...stamps, bids: [['2', '5']], asks: [['4', '6']] };
  expect(decode('/v1/orderbook/kPEPE-USD-PERP', book).books).toEqual([
    {
      symbol: 'kPEPE-USD-PERP',
      kind: 'snapshot',
      bids: [[0.002, 5000]],
      asks: [[0.004, 6000]],
      sequence: 7,
      venueTime: 1_718_267_837_265,
    },
  ]);
});

describe('paradex frames', () => {
  const push = (channel: string, data: unknown) => ({
    jsonrpc: '2.0',
    method: 'subscription',
    params: { channel, data },
  });

  it('reads book changes by side; deletes have size 0', () => {
    const data = {
      seq_no: 7,
      market: 'kPEPE-USD-PERP',
      last_updated_at: 1718267837265,
      update_type: 'd',
      inserts: [{ side: 'BUY', price: '2', size: '5' }],
      updates: [{ side: 'SELL', price: '4', size: '6' }],
      deletes: [{ side: 'SELL', price: '8', size: '6' }],
    };
    const { books } = decode('order_book.X', push('order_book.kPEPE-USD-PERP.deltas@15@50ms', data));
    expect(books).toEqual([
      {
        symbol: 'kPEPE-USD-PERP',
        kind: 'delta',
        bids: [[0.002, 5000]],
        asks: [
          [0.004, 6000],
          [0.008, 0],
        ],
        sequence: 7,
        venueTime: 1718267837265,
      },
    ]);
  });

  it('a snapshot: sorted; with a level of no side: none', () => {
    const level = (side: string, price: string) => ({ side, price, size: '1' });
    const inserts = [level('BUY', '1'), level('SELL', '4'), level('BUY', '2'), level('SELL', '3')];
    const data = { market: 'BTC-USD-PERP', seq_no: 1, update_type: 's', inserts };
    expect(decode('order_book.X', push('order_book.BTC-USD-PERP.snapshot', data)).books).toEqual([
      {
        symbol: 'BTC-USD-PERP',
        kind: 'snapshot',
        sequence: 1,
        bids: [
          [2, 1],
          [1, 1],
        ],
        asks: [
          [3, 1],
          [4, 1],
        ],
      },
    ]);
    const alone = (list: string, rows: unknown) =>
      decode(
        'order_book.X',
        push('order_book.X', { market: 'BTC-USD-PERP', update_type: 'd', [list]: rows }),
      );
    expect(alone('deletes', [level('BUY', '1')]).books).toMatchObject([{ bids: [[1, 0]], asks: [] }]);
    for (const rows of [7, [level('HOLD', '1')]]) expect(alone('updates', rows).books).toEqual([]);
  });

  it('reads summaries and best prices, and ignores acknowledgements', () => {
    const frame = push('markets_summary', summary('BTC-USD-PERP'));
    expect(decode('markets_summary', frame).quotes[0]?.markPrice).toBe(67307.7);
    const touch = { market: 'BTC-USD-PERP', bid: '1.5', ask: '1.6', seq_no: 1 };
    expect(decode('bbo.BTC-USD-PERP', push('bbo.BTC-USD-PERP', touch)).quotes).toEqual([
      { symbol: 'BTC-USD-PERP', bestBid: 1.5, bestAsk: 1.6 },
    ]);
    expect(decode('/v1/bbo/BTC-USD-PERP', touch).quotes).toEqual([
      { symbol: 'BTC-USD-PERP', bestBid: 1.5, bestAsk: 1.6 },
    ]);
    const ack = { jsonrpc: '2.0', result: { channel: 'markets_summary' }, id: 1 };
    expect(decode('markets_summary', ack).rejects).toEqual([]);
    expect(decode('bbo.X', { ...push('bbo.X', touch), result: {} }).quotes).toHaveLength(1);
    for (const [odd, detail] of [
      [push('trades.X', touch), 'channel trades'],
      [{}, 'channel '],
    ] as const)
      expect(decode('bbo.X', odd).rejects).toEqual([{ symbol: null, reason: 'unexpected_shape', detail }]);
  });

  it.each([
    ['/v1/orderbook/BTC-USD-PERP/interactive', 'orderbook'],
    ['/v1/markets/summary?market=ALL', 'markets/summary'],
    ['/v1/funding/data?market=BTC-USD-PERP', 'funding/data'],
    ['/v1/markets/klines?symbol=BTC-USD-PERP', 'markets/klines'],
  ])('%s is %s', (named, call) => expect(callFor(paradex, named)?.name).toBe(call));

  it('says that a pushed rate is missing', () => {
    const frame = push('funding_data.BTC-USD-PERP', {
      market: 'BTC-USD-PERP',
      created_at: 1_771_506_636_154,
    });
    expect(decode('funding_data', frame).rejects).toMatchObject([{ detail: 'fundingRate' }]);
  });
});

it('reads an error of the socket, which stands in an object', () => {
  const refused = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'invalid channel' } };
  expect(decode('funding_data', refused).rejects).toEqual([
    { symbol: null, reason: 'error_body', detail: '-32602 invalid channel' },
  ]);
});

describe('bad data', () => {
  it('survives any change of its payloads, and nonsense', () => {
    const payloads = [
      [LIST, MARKETS],
      [BULK, SUMMARY],
    ] as const;
    const contexts = [contextOf(), { ...contextOf(), ...listed() }];
    expect(brokenProblems(paradex, payloads, contexts, 200)).toEqual([]);
  });
});

it('reads a pushed rate with its period', () => {
  const data = {
    market: 'BTC-USD-PERP',
    funding_index: '1.5',
    funding_premium: '0.6',
    created_at: 1_771_506_636_154,
    funding_rate: '-0.00014969570582',
    funding_period_hours: 8,
  };
  const params = { channel: 'funding_data.BTC-USD-PERP', data };
  expect(decode('funding_data', { jsonrpc: '2.0', method: 'subscription', params }).quotes).toEqual([
    {
      symbol: 'BTC-USD-PERP',
      fundingRate: -0.00014969570582,
      fundingIntervalHours: 8,
      venueTime: 1_771_506_636_154,
    },
  ]);
});

describeSamples(paradex, (samples) => {
  const of = (file: string, index = 0) => {
    const sample = samples.find((s) => s.file === file);
    const decoded = sample === undefined ? undefined : decodeSample(paradex, sample)[index];
    if (decoded === undefined) throw new Error(`no ${file}`);
    return decoded;
  };

  it('every recorded call has a decoder', () => {
    for (const { url } of samples) expect(callFor(paradex, url), url).toBeDefined();
  });

  it('a market of 2024 has no period', () => {
    expect(of('markets.json').instruments).toMatchObject([{ symbol: 'BTC-USD-PERP', settle: 'USDC' }]);
    expect(of('markets.json').instruments[0]).not.toHaveProperty('fundingIntervalHours');
  });

  it('bulk metrics', () => {
    expect(of('summary.json').quotes).toMatchObject([
      {
        symbol: 'BTC-USD-PERP',
        markPrice: 67307.7225876,
        indexPrice: 66806.71304318,
        fundingRate: 0.00749938923192,
        openInterestRaw: 152.777,
        openInterestBase: 152.777 / 2,
        volume24hUsd: 2611476.262600002,
        venueTime: 1718377962698,
      },
    ]);
  });

  it('books by REST and frame', () => {
    const [book] = of('orderbook.json').books;
    expect(book).toMatchObject({ sequence: 14139427, venueTime: 1718377985388 });
    expect([book?.bids.length, book?.asks.length]).toEqual([20, 3]);
    expect([book?.bids[0], book?.asks[0]]).toEqual([
      [66810, 0.078],
      [67643.2, 3.734],
    ]);
    expect(of('ws-frames.jsonl').books).toMatchObject([
      { kind: 'snapshot', bids: [[67629.7, 0.992]], asks: [[69378.6, 3.137]] },
    ]);
  });

  it('funding: the push and the rows of 2025, which state no period', () => {
    expect(of('ws-frames.jsonl', 1).quotes).toEqual([
      {
        symbol: 'TRUMP-USD-PERP',
        fundingRate: -0.00014969570582,
        fundingIntervalHours: 8,
        venueTime: 1771506636154,
      },
    ]);
    expect(of('funding-data.json').funding).toEqual([
      { symbol: 'BTC-USD-PERP', time: 1764160327000, rate: -0.00006992598926, observed: true },
    ]);
  });

  it('errors by REST and frame', () => {
    expect(of('error-invalid-token.json').rejects).toMatchObject([{ reason: 'error_body' }]);
    expect(of('ws-frames.jsonl', 2).rejects).toMatchObject([
      { reason: 'error_body', detail: '-32600 invalid subscribe request' },
    ]);
  });
});
