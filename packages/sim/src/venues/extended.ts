import type { AssetClass } from '../../../../src/domain/instrument.ts';
import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import type { Row } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import { baseText, baseTextTwice } from '../format.ts';
import { capOf } from '../funding.ts';
import { isClosed } from '../market-hours.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { bookSides, ExtendedSocket } from './extended-socket.ts';
import { bookTime } from './stepped-book.ts';

const LOW = new Set(['PEPE', 'SHIB', 'BONK']);

const listing: SimListing = {
  venue: 'extended',
  size: 0.05,
  quotes: ['USD'],
  count: 100,
  classes: ['crypto', 'equity', 'commodity', 'index'],
  include: ['XAU', 'NVDA'],
  baseName: (ticker) =>
    LOW.has(ticker) ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: () => 1,
  symbol: (base, quote) => `${base}-${quote}`,
  delisted: 6,
  prelisting: 1,
};

const SUB_CATEGORY: Readonly<Record<AssetClass, string>> = {
  crypto: 'L1',
  equity: 'Equity',
  etf: 'ETF/Index',
  index: 'ETF/Index',
  commodity: 'Commodity',
  fx: 'FX',
  prelaunch: 'Pre-market',
  unknown: 'TradFi',
};

const STATUS = { live: 'ACTIVE', delisted: 'DELISTED', prelisting: 'PRELISTED' } as const;

function ok(data: unknown, more: object = {}): SimResponse {
  return { status: 200, body: JSON.stringify({ status: 'OK', data, ...more }) };
}

const NOT_FOUND: SimResponse = {
  status: 404,
  body: '{"status":"ERROR","error":{"code":1001,"message":"Market not found."}}',
};

function stats(c: SimContract, world: World, t: number) {
  const { multiplier: m } = c;
  if (c.status !== 'live') {
    const zero = {
      dailyVolume: '0',
      dailyVolumeBase: '0',
      markPrice: '0',
      indexPrice: '0',
      askPrice: '0',
      bidPrice: '0',
    };
    // A delisted row keeps a plausible rate and time beside its zero prices.
    return {
      ...zero,
      fundingRate: '0.000013',
      nextFundingRate: world.nextFunding(c, t),
      openInterest: '0',
      openInterestBase: '0',
    };
  }
  const mark = world.mark(c, t);
  const volume = world.volume24h(c, t);
  const interest = world.openInterest(c, t);
  const { bids, asks } = world.book(c, t, 1);
  // Outside its hours the venue makes a touch of its own.
  const [bid, ask] = isClosed(c.asset, t)
    ? [0.97 * mark, 1.03 * mark]
    : [bids[0]?.[0] ?? 0, asks[0]?.[0] ?? 0];
  return {
    // Maker and taker are both counted.
    dailyVolume: decimal(2 * volume * mark),
    dailyVolumeBase: baseTextTwice(c, volume),
    dailyPriceChangePercentage: '0.0055',
    lastPrice: decimal(mark * m),
    askPrice: decimal(ask * m),
    bidPrice: decimal(bid * m),
    markPrice: decimal(mark * m, 15),
    indexPrice: decimal(world.index(c, t) * m, 15),
    fundingRate: decimal(world.fundingRate(c, t)),
    nextFundingRate: world.nextFunding(c, t),
    openInterest: decimal(interest * mark),
    openInterestBase: baseText(c, interest),
  };
}

function market(c: SimContract, world: World, t: number) {
  const { assetClass } = c.asset;
  return {
    name: c.symbol,
    type: 'PERPETUAL',
    uiName: c.symbol,
    category: assetClass === 'crypto' ? 'Crypto' : 'RWA',
    subCategory: SUB_CATEGORY[assetClass],
    assetName: c.base,
    collateralAssetName: 'USD',
    active: c.status === 'live',
    isRfq: false,
    isOffHours: isClosed(c.asset, t),
    status: STATUS[c.status],
    marketStats: stats(c, world, t),
    tradingConfig: {
      minPriceChange: decimal(c.tick),
      minOrderSizeChange: decimal(c.lot),
      minOrderSize: decimal(c.lot),
      maxPositionValue: '1000000',
      maxLeverage: '20.00',
      // Percent.
      hourlyFundingRateCap: decimal(capOf(c) * 100),
    },
    visibleOnUi: c.status === 'live',
  };
}

function spotMarket(c: SimContract, world: World, t: number) {
  const row = market(c, world, t);
  return { ...row, name: `${c.base}SPOT-USD`, type: 'SPOT', assetName: `${c.base}SPOT` };
}

function hourly(request: SimRequest, now: number, row: (t: number) => unknown): SimResponse {
  const end = Math.min(now, Number(request.query.get('endTime') || now));
  const limit = Number(request.query.get('limit') || 100);
  const start = Number(request.query.get('startTime') || end - limit * HOUR_MS);
  const rows: unknown[] = [];
  for (let t = Math.floor(end / HOUR_MS) * HOUR_MS; t >= start && rows.length < limit; t -= HOUR_MS)
    rows.push(row(t));
  return ok(rows, { pagination: { cursor: 1, count: rows.length } });
}

function book(c: SimContract, world: World, t: number): SimResponse {
  const side = (rows: readonly Row[]) => rows.map(([price, qty]) => ({ qty, price }));
  const { bids, asks } = bookSides(c, world, bookTime(t));
  return ok({ market: c.symbol, bid: side(bids), ask: side(asks) });
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { now } = request;
  const path = request.path.replace(/^\/api\/v1\/info/, '');
  const contracts = world.contracts(listing);
  if (path === '/markets') {
    const spot = contracts.slice(0, 1).map((c) => spotMarket(c, world, now));
    return ok([...contracts.map((c) => market(c, world, now)), ...spot]);
  }
  const name = /^\/(?:markets\/|candles\/)?([^/]+)\//.exec(path)?.[1];
  const c = contracts.find((contract) => contract.symbol === name && contract.status === 'live');
  if (c === undefined) return NOT_FOUND;
  const mark = (t: number) => world.mark(c, t);
  if (path.endsWith('/stats')) return ok(stats(c, world, now));
  if (path.endsWith('/orderbook')) return book(c, world, now);
  if (path.endsWith('/funding')) {
    return hourly(request, now, (t) => ({ m: c.symbol, f: decimal(world.settledRate(c, t)), T: t + 1028 }));
  }
  if (path.endsWith('/open-interests')) {
    return hourly(request, now, (t) => {
      const base = world.openInterest(c, t);
      return { i: decimal(base * mark(t), 16), I: baseText(c, base), t };
    });
  }
  if (path.endsWith('/mark-prices')) {
    return hourly(request, now, (t) => {
      const close = decimal(mark(Math.min(now, t + HOUR_MS)) * c.multiplier);
      return { o: decimal(mark(t) * c.multiplier), l: close, h: close, c: close, v: '0', T: t };
    });
  }
  return NOT_FOUND;
}

export const simExtended: SimVenue = {
  id: 'extended',
  listing,
  limit: {
    weight: 1000,
    perMs: 60_000,
    status: 429,
    body: '{"status":"ERROR","error":{"code":429,"message":"Rate limited"}}',
  },
  rest,
  socket: (connection, world) =>
    new ExtendedSocket(connection, world, () => world.contracts(listing).filter((c) => c.status === 'live')),
};
