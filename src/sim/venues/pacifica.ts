import { decimal } from '../decimal.ts';
import type { SimConnection, SimRequest, SimResponse, SimSession, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';

const LOW = new Set(['PEPE', 'SHIB', 'BONK']);

const listing: SimListing = {
  venue: 'pacifica',
  quotes: ['USDC'],
  count: 70,
  classes: ['crypto', 'equity'],
  include: ['NVDA', 'TSLA'],
  baseName: (ticker) =>
    LOW.has(ticker) ? { base: `k${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: () => 1,
  symbol: (base) => base,
};

const HOUR_MS = 3_600_000;

function live(world: World): readonly SimContract[] {
  return world.contracts(listing).filter((c) => c.status === 'live');
}

function ok(data: unknown): SimResponse {
  return {
    status: 200,
    body: JSON.stringify({ success: true, data, error: null, code: null }),
    weight: 12,
  };
}

function infoRow(c: SimContract, world: World, t: number) {
  return {
    symbol: c.symbol,
    tick_size: decimal(c.tick),
    lot_size: decimal(c.lot),
    max_leverage: 50,
    min_order_size: '10',
    funding_rate: decimal(world.settledRate(c, world.nextFunding(c, t) - HOUR_MS)),
    next_funding_rate: decimal(world.fundingRate(c, t)),
    created_at: 1_748_881_333_944,
    instrument_type: 'perpetual',
    base_asset: c.base,
  };
}

const SPOT = {
  symbol: 'SOL-USDC',
  tick_size: '0.01',
  lot_size: '0.001',
  funding_rate: '0',
  next_funding_rate: '0',
  instrument_type: 'spot',
  base_asset: 'SOL',
};

function priceRow(c: SimContract, world: World, t: number) {
  const mark = world.mark(c, t);
  return {
    funding: decimal(world.settledRate(c, world.nextFunding(c, t) - HOUR_MS)),
    mark: decimal(mark * c.multiplier),
    mid: decimal(mark * c.multiplier),
    next_funding: decimal(world.fundingRate(c, t)),
    open_interest: decimal(world.openInterest(c, t) / c.multiplier),
    oracle: decimal(world.index(c, t) * c.multiplier),
    symbol: c.symbol,
    timestamp: t,
    volume_24h: decimal(world.volume24h(c, t) * mark),
    yesterday_price: decimal(world.mark(c, t - 24 * HOUR_MS) * c.multiplier),
  };
}

function book(c: SimContract, world: World, t: number) {
  const side = (levels: readonly (readonly [number, number])[]) =>
    levels.map(([p, a]) => ({ p: decimal(p * c.multiplier), a: decimal(a / c.multiplier), n: 1 }));
  const { bids, asks } = world.book(c, t, 10);
  return { s: c.symbol, l: [side(bids), side(asks)], t };
}

function history(request: SimRequest, world: World): SimResponse {
  const contract = live(world).find((c) => c.symbol === request.query.get('symbol'));
  if (contract === undefined) return NOT_FOUND;
  const limit = Math.min(100, Number(request.query.get('limit') ?? 100));
  const newest = Number(request.query.get('cursor') ?? world.nextFunding(contract, request.now) - HOUR_MS);
  const data = Array.from({ length: limit }, (_, i) => {
    const t = newest - i * HOUR_MS;
    return {
      oracle_price: decimal(world.index(contract, t) * contract.multiplier),
      funding_rate: decimal(world.settledRate(contract, t)),
      next_funding_rate: decimal(world.fundingRate(contract, t)),
      created_at: t + 4_249,
    };
  });
  const next_cursor = String(newest - limit * HOUR_MS);
  return {
    status: 200,
    body: JSON.stringify({ success: true, data, next_cursor, has_more: true }),
    weight: 12,
  };
}

const NOT_FOUND: SimResponse = {
  status: 404,
  body: '{"success":false,"data":null,"error":"Symbol not found","code":404}',
};

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { now, query } = request;
  switch (request.path) {
    case '/api/v1/info':
      return ok([...live(world).map((c) => infoRow(c, world, now)), SPOT]);
    case '/api/v1/info/prices':
      return ok(live(world).map((c) => priceRow(c, world, now)));
    case '/api/v1/book': {
      const contract = live(world).find((c) => c.symbol === query.get('symbol'));
      return contract === undefined ? NOT_FOUND : ok(book(contract, world, now));
    }
    case '/api/v1/funding_rate/history':
      return history(request, world);
    default:
      return NOT_FOUND;
  }
}

function socket(connection: SimConnection, world: World): SimSession {
  let prices = false;
  let now = 0;
  const push = (): void => {
    const data = live(world).map((c) => priceRow(c, world, now));
    connection.send(JSON.stringify({ channel: 'prices', data }));
  };
  return {
    onMessage(text) {
      const message = JSON.parse(text) as { method?: string; params?: { source?: string } };
      if (message.method === 'ping') connection.send('{"channel":"pong"}');
      if (message.method !== 'subscribe') return;
      connection.send(JSON.stringify({ channel: 'subscribe', data: message.params }));
      if (message.params?.source === 'prices') {
        prices = true;
        push();
      }
    },
    onTick(t) {
      now = t;
      if (prices) push();
    },
  };
}

export const simPacifica: SimVenue = {
  id: 'pacifica',
  listing,
  limit: {
    weight: 125,
    perMs: 60_000,
    status: 429,
    body: '{"success":false,"data":null,"error":"Rate limit exceeded","code":429}',
  },
  rest,
  socket,
};
