import { describe, expect, it } from 'vitest';
import { decoderOf } from '../../../test/venues/decode-call.ts';
import { brokenProblems } from '../../../test/venues/mutate.ts';
import { callFor, contextOf, decodeSample, describeSamples } from '../../../test/venues/samples.ts';
import { completeQuote } from '../../domain/complete.ts';
import { asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { callsOf } from '../adapter.ts';
import { lighter } from './index.ts';

const decode = decoderOf(lighter);

const market = (symbol: string, id: number, more: Record<string, unknown> = {}) => ({
  symbol,
  market_id: id,
  market_type: 'perp',
  status: 'active',
  taker_fee: '0.0000',
  is_taker_fee_enabled: true,
  liquidation_fee: '1.0000',
  daily_base_token_volume: 1234.5,
  daily_quote_token_volume: 2_469_000.25,
  open_interest: 27_350.5,
  ...more,
});

const DETAILS = {
  code: 200,
  order_book_details: [
    market('ETH', 0),
    market('1000PEPE', 4, { taker_fee: '0.0200' }),
    market('OLD', 9, { status: 'inactive' }),
  ],
  spot_order_book_details: [market('ETH/USDC', 2048, { market_type: 'spot' })],
};

const stats = (symbol: string, id: number, more: Record<string, unknown> = {}) => ({
  symbol,
  market_id: id,
  index_price: '2309.89',
  mark_price: '2308.86',
  mid_price: '2308.52',
  open_interest: '70209112.92',
  last_trade_price: '2308.57',
  current_funding_rate: '0.0011',
  funding_rate: '0.0003',
  funding_timestamp: 1_776_693_600_004,
  daily_base_token_volume: 185_243.4448,
  daily_quote_token_volume: 424_882_918.347895,
  ...more,
});

const PUSH = {
  type: 'update/market_stats',
  channel: 'market_stats:all',
  timestamp: 1_776_694_043_429,
  market_stats: {
    '0': stats('ETH', 0),
    '4': stats('1000PEPE', 4, { mark_price: '0.0125', index_price: '0.0124' }),
  },
};

const ALL = '{"type":"subscribe","channel":"market_stats/all"}';
const listed = () => ({
  instruments: contextOf(decode('/api/v1/orderBookDetails', DETAILS).instruments).instruments,
});

describe('lighter contracts', () => {
  const { instruments, quotes, rejects } = decode('/api/v1/orderBookDetails', DETAILS);

  it('lists live perpetuals with their id and fee', () => {
    expect(instruments).toMatchObject([
      { symbol: 'ETH', ticker: 'ETH', multiplier: 1, altId: '0', takerFeeBps: 0 },
      { symbol: '1000PEPE', ticker: 'PEPE', multiplier: 1000, altId: '4', takerFeeBps: 2 },
    ]);
    const contract = {
      venue: 'lighter',
      symbol: 'ETH',
      base: 'ETH',
      ticker: 'ETH',
      multiplier: 1,
      altId: '0',
    };
    const terms = { quote: 'USDC', settle: 'USDC', contractSize: 1, fundingIntervalHours: 1, takerFeeBps: 0 };
    expect(instruments[0]).toEqual({ ...contract, ...terms });
    const rows = [
      market('FREE', 5, { taker_fee: '0.0200', is_taker_fee_enabled: false }),
      market('OLD', 6, { market_type: undefined }),
      market('COIN', 7, { market_type: 'spot' }),
      market('ODD', 8, { market_id: 'x' }),
    ];
    const others = decode('/api/v1/orderBookDetails', { code: 200, order_book_details: rows });
    expect(others.instruments.map((i) => [i.symbol, i.takerFeeBps])).toEqual([
      ['FREE', 0],
      ['OLD', 0],
    ]);
    expect(others.rejects).toMatchObject([
      { symbol: 'COIN', reason: 'spot' },
      { symbol: 'ODD', reason: 'malformed', detail: 'market_id' },
    ]);
    expect(rejects).toEqual([
      { symbol: 'OLD', reason: 'not_trading', detail: 'inactive' },
      { symbol: 'ETH/USDC', reason: 'spot' },
    ]);
  });

  it('open interest in base units here; the raw number by the stream', () => {
    expect(quotes[1]).toEqual({
      symbol: '1000PEPE',
      openInterestBase: 27_350_500,
      volume24hRaw: 2_469_000.25,
      volume24hUsd: 2_469_000.25,
      volume24hBase: 1_234_500,
    });
  });

  it('rejects an error code inside a 200', () => {
    for (const url of ['/api/v1/orderBookDetails', '/api/v1/funding-rates', '/api/v1/fundings?market_id=0']) {
      const answer = decode(url, { code: 23000, message: 'Too Many Requests!' });
      expect(answer.rejects).toEqual([
        { symbol: null, reason: 'error_body', detail: '23000 Too Many Requests!' },
      ]);
      const details = [null, 'gateway', { error: { code: 30_003, message: 'Invalid Channel' } }].map(
        (body) => decode(url, body).rejects[0]?.detail,
      );
      expect(details).toEqual(['null', 'gateway', '30003 Invalid Channel']);
    }
  });
});

describe('markets that cannot be opened', () => {
  const [row] = DETAILS.order_book_details;
  const config = { force_reduce_only: false, hidden: false, trading_hours: '' };
  const read = (more: object) =>
    decode('/api/v1/orderBookDetails', { code: 200, order_book_details: [{ ...row, ...more }] });

  it.each([
    [{ is_frozen: true }, 'is_frozen'],
    [{ market_config: { ...config, force_reduce_only: true } }, 'force_reduce_only'],
    [{ market_config: { ...config, hidden: true } }, 'hidden'],
    [{ market_config: { ...config, trading_hours: '09:30-16:00' } }, 'trading_hours 09:30-16:00'],
  ])('are no rows: %j', (more, detail) => {
    const { instruments, quotes, rejects } = read(more);
    expect([instruments, quotes]).toEqual([[], []]);
    expect(rejects).toMatchObject([{ symbol: 'ETH', reason: 'not_trading', detail }]);
  });

  it.each([
    { is_frozen: 'no' },
    { market_config: { ...config, hidden: 'x' } },
    { market_config: 'none' },
    { market_config: { unexpected: [1] } },
  ])('are a fault where the switch cannot be read: %j', (more) => {
    expect(read(more).rejects).toMatchObject([{ symbol: 'ETH', reason: 'malformed' }]);
  });

  it('are those alone: a market with switches off or missing is a row', () => {
    expect(read({ is_frozen: false, market_config: config }).instruments).toHaveLength(1);
    expect(read({ is_frozen: null, market_config: null }).instruments).toHaveLength(1);
  });

  it('prices of the list: read where they are stated', () => {
    const priced = { mark_price: '2447.1', index_price: '2446.9' };
    expect(read(priced).quotes).toMatchObject([{ markPrice: 2447.1, indexPrice: 2446.9 }]);
  });
});

describe('market_stats', () => {
  it('reads percent per hour, USD open interest and per-thousand prices', () => {
    const { quotes } = decode(ALL, PUSH);
    expect(quotes[0]).toMatchObject({
      symbol: 'ETH',
      fundingIntervalHours: 1,
      markPrice: 2308.86,
      indexPrice: 2309.89,
      openInterestRaw: 70_209_112.92,
      openInterestUsd: 70_209_112.92,
      nextFundingTime: 1_776_697_200_000,
    });
    expect(quotes[0]?.fundingRate).toBeCloseTo(0.000011, 12);
    expect(quotes[1]).toMatchObject({ markPrice: 0.0000125, volume24hBase: 185_243_444.8 });
    const base = quotes[1] && completeQuote(quotes[1]).openInterestBase;
    expect(base).toBeCloseTo(70_209_112.92 / 0.0000125, 0);
  });

  it('the channel of a single market: read; names need the list', () => {
    const { symbol, ...anonymous } = stats('ETH', 0);
    const frame = { ...PUSH, channel: 'market_stats:0', market_stats: anonymous };
    expect(decode('market_stats/0', frame, listed()).quotes[0]?.symbol).toBe(symbol);
    expect(decode('market_stats/0', frame).quotes[0]?.symbol).toBe('0');
  });

  it('restricts to listed perpetuals', () => {
    const frame = { ...PUSH, market_stats: { '5': stats('SOL', 5), '2048': stats('ETH/USDC', 2048) } };
    expect(decode(ALL, frame, listed())).toMatchObject({
      quotes: [],
      rejects: [
        { symbol: 'SOL', reason: 'not_listed' },
        { symbol: 'ETH/USDC', reason: 'spot' },
      ],
    });
  });

  it('rejects unreadable fields by name and keeps the others', () => {
    const frame = {
      ...PUSH,
      market_stats: { '0': stats('ETH', 0, { mark_price: undefined, open_interest: 'x' }) },
    };
    const { quotes, rejects } = decode(ALL, frame);
    expect(quotes[0]).not.toHaveProperty('openInterestBase');
    expect(rejects).toEqual([
      { symbol: 'ETH', reason: 'missing_field', detail: 'markPrice' },
      { symbol: 'ETH', reason: 'malformed', detail: 'openInterestUsd' },
    ]);
  });

  it('says what a row lacks', () => {
    const frame = { ...PUSH, market_stats: { '0': { symbol: 'ETH' } } };
    expect(decode(ALL, frame).rejects.map(({ detail }) => detail)).toEqual([
      'fundingRate',
      'nextFundingTime',
      'markPrice',
      'indexPrice',
      'openInterestRaw',
      'volume24hRaw',
      'daily_base_token_volume',
    ]);
    const bare = { symbol: 'ETH', market_id: 0, status: 'active' };
    const details = decode('/api/v1/orderBookDetails', { code: 200, order_book_details: [bare] });
    expect(details.rejects.map(({ detail }) => detail)).toEqual([
      'volume24hRaw',
      'open_interest',
      'daily_base_token_volume',
    ]);
  });

  it('no time in the frame: the settlement follows the receipt', () => {
    const { timestamp: _, ...frame } = { ...PUSH, market_stats: { '0': stats('ETH', 0) } };
    const receivedAt = asMs(1_776_693_600_000 + 2 * HOUR_MS + 1);
    expect(decode(ALL, frame, { receivedAt }).quotes[0]?.nextFundingTime).toBe(1_776_704_400_000);
  });

  it('frames by type: control is silent, others named, none no frame', () => {
    const rejectsOf = (frame: object) => decode(ALL, frame).rejects.map(({ detail }) => detail);
    for (const type of ['connected', 'ping', 'pong', 'unsubscribed', 'unsubscribed/ticker'])
      expect(rejectsOf({ type })).toEqual([]);
    expect(rejectsOf({ type: 'update/trade', trade: {} })).toEqual(['update/trade']);
    expect(rejectsOf({ channel: 'ticker:4' })).toEqual(['type']);
    expect(rejectsOf({ error: { code: 30_003, message: 'Invalid Channel' } })).toEqual([
      '30003 Invalid Channel',
    ]);
  });

  it('without a list: digits name a market, those of spot none', () => {
    expect([lighter.baseOf('ETH'), lighter.baseOf('12'), lighter.baseOf('ETH/USDC')]).toEqual([
      'ETH',
      undefined,
      undefined,
    ]);
    const { symbol: _, ...anonymous } = stats('X', 2048);
    expect(decode(ALL, { ...PUSH, market_stats: { '2048': anonymous } }).rejects).toEqual([
      { symbol: '2048', reason: 'spot' },
    ]);
  });

  it('reads the touch of a ticker, an empty side as none', () => {
    const ticker = (s: string | undefined, b: unknown, a: unknown) => ({
      type: 'update/ticker',
      channel: 'ticker:4',
      timestamp: 1_774_883_844_933,
      ticker: { s, a, b },
    });
    const side = (price: string) => ({ price, size: '0.495' });
    const read = (frame: unknown) => decode('ticker/4', frame, listed());
    expect(read(ticker('1000PEPE', side('0.0124'), side('0.0125'))).quotes).toEqual([
      { symbol: '1000PEPE', bestBid: 0.0000124, bestAsk: 0.0000125 },
    ]);
    expect(read(ticker(undefined, { price: '', size: '' }, side('0.0125'))).quotes).toEqual([
      { symbol: '1000PEPE', bestAsk: 0.0000125 },
    ]);
    expect(read(ticker('1000PEPE', side('0.0124'), undefined)).quotes).toEqual([
      { symbol: '1000PEPE', bestBid: 0.0000124 },
    ]);
    // The market stands in the row or in the channel.
    const numbered = { ...ticker(undefined, side('0.0124'), {}), channel: 'ticker' };
    expect(read({ ...numbered, ticker: { ...numbered.ticker, market_id: 4 } }).quotes).toHaveLength(1);
    expect(read({ ...ticker('1000PEPE', {}, undefined), type: 'subscribed/ticker' })).toMatchObject({
      quotes: [],
      rejects: [{ symbol: '1000PEPE', reason: 'placeholder' }],
    });
    expect(read(ticker('SOL', side('1'), side('2'))).rejects).toEqual([
      { symbol: 'SOL', reason: 'not_listed' },
    ]);
    expect(read({ type: 'update/ticker', channel: 'ticker:4' }).rejects).toMatchObject([
      { reason: 'unexpected_shape', detail: 'ticker' },
    ]);
  });

  it.each([
    [4, 60_000, 1],
    [0, 2 * HOUR_MS + 1, 3],
    [HOUR_MS, 5, 1],
    [0, undefined, 1],
  ])('a stamp of %d ms, at %s ms, makes the next settlement that of hour %d', (stamp, now, hour) => {
    const paid = 1_776_693_600_000;
    const row = stats('ETH', 0, { funding_timestamp: paid + stamp });
    const frame = { ...PUSH, timestamp: now && paid + now, market_stats: { '0': row } };
    expect(decode(ALL, frame).quotes[0]?.nextFundingTime).toBe(paid + hour * HOUR_MS);
  });

  it('subscribes once for all markets and replies to pings', () => {
    const [stream] = lighter.streams ?? [];
    const plan = { instruments: [], now: asMs(0) };
    expect(stream?.subscribe(stream.topics(plan), 1)).toEqual([ALL]);
    expect(stream?.pong?.({ type: 'ping' })).toBe('{"type":"pong"}');
    expect(stream?.pong?.(PUSH)).toBeUndefined();
  });
});

describe('funding', () => {
  it('eight-hour rates: made hourly; other exchanges: left out', () => {
    const row = (exchange: string, rate: number) => ({ market_id: 0, exchange, symbol: 'ETH', rate });
    const { quotes, rejects } = decode('/api/v1/funding-rates', {
      code: 200,
      funding_rates: [row('binance', 0.0001), row('lighter', 0.000096)],
    });
    expect(quotes).toEqual([
      { symbol: 'ETH', fundingRate: expect.closeTo(0.000012, 12), fundingIntervalHours: 1 },
    ]);
    expect(rejects).toEqual([{ symbol: 'ETH', reason: 'not_listed', detail: 'rate of binance' }]);
  });

  it('gives payments a sign by direction', () => {
    const url = '/api/v1/fundings?market_id=4&resolution=1h';
    const row = (rate: string, direction: string) => ({
      timestamp: 1_778_702_400,
      value: '0.1',
      rate,
      direction,
    });
    const fundings = [row('0.0012', 'long'), row('0.0002', 'short'), row('0', 'short'), row('0.0002', 'up')];
    const { funding, rejects } = decode(url, { code: 200, resolution: '1h', fundings }, listed());
    expect(funding[0]).toMatchObject({ time: 1_778_702_400_000, intervalHours: 1 });
    expect(funding.map((p) => [p.symbol, p.rate])).toEqual([
      ['1000PEPE', expect.closeTo(0.000012, 12)],
      ['1000PEPE', expect.closeTo(-0.000002, 12)],
      ['1000PEPE', 0],
    ]);
    expect(rejects).toEqual([{ symbol: '1000PEPE', reason: 'out_of_range', detail: 'rate' }]);
    const daily = decode(url, { code: 200, resolution: '1d', fundings });
    expect(daily).toMatchObject({ funding: [], rejects: [{ reason: 'unknown_unit' }] });
    // The resolution that was asked for holds where the answer states none.
    const asked = (resolution: string) =>
      decode(`/api/v1/fundings?market_id=4&resolution=${resolution}`, { code: 200, fundings });
    expect([asked('1h').funding.length, asked('1d').funding.length]).toEqual([3, 0]);
  });

  it('a rate of zero: a payment of zero, in either direction', () => {
    const row = { timestamp: 1_778_702_400, value: '0', rate: '0.0000' };
    const fundings = [{ ...row, direction: '' }, { ...row, direction: 'none' }, row];
    const url = '/api/v1/fundings?market_id=4&resolution=1h';
    const { funding, rejects } = decode(url, { code: 200, resolution: '1h', fundings }, listed());
    expect(funding.map(({ rate }) => rate)).toEqual([0, 0, 0]);
    expect(rejects).toEqual([]);
  });

  it('takes the market from the request', () => {
    const { rejects } = decode('/api/v1/fundings', { code: 200, fundings: [{}] });
    expect(rejects).toMatchObject([{ symbol: null, reason: 'missing_field' }]);
  });
});

describe('books', () => {
  it('sums single orders by price; a null side is empty', () => {
    const order = (price: string, remaining_base_amount: string) => ({
      price,
      remaining_base_amount,
      initial_base_amount: '99',
    });
    const url = '/api/v1/orderBookOrders?market_id=4&limit=250';
    const bids = [order('2', '1.5'), order('2', '0.5'), order('1', '4')];
    const { books } = decode(url, { code: 200, asks: null, bids }, listed());
    expect(books).toEqual([
      {
        symbol: '1000PEPE',
        kind: 'snapshot',
        asks: [],
        bids: [
          [0.002, 2000],
          [0.001, 4000],
        ],
      },
    ]);
    expect(decode(url, { code: 200, bids }, listed()).rejects).toMatchObject([{ detail: 'asks' }]);
  });

  it('a frame: the book or its change, by nonce, stamped outside', () => {
    const order_book = {
      bids: [{ price: '2', size: '1.5' }],
      asks: [{ price: '4', size: '2' }],
      nonce: 9,
      begin_nonce: 7,
    };
    const read = (type: string) =>
      decode(
        'order_book/4',
        { type, channel: 'order_book:4', timestamp: 1_790_000_000_000, order_book },
        listed(),
      );
    const book = {
      symbol: '1000PEPE',
      bids: [[0.002, 1500]],
      asks: [[0.004, 2000]],
      sequence: 9,
      venueTime: 1_790_000_000_000,
    };
    expect(read('subscribed/order_book').books).toEqual([{ ...book, kind: 'snapshot' }]);
    expect(read('update/order_book').books).toEqual([{ ...book, kind: 'delta', previousSequence: 7 }]);
  });
});

describe('bad data', () => {
  it('survives any change of its payloads, and nonsense', () => {
    const payloads = [
      ['/api/v1/orderBookDetails', DETAILS],
      [ALL, PUSH],
    ] as const;
    const contexts = [contextOf(), { ...contextOf(), ...listed() }];
    expect(brokenProblems(lighter, payloads, contexts, 200)).toEqual([]);
  });
});

describeSamples(lighter, (samples) => {
  const of = (file: string, index = 0) => {
    const sample = samples.find((s) => s.file === file);
    const decoded = sample === undefined ? undefined : decodeSample(lighter, sample)[index];
    if (decoded === undefined) throw new Error(`no ${file}`);
    return decoded;
  };

  it('every recorded call has a decoder', () => {
    for (const { url } of samples) expect(callFor(lighter, url), url).toBeDefined();
    expect(callsOf(lighter).length).toBeGreaterThan(4);
  });

  it('contracts and activity', () => {
    const { instruments, quotes, rejects } = of('order-book-details.json');
    expect(quotes).toMatchObject([{ openInterestBase: 27350.8981, volume24hUsd: 460664167.955905 }]);
    expect(instruments).toMatchObject([{ symbol: 'ETH', takerFeeBps: 0 }]);
    expect(rejects).toEqual([]);
  });

  it('the stream of all markets', () => {
    const btc = of('ws-market-stats-all.jsonl').quotes[1];
    expect(btc).toMatchObject({
      symbol: 'BTC',
      markPrice: 75241.1,
      indexPrice: 75281.9,
      openInterestUsd: 124496091.756091,
      nextFundingTime: 1776697200000,
    });
    expect(btc?.fundingRate).toBeCloseTo(1.2e-5, 15);
    expect(of('ws-market-stats-all.jsonl', 1).quotes[0]?.openInterestRaw).toBe(70209098.837046);
  });

  it('funding, now and settled', () => {
    expect(of('funding-rates.json').quotes[0]?.fundingRate).toBeCloseTo(1.2e-5, 15);
    expect(of('fundings.json').funding).toEqual([
      { symbol: '0', time: 1778702400000, rate: expect.closeTo(1.2e-5, 15), intervalHours: 1 },
      { symbol: '0', time: 1778706000000, rate: expect.closeTo(-2e-6, 15), intervalHours: 1 },
    ]);
  });

  it('books: REST, snapshot, delta that follows it', () => {
    expect(of('order-book-orders.json').books[0]).toMatchObject({
      bids: [[2361.17, 3.4125]],
      asks: [[2361.32, 0.0317]],
    });
    const [snapshot] = of('ws-order-book.jsonl').books;
    const [delta] = of('ws-order-book.jsonl', 1).books;
    expect(snapshot).toMatchObject({ symbol: '1', kind: 'snapshot', venueTime: 1776692222437 });
    expect(snapshot?.bids[0]).toEqual([75300.4, 0.00117]);
    expect(delta?.asks[0]).toEqual([75300.5, 0]);
    expect(delta?.previousSequence).toBe(snapshot?.sequence);
  });
});
