import ccxt, { dydx, type Exchange, hyperliquid, lighter, paradex } from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { asMs } from '../../src/domain/units.ts';
import { createWorld } from '../../src/sim/create-world.ts';
import { type SimServer, startSimServer } from '../../src/sim/server.ts';
import { SIM_VENUES } from '../../src/sim/venues/index.ts';
import { callRef, callsOf, type VenueAdapter, type VenueRequest } from '../../src/venues/adapter.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { type Pairing, pairingsOf, type Run, renderRequest, runAdapter } from '../venues/sim-run.ts';

/** ccxt's own reading of the simulated venues against ours. Its known mistakes are asserted as such. */

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const HOUR_MS = 3_600_000;
const world = createWorld(1);
const VENUES = ['hyperliquid', 'lighter', 'dydx', 'paradex'];
const sims = SIM_VENUES.filter(({ id, parent = id }) => VENUES.includes(parent));

let server: SimServer;

beforeAll(async () => {
  // Time stands still, so a limit's window would never end.
  const venues = sims.map((sim) => ({ ...sim, limit: { ...sim.limit, weight: 1e9 } }));
  server = await startSimServer({ world, venues, clock: { now: () => asMs(AT) }, tickMs: 0 });
});

afterAll(() => server.close());

function adapter(id: string): VenueAdapter {
  const found = adapterOf(id);
  if (found === undefined) throw new Error(`no adapter ${id}`);
  return found;
}

function pairing(id: string): Pairing {
  const parents = [adapter(id)].map((one) => (one.parent === undefined ? one : adapter(one.parent)));
  const found = pairingsOf(parents, sims, world, AT).find((one) => one.adapter.id === id);
  if (found === undefined) throw new Error(`${id} is not simulated`);
  return found;
}

const runs = new Map<string, Run>();

/** What our adapter reads of the simulated venue. */
function ours(id: string): Run {
  const run = runs.get(id) ?? runAdapter(pairing(id), world, AT);
  runs.set(id, run);
  return run;
}

/** What our decoder makes of one answer. */
function asked(id: string, request: VenueRequest, name: string) {
  const target = pairing(id);
  const answer = renderRequest(target, world, request, AT);
  const call = callsOf(target.adapter).find((one) => one.matches(callRef(name)));
  if (answer === undefined || call === undefined) throw new Error(`no ${name} at ${id}`);
  return call.decode(JSON.parse(answer.body), { instruments: ours(id).instruments, request });
}

/** Points an exchange at the simulation; its clock stands still too. */
function pointed<E extends Exchange>(exchange: E, venue: string): E {
  const api = exchange.urls.api as Record<string, string>;
  for (const [name, address] of Object.entries(api)) {
    const url = address.startsWith('ws') ? server.url.replace('http', 'ws') : server.url;
    api[name] = address.replace(/^\w+:\/\/[^/]+/, `${url}/${venue}`);
  }
  exchange.enableRateLimit = false;
  exchange.timeout = 30_000;
  exchange.milliseconds = () => AT;
  // Lighter's list of currencies is not simulated; Hyperliquid's gives the collateral of a dex.
  exchange.has.fetchCurrencies = venue === 'hyperliquid';
  return exchange;
}

type Fields = Partial<Record<keyof QuotePatch, number | undefined>>;

/** Differences between our quotes and another reading by symbol; prices there are per base as named. */
function differences(id: string, theirs: ReadonlyMap<string, Fields>): string[] {
  const { instruments, quotes } = ours(id);
  const problems: string[] = [];
  for (const { symbol, multiplier } of instruments.values()) {
    const [quote, reading] = [quotes.get(symbol), theirs.get(symbol)];
    if (quote === undefined || reading === undefined) {
      problems.push(`${symbol} is read by one only`);
      continue;
    }
    for (const field of Object.keys(reading) as (keyof QuotePatch)[]) {
      const perNamed = field === 'markPrice' || field === 'indexPrice' ? multiplier : 1;
      const [a, b] = [Number(quote[field]) * perNamed, Number(reading[field])];
      if (!(Math.abs(a - b) <= Math.abs(b) * 1e-9)) problems.push(`${symbol} ${field}: ${a}, ccxt ${b}`);
    }
  }
  return problems;
}

const nameOf = (info: { name?: string; symbol?: string } | undefined) => info?.name ?? info?.symbol ?? '';

describe('hyperliquid', () => {
  let exchange: hyperliquid;

  beforeAll(async () => {
    exchange = pointed(
      new hyperliquid({ options: { fetchMarkets: { types: ['swap', 'hip3'], hip3: { limit: 20 } } } }),
      'hyperliquid',
    );
    await exchange.loadMarkets();
  });

  it.each(['', 'xyz', 'para', 'io', 'mkts'])('dex "%s": rate, next payment, mark, index', async (dex) => {
    const rates = Object.values(await exchange.fetchFundingRates(undefined, dex === '' ? {} : { dex }));
    const theirs = new Map<string, Fields>();
    for (const rate of rates) {
      expect(rate.interval).toBe('1h');
      theirs.set(nameOf(rate.info), {
        fundingRate: rate.fundingRate,
        nextFundingTime: rate.fundingTimestamp,
        markPrice: rate.markPrice,
        indexPrice: rate.indexPrice,
      });
    }
    const id = dex === '' ? 'hyperliquid' : `hyperliquid-${dex}`;
    expect(differences(id, theirs)).toEqual([]);
    expect(ours(id).instruments.size).toBeGreaterThan(3);
  });

  it('open interest in base units as named', async () => {
    const all = Object.values(await exchange.fetchOpenInterests());
    const theirs = all.map((one) => [nameOf(one.info), { openInterestRaw: one.openInterestAmount }] as const);
    expect(differences('hyperliquid', new Map(theirs))).toEqual([]);
  });

  it('knows the same live contracts of all dexes', () => {
    const active = Object.values(exchange.markets ?? {}).filter((market) => market?.active === true);
    const theirs = active.map((market) => nameOf(market?.info)).sort();
    const ids = ['hyperliquid', ...['xyz', 'para', 'io', 'mkts'].map((dex) => `hyperliquid-${dex}`)];
    expect(theirs).toEqual(ids.flatMap((id) => [...ours(id).instruments.keys()]).sort());
  });

  it('books and settled rates', async () => {
    const symbol = 'XYZ-NVDA/USDC:USDC';
    const book = await exchange.fetchOrderBook(symbol);
    const body = JSON.stringify({ type: 'l2Book', coin: 'xyz:NVDA' });
    const request: VenueRequest = { method: 'POST', path: '/info', body };
    const [read] = asked('hyperliquid-xyz', request, `/info ${body}`).books;
    expect(read?.bids).toEqual(book.bids);
    expect(read?.asks).toEqual(book.asks);
    const since = AT - 30 * HOUR_MS;
    const history = await exchange.fetchFundingRateHistory(symbol, since);
    const past = JSON.stringify({ type: 'fundingHistory', coin: 'xyz:NVDA', startTime: since });
    const { funding } = asked('hyperliquid-xyz', { ...request, body: past }, `/info ${past}`);
    expect(funding).toHaveLength(30);
    expect(funding.map((p) => [p.rate, p.time])).toEqual(
      history.map((one) => [one.fundingRate, Math.floor(Number(one.timestamp) / 1000) * 1000]),
    );
  });
});

describe('paradex', () => {
  it('rate, interval, mark and index; no next payment', async () => {
    const exchange = pointed(new paradex(), 'paradex');
    await exchange.loadMarkets();
    const rates = Object.values(await exchange.fetchFundingRates());
    const theirs = new Map<string, Fields>();
    for (const rate of rates) {
      expect(rate.fundingTimestamp).toBeUndefined();
      theirs.set(nameOf(rate.info), {
        fundingRate: rate.fundingRate,
        fundingIntervalHours: Number.parseInt(rate.interval ?? '', 10),
        markPrice: rate.markPrice,
        indexPrice: rate.indexPrice,
      });
    }
    expect(differences('paradex', theirs)).toEqual([]);
    expect([...ours('paradex').quotes.values()].some((q) => q.nextFundingTime !== undefined)).toBe(false);
  });

  it('open interest, best prices and time of the summary', async () => {
    const exchange = pointed(new paradex(), 'paradex');
    await exchange.loadMarkets();
    for (const symbol of ['SOL/USD:USDC', 'KPEPE/USD:USDC']) {
      const [interest, ticker] = [
        await exchange.fetchOpenInterest(symbol),
        await exchange.fetchTicker(symbol),
      ];
      const id = nameOf(ticker.info);
      const quote = ours('paradex').quotes.get(id);
      const multiplier = ours('paradex').instruments.get(id)?.multiplier ?? 0;
      expect(quote?.openInterestRaw).toBe(interest.openInterestAmount);
      expect(quote?.venueTime).toBe(ticker.timestamp);
      expect(Number(quote?.bestBid) * multiplier).toBeCloseTo(Number(ticker.bid), 9);
      expect(Number(quote?.bestAsk) * multiplier).toBeCloseTo(Number(ticker.ask), 9);
    }
  });

  it('takes a retail fee for the one of the API (known)', async () => {
    const exchange = pointed(new paradex(), 'paradex');
    await exchange.loadMarkets();
    expect(exchange.markets?.['SOL/USD:USDC']?.taker).toBe(0.0003);
    expect(adapter('paradex').takerFeeBps).toBe(4.5);
  });
});

describe('lighter', () => {
  it('REST rates are of eight hours, which ccxt does not say (known)', async () => {
    const exchange = pointed(new lighter(), 'lighter');
    await exchange.loadMarkets();
    const rates = Object.values(await exchange.fetchFundingRates());
    const theirs = rates.map((rate) => {
      expect(rate.interval).toBeUndefined();
      return [nameOf(rate.info), { fundingRate: Number(rate.fundingRate) / 8 }] as const;
    });
    expect(theirs.length).toBe(ours('lighter').instruments.size);
    const { quotes } = asked(
      'lighter',
      { method: 'GET', path: '/api/v1/funding-rates' },
      '/api/v1/funding-rates',
    );
    const rest = new Map(quotes.map((quote) => [quote.symbol, quote.fundingRate]));
    for (const [symbol, { fundingRate }] of theirs) expect(rest.get(symbol)).toBeCloseTo(fundingRate, 12);
    // The estimate on the socket and this list state the same rate.
    for (const [symbol, rate] of rest) {
      expect(ours('lighter').quotes.get(symbol)?.fundingRate).toBeCloseTo(Number(rate), 8);
    }
  });

  it('mark, index and open interest of the socket', async () => {
    const exchange = pointed(new ccxt.pro.lighter(), 'lighter');
    await exchange.loadMarkets();
    // ccxt wants an agent for any socket without TLS.
    await exchange.loadHttpProxyAgent();
    await exchange.watchTickers();
    const theirs = new Map<string, Fields>();
    for (const ticker of Object.values(exchange.tickers)) {
      const { symbol, open_interest } = ticker.info as { symbol: string; open_interest: string };
      theirs.set(symbol, {
        markPrice: ticker.markPrice,
        indexPrice: ticker.indexPrice,
        openInterestUsd: Number(open_interest),
        volume24hUsd: ticker.quoteVolume,
      });
    }
    await exchange.close();
    expect(differences('lighter', theirs)).toEqual([]);
  });

  it('books, with single orders added up', async () => {
    const exchange = pointed(new lighter(), 'lighter');
    const book = await exchange.fetchOrderBook('ETH/USDC:USDC');
    const id = ours('lighter').instruments.get('ETH')?.altId;
    const path = `/api/v1/orderBookOrders?market_id=${id}&limit=100`;
    const [read] = asked('lighter', { method: 'GET', path }, path).books;
    const sum = (levels: readonly (readonly unknown[])[]) =>
      levels.reduce((all, [, size]) => all + Number(size), 0);
    expect(read?.bids[0]?.[0]).toBe(book.bids[0]?.[0]);
    expect(read?.asks[0]?.[0]).toBe(book.asks[0]?.[0]);
    expect(sum(read?.bids ?? [])).toBeCloseTo(sum(book.bids), 6);
    expect(sum(read?.asks ?? [])).toBeCloseTo(sum(book.asks), 6);
  });
});

describe('dydx', () => {
  let exchange: dydx;

  beforeAll(async () => {
    exchange = pointed(new dydx(), 'dydx');
    await exchange.loadMarkets();
  });

  it('knows the same live contracts; ccxt reads no metrics of them', () => {
    const active = Object.values(exchange.markets ?? {}).filter((market) => market?.active === true);
    expect(active.map((market) => market?.id).sort()).toEqual([...ours('dydx').instruments.keys()].sort());
    expect(exchange.has.fetchFundingRates).toBe(false);
    expect(exchange.has.fetchTickers).toBe(false);
  });

  it('settled rates and books', async () => {
    for (const symbol of ['BTC/USDC:USDC', 'DYDX/USDC:USDC']) {
      const id = String(exchange.market(symbol).id);
      const history = await exchange.fetchFundingRateHistory(symbol, undefined, 24);
      const path = `/v4/historicalFunding/${id}?limit=24`;
      const { funding } = asked('dydx', { method: 'GET', path }, path);
      const sorted = [...funding].sort((a, b) => a.time - b.time);
      expect(sorted.map((p) => [p.rate, p.time])).toEqual(
        history.map((one) => [one.fundingRate, Math.floor(Number(one.timestamp) / 1000) * 1000]),
      );
      const book = await exchange.fetchOrderBook(symbol);
      const bookPath = `/v4/orderbooks/perpetualMarket/${id}`;
      const [read] = asked('dydx', { method: 'GET', path: bookPath }, bookPath).books;
      expect(read?.bids).toEqual(book.bids);
      expect(read?.asks).toEqual(book.asks);
    }
  });

  it('takes seconds for milliseconds in the time of the server (known)', async () => {
    expect(await exchange.fetchTime()).toBe(Math.floor(AT / 1000));
  });
});
