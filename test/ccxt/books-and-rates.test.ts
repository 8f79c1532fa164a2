import {
  backpack,
  bingx,
  cryptocom,
  deribit,
  dydx,
  type Exchange,
  htx,
  hyperliquid,
  krakenfutures,
  lighter,
  phemex,
  whitebit,
} from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BookLevel } from '../../src/domain/book.ts';
import type { Decoded } from '../../src/domain/decoded.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { pointed } from './reading.ts';
import { AT, Simulation } from './simulation.ts';

/** Books and settled rates as ccxt and we read them. */

const SWAPS = { defaultType: 'swap' };

let sim: Simulation;

beforeAll(async () => {
  sim = await Simulation.start();
});

afterAll(() => sim.close());

interface Case {
  readonly venue: string;
  readonly exchange: () => Exchange;
  /** ccxt's symbol and the venue's own. */
  readonly contract: readonly [symbol: string, id: string];
  /** Paths of our calls, the venue's symbol in the place of `*`. */
  readonly book: string;
  readonly rates: string;
  /** Levels of a book that ccxt asks for. */
  readonly depth?: number;
  /** ccxt's books count contracts. */
  readonly inContracts?: true;
}

function bingxWithoutSpot(): Exchange {
  const exchange = new bingx({ options: SWAPS });
  Object.assign(exchange, { fetchSpotMarkets: async () => [], fetchInverseSwapMarkets: async () => [] });
  return exchange;
}

const htxLinear = { ...SWAPS, fetchMarkets: { types: { spot: false, linear: true, inverse: false } } };
const PHEMEX = {
  venue: 'phemex',
  exchange: () => new phemex(),
  book: '/md/v2/orderbook?symbol=*',
  rates: '/api-data/public/data/funding-rate-history?symbol=.*FR8H&limit=24',
};
const WHITEBIT = {
  venue: 'whitebit',
  exchange: () => new whitebit(),
  book: '/api/v4/public/orderbook/*',
  rates: '/api/v4/public/funding-history/*?limit=24',
};
const DYDX = {
  venue: 'dydx',
  exchange: () => new dydx(),
  book: '/v4/orderbooks/perpetualMarket/*',
  rates: '/v4/historicalFunding/*?limit=24',
};

const CASES: readonly Case[] = [
  {
    venue: 'htx',
    exchange: () => new htx({ options: htxLinear }),
    contract: ['ETH/USDT:USDT', 'ETH-USDT'],
    book: '/linear-swap-ex/market/depth?contract_code=*&type=step0',
    rates: '/v5/market/funding_rate_history?contract_code=*&limit=24',
    inContracts: true,
  },
  {
    venue: 'bingx',
    exchange: bingxWithoutSpot,
    contract: ['ETH/USDT:USDT', 'ETH-USDT'],
    book: '/openApi/swap/v2/quote/depth?symbol=*&limit=20',
    rates: '/openApi/swap/v2/quote/fundingRate?symbol=*&limit=24',
    depth: 20,
  },
  {
    venue: 'kraken',
    exchange: () => new krakenfutures(),
    contract: ['BTC/USD:USD', 'PF_XBTUSD'],
    book: '/derivatives/api/v3/orderbook?symbol=*',
    rates: '/derivatives/api/v3/historicalfundingrates?symbol=*',
  },
  { ...PHEMEX, contract: ['SOL/USDT:USDT', 'SOLUSDT'] },
  { ...PHEMEX, contract: ['1000PEPE/USDT:USDT', 'u1000PEPEUSDT'] },
  { ...PHEMEX, contract: ['BTC/USDC:USDC', 'BTCUSDC'] },
  { ...WHITEBIT, contract: ['BTC/USDT:USDT', 'BTC_PERP'] },
  { ...WHITEBIT, contract: ['PEPE/USDT:USDT', 'PEPE_PERP'] },
  {
    venue: 'cryptocom',
    exchange: () => new cryptocom(),
    contract: ['SOL/USD:USD', 'SOLUSD-PERP'],
    book: '/public/get-book?instrument_name=*&depth=50',
    rates: '/public/get-valuations?instrument_name=*&valuation_type=funding_hist&count=24',
    depth: 50,
  },
  {
    venue: 'backpack',
    exchange: () => new backpack(),
    contract: ['SOL/USDC:USDC', 'SOL_USDC_PERP'],
    book: '/api/v1/depth?symbol=*',
    rates: '/api/v1/fundingRates?symbol=*&limit=24',
  },
  { ...DYDX, contract: ['BTC/USDC:USDC', 'BTC-USD'] },
  { ...DYDX, contract: ['DYDX/USDC:USDC', 'DYDX-USD'] },
];

const LEVELS = 5;

describe.each(CASES)('$venue $contract.1', (sample) => {
  const { venue, contract } = sample;
  const [symbol, id] = contract;
  const asked = (path: string) => sim.asked(venue, { method: 'GET', path: path.replace('*', id) });

  let exchange: Exchange;
  beforeAll(async () => {
    exchange = await pointed(sample.exchange(), sim.addressOf(venue));
  });

  it('has the same book', async () => {
    const market = exchange.market(symbol);
    expect(market.id).toBe(id);
    const unit = sample.inContracts === true ? Number(market.contractSize) : 1;
    const { multiplier = 1 } = sim.ours(venue).instruments.get(id) ?? {};
    const book = await exchange.fetchOrderBook(symbol, sample.depth);
    const [read] = asked(sample.book).books;
    for (const side of ['bids', 'asks'] as const) {
      expect(read?.[side].length).toBe(book[side].length);
      expect(book[side].length).toBeGreaterThanOrEqual(LEVELS);
      read?.[side].slice(0, LEVELS).forEach(([price, size], i) => {
        expect(price * multiplier).toBeCloseTo(Number(book[side][i]?.[0]), 9);
        expect(size / multiplier).toBeCloseTo(Number(book[side][i]?.[1]) * unit, 6);
      });
    }
  });

  it('has the same settled rates', async () => {
    const history = await exchange.fetchFundingRateHistory(symbol, undefined, 24);
    // We put the time of a payment on the second.
    const past = new Map(
      history.map((row) => [Math.floor(Number(row.timestamp) / 1000) * 1000, row.fundingRate]),
    );
    const { funding } = asked(sample.rates);
    expect(funding.length).toBeGreaterThanOrEqual(23);
    for (const { time, rate } of funding) if (past.has(time)) expect(past.get(time)).toBe(rate);
    expect(funding.filter(({ time }) => past.has(time)).length).toBeGreaterThanOrEqual(23);
  });
});

it('hyperliquid: book and settled rates of a contract of a builder', async () => {
  const exchange = await pointed(
    new hyperliquid({ options: { fetchMarkets: { types: ['swap', 'hip3'], hip3: { limit: 20 } } } }),
    sim.addressOf('hyperliquid'),
  );
  const symbol = 'XYZ-NVDA/USDC:USDC';
  const asked = (body: object): Decoded => {
    const text = JSON.stringify(body);
    const request = { method: 'POST', path: '/info', body: text } as const;
    return sim.asked('hyperliquid-xyz', request, `/info ${text}`);
  };
  const book = await exchange.fetchOrderBook(symbol);
  const [read] = asked({ type: 'l2Book', coin: 'xyz:NVDA' }).books;
  expect([read?.bids, read?.asks]).toEqual([book.bids, book.asks]);
  const startTime = AT - 30 * HOUR_MS;
  const history = await exchange.fetchFundingRateHistory(symbol, startTime);
  const { funding } = asked({ type: 'fundingHistory', coin: 'xyz:NVDA', startTime });
  expect(funding).toHaveLength(30);
  expect(funding.map(({ rate, time }) => [rate, time])).toEqual(
    history.map((row) => [row.fundingRate, Math.floor(Number(row.timestamp) / 1000) * 1000]),
  );
});

it('deribit: book with its number, hourly funding', async () => {
  const exchange = await pointed(new deribit(), sim.addressOf('deribit'));
  const symbol = 'BTC/USDC:USDC';
  const named = 'instrument_name=BTC_USDC-PERPETUAL';
  const asked = (path: string) => sim.asked('deribit', { method: 'GET', path });
  const book = await exchange.fetchOrderBook(symbol, 20);
  const [read] = asked(`/public/get_order_book?${named}&depth=20`).books;
  expect([read?.bids, read?.asks, read?.sequence]).toEqual([book.bids, book.asks, book.nonce]);
  const since = AT - 24 * HOUR_MS;
  const history = await exchange.fetchFundingRateHistory(symbol, since);
  const span = `start_timestamp=${since}&end_timestamp=${AT}`;
  const { funding } = asked(`/public/get_funding_rate_history?${named}&${span}`);
  expect(funding.map(({ rate, time }) => [rate, time])).toEqual(
    history.map(({ info, timestamp }) => [Number(info.interest_1h), timestamp]),
  );
});

it('lighter: book, with single orders added up', async () => {
  const exchange = await pointed(new lighter(), sim.addressOf('lighter'));
  const book = await exchange.fetchOrderBook('ETH/USDC:USDC');
  const id = sim.ours('lighter').instruments.get('ETH')?.altId;
  const path = `/api/v1/orderBookOrders?market_id=${id}&limit=100`;
  const [read] = sim.asked('lighter', { method: 'GET', path }).books;
  const sum = (levels: readonly BookLevel[] | typeof book.bids) =>
    levels.reduce((all, [, size]) => all + Number(size), 0);
  expect(read?.bids[0]?.[0]).toBe(book.bids[0]?.[0]);
  expect(read?.asks[0]?.[0]).toBe(book.asks[0]?.[0]);
  expect(sum(read?.bids ?? [])).toBeCloseTo(sum(book.bids), 6);
  expect(sum(read?.asks ?? [])).toBeCloseTo(sum(book.asks), 6);
});
