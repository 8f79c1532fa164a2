import { backpack, cryptocom, type Exchange, phemex, whitebit } from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { asMs } from '../../src/domain/units.ts';
import { createWorld } from '../../src/sim/create-world.ts';
import { type SimServer, startSimServer } from '../../src/sim/server.ts';
import { simBackpack } from '../../src/sim/venues/backpack.ts';
import { simCryptocom } from '../../src/sim/venues/cryptocom.ts';
import { simPhemex } from '../../src/sim/venues/phemex.ts';
import { simWhitebit } from '../../src/sim/venues/whitebit.ts';
import { callRef, callsOf, type VenueRequest } from '../../src/venues/adapter.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { type Pairing, pairingsOf, type Run, renderRequest, runAdapter } from '../venues/sim-run.ts';
import { AT_ONCE, OPTIONS } from './peers.ts';

/** ccxt's own reading of the simulated venues against ours. Its known mistakes are asserted as such. */

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const HOUR_MS = 3_600_000;
const world = createWorld(1);
const sims = [simPhemex, simWhitebit, simCryptocom, simBackpack];

let server: SimServer;

beforeAll(async () => {
  // Time stands still, so a limit's window would never end.
  const venues = sims.map((sim) => ({ ...sim, limit: { ...sim.limit, weight: 1e9 } }));
  server = await startSimServer({ world, venues, clock: { now: () => asMs(AT) }, tickMs: 0 });
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
  const request: VenueRequest = { method: 'GET', path };
  const answer = renderRequest(pairing(id), world, request, AT);
  const call = callsOf(pairing(id).adapter).find((one) => one.matches(callRef(path)));
  if (answer === undefined || call === undefined) throw new Error(`no ${path} at ${id}`);
  return call.decode(JSON.parse(answer.body), {
    instruments: ours(id).instruments,
    request,
    receivedAt: asMs(AT),
  });
}

/** Addresses may stand in groups; what stands behind the host stays. */
function moved(addresses: unknown, url: string): unknown {
  if (typeof addresses === 'string') return addresses.replace(/^https:\/\/[^/]+/, url);
  if (typeof addresses !== 'object' || addresses === null) return addresses;
  return Object.fromEntries(Object.entries(addresses).map(([name, one]) => [name, moved(one, url)]));
}

/** Points an exchange at the simulation; lists of currencies are not simulated. */
async function pointed<E extends Exchange>(exchange: E, venue: string): Promise<E> {
  Object.assign(exchange.urls, { api: moved(exchange.urls.api, `${server.url}/${venue}`) });
  exchange.has.fetchCurrencies = false;
  exchange.milliseconds = () => AT;
  await exchange.loadMarkets();
  return exchange;
}

type Fields = Partial<Record<keyof QuotePatch, number | undefined>>;
type Readings = Map<string, Fields>;

/** Live linear perpetuals as ccxt lists them: its name and the venue's. */
function contracts(exchange: Exchange): { symbol: string; id: string }[] {
  return Object.values(exchange.markets ?? {}).flatMap((market) =>
    market?.swap === true && market.linear === true && market.active === true
      ? [{ symbol: market.symbol, id: String(market.id) }]
      : [],
  );
}

/** Reads every contract, some at once. */
async function perContract(
  exchange: Exchange,
  read: (symbol: string, id: string) => Promise<Fields>,
): Promise<Readings> {
  const readings: Readings = new Map();
  const queue = contracts(exchange);
  const worker = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      readings.set(next.id, await read(next.symbol, next.id));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return readings;
}

/** Differences between our quotes and another reading by symbol; prices there are per base as named. */
function differences(id: string, theirs: Readings): string[] {
  const { instruments, quotes } = ours(id);
  const problems: string[] = [];
  for (const { symbol, multiplier } of instruments.values()) {
    const [quote, reading] = [quotes.get(symbol), theirs.get(symbol)];
    if (quote === undefined || reading === undefined) {
      problems.push(`${symbol} is read by one only: ${quote ? 'us' : 'ccxt'}`);
      continue;
    }
    for (const field of Object.keys(reading) as (keyof QuotePatch)[]) {
      const perNamed = /Price|best/.test(field) ? multiplier : 1;
      const [a, b] = [Number(quote[field]) * perNamed, Number(reading[field])];
      if (!(Math.abs(a - b) <= Math.abs(b) * 1e-9)) problems.push(`${symbol} ${field}: ${a}, ccxt ${b}`);
    }
  }
  return problems;
}

function expectAlike(id: string, theirs: Readings, atLeast: number): void {
  expect(differences(id, theirs)).toEqual([]);
  expect(theirs.size).toBe(ours(id).instruments.size);
  expect(theirs.size).toBeGreaterThanOrEqual(atLeast);
}

/** Books and settled rates of one contract, oldest rate first. */
async function expectPast(
  exchange: Exchange,
  venue: string,
  symbol: string,
  bookPath: string,
  pastPath: string,
): Promise<void> {
  const { multiplier = 1 } = ours(venue).instruments.get(String(exchange.market(symbol).id)) ?? {};
  const book = await exchange.fetchOrderBook(symbol);
  const [read] = asked(venue, bookPath).books;
  for (const side of ['bids', 'asks'] as const) {
    expect(read?.[side].length).toBeGreaterThan(5);
    read?.[side].slice(0, 5).forEach(([price, size], i) => {
      expect(price * multiplier).toBeCloseTo(Number(book[side][i]?.[0]), 9);
      expect(size / multiplier).toBeCloseTo(Number(book[side][i]?.[1]), 6);
    });
  }
  const history = await exchange.fetchFundingRateHistory(symbol, undefined, 24);
  const past = new Map(history.map((one) => [one.timestamp, one.fundingRate]));
  const { funding } = asked(venue, pastPath);
  expect(funding.length).toBeGreaterThanOrEqual(23);
  for (const { time, rate } of funding) expect(past.get(time)).toBe(rate);
}

describe('phemex', () => {
  let exchange: phemex;

  beforeAll(async () => {
    exchange = await pointed(new phemex(OPTIONS), 'phemex');
  });

  it('rate, mark, index and open interest of every contract', async () => {
    const rates = await perContract(exchange, async (symbol) => {
      const { fundingRate, markPrice, indexPrice } = await exchange.fetchFundingRate(symbol);
      return { fundingRate, markPrice, indexPrice };
    });
    expectAlike('phemex', rates, 400);
    const interests = await perContract(exchange, async (symbol) => {
      const { openInterestAmount } = await exchange.fetchOpenInterest(symbol);
      return { openInterestRaw: openInterestAmount };
    });
    expectAlike('phemex', interests, 400);
  });

  it('books and settled rates, of contracts by the thousand too', async () => {
    for (const [symbol, id] of [
      ['SOL/USDT:USDT', 'SOLUSDT'],
      ['1000PEPE/USDT:USDT', 'u1000PEPEUSDT'],
      ['BTC/USDC:USDC', 'BTCUSDC'],
    ] as const) {
      const past = `/api-data/public/data/funding-rate-history?symbol=.${id}FR8H&limit=24`;
      await expectPast(exchange, 'phemex', symbol, `/md/v2/orderbook?symbol=${id}`, past);
    }
  });

  it('reads no settlement time or interval, another fee, and no size of USDC contracts (known)', async () => {
    const rate = await exchange.fetchFundingRate('BTC/USDT:USDT');
    expect([rate.fundingTimestamp, rate.nextFundingTimestamp, rate.interval]).toEqual(
      Array(3).fill(undefined),
    );
    expect(exchange.market('BTC/USDT:USDT').contractSize).toBe(1);
    expect(exchange.market('BTC/USDC:USDC').contractSize).not.toBe(1);
    // The list has no fee of contracts; this one is that of spot.
    expect(exchange.market('BTC/USDT:USDT').taker).toBe(0.001);
    expect(pairing('phemex').adapter.takerFeeBps).toBe(6);
  });
});

describe('whitebit', () => {
  let exchange: whitebit;

  beforeAll(async () => {
    exchange = await pointed(new whitebit(OPTIONS), 'whitebit');
  });

  it('rate and next settlement of every contract', async () => {
    const rates = Object.values(await exchange.fetchFundingRates());
    const theirs: Readings = new Map(
      rates.map(({ symbol, fundingRate, fundingTimestamp }) => [
        String(exchange.market(symbol).id),
        { fundingRate, nextFundingTime: fundingTimestamp },
      ]),
    );
    expectAlike('whitebit', theirs, 200);
  });

  it('index, volumes and best prices of every contract; mark and open interest as it passes them on', async () => {
    const tickers = Object.values(await exchange.fetchTickers(undefined, { type: 'swap' }));
    const theirs: Readings = new Map(
      tickers.map(({ indexPrice, baseVolume, quoteVolume, bid, ask, info }) => {
        const { ticker_id, mark_price, open_interest } = info as Record<string, string>;
        const passed = { markPrice: Number(mark_price), openInterestRaw: Number(open_interest) };
        const volumes = { volume24hBase: baseVolume, volume24hUsd: quoteVolume };
        return [String(ticker_id), { indexPrice, bestBid: bid, bestAsk: ask, ...volumes, ...passed }];
      }),
    );
    expectAlike('whitebit', theirs, 200);
  });

  it('books and settled rates', async () => {
    for (const id of ['BTC_PERP', 'PEPE_PERP']) {
      const symbol = `${id.slice(0, -5)}/USDT:USDT`;
      const past = `/api/v4/public/funding-history/${id}?limit=24`;
      await expectPast(exchange, 'whitebit', symbol, `/api/v4/public/orderbook/${id}`, past);
    }
  });

  it('loses mark, index and interval of the funding call (known); the fee agrees', async () => {
    const rate = await exchange.fetchFundingRate('BTC/USDT:USDT');
    expect([rate.markPrice, rate.indexPrice, rate.interval]).toEqual(Array(3).fill(undefined));
    expect(rate.info.mark_price).toBeDefined();
    expect(Number(exchange.market('BTC/USDT:USDT').taker) * 10_000).toBeCloseTo(
      pairing('whitebit').adapter.takerFeeBps ?? 0,
      9,
    );
  });
});

describe('cryptocom', () => {
  let exchange: cryptocom;

  beforeAll(async () => {
    exchange = await pointed(new cryptocom(OPTIONS), 'cryptocom');
  });

  it('volume, open interest and best prices of every contract', async () => {
    const all = await exchange.fetchTickers();
    const theirs: Readings = new Map(
      contracts(exchange).map(({ symbol, id }) => {
        const { baseVolume, quoteVolume, bid, ask, info } = all[symbol] ?? {};
        const volumes = { volume24hBase: baseVolume, volume24hUsd: quoteVolume };
        const sides = { ...(bid === undefined ? {} : { bestBid: bid }), bestAsk: ask };
        return [id, { ...sides, ...volumes, openInterestRaw: Number(info?.oi) }];
      }),
    );
    expectAlike('cryptocom', theirs, 180);
  });

  it('mark and index, which ccxt has no name for, and the rate in force, through its raw call', async () => {
    const newest = async (id: string, type: string): Promise<number> => {
      const asking = { instrument_name: id, valuation_type: type, count: 1 };
      const answer = await exchange.v1PublicGetPublicGetValuations(asking);
      return Number(answer.result.data[0].v);
    };
    const theirs = await perContract(exchange, async (_, id) => ({
      markPrice: await newest(id, 'mark_price'),
      indexPrice: await newest(id, 'index_price'),
      fundingRate: await newest(id, 'funding_rate'),
    }));
    expectAlike('cryptocom', theirs, 180);
  });

  it('next settlement of every contract; the rate is the estimate of the next window (known)', async () => {
    const estimates = new Map<string, number | undefined>();
    const theirs = await perContract(exchange, async (symbol, id) => {
      const { fundingRate, fundingTimestamp, interval } = await exchange.fetchFundingRate(symbol);
      expect(interval).toBe('1h');
      estimates.set(id, fundingRate);
      return { nextFundingTime: fundingTimestamp };
    });
    expectAlike('cryptocom', theirs, 180);
    const listed = new Map(world.contracts(simCryptocom.listing).map((c) => [c.symbol, c]));
    let wrong = 0;
    for (const [id, estimate] of estimates) {
      const contract = listed.get(id);
      if (contract === undefined) throw new Error(`${id} is not listed`);
      expect(estimate).toBeCloseTo(world.fundingRate(contract, AT + 4 * HOUR_MS), 8);
      if (estimate !== ours('cryptocom').quotes.get(id)?.fundingRate) wrong += 1;
    }
    expect(wrong).toBeGreaterThan(150);
  });

  it('books and settled rates', async () => {
    const past = '/public/get-valuations?instrument_name=SOLUSD-PERP&valuation_type=funding_hist&count=24';
    const book = '/public/get-book?instrument_name=SOLUSD-PERP&depth=50';
    await expectPast(exchange, 'cryptocom', 'SOL/USD:USD', book, past);
  });

  it('takes the spot fee for that of contracts (known)', () => {
    expect(exchange.market('BTC/USD:USD').taker).toBe(0.005);
    expect(pairing('cryptocom').adapter.takerFeeBps).toBe(4);
  });
});

describe('backpack', () => {
  let exchange: backpack;

  beforeAll(async () => {
    exchange = await pointed(new backpack(OPTIONS), 'backpack');
  });

  it('rate, interval, next settlement, mark and index of every contract', async () => {
    const theirs = await perContract(exchange, async (symbol) => {
      const rate = await exchange.fetchFundingRate(symbol);
      expect(rate.interval).toBe('1h');
      const { fundingRate, nextFundingTimestamp, markPrice, indexPrice } = rate;
      return { fundingRate, nextFundingTime: nextFundingTimestamp, markPrice, indexPrice };
    });
    expectAlike('backpack', theirs, 80);
  });

  it('open interest, which it files under value although it counts the base (known)', async () => {
    const theirs = await perContract(exchange, async (symbol) => {
      const { openInterestAmount, openInterestValue } = await exchange.fetchOpenInterest(symbol);
      expect(openInterestAmount).toBeUndefined();
      return { openInterestRaw: openInterestValue };
    });
    expectAlike('backpack', theirs, 80);
  });

  it('volumes of every contract', async () => {
    const all = await exchange.fetchTickers();
    const theirs: Readings = new Map(
      contracts(exchange).map(({ symbol, id }) => [
        id,
        { volume24hRaw: all[symbol]?.baseVolume, volume24hUsd: all[symbol]?.quoteVolume },
      ]),
    );
    expectAlike('backpack', theirs, 80);
  });

  it('books, and settled rates with the hour that still runs among them (known)', async () => {
    const book = '/api/v1/depth?symbol=SOL_USDC_PERP';
    const past = '/api/v1/fundingRates?symbol=SOL_USDC_PERP&limit=24';
    await expectPast(exchange, 'backpack', 'SOL/USDC:USDC', book, past);
    const history = await exchange.fetchFundingRateHistory('SOL/USDC:USDC', undefined, 24);
    expect(Number(history.at(-1)?.timestamp)).toBeGreaterThan(AT);
    expect(asked('backpack', past).funding.every(({ time }) => time <= AT)).toBe(true);
  });

  it('knows no fee (known)', () => {
    expect(exchange.market('SOL/USDC:USDC').taker).toBeUndefined();
    expect(pairing('backpack').adapter.takerFeeBps).toBe(5);
  });
});
