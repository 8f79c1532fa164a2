import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import type { Row } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import { baseText } from '../format.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { HibachiSocket, levels } from './hibachi-socket.ts';
import { decimalSides } from './sides.ts';
import { bookTime } from './stepped-book.ts';

const listing: SimListing = {
  venue: 'hibachi',
  quotes: ['USDT'],
  count: 20,
  classes: ['crypto'],
  intervalHours: () => 8,
  symbol: (base, quote) => `${base}/${quote}-P`,
  delisted: 2,
};

function ok(body: unknown): SimResponse {
  return { status: 200, body: JSON.stringify(body) };
}

const INVALID: SimResponse = {
  status: 400,
  body: '{"errorCode":4,"message":"Invalid input: Invalid symbol","status":"failed"}',
};

function contractRow(c: SimContract, i: number) {
  return {
    displayName: `${c.base}/USDT Perps`,
    id: i + 1,
    initialMarginRate: '0.066667',
    maintenanceMarginRate: '0.046667',
    minNotional: '1',
    minOrderSize: decimal(c.lot),
    orderbookGranularities: [decimal(c.tick)],
    settlementDecimals: 6,
    settlementSymbol: 'USDT',
    status: c.status === 'live' ? 'LIVE' : 'CLOSED',
    stepSize: decimal(c.lot),
    symbol: c.symbol,
    tickSize: decimal(c.tick),
    underlyingDecimals: 9,
    underlyingSymbol: c.base,
  };
}

function prices(c: SimContract, world: World, t: number): SimResponse {
  const { bids, asks } = world.book(c, t, 1);
  const mark = decimal(world.mark(c, t));
  return ok({
    askPrice: decimal(asks[0]?.[0] ?? 0),
    bidPrice: decimal(bids[0]?.[0] ?? 0),
    fundingRateEstimation: {
      estimatedFundingRate: decimal(world.fundingRate(c, t)),
      nextFundingTimestamp: world.nextFunding(c, t) / 1000,
    },
    markPrice: mark,
    spotPrice: decimal(world.index(c, t)),
    symbol: c.symbol,
    tradePrice: mark,
  });
}

function fundingRates(c: SimContract, world: World, t: number): SimResponse {
  const step = c.intervalHours * HOUR_MS;
  const newest = world.nextFunding(c, t) - step;
  const data = Array.from({ length: 90 }, (_, i) => ({
    contractId: 1,
    fundingTimestamp: (newest - i * step) / 1000,
    fundingRate: decimal(world.settledRate(c, newest - i * step)),
    indexPrice: decimal(world.index(c, newest - i * step)),
  }));
  return ok({ data });
}

function book(c: SimContract, world: World, { now, query }: SimRequest): SimResponse {
  const { bids, asks } = decimalSides(
    c,
    world,
    bookTime(now),
    Math.min(100, Number(query.get('depth') ?? 100)),
  );
  const side = (rows: readonly Row[]) => ({
    startPrice: String(rows[0]?.[0] ?? 0),
    endPrice: String(rows.at(-1)?.[0] ?? 0),
    ...levels(rows),
  });
  return ok({ ask: side(asks), bid: side(bids) });
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const contracts = world.contracts(listing);
  if (request.path === '/market/exchange-info') {
    return ok({
      feeConfig: { tradeMakerFeeRate: '0.00000000', tradeTakerFeeRate: '0.00045000' },
      futureContracts: contracts.map(contractRow),
      maintenanceWindow: [],
      status: 'NORMAL',
    });
  }
  const c = contracts.find((it) => it.symbol === request.query.get('symbol') && it.status === 'live');
  if (c === undefined) return INVALID;
  const t = request.now;
  switch (request.path) {
    case '/market/data/prices':
      return prices(c, world, t);
    case '/market/data/open-interest':
      return ok({ totalQuantity: baseText(c, world.openInterest(c, t)) });
    case '/market/data/stats': {
      const mark = decimal(world.mark(c, t));
      const volume24h = decimal(world.volume24h(c, t) * world.mark(c, t));
      return ok({ high24h: mark, low24h: mark, symbol: c.symbol, volume24h });
    }
    case '/market/data/funding-rates':
      return fundingRates(c, world, t);
    case '/market/data/orderbook':
      return book(c, world, request);
    default:
      return undefined;
  }
}

export const simHibachi: SimVenue = {
  id: 'hibachi',
  listing,
  limit: {
    weight: 20,
    perMs: 1000,
    status: 429,
    body: '{"errorCode":429,"message":"Too many requests","status":"failed"}',
  },
  rest,
  socket: (connection, world) =>
    new HibachiSocket(connection, world, (symbol) =>
      world.contracts(listing).find((c) => c.symbol === symbol && c.status === 'live'),
    ),
};
