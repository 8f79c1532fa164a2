import { describe, expect, it } from 'vitest';
import { decodeCall, decoderOf, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import { callFor, contextOf, describeSamples } from '../../../test/venues/samples.ts';
import { whitebit } from './index.ts';

const none = contextOf();
const decode = decoderOf(whitebit);
const decodeFrame = (frame: unknown, context = none) => decode('depth_subscribe', frame, context);
const decodeMarkets = (payload: unknown) => decode('/api/v4/public/markets', payload);
const decodeFutures = (payload: unknown, context = none) =>
  decode('/api/v4/public/futures', payload, context);

const MARKET = {
  name: 'PEPE_PERP',
  stock: 'PEPE',
  money: 'USDT',
  takerFee: '0.055',
  tradesEnabled: true,
  type: 'futures',
  isTradFiFutures: false,
};
const MARKETS = [
  MARKET,
  { ...MARKET, name: 'XAU_PERP', stock: 'XAU', money: 'PERP', type: 'tradfiFutures', isTradFiFutures: true },
  { ...MARKET, name: 'NEW_PERP', stock: 'NEW', takerFee: '0.1' },
  { ...MARKET, name: 'OFF_PERP', stock: 'OFF', tradesEnabled: false },
  { ...MARKET, name: 'BTC_USDT', stock: 'BTC', type: 'spot' },
  { ...MARKET, name: 'EUR_PERP', money: 'EUR' },
  { ...MARKET, name: 'MARGIN_PERP', type: 'spot' },
  { ...MARKET, name: 'ODD_USDT' },
  { ...MARKET, name: 'MUTE_PERP', type: undefined },
  { ...MARKET, name: 'WORD_PERP', type: 'perpetual' },
];
const LISTED = decodeMarkets(MARKETS).instruments;
const FUTURE = {
  ticker_id: 'PEPE_PERP',
  stock_currency: 'PEPE',
  money_currency: 'USDT',
  stock_volume: '900000000',
  money_volume: '4400.5',
  bid: '0.00000489',
  ask: '0.0000049',
  product_type: 'Perpetual',
  open_interest: '306000000',
  index_price: '0.000004895',
  mark_price: '0.000004891',
  funding_rate: '-0.00002',
  next_funding_rate_timestamp: '1790121600000',
  funding_cap: null,
  brackets: { '1': 0, '50': '-10000' },
  funding_interval_minutes: 240,
};

describe('whitebit contracts', () => {
  it('perpetuals that trade; the fee in percent, TradFi is no coin', () => {
    expect(LISTED).toMatchObject([
      { symbol: 'PEPE_PERP', ticker: 'PEPE', multiplier: 1, assetClass: 'crypto', quote: 'USDT' },
      { symbol: 'XAU_PERP', quote: 'USDT', assetClass: 'unknown' },
      { symbol: 'NEW_PERP', takerFeeBps: 10 },
    ]);
    expect(LISTED[0]).not.toHaveProperty('takerFeeBps');
    expect(reasons(decodeMarkets(MARKETS))).toEqual([
      ['OFF_PERP', 'not_trading'],
      ['BTC_USDT', 'spot'],
      ['EUR_PERP', 'foreign_quote'],
      ['MARGIN_PERP', 'spot'],
      ['ODD_USDT', 'spot'],
      ['MUTE_PERP', 'missing_field'],
      ['WORD_PERP', 'malformed'],
    ]);
    expect(reasons(decodeMarkets([]))).toEqual([[null, 'unexpected_shape']]);
  });

  it('the base: from `stock`, else the name; TradFi from its flag too', () => {
    const { stock: _, ...unnamed } = MARKET;
    const contract = { venue: 'whitebit', symbol: 'PEPE_PERP', multiplier: 1, quote: 'USDT', settle: 'USDT' };
    const pepe = { ...contract, contractSize: 1, base: 'PEPE', ticker: 'PEPE' };
    expect(decodeMarkets(unnamed).instruments).toEqual([{ ...pepe, assetClass: 'crypto' }]);
    const other = { ...MARKET, stock: 'FROG', isTradFiFutures: true };
    expect(decodeMarkets(other).instruments).toEqual([
      { ...pepe, base: 'FROG', ticker: 'FROG', assetClass: 'unknown' },
    ]);
    expect(decodeFutures(FUTURE).instruments).toEqual([{ ...pepe, fundingIntervalHours: 4 }]);
  });

  it('reads all metrics from one call: minutes, milliseconds as text, coins', () => {
    for (const payload of [{ success: true, message: null, result: [FUTURE] }, [FUTURE], FUTURE]) {
      expect(decodeFutures(payload, contextOf(LISTED)).quotes).toEqual([
        {
          symbol: 'PEPE_PERP',
          fundingRate: -0.00002,
          fundingIntervalHours: 4,
          nextFundingTime: 1_790_121_600_000,
          markPrice: 0.000004891,
          indexPrice: 0.000004895,
          bestBid: 0.00000489,
          bestAsk: 0.0000049,
          openInterestBase: 306_000_000,
          openInterestUsd: 306_000_000 * 0.000004891,
          openInterestRaw: 306_000_000,
          volume24hBase: 900_000_000,
          volume24hRaw: 900_000_000,
          volume24hUsd: 4400.5,
        },
      ]);
    }
    expect(decodeFutures([{ ticker_id: 'PEPE_PERP' }]).rejects).toEqual([
      { symbol: 'PEPE_PERP', reason: 'missing_field', detail: 'fundingRate' },
    ]);
  });

  it('a blank mark, an index of "0": unknown; no interval: not eight hours', () => {
    const { funding_interval_minutes: _, ...row } = { ...FUTURE, mark_price: '', index_price: '0' };
    const { quotes, rejects } = decodeFutures([row], none);
    expect(quotes[0]).not.toHaveProperty('markPrice');
    expect(quotes[0]).not.toHaveProperty('indexPrice');
    expect(quotes[0]).not.toHaveProperty('fundingIntervalHours');
    expect(quotes[0]?.fundingRate).toBe(-0.00002);
    expect(rejects).toEqual([]);
  });

  it('restricts to listed contracts with a reason', () => {
    const rows = [
      { ...FUTURE, ticker_id: 'HOOK_PERP' },
      { ...FUTURE, product_type: 'Futures' },
      { ...FUTURE, product_type: 'Swap' },
      { ...FUTURE, money_currency: 'EUR' },
      { ...FUTURE, ticker_id: 'BTC_USDT' },
    ];
    expect(reasons(decodeFutures(rows, contextOf(LISTED)))).toEqual([
      ['HOOK_PERP', 'not_listed'],
      ['PEPE_PERP', 'dated'],
      ['PEPE_PERP', 'malformed'],
      ['PEPE_PERP', 'foreign_quote'],
      ['BTC_USDT', 'spot'],
    ]);
  });

  it('volumes of the ticker of all pairs', () => {
    const pair = { last_price: '0.5', quote_volume: '50', base_volume: '100', isFrozen: false };
    const decoded = decodeCall(
      whitebit,
      '/api/v4/public/ticker',
      { PEPE_PERP: pair, BTC_USDT: pair },
      LISTED,
    );
    expect(decoded.quotes).toEqual([
      { symbol: 'PEPE_PERP', volume24hBase: 100, volume24hRaw: 100, volume24hUsd: 50 },
    ]);
    expect(reasons(decoded)).toEqual([['BTC_USDT', 'spot']]);
  });
});

describe('whitebit errors', () => {
  it.each([
    [{ market: ['Market is not available.'] }, 'market: Market is not available.'],
    [{ success: false, message: { limit: ['too large'] }, result: null }, 'limit: too large'],
    [{ limit: ['too large', 'odd'], market: ['unknown'] }, 'limit: too large odd market: unknown'],
    [{ success: false, msg: 'Down.' }, 'Down.'],
    [{ errors: [], message: 'Not in your country.', success: false }, 'Not in your country.'],
    [{ id: 1, result: null, error: { code: 2, message: 'invalid argument' } }, '2 invalid argument'],
    [{ code: 10, message: 'Unauthorized request.' }, '10 Unauthorized request.'],
  ])('%j', (payload, detail) => {
    for (const named of ['/api/v4/public/futures', '/api/v4/public/orderbook/X_PERP', 'depth_subscribe']) {
      expect(decodeCall(whitebit, named, payload).rejects).toEqual([
        { symbol: null, reason: 'error_body', detail },
      ]);
    }
  });

  it.each([
    [{ market: 'market is required' }, 'market: market is required'],
    [{ limit: 'too large', market: ['unknown'] }, 'limit: too large market: unknown'],
    [{ error: ['out of order'] }, 'error: out of order'],
  ])('the history of rates answers %j where it refuses', (payload, detail) => {
    const decoded = decodeCall(whitebit, '/api/v4/public/funding-history/X_PERP', payload, LISTED);
    expect(decoded.funding).toEqual([]);
    expect(decoded.rejects).toEqual([{ symbol: null, reason: 'error_body', detail }]);
  });

  it('rejects a gateway page and an empty list', () => {
    expect(reasons(decodeFutures('<html>Too Many Requests</html>', none))).toEqual([
      [null, 'unexpected_shape'],
    ]);
    expect(reasons(decodeFutures({ success: true, message: null, result: [] }, none))).toEqual([
      [null, 'unexpected_shape'],
    ]);
  });
});

describe('whitebit history and books', () => {
  it('settled rates in seconds with their mark; the interval by two times', () => {
    const row = {
      fundingTime: '1790121600',
      fundingRate: '0.0001',
      market: 'PEPE_PERP',
      settlementPrice: '0.0000049',
      rateCalculatedTime: '1790107200',
    };
    const { rateCalculatedTime: _, ...old } = { ...row, fundingTime: '1790107200', settlementPrice: '' };
    const decoded = decodeCall(whitebit, '/api/v4/public/funding-history/PEPE_PERP', [row, old], LISTED);
    expect(decoded.funding).toEqual([
      { symbol: 'PEPE_PERP', time: 1_790_121_600_000, rate: 0.0001, intervalHours: 4, markPrice: 0.0000049 },
      { symbol: 'PEPE_PERP', time: 1_790_107_200_000, rate: 0.0001 },
    ]);
  });

  it('the REST book: by its name or the request; bad levels: no sides', () => {
    const url = '/api/v4/public/orderbook/PEPE_PERP?limit=100';
    const book = { timestamp: 1_790_113_268, asks: [['0.5', '7']], bids: [['0.4', '8']] };
    for (const payload of [book, { ...book, ticker_id: 'PEPE_PERP' }]) {
      expect(decodeCall(whitebit, url, payload).books).toEqual([
        {
          symbol: 'PEPE_PERP',
          kind: 'snapshot',
          bids: [[0.4, 8]],
          asks: [[0.5, 7]],
          venueTime: 1_790_113_268_000,
        },
      ]);
    }
    const unnamed = decodeCall(whitebit, url, { ...book, ticker_id: { unexpected: [1] } });
    expect(unnamed).toMatchObject({
      books: [],
      rejects: [{ symbol: null, detail: 'symbol of the request' }],
    });
    const blank = { ...book, asks: null, bids: null };
    expect(reasons(decodeCall(whitebit, url, blank))).toEqual([['PEPE_PERP', 'malformed']]);
    expect(reasons(decodeCall(whitebit, url, { ...book, ticker_id: 'PEPE_USDT' }))).toEqual([
      ['PEPE_USDT', 'spot'],
    ]);
  });

  it.each([null, 1, { unexpected: [1] }])('a book that is whole by %j is a reject', (whole) => {
    const levels = { update_id: 17, past_update_id: 10, bids: [['4', '0']] };
    const frame = { method: 'depth_update', params: [whole, levels, 'PEPE_PERP'], id: null };
    const { books, rejects } = decodeFrame(frame, none);
    expect(books).toEqual([]);
    expect(rejects).toEqual([{ symbol: 'PEPE_PERP', reason: 'malformed', detail: 'whole or change' }]);
  });

  it('reads deltas without the unchanged side', () => {
    const push = (whole: boolean, book: object) => ({
      method: 'depth_update',
      params: [whole, book, 'PEPE_PERP'],
      id: null,
    });
    const first = {
      timestamp: 1_790_113_267.8,
      update_id: 10,
      asks: [['5', '1']],
      bids: [
        ['4', '1'],
        ['3', '1'],
      ],
    };
    const next = { timestamp: 1_790_113_268, update_id: 17, past_update_id: 10, bids: [['4', '0']] };
    const books = [push(true, first), push(false, next)].flatMap((frame) => decodeFrame(frame, none).books);
    expect(books.map(({ kind, sequence, previousSequence }) => [kind, sequence, previousSequence])).toEqual([
      ['snapshot', 10, undefined],
      ['delta', 17, 10],
    ]);
    expect(replay(books)).toEqual({ bids: [[3, 1]], asks: [[5, 1]] });
    // The time of the event counts before that of the message.
    const stamped = { ...next, event_time: 1_790_113_267.9 };
    const [{ venueTime } = {}] = decodeFrame(push(false, stamped), none).books;
    expect([books[1]?.venueTime, venueTime]).toEqual([1_790_113_268_000, 1_790_113_267_900]);
    const undated = decodeFrame(push(false, { ...next, timestamp: 'Infinity' }), none);
    expect([undated.books.length, ...reasons(undated)]).toEqual([1, ['PEPE_PERP', 'malformed']]);
    expect(reasons(decodeFrame(push(true, { update_id: 1 }), none))).toEqual([['PEPE_PERP', 'malformed']]);
    const { bids: _, ...above } = { ...next, asks: [['5', '2']] };
    expect(decodeFrame(push(false, above), none).books).toMatchObject([{ bids: [], asks: [[5, 2]] }]);
  });
});

describe('whitebit frames', () => {
  const push = (method: string, params: unknown) =>
    decodeFrame({ method, params, id: null }, contextOf(LISTED));
  const record = ['PEPE_PERP', '0.5', '0.4', '0.0001', 1_790_121_600_000, 1_790_113_268.5];
  const quote = {
    symbol: 'PEPE_PERP',
    fundingRate: 0.0001,
    nextFundingTime: 1_790_121_600_000,
    markPrice: 0.5,
    indexPrice: 0.4,
  };

  it('premium index: one list or one market; the time in ms or seconds', () => {
    const all = push('premiumIndex_update', [record, ['HOOK_PERP', '1', '1', '0', 1], 'torn']);
    expect(all.quotes).toEqual([quote]);
    expect(reasons(all)).toEqual([
      ['HOOK_PERP', 'not_listed'],
      [null, 'malformed'],
    ]);
    expect(push('premiumIndex_update', ['PEPE_PERP']).rejects).toMatchObject([{ detail: 'fundingRate' }]);
    expect(push('premiumIndex_update', record).quotes).toEqual([quote]);
    expect(push('premiumIndex_update', record.with(4, 1_790_121_600)).quotes).toEqual([quote]);
  });

  it('volumes of a day only, best prices, and nothing else', () => {
    const stats = { period: 86_400, volume: '100', deal: '50', last: '0.5' };
    expect(push('market_update', ['PEPE_PERP', stats]).quotes).toEqual([
      { symbol: 'PEPE_PERP', volume24hBase: 100, volume24hRaw: 100, volume24hUsd: 50 },
    ]);
    expect(reasons(push('market_update', ['PEPE_PERP', { ...stats, period: 3600 }]))).toEqual([
      ['PEPE_PERP', 'unknown_unit'],
    ]);
    expect(push('bookTicker_update', [[1, 2, 'PEPE_PERP', 3, '0.4', '1', '0.5', '1']]).quotes).toEqual([
      { symbol: 'PEPE_PERP', bestBid: 0.4, bestAsk: 0.5 },
    ]);
    expect(reasons(push('lastprice_update', ['PEPE_PERP', '1']))).toEqual([[null, 'unexpected_shape']]);
    expect(decodeFrame({ error: null, result: { status: 'success' }, id: 2 }, none).rejects).toEqual([]);
    for (const odd of [{ id: 2 }, { method: 'depth_update' }, { params: [true, {}, 'PEPE_PERP'] }])
      expect(decodeFrame(odd).rejects).toMatchObject([{ detail: 'no method' }]);
  });
});

describe('whitebit calls', () => {
  it.each([
    ['https://whitebit.com/api/v4/public/futures', 'futures'],
    ['/api/v4/public/markets', 'markets'],
    ['/api/v4/public/collateral/markets', 'markets'],
    ['funding-history/BTC_PERP?limit=100', 'funding-history'],
    ['/api/v4/public/orderbook/BTC_PERP', 'orderbook'],
    ['{"id":3,"method":"depth_subscribe","params":["ETH_PERP",50,"0",true]}', 'socket'],
    ['premiumIndex_subscribe', 'socket'],
    ['wss://wss.whitebit.com/ws', 'socket'],
  ])('%s is %s', (named, call) => expect(callFor(whitebit, named)?.name).toBe(call));

  it('never throws and never reads data from unrelated bodies', () => {
    expect(nonsenseProblems(whitebit)).toEqual([]);
    expect(nonsenseProblems(whitebit, contextOf(LISTED))).toEqual([]);
  });

  it.each([
    ['/api/v4/public/markets', MARKETS],
    ['/api/v4/public/futures', { success: true, message: null, result: [FUTURE] }],
  ])('survives every field of %s broken', (named, payload) => {
    const decode = callFor(whitebit, named)?.decode;
    if (decode === undefined) throw new Error('no call');
    expect(mutate({ name: named, payload, decode }).problems).toEqual([]);
  });
});

describeSamples(whitebit, (samples) => {
  it('every recording with metrics, contracts, rates or books: has a call', () => {
    const without = samples.filter(({ url, method }) => callFor(whitebit, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(['error-limit.json']);
  });

  it('rows of 2022 and 2026, settled rates', () => {
    expect(decodeFile(whitebit, 'futures-0g-perp.json').quotes).toMatchObject([
      {
        symbol: '0G_PERP',
        fundingRate: -0.00000778,
        fundingIntervalHours: 4,
        nextFundingTime: 1_772_467_200_000,
        indexPrice: 0.61,
        openInterestBase: 3_721_488,
        volume24hBase: 2_563_218,
        volume24hUsd: 1_587_952.6137,
      },
    ]);
    const [old] = decodeFile(whitebit, 'futures-doc.json').quotes;
    expect(old).toMatchObject({
      symbol: 'BTC_PERP',
      fundingRate: 0.000044889033693137,
      indexPrice: 24_019.25,
    });
    expect(old).not.toHaveProperty('fundingIntervalHours');
    expect(decodeFile(whitebit, 'funding-history-btc.json').funding).toEqual([
      {
        symbol: 'BTC_PERP',
        time: 1_752_537_600_000,
        rate: -0.0001229,
        intervalHours: 8,
        markPrice: 119_816.5,
      },
      {
        symbol: 'BTC_PERP',
        time: 1_752_508_800_000,
        rate: -0.0001306,
        intervalHours: 8,
        markPrice: 119_873.1,
      },
    ]);
  });

  it('recorded frames', () => {
    expect(decodeFile(whitebit, 'ws-premium-index.jsonl').quotes).toMatchObject([
      { symbol: '1INCH_PERP', markPrice: 0.10316, indexPrice: 0.10307, fundingRate: 0.0001 },
      { symbol: 'BTC_PERP', markPrice: 86_167.8, indexPrice: 86_224.5, fundingRate: 0.00006382 },
    ]);
    const { books } = decodeFile(whitebit, 'ws-depth-eth-perp.jsonl');
    expect(books[1]?.previousSequence).toBe(books[0]?.sequence);
    expect(replay(books).bids[0]).toEqual([2747.92, 9.31]);
    const other = decodeFile(whitebit, 'ws-depth-other.jsonl');
    expect(other.books).toMatchObject([
      { symbol: 'BTC_PERP', kind: 'delta', previousSequence: 24_268_455_456 },
    ]);
    expect(reasons(other)).toEqual([['BTC_USDT', 'spot']]);
    expect(reasons(decodeFile(whitebit, 'ws-control.jsonl'))).toEqual([[null, 'error_body']]);
    // The document's book of a perpetual says that it is of a spot pair.
    expect(reasons(decodeFile(whitebit, 'orderbook.json'))).toEqual([['ETH_USDT', 'spot']]);
  });
});
