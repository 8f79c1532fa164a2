import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { baseText, contractsOf, fineText, fixed, priceText } from '../format.ts';
import { capOf } from '../funding.ts';
import { decimalsOf } from '../increments.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { MOST_ORDERS, singleOrders } from './lighter-orders.ts';
import { bookSides, LighterSocket } from './lighter-socket.ts';
import { bookTime } from './stepped-book.ts';

const THOUSANDS = new Set(['PEPE', 'SHIB', 'BONK', 'FLOKI']);

const listing: SimListing = {
  venue: 'lighter',
  size: 0.22,
  quotes: ['USDC'],
  count: 170,
  delisted: 4,
  classes: ['crypto', 'equity', 'commodity', 'fx', 'prelaunch'],
  include: ['PEPE', 'SHIB', 'BONK', 'NVDA', 'TSLA', 'XAU', 'EUR'],
  baseName: (ticker) =>
    THOUSANDS.has(ticker) ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: () => 1,
  symbol: (base) => base,
};

/** Perpetuals by market id: the place in the list. */
const markets = (world: World): readonly SimContract[] => world.contracts(listing);

function marketAt(world: World, id: string | null | undefined): SimContract | undefined {
  return id !== null && id !== undefined && /^\d+$/.test(id) ? markets(world)[Number(id)] : undefined;
}

const ok = (body: object): SimResponse => ({ status: 200, body: JSON.stringify({ code: 200, ...body }) });

const refused = (status: number, code: number, message: string): SimResponse => ({
  status,
  body: JSON.stringify({ code, message }),
});

const NO_MARKET = refused(400, 21_701, 'invalid market index');

/** Volume of a day: JSON numbers. */
function dayOf(contract: SimContract, world: World, t: number) {
  const volume = world.volume24h(contract, t);
  return {
    daily_base_token_volume: Number(baseText(contract, volume)),
    daily_quote_token_volume: Number(fixed(volume * world.mark(contract, t), 6)),
  };
}

/** A market of `orderBookDetails`; its open interest counts base units. */
function details(contract: SimContract, id: number, world: World, t: number) {
  const live = contract.status === 'live';
  return {
    symbol: contract.symbol,
    market_id: id,
    market_type: 'perp',
    base_asset_id: 0,
    quote_asset_id: 0,
    status: live ? 'active' : 'inactive',
    taker_fee: '0.0000',
    is_taker_fee_enabled: true,
    maker_fee: '0.0000',
    is_maker_fee_enabled: true,
    liquidation_fee: '1.0000',
    min_base_amount: String(contract.lot),
    min_quote_amount: '10.000000',
    size_decimals: decimalsOf(contract.lot),
    price_decimals: decimalsOf(contract.tick),
    supported_size_decimals: decimalsOf(contract.lot),
    supported_price_decimals: decimalsOf(contract.tick),
    quote_multiplier: 1,
    default_initial_margin_fraction: 500,
    min_initial_margin_fraction: 200,
    maintenance_margin_fraction: 120,
    closeout_margin_fraction: 80,
    last_trade_price: Number(priceText(contract, world.mark(contract, t))),
    daily_trades_count: live ? 1000 : 0,
    is_frozen: false,
    mark_price: fineText(contract, world.mark(contract, t)),
    index_price: fineText(contract, world.index(contract, t)),
    ...(live ? dayOf(contract, world, t) : { daily_base_token_volume: 0, daily_quote_token_volume: 0 }),
    open_interest: live ? contractsOf(contract, world.openInterest(contract, t)) : 0,
    daily_chart: {},
    market_config: { market_margin_mode: 0, force_reduce_only: false, trading_hours: '', hidden: false },
  };
}

/** Markets that are active and cannot be opened, each for a reason of its own; their prices look like any other's. */
function notOpenable(contract: SimContract, world: World, t: number): readonly object[] {
  const row = { ...details(contract, 0, world, t), taker_fee: '0.0280' };
  const { market_config: config } = row;
  return [
    { ...row, symbol: 'FRZ', market_id: 1001, is_frozen: true },
    { ...row, symbol: 'RED', market_id: 1002, market_config: { ...config, force_reduce_only: true } },
    { ...row, symbol: 'HID', market_id: 1003, market_config: { ...config, hidden: true } },
    { ...row, symbol: 'HRS', market_id: 1004, market_config: { ...config, trading_hours: 'Mon-Fri' } },
  ];
}

function orderBookDetails(world: World, t: number, id: string | null): SimResponse {
  const all = markets(world);
  if (id === null || id === '255') {
    return ok({
      order_book_details: [
        ...all.map((contract, i) => details(contract, i, world, t)),
        ...all.slice(0, 1).flatMap((contract) => notOpenable(contract, world, t)),
      ],
      spot_order_book_details: [],
    });
  }
  const contract = marketAt(world, id);
  if (contract === undefined) return NO_MARKET;
  return ok({
    order_book_details: [details(contract, Number(id), world, t)],
    spot_order_book_details: [],
  });
}

/** Rates as a fraction of eight hours, with rows that pass on what other exchanges charge. */
function fundingRates(world: World, t: number): SimResponse {
  const rows = markets(world).flatMap((contract, market_id) => {
    if (contract.status !== 'live') return [];
    const rate = Number(fixed(world.fundingRate(contract, t) * 8, 17));
    return ['lighter', 'binance', 'hyperliquid'].map((exchange, i) => ({
      market_id,
      exchange,
      symbol: contract.symbol,
      rate: exchange === 'lighter' ? rate : rate * (1 + i / 4),
    }));
  });
  return ok({ funding_rates: rows });
}

/** Settled payments: percent of an hour without a sign, the direction apart, stamped in seconds. */
function fundings(query: URLSearchParams, world: World, t: number): SimResponse {
  const contract = marketAt(world, query.get('market_id'));
  if (contract === undefined) return NO_MARKET;
  const from = Number(query.get('start_timestamp'));
  const to = Math.min(t, Number(query.get('end_timestamp')));
  const rows: unknown[] = [];
  for (let hour = Math.ceil(from / HOUR_MS) * HOUR_MS; hour <= to; hour += HOUR_MS) {
    const rate = world.settledRate(contract, hour);
    rows.push({
      timestamp: hour / 1000,
      value: fixed(Math.abs(rate) * world.mark(contract, hour) * contract.multiplier, 8),
      rate: fixed(Math.abs(rate) * 100, 6),
      direction: rate < 0 ? 'short' : 'long',
    });
  }
  const count = Number(query.get('count_back') ?? 0);
  return ok({ resolution: '1h', fundings: count > 0 ? rows.slice(-count) : rows });
}

function orders(query: URLSearchParams, world: World, t: number): SimResponse {
  const contract = marketAt(world, query.get('market_id'));
  if (contract?.status !== 'live') return NO_MARKET;
  const limit = Math.min(MOST_ORDERS, Number(query.get('limit') ?? 100));
  const { bids, asks } = bookSides(contract, world, bookTime(t), Math.ceil(limit / 2));
  return ok(singleOrders(bids, asks, limit, t));
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { path, query, now } = request;
  switch (path) {
    case '/':
      return {
        status: 200,
        body: JSON.stringify({ status: 200, network_id: 1, timestamp: Math.floor(now / 1000) }),
      };
    case '/api/v1/orderBookDetails':
      return orderBookDetails(world, now, query.get('market_id'));
    case '/api/v1/funding-rates':
      return fundingRates(world, now);
    case '/api/v1/fundings':
      return fundings(query, world, now);
    case '/api/v1/orderBookOrders':
      return orders(query, world, now);
    default:
      return path.startsWith('/api/v1/') ? refused(404, 404, 'not found') : undefined;
  }
}

/** A market of the socket; its open interest counts USD, its rates are percent of an hour. */
function stats(contract: SimContract, market_id: number, world: World, t: number) {
  const next = world.nextFunding(contract, t);
  const mark = world.mark(contract, t);
  return {
    symbol: contract.symbol,
    market_id,
    index_price: fineText(contract, world.index(contract, t)),
    mark_price: fineText(contract, mark),
    mid_price: fineText(contract, mark),
    open_interest: fixed(world.openInterest(contract, t) * mark, 6),
    open_interest_limit: contract.asset.rank < 30 ? '72057594037927936.000000' : '150000000.000000',
    funding_clamp_small: '0.0500',
    funding_clamp_big: fixed(capOf(contract) * 800, 4),
    last_trade_price: priceText(contract, mark),
    current_funding_rate: fixed(world.fundingRate(contract, t) * 100, 6),
    funding_rate: fixed(world.settledRate(contract, next - HOUR_MS) * 100, 6),
    funding_timestamp: next - HOUR_MS + 4,
    ...dayOf(contract, world, t),
  };
}

/** Frame of a channel such as `market_stats/all` or `market_stats/0`; undefined for an unknown one. */
function statsOf(channel: string, world: World, t: number): object | undefined {
  const id = /^market_stats\/(all|\d+)$/.exec(channel)?.[1];
  if (id === undefined) return undefined;
  if (id !== 'all') {
    const contract = marketAt(world, id);
    return contract?.status === 'live' ? stats(contract, Number(id), world, t) : undefined;
  }
  const rows = markets(world)
    .map((contract, i) => [contract, i] as const)
    .filter(([contract]) => contract.status === 'live')
    .map(([contract, i]) => [String(i), stats(contract, i, world, t)] as const);
  return Object.fromEntries(rows);
}

export const simLighter: SimVenue = {
  id: 'lighter',
  listing,
  limit: {
    weight: 60,
    perMs: 60_000,
    status: 429,
    body: '{"code":23000,"message":"Too Many Requests!"}',
  },
  rest,
  socket: (connection, world) => {
    const find = (id: string | undefined) => {
      const contract = marketAt(world, id);
      return contract?.status === 'live' ? contract : undefined;
    };
    return new LighterSocket(connection, world, { find, statsOf });
  },
};
