import { describe, expect, it } from 'vitest';
import { SPOT_VENUES, spotVenueOf } from '../../src/modules/spot/registry.ts';
import type { SpotDecoded, SpotMarket } from '../../src/modules/spot/spot-rows.ts';
import { AT } from './answers/answer.ts';
import { ANSWERS } from './answers.ts';
import { spotCallFor, spotContext } from './recordings.ts';

/** Decodes the answer of a venue to this call, with these markets known. */
function decoded(venue: string, url: string, markets: SpotMarket[] = []): SpotDecoded {
  const answer = ANSWERS.find((given) => given.venue === venue && given.url.includes(url));
  const call = answer && spotCallFor(venue, answer.url);
  if (answer === undefined || call === undefined) throw new Error(`${venue}: no answer or call ${url}`);
  return call.decode(answer.payload, spotContext(answer.url, markets));
}

const marketOf = ({ markets }: SpotDecoded, symbol: string) =>
  markets.find((market) => market.symbol === symbol);
const tickerOf = ({ tickers }: SpotDecoded, symbol: string) =>
  tickers.find((ticker) => ticker.symbol === symbol);
const reasons = ({ rejects }: SpotDecoded) =>
  Object.fromEntries(rejects.map(({ symbol, reason }) => [String(symbol), reason]));

describe('lists of spot markets', () => {
  it('binance: tick, lot, minimum, quotes, blocks', () => {
    const list = decoded('binance', 'exchangeInfo');
    expect(marketOf(list, 'BTCUSDT')).toEqual({
      venue: 'binance',
      symbol: 'BTCUSDT',
      base: 'BTC',
      quote: 'USDT',
      ticker: 'BTC',
      multiplier: 1,
      tick: 0.01,
      lot: 0.001,
      minSize: 0.002,
      minQuote: 5,
      minUsd: 5,
      canShort: true,
    });
    expect(marketOf(list, '1000SATSUSDT')).toMatchObject({
      ticker: 'SATS',
      multiplier: 1000,
      lot: 1,
      tick: 1e-5,
    });
    expect(marketOf(list, 'BTCUSD1')).toMatchObject({ quote: 'USD1', minQuote: 5 });
    expect(marketOf(list, 'BTCUSD1')).not.toHaveProperty('minUsd');
    expect(marketOf(list, 'ETHBTC')).toMatchObject({ quote: 'BTC', minQuote: 0.0001 });
    expect(marketOf(list, 'ETHBTC')).not.toHaveProperty('minUsd');
  });

  it('leveraged tokens and closed markets: rejects with their reasons', () => {
    expect(reasons(decoded('binance', 'exchangeInfo'))).toEqual({
      BTCUPUSDT: 'leveraged_token',
      ADADOWNUSDT: 'leveraged_token',
      BCCUSDT: 'not_trading',
      NEWUSDT: 'prelisting',
    });
    expect(marketOf(decoded('binance', 'exchangeInfo'), 'JUPUSDT')).toMatchObject({ ticker: 'JUP' });
    expect(reasons(decoded('bybit', 'instruments-info'))).toEqual({
      AAPLXUSDT: 'tokenized_share',
      BTC3SUSDT: 'leveraged_token',
      OLDUSDT: 'delisted',
    });
    expect(reasons(decoded('gate', 'currency_pairs'))).toEqual({
      ETH5S_USDT: 'leveraged_token',
      AAPLX_USDT: 'tokenized_share',
      GONE_USDT: 'not_trading',
    });
    expect(reasons(decoded('kucoin', 'symbols'))).toEqual({
      'BTC3L-USDT': 'leveraged_token',
      'OLD-USDT': 'not_trading',
    });
    expect(reasons(decoded('htx', 'symbols'))).toEqual({
      fil3susdt: 'leveraged_token',
      oldusdt: 'not_trading',
    });
    expect(reasons(decoded('mexc', 'exchangeInfo'))).toEqual({ AAPLXUSDT: 'tokenized_share' });
    expect(reasons(decoded('bitget', 'symbols'))).toEqual({ AAPLonUSDT: 'tokenized_share' });
    expect(reasons(decoded('bingx', 'symbols'))).toEqual({
      'SOON-USDT': 'prelisting',
      'SHUT-USDT': 'not_trading',
    });
  });

  it('perpetuals in a list of spot markets: no spot market', () => {
    expect(reasons(decoded('cryptocom', 'get-instruments'))).toEqual({ 'BTCUSD-PERP': 'perpetual' });
    expect(reasons(decoded('whitebit', 'markets'))).toEqual({
      DBTC_DUSDT: 'placeholder',
      BTC_PERP: 'perpetual',
      OLD_USDT: 'delisted',
    });
    expect(reasons(decoded('backpack', 'markets'))).toEqual({
      'AAPL.US_USDC': 'tokenized_share',
      OLD_USDC: 'not_trading',
      SOL_USDC_PERP: 'perpetual',
    });
  });

  it("a venue's own names of coins: the asset's ticker", () => {
    expect(marketOf(decoded('bitget', 'symbols'), 'TONCOINUSDT')).toMatchObject({
      base: 'TONCOIN',
      ticker: 'TON',
    });
    expect(marketOf(decoded('kucoin', 'symbols'), 'WAX-USDT')).toMatchObject({ base: 'WAX', ticker: 'WAXP' });
    expect(marketOf(decoded('bingx', 'symbols'), 'TRUMPSOL-USDT')?.ticker).toBe('TRUMP');
    expect(marketOf(decoded('bingx', 'symbols'), 'TRUMP-USDT')?.ticker).toBe('TRUMPMAGA');
    const kraken = decoded('kraken', 'AssetPairs');
    expect(marketOf(kraken, 'XXBTZUSD')).toMatchObject({
      base: 'XBT',
      ticker: 'BTC',
      quote: 'USD',
      tick: 0.1,
    });
    expect(marketOf(kraken, 'XDGUSD')).toMatchObject({ ticker: 'DOGE', tick: 1e-7, canShort: false });
    expect(marketOf(kraken, 'LUNAUSD')?.ticker).toBe('LUNC');
    expect(reasons(kraken)).toEqual({ LUNA2USD: 'not_trading', AAPLxUSD: 'tokenized_share' });
  });

  it('digits and percents: steps and basis points', () => {
    expect(marketOf(decoded('bitget', 'symbols'), 'TONCOINUSDT')).toMatchObject({
      tick: 0.001,
      lot: 0.01,
      minUsd: 1,
    });
    expect(marketOf(decoded('gate', 'currency_pairs'), 'BTC_USDT')).toMatchObject({
      tick: 0.01,
      lot: 0.001,
      minUsd: 3,
    });
    expect(marketOf(decoded('gate', 'currency_pairs'), 'BTC_USDT')).not.toHaveProperty('takerFeeBps');
    expect(marketOf(decoded('gate', 'currency_pairs'), 'BTC_GUSD')).not.toHaveProperty('minUsd');
    expect(marketOf(decoded('mexc', 'exchangeInfo'), 'BTCUSDT')).toMatchObject({
      tick: 0.01,
      lot: 0.0001,
      minUsd: 5,
    });
    expect(marketOf(decoded('mexc', 'exchangeInfo'), 'BTCUSDT')).not.toHaveProperty('takerFeeBps');
    expect(marketOf(decoded('kraken', 'AssetPairs'), 'XXBTZUSD')?.takerFeeBps).toBe(40);
    expect(marketOf(decoded('whitebit', 'markets'), 'BTC_USDT')?.takerFeeBps).toBe(10);
    expect(marketOf(decoded('whitebit', 'markets'), 'BTC_UAH')?.takerFeeBps).toBe(10);
    expect(marketOf(decoded('kucoin', 'symbols'), 'WAX-USDT')?.takerFeeBps).toBe(20);
    expect(marketOf(decoded('lighter', 'orderBookDetails'), 'ETH/USDC')).toMatchObject({
      takerFeeBps: 0,
      tick: 0.01,
    });
  });

  it('hyperliquid: a token by its id, never by its name', () => {
    const list = decoded('hyperliquid', 'spotMetaAndAssetCtxs');
    expect(list.markets).toHaveLength(1);
    expect(list.markets[0]).toMatchObject({
      symbol: '@142',
      base: 'UBTC',
      ticker: 'BTC',
      relation: 'wrapped',
      quote: 'USDC',
      lot: 1e-5,
      tick: 0.001,
    });
    expect(reasons(list)).toEqual({ '@9': 'unknown_token' });
    expect(list.tickers).toEqual([
      {
        symbol: '@142',
        ticker: 'BTC',
        quote: 'USDC',
        midPrice: 50_000,
        lastPrice: 50_001,
        volume24hBase: 800,
        volume24hQuote: 40_000_000,
        volume24hUsd: 40_000_000,
      },
    ]);
  });
});

describe('tickers of spot markets', () => {
  const TOUCH = { bestBid: 49_999, bestBidSize: 2, bestAsk: 50_001, bestAskSize: 1.5 };
  const VOLUMES = { volume24hBase: 1000, volume24hQuote: 50_000_000, volume24hUsd: 50_000_000 };

  it.each([
    ['okx', 'market/tickers', 'BTC-USDT', { ...TOUCH, ...VOLUMES, venueTime: AT }],
    ['gate', 'spot/tickers', 'BTC_USDT', { ...TOUCH, ...VOLUMES }],
    ['kucoin', 'allTickers', 'BTC-USDT', { ...TOUCH, ...VOLUMES, takerFeeBps: 20, venueTime: AT }],
    ['bingx', '24hr', 'BTC-USDT', { ...TOUCH, ...VOLUMES, venueTime: AT }],
    ['htx', 'market/tickers', 'btcusdt', { ...TOUCH, volume24hBase: 1000, volume24hQuote: 50_000_000 }],
    ['kraken', 'Ticker', 'XXBTZUSD', { bestBidSize: 2.25, bestAskSize: 1.5, volume24hQuote: 50_000_000 }],
    ['whitebit', 'v2/public/ticker', 'BTC_USDT', { bestBid: 49_999, bestAsk: 50_001, ...VOLUMES }],
    ['whitebit', 'v4/public/ticker', 'BTC_USDT', { lastPrice: 50_000, ...VOLUMES }],
    ['bybit', 'tickers?category=spot', 'BTCUSDT', { bestBid: 50_000, bestAskSize: 1.5, venueTime: AT }],
  ])('%s %s: sides, sizes and volumes of %s', (venue, url, symbol, expected) => {
    expect(tickerOf(decoded(venue, url), symbol)).toMatchObject(expected);
  });

  it('a block: prices per coin, amounts in coins, with and without the list', () => {
    const { markets } = decoded('binance', 'exchangeInfo');
    for (const known of [[], markets]) {
      const sats = tickerOf(decoded('binance', '24hr', known), '1000SATSUSDT');
      expect(sats?.bestBid).toBeCloseTo(2.5e-7, 15);
      expect(sats).toMatchObject({ bestBidSize: 2500, volume24hBase: 1_000_000 });
    }
  });

  it('a quote that is no dollar: no value in dollars', () => {
    const { markets } = decoded('binance', 'exchangeInfo');
    const listed = decoded('binance', '24hr', markets);
    expect(tickerOf(listed, 'BTCUSDT')?.volume24hUsd).toBe(50_000_000);
    for (const symbol of ['BTCUSD1', 'ETHBTC']) {
      expect(tickerOf(listed, symbol)?.volume24hQuote).toBe(50_000_000);
      expect(tickerOf(listed, symbol)).not.toHaveProperty('volume24hUsd');
    }
    // Without the list nothing tells what a joined symbol is quoted in.
    expect(tickerOf(decoded('binance', '24hr'), 'BTCUSDT')).not.toHaveProperty('volume24hUsd');
    for (const [venue, url, symbol] of [
      ['okx', 'market/tickers', 'ETH-BTC'],
      ['gate', 'spot/tickers', 'BTC_GUSD'],
      ['whitebit', 'v2/public/ticker', 'BTC_UAH'],
    ] as const)
      expect(tickerOf(decoded(venue, url), symbol)).not.toHaveProperty('volume24hUsd');
  });

  it('dollars that the venue states: taken whatever the quote', () => {
    expect(tickerOf(decoded('bitget', 'v2/spot/market/tickers'), 'ETHBTC')?.volume24hUsd).toBe(150_000);
    expect(tickerOf(decoded('cryptocom', 'get-tickers'), 'ETH_BTC')).toMatchObject({
      bestBid: 0.0299,
      bestAsk: 0.0301,
      lastPrice: 0.03,
      volume24hUsd: 150_000,
    });
  });

  it('a side that is zero, blank or gone: no price and no fault', () => {
    const one = tickerOf(decoded('binance', '24hr'), 'JUPUSDT');
    expect(one?.bestBid).toBe(0.3);
    expect(one).not.toHaveProperty('bestAsk');
    expect(one).not.toHaveProperty('bestAskSize');
    const dead = tickerOf(decoded('htx', 'market/tickers'), 'xvgusdt');
    expect(dead).toMatchObject({ bestAsk: 6e-9, volume24hBase: 0 });
    expect(dead).not.toHaveProperty('bestBid');
    expect(tickerOf(decoded('okx', 'market/tickers'), 'ETH-BTC')).not.toHaveProperty('bestBid');
    expect(decoded('aster', 'bookTicker')).toMatchObject({ tickers: [{ bestBid: 1.5 }], rejects: [] });
  });

  it('a bid above the ask: neither, with a reject', () => {
    const auction = decoded('kucoin', 'allTickers');
    expect(tickerOf(auction, 'NEW-USDT')).toEqual({
      symbol: 'NEW-USDT',
      ticker: 'NEW',
      quote: 'USDT',
      lastPrice: 1.5,
      venueTime: AT,
    });
    expect(reasons(auction)).toEqual({ 'NEW-USDT': 'out_of_range' });
  });

  it('rows of perpetuals, leveraged tokens and unlisted pairs: left out', () => {
    expect(reasons(decoded('okx', 'market/tickers'))).toEqual({ 'BTC-USDT-SWAP': 'perpetual' });
    expect(reasons(decoded('gate', 'spot/tickers'))).toEqual({ BTC3L_USDT: 'leveraged_token' });
    expect(reasons(decoded('binance', '24hr'))).toEqual({ BTCUPUSDT: 'leveraged_token' });
    expect(reasons(decoded('bybit', 'tickers?category=linear'))).toEqual({ BTCUSDT: 'perpetual' });
    expect(reasons(decoded('whitebit', 'v2/public/ticker'))).toEqual({ BTC_PERP: 'perpetual' });
    expect(reasons(decoded('backpack', 'tickers'))).toEqual({ SOL_USDC_PERP: 'perpetual' });
    expect(reasons(decoded('cryptocom', 'get-tickers'))).toEqual({
      'BTCUSD-PERP': 'perpetual',
      USD_Stable_Coin: 'placeholder',
    });
    const [bitcoin] = decoded('binance', 'exchangeInfo').markets;
    const some = decoded('binance', '24hr', bitcoin === undefined ? [] : [bitcoin]);
    expect(some.tickers.map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
    expect(reasons(some)).toMatchObject({ ETHBTC: 'not_listed' });
  });

  it('books whose sides come worst first: best levels first', () => {
    const [bingx] = decoded('bingx', 'depth').books;
    expect(bingx).toMatchObject({
      symbol: 'BTC-USDT',
      asks: [
        [50_001, 1],
        [50_003, 2],
      ],
      venueTime: AT,
    });
    const [backpack] = decoded('backpack', 'depth').books;
    expect(backpack).toMatchObject({
      symbol: 'SOL_USDC',
      bids: [
        [149, 2],
        [148, 3],
      ],
      venueTime: AT,
    });
  });
});

describe('borrow rates', () => {
  it.each([
    ['bybit', 'spot-margin-trade', 'BTC', { ratePerHour: 2e-6, period: 'hour', tier: 'No VIP', limit: 3 }],
    ['okx', 'loan-quota', 'BTC', { ratePerHour: 0.00019992 / 24, period: 'day', tier: 'Lv1', limit: 10 }],
    ['okx', 'loan-quota', 'SOL', { ratePerHour: 0.00048 / 24, limit: 500 }],
    ['bitget', 'margin-loans', 'BTC', { ratePerHour: 1e-5, limit: 26, available: 0 }],
    ['gate', 'history_loan_rate', 'BTC', { ratePerHour: 1e-5, period: 'hour', venueTime: AT }],
    ['gate', 'unified/currencies', 'BTC', { limitUsd: 1_000_000 }],
    ['binance', 'list-all', 'BTC', { ratePerHour: 1e-5, limit: 100, tier: '0', access: 'undocumented' }],
    ['htx', 'loan-info', 'btc', { ticker: 'BTC', ratePerHour: 4e-5, access: 'key' }],
    [
      'backpack',
      'borrowLend',
      'SOL',
      { ratePerHour: 1e-5, rateRaw: 0.0876, period: 'year', limit: 5000, available: 800 },
    ],
    ['hyperliquid', 'allBorrow', 'USDC', { ratePerHour: 0.0438 / 8760, available: 3_000_000.5 }],
    ['hyperliquid', 'allBorrow', 'UBTC', { ticker: 'BTC', available: 12 }],
  ])('%s %s: a fraction an hour of %s, with its tier and limit', (venue, url, asset, expected) => {
    const row = decoded(venue, url).borrow.find((borrow) => borrow.asset === asset);
    const { ratePerHour, ...rest } = expected as { ratePerHour?: number };
    expect(row).toMatchObject(rest);
    if (ratePerHour !== undefined) expect(row?.ratePerHour).toBeCloseTo(ratePerHour, 15);
  });

  it('a coin that is not lent: no rate, with the reason', () => {
    const bybit = decoded('bybit', 'spot-margin-trade').borrow.find(({ asset }) => asset === 'ODD');
    expect(bybit).toEqual({
      asset: 'ODD',
      ticker: 'ODD',
      tier: 'No VIP',
      rateRaw: 5e-6,
      period: 'hour',
      refused: 'not_borrowable',
    });
    const backpack = decoded('backpack', 'borrowLend').borrow.find(({ asset }) => asset === 'OLD');
    expect(backpack).toMatchObject({ refused: 'closed', available: 0 });
    expect(backpack).not.toHaveProperty('ratePerHour');
    expect(decoded('gate', 'unified/currencies').borrow[1]).toMatchObject({
      asset: 'OLD',
      refused: 'closed',
    });
  });

  it('a rate beyond every venue: kept as stated, with a reject', () => {
    const okx = decoded('okx', 'loan-quota');
    const odd = okx.borrow.find(({ asset }) => asset === 'ODD');
    expect(odd).toMatchObject({ rateRaw: 24, period: 'day', refused: 'out_of_range' });
    expect(odd).not.toHaveProperty('ratePerHour');
    expect(reasons(okx)).toEqual({ ODD: 'out_of_range' });
  });

  it('interest that lenders get: no cost of borrowing', () => {
    for (const [venue, url] of [
      ['okx', 'lending-rate-history'],
      ['kucoin', 'marketInterestRate'],
    ] as const) {
      const lent = decoded(venue, url);
      expect(lent.borrow).toEqual([]);
      expect(lent.rejects).toMatchObject([{ symbol: null, reason: 'lending_rate' }]);
    }
  });

  it('a reserve of a token that is not known: left out', () => {
    expect(reasons(decoded('hyperliquid', 'allBorrow'))).toEqual({ '999': 'unknown_token' });
  });
});

/** Errors as venues write them, also under HTTP 200. */
const ERRORS: readonly (readonly [venue: string, payload: unknown])[] = [
  ['aster', { code: -1121, msg: 'Invalid symbol.' }],
  ['backpack', { code: 'INVALID_MARKET', message: 'Invalid market' }],
  ['binance', { code: -1121, msg: 'Invalid symbol.' }],
  ['bingx', { code: 100_204, msg: 'data not exist', timestamp: AT }],
  ['bingx', { code: 100_410, msg: 'rate limited', data: {} }],
  ['bitget', { code: '40034', msg: 'Parameter does not exist', requestTime: AT, data: null }],
  ['bybit', { retCode: 10_001, retMsg: 'params error', result: {}, retExtInfo: {}, time: AT }],
  ['cryptocom', { id: -1, method: 'public/get-book', code: 40_004, message: 'Invalid instrument_name' }],
  ['gate', { label: 'INVALID_CURRENCY', message: 'Invalid currency BTCX' }],
  ['htx', { status: 'error', 'err-code': 'invalid-parameter', 'err-msg': 'invalid symbol', ts: AT }],
  ['kraken', { error: ['EQuery:Unknown asset pair'] }],
  ['kraken', { error: ['WGeneral:Slow', 'EService:Unavailable'], result: {} }],
  ['kucoin', { code: '400100', msg: 'symbol not exists' }],
  ['lighter', { code: 20_001, message: 'invalid param' }],
  ['mexc', { code: -1121, msg: 'Invalid symbol.', _extend: null }],
  ['okx', { code: '51001', msg: 'Instrument ID does not exist', data: [] }],
  ['whitebit', { success: false, message: { market: ['Market is not available'] }, result: [] }],
  ['whitebit', { code: 1, message: 'Validation failed', errors: { market: ['Market is invalid'] } }],
  ['whitebit', { code: 0, message: 'Market not available' }],
];

describe('all spot venues', () => {
  it('every venue: an answer here for its list or its tickers', () => {
    const covered = new Set(ANSWERS.map(({ venue }) => venue));
    expect(SPOT_VENUES.filter(({ id }) => !covered.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it.each(ERRORS)('%s, an error in the place of any answer: one reject: %o', (id, payload) => {
    const calls = spotVenueOf(id)?.calls ?? [];
    expect(calls.length).toBeGreaterThan(0);
    for (const { name, decode } of calls) {
      const { rejects, ...rows } = decode(payload, { markets: new Map() });
      expect([name, rejects.map(({ reason }) => reason)]).toEqual([name, ['error_body']]);
      expect(Object.values(rows).flat()).toEqual([]);
    }
  });

  it('every venue that answers errors in JSON: tried here', () => {
    const tried = new Set([...ERRORS.map(([id]) => id), 'hyperliquid']);
    expect(SPOT_VENUES.filter(({ id }) => !tried.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it.each([null, 'Failed to deserialize the JSON body'])('hyperliquid, %o: no answer', (payload) => {
    for (const { decode } of spotVenueOf('hyperliquid')?.calls ?? []) {
      const { rejects, ...rows } = decode(payload, { markets: new Map() });
      expect(rejects.map(({ reason }) => reason)).toEqual(['unexpected_shape']);
      expect(Object.values(rows).flat()).toEqual([]);
    }
  });
});
