import { bingx, deribit, type Exchange, htx, krakenfutures } from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { asMs } from '../../src/domain/units.ts';
import { createWorld } from '../../src/sim/create-world.ts';
import { type SimServer, startSimServer } from '../../src/sim/server.ts';
import { SIM_VENUES } from '../../src/sim/venues/index.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { callFor, contextOf } from '../venues/samples.ts';
import { type Pairing, pairingsOf, type Run, renderRequest, runAdapter } from '../venues/sim-run.ts';
import { ready } from './contract-peers.ts';
import { AT_ONCE, hours, idOf, OPTIONS } from './peers.ts';

/** ccxt's own reading of the simulated HTX, BingX, Kraken and Deribit against ours; its known mistakes are named. */

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const IDS = ['htx', 'bingx', 'kraken', 'deribit'];
const world = createWorld(1);
/** Time stands still, so a limit's window would never end. */
const sims = SIM_VENUES.filter(({ id }) => IDS.includes(id)).map((sim) => ({
  ...sim,
  limit: { ...sim.limit, weight: 1e9 },
}));

let server: SimServer;

beforeAll(async () => {
  server = await startSimServer({ world, venues: sims, clock: { now: () => asMs(AT) }, tickMs: 0 });
});

afterAll(() => server.close());

function pairing(id: string): Pairing {
  const [found] = pairingsOf(
    VENUES.filter((venue) => venue.id === id),
    sims,
    world,
    AT,
  );
  if (found === undefined) throw new Error(`${id} is not simulated`);
  return found;
}

const runs = new Map<string, Run>();

function ours(id: string): Run {
  const run = runs.get(id) ?? runAdapter(pairing(id), world, AT);
  runs.set(id, run);
  return run;
}

/** What our decoder makes of one answer. */
function asked(id: string, path: string) {
  const target = pairing(id);
  const request = { method: 'GET' as const, path };
  const answer = renderRequest(target, world, request, AT);
  const call = callFor(target.adapter, path);
  if (answer === undefined || call === undefined) throw new Error(`no ${path} at ${id}`);
  return call.decode(JSON.parse(answer.body), contextOf([...ours(id).instruments.values()], request));
}

/** Fields of a quote as the venue names its base: per thousand for `1000PEPE`. */
type Reading = Partial<Omit<QuotePatch, 'symbol'>> | { readonly [field: string]: number | undefined };

const PER_UNIT = new Set(['markPrice', 'indexPrice', 'bestBid', 'bestAsk']);

/** Where ccxt's readings differ from ours, and contracts that only one of the two knows. */
function differences(id: string, theirs: ReadonlyMap<string, Reading>): string[] {
  const { instruments, quotes } = ours(id);
  const problems = [...theirs.keys()]
    .filter((symbol) => !instruments.has(symbol))
    .map((one) => `${one}: ccxt only`);
  for (const [symbol, { multiplier, fundingIntervalHours }] of instruments) {
    const reading = theirs.get(symbol);
    if (reading === undefined) {
      problems.push(`${symbol}: unknown to ccxt`);
      continue;
    }
    const quote: Readonly<Record<string, unknown>> = { fundingIntervalHours, ...quotes.get(symbol) };
    for (const [field, value] of Object.entries(reading)) {
      const own = Number(quote[field]) * (PER_UNIT.has(field) ? multiplier : 1);
      const near = Math.abs(own - Number(value)) <= Math.abs(own) * 1e-9;
      if (!near) problems.push(`${symbol} ${field}: ${own} against ${value}`);
    }
  }
  return problems.slice(0, 10);
}

/** Live linear perpetuals as ccxt lists them. */
function contracts(exchange: Exchange) {
  return Object.values(exchange.markets ?? {}).filter(
    (market) => market?.swap === true && market.linear === true && market.active === true,
  );
}

/** Reads every live linear perpetual, some at once, by the venue's symbol. */
async function eachContract(
  exchange: Exchange,
  read: (symbol: string, id: string) => Promise<Reading>,
): Promise<ReadonlyMap<string, Reading>> {
  const queue = contracts(exchange);
  const readings = new Map<string, Reading>();
  const worker = async () => {
    for (let market = queue.pop(); market !== undefined; market = queue.pop()) {
      readings.set(market.id, await read(market.symbol, market.id));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return readings;
}

describe('htx', () => {
  let exchange: htx;

  beforeAll(async () => {
    const fetchMarkets = { types: { spot: false, linear: true, inverse: false } };
    exchange = await ready(
      new htx({ ...OPTIONS, options: { defaultType: 'swap', fetchMarkets } }),
      `${server.url}/htx`,
    );
  });

  it('rate, settlement, interval, mark and open interest of every contract', async () => {
    const readings = await eachContract(exchange, async (symbol) => {
      const rate = await exchange.fetchFundingRate(symbol);
      const interest = await exchange.fetchOpenInterest(symbol);
      const [candle] = await exchange.fetchOHLCV(symbol, '1m', undefined, 1, { price: 'mark' });
      return {
        fundingRate: rate.fundingRate,
        nextFundingTime: rate.fundingTimestamp,
        fundingIntervalHours: hours(rate.interval),
        markPrice: candle?.[4],
        // ccxt's "amount" counts contracts here.
        openInterestRaw: interest.openInterestAmount,
        openInterestUsd: interest.openInterestValue,
      };
    });
    expect(differences('htx', readings)).toEqual([]);
    expect(readings.size).toBeGreaterThan(200);
  });

  it('index, volume and touch of all contracts', async () => {
    const readings = new Map<string, Reading>();
    const tickers = await exchange.fetchTickers(undefined, { business_type: 'swap', subType: 'linear' });
    for (const { symbol, bid, ask, baseVolume } of Object.values(tickers)) {
      readings.set(idOf(exchange, symbol) ?? '', {
        bestBid: bid,
        bestAsk: ask,
        volume24hBase: baseVolume,
      });
    }
    expect(differences('htx', readings)).toEqual([]);
    const indices = await exchange.contractPublicGetLinearSwapApiV1SwapIndex();
    for (const { contract_code, index_price } of indices.data) {
      const own = ours('htx').quotes.get(contract_code)?.indexPrice;
      // Delisted contracts keep an index.
      if (readings.has(contract_code)) expect(own).toBe(Number(index_price));
      else expect(own).toBeUndefined();
    }
  });

  it('books and settled rates', async () => {
    const book = await exchange.fetchOrderBook('ETH/USDT:USDT');
    const [read] = asked('htx', '/linear-swap-ex/market/depth?contract_code=ETH-USDT&type=step0').books;
    const { contractSize } = exchange.market('ETH/USDT:USDT');
    expect(read?.bids).toHaveLength(book.bids.length);
    expect(read?.asks[3]?.[0]).toBe(book.asks[3]?.[0]);
    expect(read?.asks[3]?.[1]).toBeCloseTo(Number(book.asks[3]?.[1]) * Number(contractSize), 9);
    const history = await exchange.fetchFundingRateHistory('ETH/USDT:USDT', undefined, 20);
    const { funding } = asked('htx', '/v5/market/funding_rate_history?contract_code=ETH-USDT&limit=20');
    expect(funding.map(({ rate, time }) => [rate, time]).reverse()).toEqual(
      history.map(({ fundingRate, timestamp }) => [fundingRate, timestamp]),
    );
  });

  it('has the fee of coin-margined swaps for its own (known)', () => {
    expect(exchange.market('BTC/USDT:USDT').taker).toBe(0.0005);
    expect(pairing('htx').adapter.takerFeeBps).toBe(6);
  });
});

describe('bingx', () => {
  let exchange: bingx;

  beforeAll(async () => {
    const made = new bingx({ ...OPTIONS, options: { defaultType: 'swap' } });
    // Spot and coin-margined contracts lie on calls that are not simulated.
    Object.assign(made, { fetchSpotMarkets: async () => [], fetchInverseSwapMarkets: async () => [] });
    exchange = await ready(made, `${server.url}/bingx`);
  });

  it('rate, settlement, interval, mark and index of every contract', async () => {
    const readings = new Map<string, Reading>();
    for (const rate of Object.values(await exchange.fetchFundingRates())) {
      readings.set(idOf(exchange, rate.symbol) ?? '', {
        fundingRate: rate.fundingRate,
        nextFundingTime: rate.nextFundingTimestamp,
        fundingIntervalHours: hours(rate.interval),
        markPrice: rate.markPrice,
        indexPrice: rate.indexPrice,
      });
    }
    expect(differences('bingx', readings)).toEqual([]);
    expect(readings.size).toBeGreaterThan(550);
  });

  it('open interest in the quote currency', async () => {
    const readings = await eachContract(exchange, async (symbol) => {
      const { openInterestValue, openInterestAmount } = await exchange.fetchOpenInterest(symbol);
      expect(openInterestAmount).toBeUndefined();
      return { openInterestRaw: openInterestValue, openInterestUsd: openInterestValue };
    });
    expect(differences('bingx', readings)).toEqual([]);
  });

  it('settled rates and books', async () => {
    const history = await exchange.fetchFundingRateHistory('ETH/USDT:USDT', undefined, 20);
    const { funding } = asked('bingx', '/openApi/swap/v2/quote/fundingRate?symbol=ETH-USDT&limit=20');
    expect(funding.map(({ rate, time }) => [rate, time]).reverse()).toEqual(
      history.map(({ fundingRate, timestamp }) => [fundingRate, timestamp]),
    );
    const book = await exchange.fetchOrderBook('ETH/USDT:USDT', 20);
    const [read] = asked('bingx', '/openApi/swap/v2/quote/depth?symbol=ETH-USDT&limit=20').books;
    expect([read?.bids, read?.asks]).toEqual([book.bids, book.asks]);
  });
});

describe('kraken', () => {
  let exchange: krakenfutures;

  beforeAll(async () => {
    exchange = await ready(new krakenfutures(OPTIONS), `${server.url}/kraken`);
  });

  it('relative rate, interval, mark and index of every contract; no time of payment', async () => {
    const symbols = contracts(exchange).map(({ symbol }) => symbol);
    const readings = new Map<string, Reading>();
    for (const rate of Object.values(await exchange.fetchFundingRates(symbols))) {
      expect(rate.fundingTimestamp).toBeUndefined();
      readings.set(idOf(exchange, rate.symbol) ?? '', {
        fundingRate: rate.fundingRate,
        fundingIntervalHours: hours(rate.interval),
        markPrice: rate.markPrice,
        indexPrice: rate.indexPrice,
      });
    }
    expect(differences('kraken', readings)).toEqual([]);
    expect(readings.size).toBeGreaterThan(300);
  });

  it('open interest, volume and touch of every contract', async () => {
    const symbols = contracts(exchange).map(({ symbol }) => symbol);
    const tickers = Object.values(await exchange.fetchTickers(symbols));
    const readings = tickers.map((ticker): [string, Reading] => {
      const { openInterest } = ticker.info as { openInterest: string };
      const { bid, ask, baseVolume } = ticker;
      const reading = {
        openInterestRaw: Number(openInterest),
        bestBid: bid,
        bestAsk: ask,
        volume24hBase: baseVolume,
      };
      return [idOf(exchange, ticker.symbol) ?? '', reading];
    });
    expect(differences('kraken', new Map(readings))).toEqual([]);
  });

  it('settled rates and books', async () => {
    const history = await exchange.fetchFundingRateHistory('BTC/USD:USD');
    const { funding } = asked('kraken', '/derivatives/api/v3/historicalfundingrates?symbol=PF_XBTUSD');
    expect(funding.map(({ rate, time }) => [rate, time])).toEqual(
      history.map(({ fundingRate, timestamp }) => [fundingRate, timestamp]),
    );
    const book = await exchange.fetchOrderBook('BTC/USD:USD');
    const [read] = asked('kraken', '/derivatives/api/v3/orderbook?symbol=PF_XBTUSD').books;
    expect([read?.bids, read?.asks]).toEqual([book.bids, book.asks]);
  });
});

describe('deribit', () => {
  let exchange: deribit;

  beforeAll(async () => {
    const made = new deribit(OPTIONS);
    // Its window of funding is counted from its own clock.
    Object.assign(made, { milliseconds: () => AT });
    exchange = await ready(made, `${server.url}/deribit`);
  });

  it('knows the same linear contracts with the same fee', () => {
    const theirs = contracts(exchange).map(({ id, taker }) => [id, Number(taker) * 10_000]);
    const { instruments } = ours('deribit');
    const usual = pairing('deribit').adapter.takerFeeBps;
    const own = [...instruments.values()].map(({ symbol, takerFeeBps = usual }) => [symbol, takerFeeBps]);
    expect(theirs.sort()).toEqual(own.sort());
  });

  it('mark, index, volume and touch of every contract', async () => {
    const readings = await eachContract(exchange, async (symbol) => {
      const { markPrice, indexPrice, bid, ask, quoteVolume } = await exchange.fetchTicker(symbol);
      return { markPrice, indexPrice, bestBid: bid, bestAsk: ask, volume24hUsd: quoteVolume };
    });
    expect(differences('deribit', readings)).toEqual([]);
  });

  it('calls the coins of a linear contract a value (known)', async () => {
    const readings = await eachContract(exchange, async (symbol) => {
      const { openInterestAmount, openInterestValue } = await exchange.fetchOpenInterest(symbol);
      expect(openInterestAmount).toBeUndefined();
      return { openInterestRaw: openInterestValue };
    });
    expect(differences('deribit', readings)).toEqual([]);
  });

  it('calls what accrued over the last eight hours the rate, without a next payment (known)', async () => {
    const symbol = 'BTC/USDC:USDC';
    const rate = await exchange.fetchFundingRate(symbol);
    const window = `start_timestamp=${AT - 8 * 3_600_000}&end_timestamp=${AT}`;
    const path = `/public/get_funding_rate_value?instrument_name=BTC_USDC-PERPETUAL&${window}`;
    const [accrued] = asked('deribit', path).funding;
    expect(rate.fundingRate).toBe(accrued?.rate);
    expect(rate.fundingRate).not.toBe(ours('deribit').quotes.get('BTC_USDC-PERPETUAL')?.fundingRate);
    expect(rate.fundingTimestamp).toBeUndefined();
  });

  it('books and hourly funding', async () => {
    const symbol = 'BTC/USDC:USDC';
    const book = await exchange.fetchOrderBook(symbol, 20);
    const [read] = asked(
      'deribit',
      '/public/get_order_book?instrument_name=BTC_USDC-PERPETUAL&depth=20',
    ).books;
    expect([read?.bids, read?.asks, read?.sequence]).toEqual([book.bids, book.asks, book.nonce]);
    const since = AT - 24 * 3_600_000;
    const history = await exchange.fetchFundingRateHistory(symbol, since);
    const path = `/public/get_funding_rate_history?instrument_name=BTC_USDC-PERPETUAL&start_timestamp=${since}&end_timestamp=${AT}`;
    expect(asked('deribit', path).funding.map(({ rate, time }) => [rate, time])).toEqual(
      history.map(({ info, timestamp }) => [Number(info.interest_1h), timestamp]),
    );
  });
});
