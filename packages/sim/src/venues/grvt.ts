import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { decimal } from '../decimal.ts';
import { baseText } from '../format.ts';
import { capOf } from '../funding.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { bookFeed, bookSides, GrvtSocket, ns } from './grvt-socket.ts';
import { bookTime } from './stepped-book.ts';

const LOW = new Set(['PEPE', 'SHIB', 'BONK']);

const listing: SimListing = {
  venue: 'grvt',
  quotes: ['USDT'],
  count: 80,
  classes: ['crypto', 'equity'],
  include: ['NVDA'],
  baseName: (ticker) =>
    LOW.has(ticker) ? { base: `K${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: (rank) => (rank % 9 === 4 ? 4 : 8),
  symbol: (base, quote) => `${base}_${quote}_Perp`,
  dated: (base, quote) => `${base}_${quote}_Fut_25Dec26`,
  delisted: 3,
};

function result(value: unknown): SimResponse {
  return { status: 200, body: JSON.stringify({ result: value }) };
}

const DEPTHS = [10, 50, 100, 500];

function book(c: SimContract, world: World, now: number, depth: number): SimResponse {
  if (!DEPTHS.includes(depth)) {
    return { status: 400, body: '{"code":3031,"message":"Depth is invalid","status":400}' };
  }
  const t = bookTime(now);
  return result(bookFeed(c, t, bookSides(c, world, t, depth)));
}

const NOT_FOUND: SimResponse = {
  status: 404,
  body: '{"code":1004,"message":"Data Not Found","status":404}',
};

function instrument(c: SimContract) {
  return {
    instrument: c.symbol,
    base: c.base,
    quote: c.quote,
    kind: c.kind === 'dated' ? 'FUTURE' : 'PERPETUAL',
    settlement_period: c.kind === 'dated' ? 'QUARTERLY' : 'PERPETUAL',
    tick_size: decimal(c.tick),
    min_size: decimal(c.lot),
    min_notional: '5.0',
    max_position_size: decimal(100_000 * c.lot),
    ...(c.intervalUnknown === true ? {} : { funding_interval_hours: c.intervalHours }),
    // Percent.
    adjusted_funding_rate_cap: decimal(capOf(c) * 100),
    adjusted_funding_rate_floor: decimal(-capOf(c) * 100),
    status: c.status === 'live' ? 'ACTIVE' : 'DELISTED',
  };
}

function ticker(c: SimContract, world: World, t: number) {
  const { multiplier: m } = c;
  const mark = world.mark(c, t);
  const volume = world.volume24h(c, t);
  const { bids, asks } = world.book(c, t, 1);
  const bid = bids[0] ?? [0, 0];
  const ask = asks[0] ?? [0, 0];
  return {
    event_time: ns(t),
    instrument: c.symbol,
    mark_price: decimal(mark * m, 14),
    index_price: decimal(world.index(c, t) * m, 14),
    last_price: decimal(bid[0] * m),
    best_bid_price: decimal(bid[0] * m),
    best_bid_size: decimal(bid[1] / m),
    best_ask_price: decimal(ask[0] * m),
    best_ask_size: decimal(ask[1] / m),
    interest_rate: '0.0',
    buy_volume_24h_b: baseText(c, volume * 0.52),
    sell_volume_24h_b: baseText(c, volume * 0.48),
    buy_volume_24h_q: decimal(volume * mark * 0.52),
    sell_volume_24h_q: decimal(volume * mark * 0.48),
    open_interest: baseText(c, world.openInterest(c, t)),
    funding_rate: decimal(world.fundingRate(c, t) * 100),
    ...(c.intervalUnknown === true ? {} : { funding_interval_hours: c.intervalHours }),
    next_funding_time: ns(world.nextFunding(c, t)),
  };
}

interface Asked {
  readonly instrument?: string;
  readonly depth?: number;
  readonly limit?: number;
  readonly end_time?: string;
}

function fundingHistory(c: SimContract, world: World, asked: Asked, now: number): SimResponse {
  const step = c.intervalHours * HOUR_MS;
  const end = asked.end_time === undefined ? now : Number(asked.end_time.slice(0, -6));
  const newest = Math.floor(Math.min(end, now) / step) * step;
  const rows = Array.from({ length: Math.min(asked.limit ?? 500, 1000) }, (_, i) => {
    const t = newest - i * step;
    return {
      instrument: c.symbol,
      funding_rate: decimal(world.settledRate(c, t) * 100),
      funding_time: ns(t),
      mark_price: decimal(world.mark(c, t) * c.multiplier),
      funding_interval_hours: String(c.intervalHours),
    };
  });
  return result(rows);
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const asked = JSON.parse(request.body || '{}') as Asked;
  const contracts = world.contracts(listing);
  if (request.path === '/full/v1/all_instruments') return result(contracts.map(instrument));
  const c = contracts.find((contract) => contract.symbol === asked.instrument && contract.status === 'live');
  if (c === undefined) return NOT_FOUND;
  switch (request.path) {
    case '/full/v1/ticker':
      return result(ticker(c, world, request.now));
    case '/full/v1/book':
      return book(c, world, request.now, asked.depth ?? 10);
    case '/full/v1/funding':
      return fundingHistory(c, world, asked, request.now);
    default:
      return NOT_FOUND;
  }
}

export const simGrvt: SimVenue = {
  id: 'grvt',
  listing,
  limit: {
    weight: 1200,
    perMs: 60_000,
    status: 429,
    body: '{"code":1006,"message":"You have surpassed the allocated rate limit for your tier","status":429}',
  },
  rest,
  socket: (connection, world) =>
    new GrvtSocket(connection, world, {
      find: (symbol) => world.contracts(listing).find((c) => c.symbol === symbol && c.status === 'live'),
      ticker: (c, now) => ticker(c, world, now),
    }),
};
