import { describe, expect, it } from 'vitest';
import type { Decoded } from '../../src/domain/decoded.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { createWorld } from '../../src/sim/create-world.ts';
import type { SimVenue } from '../../src/sim/venue.ts';
import { simBingx } from '../../src/sim/venues/bingx.ts';
import { simDeribit } from '../../src/sim/venues/deribit.ts';
import { simHtx } from '../../src/sim/venues/htx.ts';
import { simKraken } from '../../src/sim/venues/kraken.ts';
import type { SimContract } from '../../src/sim/world.ts';
import type { VenueAdapter, VenueRequest } from '../../src/venues/adapter.ts';
import { bingx } from '../../src/venues/bingx/index.ts';
import { deribit } from '../../src/venues/deribit/index.ts';
import { htx } from '../../src/venues/htx/index.ts';
import { kraken } from '../../src/venues/kraken/index.ts';
import { reasons } from './decode-call.ts';
import { callFor, contextOf } from './samples.ts';
import { type Pairing, renderRequest, runAdapter } from './sim-run.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);

interface Case {
  readonly adapter: VenueAdapter;
  readonly sim: SimVenue;
  /** The same settled rates by every call that has them. */
  readonly funding: readonly string[];
  readonly marks?: string;
  readonly interest?: readonly string[];
  readonly book: string;
  /** Calls about one contract that state metrics as well. */
  readonly singles: readonly string[];
  readonly unknown: string;
}

const D = '/public';
const K = '/derivatives/api/v3';
const B = '/openApi/swap/v2/quote';
const H = '/linear-swap-api/v1';

const CASES: readonly Case[] = [
  {
    adapter: htx,
    sim: simHtx,
    funding: [
      `${H}/swap_historical_funding_rate?contract_code=*&page_index=1&page_size=50`,
      `${H}/swap_historical_funding_rate?contract_code=*&page_index=2&page_size=50`,
      '/v5/market/funding_rate_history?contract_code=*&limit=50',
    ],
    marks: '/index/market/history/linear_swap_mark_price_kline?contract_code=*&period=60min&size=50',
    interest: [
      `${H}/swap_his_open_interest?contract_code=*&period=60min&amount_type=1&size=50`,
      `${H}/swap_his_open_interest?contract_code=*&period=60min&amount_type=2&size=50`,
    ],
    book: '/linear-swap-ex/market/depth?contract_code=*&type=step6',
    singles: [
      `${H}/swap_funding_rate?contract_code=*`,
      '/v5/market/funding_rate?contract_code=*',
      '/v5/market/open_interest?contract_code=*',
      '/linear-swap-ex/market/detail/merged?contract_code=*',
      '/index/market/history/linear_swap_mark_price_kline?contract_code=*&period=1min&size=1',
    ],
    unknown: `${H}/swap_open_interest?contract_code=NONE-USDT`,
  },
  {
    adapter: bingx,
    sim: simBingx,
    funding: [`${B}/fundingRate?symbol=*&limit=50`],
    marks: '/openApi/swap/v1/market/markPriceKlines?symbol=*&interval=1h&limit=50',
    book: `${B}/depth?symbol=*&limit=50`,
    singles: [`${B}/premiumIndex?symbol=*`, `${B}/ticker?symbol=*`, `${B}/openInterest?symbol=*`],
    unknown: `${B}/premiumIndex?symbol=NONE-USDT`,
  },
  {
    adapter: kraken,
    sim: simKraken,
    funding: [
      `${K}/historical-funding-rates?symbol=*`,
      '/derivatives/api/v4/historicalfundingrates?symbol=*',
    ],
    marks: '/api/charts/v1/mark/*/1h?from=1792300000',
    interest: ['/api/charts/v1/analytics/*/open-interest?since=1792300000&interval=3600'],
    book: `${K}/orderbook?symbol=*`,
    singles: [`${K}/tickers/*`],
    unknown: `${K}/tickers/PF_NONEUSD`,
  },
  {
    adapter: deribit,
    sim: simDeribit,
    funding: [],
    book: `${D}/get_order_book?instrument_name=*&depth=50`,
    singles: [
      `${D}/ticker?instrument_name=*`,
      `${D}/get_book_summary_by_instrument?instrument_name=*`,
      `${D}/get_order_book?instrument_name=*&depth=5`,
    ],
    unknown: `${D}/ticker?instrument_name=NONE_USDC-PERPETUAL`,
  },
];

/** BTC, and a coin that trades in blocks or in large contracts. */
const TICKERS = ['BTC', 'PEPE'];

function read(pairing: Pairing, contract: SimContract | undefined, url: string, known: boolean): Decoded {
  const path = url.replace('*', encodeURIComponent(contract?.symbol ?? ''));
  const request: VenueRequest = { method: 'GET', path };
  const call = callFor(pairing.adapter, path, 'GET');
  const answer = renderRequest(pairing, world, request, AT);
  if (call === undefined || answer === undefined) throw new Error(`no ${path}`);
  const { instruments } = known ? runOf(pairing) : { instruments: new Map() };
  return call.decode(JSON.parse(answer.body), contextOf([...instruments.values()], request));
}

const runs = new Map<VenueAdapter, ReturnType<typeof runAdapter>>();

function runOf(pairing: Pairing) {
  const run = runs.get(pairing.adapter) ?? runAdapter(pairing, world, AT);
  runs.set(pairing.adapter, run);
  return run;
}

describe.each(CASES)('simulated $adapter.id', (test) => {
  const { adapter, sim } = test;
  const pairing: Pairing = { adapter, sim, served: [sim] };

  function contractOf(ticker: string): SimContract {
    const live = world.contracts(sim.listing).filter((c) => c.kind === 'perp' && c.status === 'live');
    const found = live.find((c) => c.asset.ticker === ticker && c.quote === sim.listing.quotes[0]);
    if (found === undefined) throw new Error(`${adapter.id} lists no ${ticker}`);
    return found;
  }

  const ask = (url: string, contract: SimContract) => read(pairing, contract, url, true);

  if (test.funding.length > 0) {
    it.each(TICKERS)('reads the rates that were charged on %s', (ticker) => {
      const contract = contractOf(ticker);
      for (const url of test.funding) {
        const { funding, rejects } = ask(url, contract);
        expect(rejects, url).toEqual([]);
        expect(funding.length, url).toBeGreaterThanOrEqual(50);
        for (const point of funding) {
          expect(point.time % (contract.intervalHours * HOUR_MS)).toBe(0);
          expect(point.rate).toBeCloseTo(world.settledRate(contract, point.time), 7);
        }
      }
    });
  }

  if (test.marks !== undefined) {
    it.each(TICKERS)('reads past marks of %s per single unit', (ticker) => {
      const contract = contractOf(ticker);
      const { history, rejects } = ask(test.marks ?? '', contract);
      expect(rejects).toEqual([]);
      expect(history.length).toBeGreaterThanOrEqual(50);
      for (const { time, markPrice } of history) {
        expect((markPrice ?? 0) / world.mark(contract, time)).toBeCloseTo(1, 4);
      }
    });
  }

  if (test.interest !== undefined) {
    it.each(TICKERS)('reads past open interest of %s', (ticker) => {
      const contract = contractOf(ticker);
      for (const url of test.interest ?? []) {
        const { history, rejects } = ask(url, contract);
        expect(rejects, url).toEqual([]);
        expect(history.length).toBeGreaterThanOrEqual(50);
        for (const { time, openInterestBase } of history) {
          expect((openInterestBase ?? 0) / world.openInterest(contract, time)).toBeCloseTo(1, 2);
        }
      }
    });
  }

  it.each(TICKERS)('reads the book of %s in single units', (ticker) => {
    const contract = contractOf(ticker);
    const { books, rejects } = ask(test.book, contract);
    expect(rejects).toEqual([]);
    const truth = world.book(contract, AT, books[0]?.bids.length ?? 0);
    expect(truth.bids.length).toBeGreaterThanOrEqual(30);
    truth.asks.forEach(([price, size], i) => {
      const [gotPrice = 0, gotSize = 0] = books[0]?.asks[i] ?? [];
      expect(gotPrice / price).toBeCloseTo(1, 6);
      expect(gotSize / size).toBeCloseTo(1, 6);
    });
  });

  it.each(TICKERS)('says the same of %s in calls about one contract as in those about all', (ticker) => {
    const contract = contractOf(ticker);
    const whole: Readonly<Record<string, unknown>> = {
      fundingIntervalHours: contract.intervalHours,
      ...runOf(pairing).quotes.get(contract.symbol),
    };
    for (const url of test.singles) {
      const [quote] = ask(url, contract).quotes;
      expect(Object.keys(quote ?? {}).length, url).toBeGreaterThan(1);
      for (const [field, value] of Object.entries(quote ?? {})) {
        if (field === 'symbol' || field === 'venueTime' || typeof value !== 'number') continue;
        expect(value / Number(whole[field]), `${url} ${field}`).toBeCloseTo(1, 4);
      }
    }
  });

  it('refuses what it does not list', () => {
    expect(reasons(read(pairing, undefined, test.unknown, true))).toEqual([[null, 'error_body']]);
  });
});

describe('simulated deribit', () => {
  const pairing: Pairing = { adapter: deribit, sim: simDeribit, served: [simDeribit] };
  const contract = world.contracts(simDeribit.listing).find(({ base }) => base === 'BTC');
  const window = `start_timestamp=${AT - 24 * HOUR_MS}&end_timestamp=${AT}`;

  it('accrues by the hour: the hours of a window add up to its value', () => {
    const asked = `instrument_name=*&${window}`;
    const { funding } = read(pairing, contract, `${D}/get_funding_rate_history?${asked}`, true);
    expect(funding.map(({ intervalHours }) => intervalHours)).toEqual(Array(24).fill(1));
    const exact = `instrument_name=*&start_timestamp=${(funding[0]?.time ?? 0) - HOUR_MS}&end_timestamp=${funding[23]?.time}`;
    const [value] = read(pairing, contract, `${D}/get_funding_rate_value?${exact}`, true).funding;
    expect(value?.intervalHours).toBe(24);
    expect(funding.reduce((sum, { rate }) => sum + rate, 0)).toBeCloseTo(value?.rate ?? Number.NaN, 12);
  });

  it('has inverse perpetuals on other currencies, which are none of ours', () => {
    const url = `${D}/get_book_summary_by_currency?currency=BTC&kind=future`;
    expect(reasons(read(pairing, contract, url, true))).toEqual([['BTC-PERPETUAL', 'inverse']]);
    const list = read(pairing, contract, `${D}/get_instruments`, false);
    expect(new Set(list.rejects.map(({ reason }) => reason))).toEqual(
      new Set(['inverse', 'dated', 'option', 'spot']),
    );
  });
});
