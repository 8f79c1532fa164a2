import { describe, expect, it } from 'vitest';
import { decoderOf } from '../../../test/venues/decode-call.ts';
import { brokenProblems } from '../../../test/venues/mutate.ts';
import { callFor, contextOf, decodeSample, describeSamples } from '../../../test/venues/samples.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import { asMs } from '../../domain/units.ts';
import { dydx } from './index.ts';

const decode = decoderOf(dydx);

const market = (ticker: string, more: Record<string, unknown> = {}) => ({
  clobPairId: '7',
  ticker,
  status: 'ACTIVE',
  oraclePrice: '3103.01',
  volume24H: '59598032.8897',
  nextFundingRate: '0.00000125',
  openInterest: '7457.108',
  baseOpenInterest: '13993.985',
  marketType: 'CROSS',
  ...more,
});

const POOL = 'WIF,RAYDIUM,EKPQGSJTJMFQKZ9KQANSQYXRCF8FBOPZLHYXDM65ZCJM-USD';
const MARKETS = {
  markets: {
    'ETH-USD': market('ETH-USD'),
    [POOL]: market(POOL, { marketType: 'ISOLATED', nextFundingRate: null }),
    'OLD-USD': market('OLD-USD', { status: 'FINAL_SETTLEMENT' }),
    'NEW-USD': market('NEW-USD', { status: 'INITIALIZING' }),
    'HALT-USD': market('HALT-USD', { status: 'CANCEL_ONLY' }),
    'ODD-EUR': market('ODD-EUR'),
  },
};

const REST = '/v4/perpetualMarkets';
const listed = () => ({ instruments: contextOf(decode(REST, MARKETS).instruments).instruments });

describe('a node of the chain', () => {
  const at = '/dydxprotocol/perpetuals/premium_samples';
  const named = (id: number, ticker: string, ppm: number) => ({
    params: { id, ticker, default_funding_ppm: ppm },
  });
  const answers = (num_premiums: number) => ({
    premium_samples: {
      all_market_premiums: [
        { perpetual_id: 1, premiums: [120, -40] },
        { perpetual_id: 9, premiums: [7] },
      ],
      num_premiums,
    },
    perpetual: [named(1, 'ETH-USD', 0), named(4, POOL, 100), named(9, 'OLD-USD', 0)],
  });

  it('the mean of the samples of the hour, zeros included, plus an eighth', () => {
    const { quotes, rejects } = decode(at, answers(4), listed());
    expect(quotes).toEqual([
      { symbol: 'ETH-USD', fundingRate: (80 / 4) * (1e-6 / 8), fundingIntervalHours: 1 },
      { symbol: POOL, fundingRate: 100 * (1e-6 / 8), fundingIntervalHours: 1 },
    ]);
    expect(rejects).toEqual([{ symbol: 'OLD-USD', reason: 'not_listed' }]);
  });

  it('no sample, one answer missing, an error of the node: nothing', () => {
    expect(decode(at, answers(0), listed())).toMatchObject({ quotes: [], rejects: [] });
    const { perpetual, ...samples } = answers(4);
    expect(decode(at, samples, listed()).rejects).toMatchObject([{ reason: 'unexpected_shape' }]);
    expect(decode(at, { code: 12, message: 'Not Implemented', details: [] }).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '12 Not Implemented' },
    ]);
    expect(decode(at, null).rejects).toHaveLength(1);
    expect(decode(at, { ...samples, perpetual: 7 }).rejects).toMatchObject([
      { detail: 'no samples of perpetuals' },
    ]);
    const odd = { ...answers(4), perpetual: [named(1, 'ETH-USD', Number.NaN)] };
    expect(decode(at, odd, listed())).toMatchObject({ quotes: [], rejects: [{ reason: 'malformed' }] });
    const unread = {
      ...answers(4),
      perpetual: [{ params: { id: 1, ticker: 'ETH-USD', default_funding_ppm: 'x' } }],
    };
    expect(decode(at, unread).rejects).toMatchObject([{ detail: 'x' }]);
  });

  it('a market without a default: none; without samples: zeros', () => {
    const perpetual = [{ params: { id: 1, ticker: 'ETH-USD' } }, named(3, POOL, 8)];
    const all_market_premiums = [{ perpetual_id: 1, premiums: [40] }, { perpetual_id: 3 }];
    const answer = { premium_samples: { all_market_premiums, num_premiums: 2 }, perpetual };
    expect(decode(at, answer, listed()).quotes).toEqual([
      { symbol: 'ETH-USD', fundingRate: (40 / 2) * (1e-6 / 8), fundingIntervalHours: 1 },
      { symbol: POOL, fundingRate: 1e-6, fundingIntervalHours: 1 },
    ]);
  });
});

describe('dydx markets', () => {
  const at = asMs(Date.UTC(2025, 11, 8, 16, 11, 56));
  const { instruments, quotes, rejects } = decode(REST, MARKETS, { receivedAt: at });

  it('reads the oracle price as the mark and has no index', () => {
    expect(dydx.hasIndex).toBe(false);
    expect(quotes[0]).toEqual({
      symbol: 'ETH-USD',
      markPrice: 3103.01,
      fundingRate: 0.00000125,
      fundingIntervalHours: 1,
      nextFundingTime: Date.UTC(2025, 11, 8, 17),
      openInterestRaw: 7457.108,
      openInterestBase: 7457.108,
      openInterestUsd: 7457.108 * 3103.01,
      volume24hRaw: 59598032.8897,
      volume24hUsd: 59598032.8897,
    });
  });

  it('a permissionless market: named by the text before the comma', () => {
    const listed = { venue: 'dydx', quote: 'USD', settle: 'USDC', contractSize: 1, fundingIntervalHours: 1 };
    expect(instruments).toEqual([
      { ...listed, symbol: 'ETH-USD', base: 'ETH', ticker: 'ETH', multiplier: 1, altId: '7' },
      { ...listed, symbol: POOL, base: POOL.slice(0, -4), ticker: 'WIF', multiplier: 1, altId: '7' },
    ]);
    expect(dydx.baseOf(POOL)).toBe('WIF');
    expect(quotes[1]).not.toHaveProperty('fundingRate');
  });

  it('rejects the others with a reason', () => {
    expect(rejects.map((r) => [r.symbol, r.reason])).toEqual([
      ['OLD-USD', 'delisted'],
      ['NEW-USD', 'prelisting'],
      ['HALT-USD', 'not_trading'],
      ['ODD-EUR', 'foreign_quote'],
    ]);
  });

  it('says what a market lacks', () => {
    const bare = { markets: { 'ETH-USD': { ticker: 'ETH-USD', status: 'ACTIVE' } } };
    expect(decode(REST, bare).rejects.map(({ reason, detail }) => [reason, detail])).toEqual([
      ['missing_field', 'markPrice'],
      ['missing_field', 'fundingRate'],
      ['missing_field', 'openInterestRaw'],
      ['missing_field', 'volume24hRaw'],
    ]);
  });

  it('restricts to listed contracts', () => {
    const only = { instruments: contextOf(instruments.slice(1)).instruments };
    const some = decode(REST, MARKETS, only);
    expect(some.quotes.map((q) => q.symbol)).toEqual([POOL]);
    expect(some.rejects).toContainEqual({ symbol: 'ETH-USD', reason: 'not_listed' });
  });

  it('rejects error bodies', () => {
    const body = { errors: [{ msg: 'Too many requests' }] };
    for (const url of [
      REST,
      '/v4/orderbooks/perpetualMarket/X-USD',
      '/v4/historicalFunding/X-USD',
      '/v4/time',
    ]) {
      expect(decode(url, body).rejects).toEqual([
        { symbol: null, reason: 'error_body', detail: 'Too many requests' },
      ]);
    }
    const refusal = (payload: unknown) => decode(REST, payload).rejects.map((r) => [r.reason, r.detail]);
    expect(refusal(null)).toEqual([['error_body', 'null']]);
    expect(refusal('Too many requests')).toEqual([['error_body', 'Too many requests']]);
    expect(refusal({ errors: [] })).toEqual([['error_body', 'errors']]);
    expect(refusal({})).toEqual([['unexpected_shape', 'no markets']]);
  });
});

describe('v4_markets', () => {
  const frame = (contents: unknown, type = 'channel_data') => ({ type, channel: 'v4_markets', contents });
  const change = (contents: unknown) => decode('v4_markets', frame(contents), listed());

  it('reads partial updates', () => {
    const both = {
      trading: { 'ETH-USD': { id: '1', openInterest: '15398.406' } },
      oraclePrices: { 'ETH-USD': { oraclePrice: '2623.3521', effectiveAt: '2024-08-23T00:00:54.301Z' } },
    };
    expect(change(both).quotes).toEqual([
      { symbol: 'ETH-USD', openInterestRaw: 15398.406, openInterestBase: 15398.406 },
      { symbol: 'ETH-USD', markPrice: 2623.3521 },
    ]);
    const batch = decode('v4_markets', frame([both, both], 'channel_batch_data'));
    expect(batch.quotes).toHaveLength(4);
    const rated = {
      trading: { 'ETH-USD': { status: 'ACTIVE', nextFundingRate: '0.00001', volume24H: '9' } },
    };
    expect(change(rated).quotes).toEqual([
      { symbol: 'ETH-USD', fundingRate: 0.00001, fundingIntervalHours: 1, volume24hRaw: 9, volume24hUsd: 9 },
    ]);
  });

  it('a row of another form is a reject', () => {
    const odd = { 'ETH-USD': { unexpected: [1] } };
    expect(change({ trading: odd })).toEqual({
      ...emptyDecoded(),
      rejects: [{ symbol: 'ETH-USD', reason: 'malformed', detail: 'row' }],
    });
    expect(change({ oraclePrices: odd })).toEqual({
      ...emptyDecoded(),
      rejects: [{ symbol: 'ETH-USD', reason: 'missing_field', detail: 'markPrice' }],
    });
  });

  it('an update of what is not read is no row and no fault', () => {
    expect(change({ trading: { 'ETH-USD': { trades24H: 7, status: 'ACTIVE' } } })).toEqual(emptyDecoded());
  });

  it('rejects updates that cannot be read or concern an unlisted market', () => {
    expect(change({ trading: { 'SOL-USD': { openInterest: '1' } } }).rejects).toEqual([
      { symbol: 'SOL-USD', reason: 'not_listed' },
    ]);
    expect(change({ trading: { 'ETH-USD': { openInterest: 'x' } } }).rejects).toMatchObject([
      { reason: 'malformed', detail: 'openInterestBase' },
    ]);
    expect(change({ trading: { 'ETH-USD': { status: 'PAUSED' } } }).rejects).toMatchObject([
      { reason: 'not_trading' },
    ]);
    expect(change({}).rejects).toMatchObject([{ reason: 'unexpected_shape', detail: 'contents' }]);
    const torn = [
      frame(undefined, 'channel_batch_data'),
      frame(null, 'subscribed'),
      frame({ markets: 1 }, 'subscribed'),
    ];
    for (const one of torn) expect(decode('v4_markets', one).rejects).toMatchObject([{ detail: 'contents' }]);
  });
});

describe('history', () => {
  it('cuts settlements to the second', () => {
    const rows = [
      { ticker: 'ETH-USD', rate: '0.000000375', price: '90860.5', effectiveAt: '2025-12-08T15:00:00.586Z' },
    ];
    expect(decode('/v4/historicalFunding/ETH-USD', { historicalFunding: rows }).funding).toEqual([
      {
        symbol: 'ETH-USD',
        time: Date.UTC(2025, 11, 8, 15),
        rate: 3.75e-7,
        intervalHours: 1,
        markPrice: 90860.5,
      },
    ]);
  });
});

it('the open interest at the start of a candle, and no price of trades', () => {
  const candle = { ticker: 'ETH-USD', startedAt: '2025-12-08T15:00:00.000Z', startingOpenInterest: '7.5' };
  const { history } = decode('/v4/candles/perpetualMarkets/ETH-USD', {
    candles: [{ ...candle, close: '3000' }],
  });
  expect(history).toEqual([{ symbol: 'ETH-USD', time: Date.UTC(2025, 11, 8, 15), openInterestBase: 7.5 }]);
});

describe('books', () => {
  const book = (type: string, contents: unknown) =>
    decode('v4_orderbook', { type, channel: 'v4_orderbook', id: 'ETH-USD', message_id: 2, contents }).books;
  const levels = { bids: [{ price: '3040.6', size: '6' }], asks: [{ price: '3102.1', size: '5' }] };
  const sides = { symbol: 'ETH-USD', bids: [[3040.6, 6]], asks: [[3102.1, 5]] };

  it('books: objects by REST and socket, numbered by connection', () => {
    const [rest] = decode('/v4/orderbooks/perpetualMarket/ETH-USD', levels).books;
    expect(rest).toEqual({ ...sides, kind: 'snapshot' });
    expect(book('subscribed', levels)).toEqual([{ ...sides, kind: 'snapshot', sequence: 2 }]);
  });

  it('change by pairs, several parts in one batch', () => {
    const bids = [['3040.6', '6']];
    const asks = [['3102.1', '5']];
    const change = { ...sides, kind: 'delta', sequence: 2 };
    expect(book('channel_data', { bids, asks })).toEqual([change]);
    expect(book('channel_batch_data', [{ asks }, { bids }])).toEqual([change]);
    expect(book('channel_data', { asks })).toEqual([{ ...change, bids: [] }]);
    expect(book('channel_data', { bids })).toEqual([{ ...change, asks: [] }]);
    for (const odd of [{ unexpected: [1] }, {}, 7])
      expect(book('channel_batch_data', [{ asks }, odd, { bids }])).toEqual([]);
    expect([...book('channel_batch_data', undefined), ...book('subscribed', null)]).toEqual([]);
  });
});

it('frames of the socket that carry nothing of ours say why', () => {
  const rejectsOf = (frame: unknown) => decode('v4_markets', frame).rejects.map((r) => [r.reason, r.detail]);
  expect(rejectsOf({ type: 'error', message: 'Invalid id' })).toEqual([['error_body', 'Invalid id']]);
  expect(rejectsOf({ type: 'error' })).toEqual([['error_body', 'error']]);
  expect(rejectsOf({ type: 'greeting' })).toEqual([['unexpected_shape', 'type greeting']]);
  expect(rejectsOf({ type: 'channel_data', channel: 'v4_trades' })).toEqual([
    ['unexpected_shape', 'channel'],
  ]);
  expect(rejectsOf('closed')).toEqual([['error_body', 'closed']]);
});

it.each([
  ['https://indexer.dydx.trade/v4/historicalFunding', 'historicalFunding'],
  ['/v4/orderbooks/perpetualMarket/BTC-USD', 'orderbooks'],
  ['/v4/candles/perpetualMarkets?ticker=BTC-USD', 'candles'],
  ['/dydxprotocol/perpetuals/perpetual', 'premium_samples, perpetual'],
])('%s is %s', (named, call) => expect(callFor(dydx, named)?.name).toBe(call));

it('rejects a settlement whose time cannot be read', () => {
  const row = { ticker: 'ETH-USD', rate: '0.00001', price: '3000', effectiveAt: 'soon' };
  const { funding, rejects } = decode('/v4/historicalFunding/ETH-USD', { historicalFunding: [row] });
  expect([funding, rejects]).toMatchObject([[], [{ symbol: 'ETH-USD', reason: 'malformed' }]]);
});

describe('bad data', () => {
  it('survives any change of its payloads, and nonsense', () => {
    const book = {
      type: 'channel_batch_data',
      channel: 'v4_orderbook',
      id: 'ETH-USD',
      message_id: 2,
      contents: [{ asks: [['3102.1', '5']] }, { bids: [['3040.6', '6']] }],
    };
    const payloads = [
      [REST, MARKETS],
      ['v4_orderbook', book],
    ] as const;
    const contexts = [contextOf(), { ...contextOf(), ...listed() }];
    expect(brokenProblems(dydx, payloads, contexts, 80)).toEqual([]);
  });
});

it('the socket: begins with whole markets, acknowledges without data', () => {
  const frame = { type: 'subscribed', connection_id: 'c', message_id: 1, channel: 'v4_markets' };
  const whole = decode('v4_markets', { ...frame, contents: MARKETS });
  const asked = decode(REST, MARKETS);
  expect(whole.instruments).toEqual(asked.instruments);
  expect(whole.quotes).toEqual(asked.quotes);
  const connected = { type: 'connected', connection_id: 'c', message_id: 0 };
  expect(decode('v4_markets', connected).rejects).toEqual([]);
});

describeSamples(dydx, (samples) => {
  const of = (file: string) => {
    const sample = samples.find((s) => s.file === file);
    if (sample === undefined) throw new Error(`no ${file}`);
    return decodeSample(dydx, sample);
  };

  it('every recorded call has a decoder', () => {
    for (const { url } of samples) expect(callFor(dydx, url), url).toBeDefined();
  });

  it('all markets', () => {
    const [decoded] = of('perpetual-markets.json');
    expect(decoded?.quotes[0]).toMatchObject({
      symbol: 'BTC-USD',
      fundingRate: 2.54545454545455e-6,
      markPrice: 89919.2,
      volume24hUsd: 247500844.6834,
      openInterestRaw: 381.7348,
    });
    expect(decoded?.quotes[0]).not.toHaveProperty('indexPrice');
    expect(decoded?.rejects).toEqual([]);
  });

  it('settled rates', () => {
    const [decoded] = of('historical-funding.json');
    expect(decoded?.funding).toHaveLength(3);
    // Recorded at 1765209600219: 219 ms after the settlement.
    expect(decoded?.funding[0]).toMatchObject({ rate: 2.375e-6, time: 1765209600000 });
  });

  it('open interest at the start of each candle', () => {
    expect(of('candles.json')[0]?.history.map((p) => [p.time, p.openInterestBase])).toEqual([
      [Date.UTC(2025, 11, 8, 16, 11), 381.7348],
      [Date.UTC(2025, 11, 8, 16, 10), 382.3498],
      [Date.UTC(2025, 11, 8, 16, 9), 381.8328],
    ]);
  });

  it('REST book', () => {
    expect(of('orderbook.json')[0]?.books[0]).toMatchObject({ symbol: 'BTC-USD', kind: 'snapshot' });
    expect(of('orderbook.json')[0]?.books[0]?.bids[0]).toEqual([89947, 0.0002]);
    expect(of('orderbook.json')[0]?.books[0]?.asks[0]).toEqual([89958, 0.1177]);
  });

  it('markets by socket', () => {
    const [snapshot, trading, oracle] = of('ws-markets.jsonl');
    expect(snapshot?.quotes[0]).toMatchObject({
      symbol: 'BTC-USD',
      openInterestRaw: 648.2389,
      fundingRate: 1.351666666666667e-5,
      markPrice: 60387.51779,
    });
    expect(trading?.quotes).toMatchObject([{ symbol: 'ETH-USD', openInterestRaw: 15398.406 }]);
    expect(oracle?.quotes).toEqual([{ symbol: 'ETH-USD', markPrice: 2623.3521 }]);
  });

  it('a book session: objects in the snapshot, pairs in the batch', () => {
    const frames = of('ws-orderbook-batched.jsonl');
    const sides = { bids: new Map<number, number>(), asks: new Map<number, number>() };
    for (const update of frames.flatMap((f) => f.books)) {
      for (const side of ['bids', 'asks'] as const) {
        for (const [price, size] of update[side]) {
          if (size === 0) sides[side].delete(price);
          else sides[side].set(price, size);
        }
      }
    }
    expect(frames.flatMap((f) => f.rejects)).toEqual([]);
    expect([sides.bids.size, sides.asks.size]).toEqual([14, 6]);
    expect(Math.max(...sides.bids.keys())).toBe(3040);
    expect(Math.min(...sides.asks.keys())).toBe(3073.1);
    expect(sides.asks.get(3101.4)).toBe(0.645);
    expect(sides.asks.has(3102.1) || sides.bids.has(3040.6)).toBe(false);
  });
});
