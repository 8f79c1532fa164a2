import { decimal } from '../decimal.ts';
import { settlementsBefore } from '../history.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { decimalSides } from './sides.ts';
import { bookTime } from './stepped-book.ts';
import { futureRow, listed, listing, marketRow } from './whitebit-rows.ts';
import { WhitebitSocket } from './whitebit-socket.ts';

const HOUR_S = 3600;

const json = (body: unknown, status = 200): SimResponse => ({ status, body: JSON.stringify(body) });

const UNAVAILABLE = json({ market: ['Market is not available.'] }, 422);

function fundingHistory(c: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const limit = Number(query.get('limit') ?? 100);
  if (limit > 100) {
    return json({ limit: 'limit must be less than or equal to 100' }, 422);
  }
  const from = Number(query.get('startDate') ?? 0) * 1000;
  const to = Number(query.get('endDate') ?? now / 1000) * 1000;
  const rows = settlementsBefore(world, c, now, limit, Number(query.get('offset') ?? 0))
    .filter(({ time }) => time >= from && time <= to)
    .map(({ time, rate }) => ({
      fundingTime: String(time / 1000),
      fundingRate: decimal(rate),
      market: c.symbol,
      settlementPrice: decimal(world.mark(c, time)),
      rateCalculatedTime: String(time / 1000 - c.intervalHours * HOUR_S),
    }));
  return json(rows);
}

function orderbook(c: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  if (Number.isNaN(Number(query.get('limit') ?? 0))) {
    return json({ limit: ['The limit must be an integer.'] }, 422);
  }
  const head = { ticker_id: c.symbol, timestamp: Math.floor(now / 1000) };
  // A level that is no number is answered with no sides.
  if (Number.isNaN(Number(query.get('level') ?? 0))) return json({ ...head, asks: null, bids: null });
  const limit = Math.min(100, Number(query.get('limit') ?? 100) || 100);
  const { asks, bids } = decimalSides(c, world, bookTime(now), limit);
  return json({ ...head, asks, bids });
}

function ticker(world: World, t: number): SimResponse {
  const rows = listed(world).map((c) => {
    const volume = world.volume24h(c, t);
    const mark = world.mark(c, t);
    const volumes = { quote_volume: decimal(volume * mark), base_volume: decimal(volume) };
    return [c.symbol, { last_price: decimal(mark), ...volumes, isFrozen: false, change: '0.5' }] as const;
  });
  return json(Object.fromEntries(rows));
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { now } = request;
  const [, call, name] = /^\/api\/v4\/public\/([a-z-]+)(?:\/([^/]+))?$/.exec(request.path) ?? [];
  const contracts = listed(world);
  const c = contracts.find((contract) => contract.symbol === name);
  switch (call) {
    case 'futures': {
      const result = contracts.map((contract) => futureRow(contract, world, now));
      return json({ success: true, message: null, result });
    }
    case 'markets':
      return json(contracts.map(marketRow));
    case 'ticker':
      return ticker(world, now);
    case 'funding-history':
      return c === undefined ? UNAVAILABLE : fundingHistory(c, request, world);
    case 'orderbook':
      return c === undefined ? UNAVAILABLE : orderbook(c, request, world);
    case 'collateral': {
      const message = 'Margin trading is not available in your country.';
      return json({ errors: [], message, success: false }, 451);
    }
    default:
      return { status: 404, body: '' };
  }
}

/** WhiteBIT: perpetuals in USDT; its spot side puts its pairs before them in the list of markets. */
export const simWhitebit: SimVenue = {
  id: 'whitebit',
  listing,
  limit: { weight: 2000, perMs: 10_000, status: 429, body: '<html><body>Too Many Requests</body></html>' },
  rest,
  socket: (connection, world) => new WhitebitSocket(connection, world),
};
