import { createWorld } from '@perpmeter/sim/create-world';
import type { SimVenue } from '@perpmeter/sim/venue';
import { simAster } from '@perpmeter/sim/venues/aster';
import { simBinance } from '@perpmeter/sim/venues/binance';
import { simBybit } from '@perpmeter/sim/venues/bybit';
import { simOkx } from '@perpmeter/sim/venues/okx';
import type { SimContract } from '@perpmeter/sim/world';
import { describe, expect, it } from 'vitest';
import type { Decoded } from '../../src/domain/decoded.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import type { VenueAdapter, VenueRequest } from '../../src/venues/adapter.ts';
import { aster } from '../../src/venues/aster/index.ts';
import { binance } from '../../src/venues/binance/index.ts';
import { bybit } from '../../src/venues/bybit/index.ts';
import { okx } from '../../src/venues/okx/index.ts';
import { callFor, contextOf } from './samples.ts';
import { type Pairing, renderRequest, runAdapter } from './sim-run.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);

interface Case {
  readonly adapter: VenueAdapter;
  readonly sim: SimVenue;
  readonly funding: string;
  readonly marks: string;
  readonly interest?: string;
  readonly book: string;
}

const CASES: readonly Case[] = [
  {
    adapter: binance,
    sim: simBinance,
    funding: '/fapi/v1/fundingRate?symbol=*&limit=50',
    marks: '/fapi/v1/markPriceKlines?symbol=*&interval=1h&limit=50',
    interest: '/futures/data/openInterestHist?symbol=*&period=1h&limit=50',
    book: '/fapi/v1/depth?symbol=*&limit=20',
  },
  {
    adapter: aster,
    sim: simAster,
    funding: '/fapi/v3/fundingRate?symbol=*&limit=50',
    marks: '/fapi/v3/markPriceKlines?symbol=*&interval=1h&limit=50',
    book: '/fapi/v3/depth?symbol=*&limit=20',
  },
  {
    adapter: bybit,
    sim: simBybit,
    funding: '/v5/market/funding/history?category=linear&symbol=*&limit=50',
    marks: '/v5/market/mark-price-kline?category=linear&symbol=*&interval=60&limit=50',
    interest: '/v5/market/open-interest?category=linear&symbol=*&intervalTime=1h&limit=50',
    book: '/v5/market/orderbook?category=linear&symbol=*&limit=20',
  },
  {
    adapter: okx,
    sim: simOkx,
    funding: '/api/v5/public/funding-rate-history?instId=*&limit=50',
    marks: '/api/v5/market/history-mark-price-candles?instId=*&bar=1H&limit=50',
    interest: '/api/v5/rubik/stat/contracts/open-interest-history?instId=*&period=1H&limit=50',
    book: '/api/v5/market/books?instId=*&sz=20',
  },
];

/** BTC, and a coin that trades in blocks or in large contracts. */
const TICKERS = ['BTC', 'PEPE'];

describe.each(CASES)('$adapter.id history and books', (test) => {
  const { adapter, sim } = test;
  const pairing: Pairing = { adapter, sim, served: [sim] };
  const { instruments } = runAdapter(pairing, world, AT);

  function contractOf(ticker: string): SimContract {
    const live = world.contracts(sim.listing).filter((c) => c.kind === 'perp' && c.status === 'live');
    const found = live.find((c) => c.asset.ticker === ticker && c.quote === 'USDT');
    if (found === undefined) throw new Error(`${adapter.id} lists no ${ticker}`);
    return found;
  }

  function ask(url: string, contract: SimContract): Decoded {
    const path = url.replace('*', encodeURIComponent(contract.symbol));
    const request: VenueRequest = { method: 'GET', path, symbol: contract.symbol };
    const call = callFor(adapter, path, 'GET');
    const answer = renderRequest(pairing, world, request, AT);
    if (call === undefined || answer?.status !== 200) throw new Error(`${path}: ${answer?.body}`);
    return call.decode(JSON.parse(answer.body), contextOf([...instruments.values()], request));
  }

  it.each(TICKERS)('reads the rates that were charged on %s', (ticker) => {
    const contract = contractOf(ticker);
    const { funding, rejects } = ask(test.funding, contract);
    expect(rejects).toEqual([]);
    expect(funding).toHaveLength(50);
    for (const point of funding) {
      expect(point.time % (contract.intervalHours * HOUR_MS)).toBe(0);
      expect(point.rate).toBeCloseTo(world.settledRate(contract, point.time), 7);
    }
  });

  it.each(TICKERS)('reads past marks of %s per single unit', (ticker) => {
    const contract = contractOf(ticker);
    const { history, rejects } = ask(test.marks, contract);
    expect(rejects).toEqual([]);
    expect(history).toHaveLength(50);
    for (const { time, markPrice } of history) {
      expect((markPrice ?? 0) / world.mark(contract, time)).toBeCloseTo(1, 4);
    }
  });

  if (test.interest !== undefined) {
    it.each(TICKERS)('reads past open interest of %s, one side', (ticker) => {
      const contract = contractOf(ticker);
      const { history, rejects } = ask(test.interest ?? '', contract);
      expect(rejects).toEqual([]);
      expect(history).toHaveLength(50);
      for (const { time, openInterestBase } of history) {
        expect((openInterestBase ?? 0) / world.openInterest(contract, time)).toBeCloseTo(1, 2);
      }
    });
  }

  it.each(TICKERS)('reads the book of %s in single units', (ticker) => {
    const contract = contractOf(ticker);
    const [book] = ask(test.book, contract).books;
    const truth = world.book(contract, AT, 20);
    expect(book?.bids).toHaveLength(truth.bids.length);
    truth.asks.forEach(([price, size], i) => {
      const [gotPrice = 0, gotSize = 0] = book?.asks[i] ?? [];
      expect(gotPrice / price).toBeCloseTo(1, 6);
      expect(gotSize / size).toBeCloseTo(1, 6);
    });
  });
});
