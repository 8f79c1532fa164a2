import type { Row } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import { baseText } from '../format.ts';
import { capOf } from '../funding.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { bookSides, OrderlySocket } from './orderly-socket.ts';
import { bookTime } from './stepped-book.ts';

const LOW = new Set(['PEPE', 'SHIB', 'BONK']);

const listing: SimListing = {
  venue: 'orderly',
  quotes: ['USDC'],
  count: 80,
  classes: ['crypto', 'equity', 'commodity', 'index'],
  include: ['NVDA', 'TSLA', 'XAU'],
  baseName: (ticker) =>
    LOW.has(ticker) ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: (rank) => (rank % 7 === 3 ? 4 : 8),
  symbol: (base, quote) => `PERP_${base}_${quote}`,
  delisted: 12,
};

const num = (x: number): number => Number(decimal(x));

function ok(rows: readonly unknown[], now: number): SimResponse {
  return { status: 200, body: JSON.stringify({ success: true, timestamp: now, data: { rows } }) };
}

function infoRow(c: SimContract) {
  return {
    symbol: c.symbol,
    broker_id: null,
    quote_min: 0,
    quote_tick: c.tick,
    base_min: c.lot,
    base_tick: c.lot,
    min_notional: 10,
    base_imr: 0.02,
    base_mmr: 0.01,
    imr_factor: 0.000002,
    ...(c.intervalUnknown === true ? {} : { funding_period: c.intervalHours }),
    cap_funding: capOf(c),
    floor_funding: -capOf(c),
    status: c.status === 'live' ? 'ACTIVE' : 'DELISTED',
  };
}

/** A market of one builder with its own oracle: listed beside the shared ones, not one of them. */
function builderMarket(c: SimContract) {
  return { ...infoRow(c), symbol: `${c.symbol}_mythos`, broker_id: 'mythos' };
}

function futuresRow(c: SimContract, world: World, t: number) {
  const mark = world.mark(c, t) * c.multiplier;
  const volume = world.volume24h(c, t);
  return {
    symbol: c.symbol,
    index_price: num(world.index(c, t) * c.multiplier),
    mark_price: num(mark),
    sum_unitary_funding: 521.367,
    est_funding_rate: num(world.fundingRate(c, t)),
    last_funding_rate: num(world.settledRate(c, world.nextFunding(c, t) - c.intervalHours * 3_600_000)),
    next_funding_time: world.nextFunding(c, t),
    open_interest: Number(baseText(c, world.openInterest(c, t))),
    '24h_open': num(mark),
    '24h_close': num(mark),
    '24h_high': num(mark),
    '24h_low': num(mark),
    '24h_volume': Number(baseText(c, volume)),
    '24h_amount': num(volume * world.mark(c, t)),
  };
}

function rateRow(c: SimContract, world: World, t: number) {
  const next = world.nextFunding(c, t);
  const last = next - c.intervalHours * 3_600_000;
  return {
    symbol: c.symbol,
    est_funding_rate: num(world.fundingRate(c, t)),
    est_funding_rate_timestamp: t - 1000,
    last_funding_rate: num(world.settledRate(c, last)),
    last_funding_rate_timestamp: last,
    next_funding_time: next,
    sum_unitary_funding: 0.1,
  };
}

function history(request: SimRequest, world: World): SimResponse {
  const symbol = request.query.get('symbol');
  const contract = world.contracts(listing).find((c) => c.symbol === symbol);
  const size = Number(request.query.get('size') ?? 60);
  const rows: unknown[] = [];
  if (contract !== undefined) {
    const step = contract.intervalHours * 3_600_000;
    const start = Number(request.query.get('start_t') ?? 0);
    for (
      let t = world.nextFunding(contract, request.now) - step;
      rows.length < size && t >= start;
      t -= step
    ) {
      rows.push({
        symbol,
        funding_rate: num(world.settledRate(contract, t)),
        funding_rate_timestamp: t,
        next_funding_time: t + step,
      });
    }
  }
  const data = { rows, meta: { total: rows.length, records_per_page: size, current_page: 1 } };
  return { status: 200, body: JSON.stringify({ success: true, timestamp: request.now, data }) };
}

function orderbook(request: SimRequest, world: World): SimResponse {
  const asked = JSON.parse(request.body || '{}') as { symbol?: string; max_level?: number };
  const contract = world.contracts(listing).find((c) => c.symbol === asked.symbol);
  if (contract === undefined) {
    return { status: 400, body: '{"success":false,"code":"INVALID_PARAM","message":"invalid symbol"}' };
  }
  const ts = bookTime(request.now);
  const { bids, asks } = bookSides(contract, world, ts, asked.max_level ?? 100);
  const levels = (rows: readonly Row[]) => rows.map(([price, quantity]) => ({ price, quantity }));
  const data = { symbol: contract.symbol, asks: levels(asks), bids: levels(bids), ts };
  return { status: 200, body: JSON.stringify({ success: true, timestamp: request.now, data }) };
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const contracts = world.contracts(listing);
  switch (request.path) {
    case '/v1/public/info':
      return ok([...contracts.map(infoRow), ...contracts.slice(0, 4).map(builderMarket)], request.now);
    case '/v1/public/futures':
      return ok(
        contracts.filter((c) => c.status === 'live').map((c) => futuresRow(c, world, request.now)),
        request.now,
      );
    case '/v1/public/funding_rates':
      return ok(
        contracts.filter((c) => c.status === 'live').map((c) => rateRow(c, world, request.now)),
        request.now,
      );
    case '/v1/public/funding_rate_history':
      return history(request, world);
    case '/v1/public/query':
      return orderbook(request, world);
    default:
      return { status: 404, body: '{"success":false,"code":-1000,"message":"path not found"}' };
  }
}

export const simOrderly: SimVenue = {
  id: 'orderly',
  listing,
  limit: {
    weight: 20,
    perMs: 1000,
    status: 429,
    body: '{"success":false,"code":-1003,"message":"rate limit exceeded"}',
  },
  rest,
  socket: (connection, world) =>
    new OrderlySocket(connection, world, (symbol) =>
      world.contracts(listing).find((c) => c.symbol === symbol && c.status === 'live'),
    ),
};
