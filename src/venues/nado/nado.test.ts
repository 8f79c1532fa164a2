import { describe, expect, it } from 'vitest';
import { decoderOf } from '../../../test/venues/decode-call.ts';
import {
  callFor,
  contextOf,
  decodeSample,
  describeSamples,
  loadSample,
} from '../../../test/venues/samples.ts';
import { nado } from './index.ts';

const decode = decoderOf(nado);

const ROW = {
  product_id: 2,
  ticker_id: 'BTC-PERP_USDT0',
  product_type: 'perpetual',
  mark_price: 100,
  funding_rate: 0.0024,
};

const SYMBOLS = '/v1/query?type=symbols&product_type=perp';
const LISTED = {
  type: 'perp',
  product_id: 2,
  symbol: 'BTC-PERP',
  size_increment: '50000000000000',
  taker_fee_rate_x18: '350000000000000',
  trading_status: 'live',
};
const listOf = (...rows: readonly object[]) =>
  decode(SYMBOLS, { status: 'success', data: { symbols: { ...rows } }, request_type: 'query_symbols' });
const BTC = contextOf(listOf(LISTED).instruments);

describe('nado', () => {
  it('lists live perpetuals by metric names, with their own taker fees', () => {
    const row = { ...LISTED, product_id: 92, symbol: 'EURUSD-PERP', taker_fee_rate_x18: '70000000000000' };
    const { instruments, rejects } = listOf(LISTED, row);
    expect(instruments).toEqual([
      {
        venue: 'nado',
        symbol: 'BTC-PERP_USDT0',
        base: 'BTC',
        ticker: 'BTC',
        multiplier: 1,
        altId: '2',
        quote: 'USDT0',
        settle: 'USDT0',
        contractSize: 1,
        fundingIntervalHours: 1,
        terms: { lot: 0.00005 },
      },
      expect.objectContaining({ symbol: 'EURUSD-PERP_USDT0', altId: '92', takerFeeBps: 0.7 }),
    ]);
    expect(rejects).toEqual([]);
  });

  it.each(['post_only', 'reduce_only', 'soft_reduce_only', 'not_tradable', 'halted'])(
    'leaves out a contract that is %s',
    (trading_status) => {
      const { instruments, rejects } = listOf({ ...LISTED, trading_status });
      expect(instruments).toEqual([]);
      expect(rejects).toEqual([{ symbol: 'BTC-PERP_USDT0', reason: 'not_trading', detail: trading_status }]);
    },
  );

  it('a product named as a perpetual without a known type: a fault', () => {
    const { type: _, ...untyped } = LISTED;
    const spot = { ...LISTED, type: 'spot' };
    const { instruments, rejects } = listOf(untyped, { ...LISTED, type: 'future' }, spot);
    expect(instruments).toEqual([]);
    expect(rejects).toEqual([
      { symbol: 'BTC-PERP_USDT0', reason: 'missing_field', detail: 'type' },
      { symbol: 'BTC-PERP_USDT0', reason: 'malformed', detail: 'type' },
      { symbol: 'BTC-PERP_USDT0', reason: 'spot' },
    ]);
  });

  it('spot products: left out; rows without status or name: faults', () => {
    const { trading_status: _, ...unstated } = LISTED;
    const spot = { ...LISTED, type: 'spot', symbol: 'KBTC' };
    expect(listOf(spot, unstated, { ...LISTED, symbol: undefined }).rejects).toMatchObject([
      { symbol: 'KBTC_USDT0', reason: 'spot' },
      { symbol: 'BTC-PERP_USDT0', reason: 'missing_field', detail: 'trading_status' },
      { symbol: null, reason: 'missing_field' },
    ]);
    expect(decode(SYMBOLS, { status: 'success', data: {} }).rejects).toMatchObject([
      { reason: 'unexpected_shape' },
    ]);
  });

  it('joins metrics to the list by product; unlisted ones are rejected', () => {
    const halted = { ...ROW, product_id: 60, ticker_id: 'ADA-PERP_USDT0' };
    const { quotes, rejects } = decode(
      '/v2/contracts',
      [{ ...ROW, ticker_id: 'XBT-PERP_USDT0' }, halted],
      BTC,
    );
    expect(quotes).toMatchObject([{ symbol: 'BTC-PERP_USDT0', markPrice: 100 }]);
    expect(rejects).toEqual([{ symbol: 'ADA-PERP_USDT0', reason: 'not_listed' }]);
  });

  it('metrics by themselves: name contracts; beside a list: none', () => {
    const alone = decode('/v2/contracts', [{ ...ROW, product_type: 'perpetual' }]);
    expect(alone.instruments).toMatchObject([{ symbol: 'BTC-PERP_USDT0', altId: '2' }]);
    expect(decode('/v2/contracts', [{ ...ROW, product_type: 'perpetual' }], BTC).instruments).toEqual([]);
  });

  it('divides a daily rate by 24', () => {
    const quotes = [
      { symbol: 'BTC-PERP_USDT0', fundingRate: 0.0001, fundingIntervalHours: 1, markPrice: 100 },
    ];
    // Rows keyed by their id, in a list, or one alone.
    for (const rows of [{ 'BTC-PERP_USDT0': ROW }, [ROW], ROW])
      expect(decode('/v2/contracts', rows).quotes).toEqual(quotes);
  });

  it('open interest: halved in base and USD, not raw or volume', () => {
    const row = { ...ROW, open_interest: 10.01, open_interest_usd: 1002, base_volume: 3, quote_volume: 301 };
    expect(decode('/v2/contracts', { 'BTC-PERP_USDT0': row }).quotes).toMatchObject([
      {
        openInterestRaw: 10.01,
        openInterestBase: 5.005,
        openInterestUsd: 501,
        volume24hRaw: 301,
        volume24hUsd: 301,
        volume24hBase: 3,
      },
    ]);
  });

  it('maps the product id of frames to its symbol by the list', () => {
    const frame = {
      type: 'book_depth',
      product_id: 2,
      max_timestamp: '2',
      last_max_timestamp: '1',
      bids: [['100000000000000000000', '500000000000000000']],
      asks: [],
    };
    const book = { symbol: 'BTC-PERP_USDT0', kind: 'delta', bids: [[100, 0.5]], asks: [] };
    expect(decode('book_depth', frame, BTC).books).toEqual([{ ...book, sequence: 2, previousSequence: 1 }]);
    expect(decode('book_depth', { ...frame, product_id: 1 }, BTC).rejects).toMatchObject([
      { reason: 'not_listed' },
    ]);
  });

  it('errors of both interfaces and frames of no known type are rejects', () => {
    const error = { status: 'failure', error: 'Too many requests', error_code: 1000 };
    for (const named of ['/v2/contracts', '/v1 {"funding_rates":{}}', 'book_depth'])
      expect(decode(named, error).rejects).toMatchObject([
        { reason: 'error_body', detail: '1000 Too many requests' },
      ]);
    expect(decode('book_depth', { result: null, id: 1 }).rejects).toEqual([]);
    expect(decode('book_depth', { type: 'trade' }).rejects).toMatchObject([{ detail: 'trade' }]);
  });

  it('a contract of 1000 coins has scaled prices divided as well', () => {
    const row = { ...LISTED, product_id: 8, symbol: 'kPEPE-PERP' };
    const context = contextOf(listOf(row).instruments);
    const touch = { type: 'best_bid_offer', product_id: 8, bid_price: '2000000000000000000' };
    expect(decode('best_bid_offer', touch, context).quotes).toMatchObject([{ bestBid: 0.002 }]);
    const prices = {
      product_id: 8,
      mark_price_x18: '3000000000000000000',
      index_price_x18: '4000000000000000000',
    };
    expect(decode('/v1 {"perp_prices":{}}', { 8: prices }, context).quotes).toMatchObject([
      { markPrice: 0.003, indexPrice: 0.004 },
    ]);
  });

  it.each([
    ['https://archive.prod.nado.xyz/v2/contracts', 'v2/contracts'],
    ['https://archive.prod.nado.xyz/v2/tickers?market=perp', 'v2/contracts'],
    ['/v2/orderbook?ticker_id=BTC-PERP_USDT0', 'v2/orderbook'],
    [SYMBOLS, 'symbols'],
  ])('%s is %s', (named, call) => expect(callFor(nado, named)?.name).toBe(call));

  it('settled rates are scaled integers', () => {
    const rows = {
      funding_rates: [{ product_id: 2, timestamp: 1_757_912_400, funding_rate_x18: '12500000000000' }],
    };
    expect(decode('/v1 {"funding_rate_history":{}}', rows).funding).toEqual([
      { symbol: '2', time: 1_757_912_400_000, rate: 0.0000125, intervalHours: 1 },
    ]);
  });

  it('reads rates per day and prices as scaled integers of a map by product', () => {
    const at = { product_id: 2, update_time: '1680116326' };
    const rates = { 2: { ...at, funding_rate_x18: '2447900598160952' } };
    const [quote] = decode('/v1 {"funding_rates":{}}', rates, BTC).quotes;
    expect(quote).toMatchObject({ symbol: 'BTC-PERP_USDT0', fundingIntervalHours: 1 });
    expect(quote?.fundingRate).toBeCloseTo(0.002447900598160952 / 24, 14);
    const prices = {
      2: { ...at, index_price_x18: '28180063400000000000000', mark_price_x18: '28492853627394637978665' },
    };
    expect(decode('/v1 {"perp_prices":{}}', prices, BTC).quotes).toMatchObject([
      { markPrice: 28_492.853627394637, indexPrice: 28_180.0634 },
    ]);
  });

  it('best prices: scaled integers; an empty side is unknown', () => {
    const frame = { type: 'best_bid_offer', timestamp: '1757912400000000000', product_id: 2 };
    const full = { bid_price: '223920000000000000000', bid_qty: '1000000000000000000' };
    const empty = { ask_price: '170141183460469231731687303715884105727', ask_qty: '0' };
    expect(decode('best_bid_offer', { ...frame, ...full, ...empty }).quotes).toEqual([
      { symbol: '2', bestBid: 223.92 },
    ]);
    const none = decode('best_bid_offer', { ...frame, ...empty, bid_price: '0', bid_qty: '0' });
    const noBid = { ask_price: '5000000000000000000', ask_qty: '1', bid_price: '1', bid_qty: '0' };
    expect(decode('best_bid_offer', { ...frame, ...noBid }).quotes).toEqual([{ symbol: '2', bestAsk: 5 }]);
    // An empty side is known by its quantity, whatever its price.
    const noAsk = { ...full, ask_price: '5000000000000000000', ask_qty: '0' };
    expect(decode('best_bid_offer', { ...frame, ...noAsk }).quotes).toEqual([
      { symbol: '2', bestBid: 223.92 },
    ]);
    expect(none.quotes).toEqual([]);
    expect(none.rejects).toEqual([{ symbol: '2', reason: 'placeholder', detail: 'empty touch' }]);
  });

  it('reads prices, the coming settlement, and the REST book', () => {
    const row = { ...ROW, index_price: 101, next_funding_rate_timestamp: 1_757_916_000 };
    expect(decode('/v2/contracts', { 'BTC-PERP_USDT0': row }).quotes).toMatchObject([
      { markPrice: 100, indexPrice: 101, nextFundingTime: 1_757_916_000_000 },
    ]);
    const book = {
      ticker_id: 'BTC-PERP_USDT0',
      bids: [[99, 1.5]],
      asks: [[101, 2]],
      timestamp: 1_757_912_400_123,
    };
    expect(decode('/v2/orderbook?ticker_id=BTC-PERP_USDT0', book).books).toMatchObject([
      { kind: 'snapshot', bids: [[99, 1.5]], asks: [[101, 2]], venueTime: 1_757_912_400_123 },
    ]);
  });

  it('reads the rate of a frame as that of the archive', () => {
    const frame = {
      type: 'funding_rate',
      timestamp: '1757912400000000000',
      product_id: 2,
      funding_rate_x18: '2400000000000000',
      update_time: '1757912400',
    };
    expect(decode('funding_rate', frame, BTC).quotes).toEqual([
      { symbol: 'BTC-PERP_USDT0', fundingRate: 0.0001, fundingIntervalHours: 1 },
    ]);
  });

  it('charges the history of rates by its length', () => {
    const weights = nado.second?.ways.map(({ call, weight }) => [call.name, weight]);
    expect(weights).toContainEqual(['funding_rate_history', 3]);
  });

  it('reads best prices of all products from one frame, as numbers too', () => {
    const bbos = {
      2: { bid: '64924000000000000000000', ask: 65_536e18 },
      4: { ask: '1000000000000000000' },
      6: 'none',
    };
    const { quotes, rejects } = decode('all_bbo', { type: 'all_bbo', bbos });
    expect(quotes).toStrictEqual([
      { symbol: '2', bestBid: 64_924, bestAsk: 65_536 },
      { symbol: '4', bestAsk: 1 },
    ]);
    expect(rejects.map(({ reason }) => reason)).toEqual(['malformed']);
  });

  it('the book before the changes: scaled integers, numbered by time', () => {
    const data = {
      product_id: 2,
      timestamp: '1757912400123000000',
      asks: [],
      bids: [['82866000000000000000000', '48150000000000000']],
    };
    const at = '/v1/query?type=market_liquidity&product_id=2&depth=100';
    expect(callFor(nado, at)?.name).toBe('market_liquidity');
    expect(decode(at, { status: 'success', data }).books).toMatchObject([
      {
        kind: 'snapshot',
        bids: [[82_866, 0.04815]],
        sequence: 1757912400123000000,
        venueTime: 1_757_912_400_123,
      },
    ]);
    // Without a number of its own the answer is of the product that was asked for.
    const { product_id: _, ...unnamed } = data;
    expect(decode(at, { status: 'success', data: unnamed }).books).toMatchObject([{ symbol: '2' }]);
    for (const level of ['none', ['soon', '1']])
      expect(decode(at, { status: 'success', data: { ...data, bids: [level] } }).rejects).toMatchObject([
        { reason: 'malformed' },
      ]);
  });

  describeSamples(nado, () => {
    it('contracts', () => {
      const [decoded] = decodeSample(nado, loadSample('nado', 'v2-contracts.json'));
      const quote = decoded?.quotes[0];
      expect(quote?.fundingRate).toBeCloseTo(-0.003664562348812546 / 24, 12);
      expect(quote).toMatchObject({
        symbol: 'BTC-PERP_USDT0',
        openInterestRaw: 3059.325,
        openInterestBase: 3059.325 / 2,
        openInterestUsd: 79_024_625.11330591 / 2,
        markPrice: 25_783.996946729356,
        indexPrice: 25_878.913320746455,
        nextFundingTime: 1_694_379_600_000,
        volume24hUsd: 20_475_749.367766097,
      });
      const [tickers] = decodeSample(nado, loadSample('nado', 'v2-tickers.json'));
      expect(tickers?.quotes[0]).toMatchObject({
        volume24hBase: 552.048,
        volume24hUsd: 14_238_632.207250029,
      });
    });

    it('books and touches', () => {
      const [rest] = decodeSample(nado, loadSample('nado', 'v2-orderbook.json'));
      expect(rest?.books[0]).toMatchObject({
        kind: 'snapshot',
        bids: [
          [116_215, 0.128],
          [116_214, 0.172],
        ],
      });
      const [spot] = decodeSample(nado, loadSample('nado', 'ws-book-spot.jsonl'));
      expect(spot?.books[0]?.bids).toEqual([[82_866, 0.04815]]);
      const touches = decodeSample(nado, loadSample('nado', 'ws-bbo.jsonl'));
      expect(touches.map((d) => d.quotes[0])).toEqual([
        { symbol: '112', bestBid: 223.92, bestAsk: 224 },
        undefined,
        { symbol: '2', bestBid: 64_924, bestAsk: 64_935 },
      ]);
      expect(touches[1]?.rejects).toEqual([{ symbol: '184', reason: 'placeholder', detail: 'empty touch' }]);
    });
  });
});
