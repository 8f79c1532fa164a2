import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { decimal } from '../decimal.ts';
import { baseText, baseTextTwice } from '../format.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { bookSides, LEVELS, NadoSocket, ns, x18 } from './nado-socket.ts';
import { sidesOf } from './sides.ts';
import { bookTime } from './stepped-book.ts';

const listing: SimListing = {
  venue: 'nado',
  quotes: ['USDT0'],
  count: 50,
  classes: ['crypto', 'equity'],
  include: ['NVDA'],
  intervalHours: () => 1,
  symbol: (base, quote) => `${base}-PERP_${quote}`,
  delisted: 5,
};

/** Markets that are not live are listed on, with marks that follow the oracle. */
const HALTED = ['post_only', 'not_tradable', 'soft_reduce_only', 'reduce_only'] as const;

/** Of most contracts. */
const TAKER_FEE = 0.00035;

const num = (x: number): number => Number(decimal(x, 15));

function live(world: World): readonly SimContract[] {
  return world.contracts(listing).filter((c) => c.status === 'live');
}

interface Product {
  readonly c: SimContract;
  readonly product_id: number;
  readonly trading_status: string;
}

/** Perpetuals have even product numbers here, spot odd ones; halted ones the last. */
function productsOf(world: World): readonly Product[] {
  const halted = world.contracts(listing).filter((c) => c.status !== 'live');
  return [...live(world), ...halted].map((c, i) => ({
    c,
    product_id: 2 * (i + 1),
    trading_status: c.status === 'live' ? 'live' : (HALTED[halted.indexOf(c) % HALTED.length] ?? 'live'),
  }));
}

const productOf = (world: World, c: SimContract): number => 2 * (live(world).indexOf(c) + 1);

function ofProduct(world: World, product: number | undefined): SimContract | undefined {
  return product === undefined ? undefined : live(world)[product / 2 - 1];
}

function ok(body: unknown): SimResponse {
  return { status: 200, body: JSON.stringify(body) };
}

function failure(error: string): SimResponse {
  return { status: 400, body: JSON.stringify({ status: 'failure', error_code: 1000, error }) };
}

function contractRow(c: SimContract, product: number, world: World, t: number) {
  const mark = world.mark(c, t);
  const volume = world.volume24h(c, t);
  const twice = Number(baseTextTwice(c, world.openInterest(c, t)));
  return {
    product_id: product,
    ticker_id: c.symbol,
    base_currency: `${c.base}-PERP`,
    quote_currency: 'USDT0',
    last_price: num(mark),
    base_volume: Number(baseText(c, volume)),
    quote_volume: num(volume * mark),
    product_type: 'perpetual',
    contract_price: num(mark),
    contract_price_currency: 'USD',
    open_interest: twice,
    open_interest_usd: num(twice * mark),
    index_price: num(world.index(c, t)),
    mark_price: num(mark),
    // Stated per day, paid each hour.
    funding_rate: num(world.fundingRate(c, t) * 24),
    next_funding_rate_timestamp: world.nextFunding(c, t) / 1000,
    price_change_percent_24h: 0.5,
  };
}

interface HistoryQuery {
  readonly product_id: number;
  readonly end_time?: number;
  readonly limit?: number;
}

function history(query: HistoryQuery, world: World, now: number): SimResponse {
  const c = ofProduct(world, query.product_id);
  if (c === undefined) return failure('unknown product');
  const newest =
    Math.floor(Math.min(now, (query.end_time ?? Number.POSITIVE_INFINITY) * 1000) / HOUR_MS) * HOUR_MS;
  const length = Math.min(query.limit ?? 100, 500);
  const funding_rates = Array.from({ length }, (_, i) => {
    const t = newest - i * HOUR_MS;
    return {
      product_id: query.product_id,
      timestamp: t / 1000,
      funding_rate_x18: x18(world.settledRate(c, t)),
    };
  });
  return { ...ok({ funding_rates }), weight: 2 + length / 100 };
}

interface ArchiveQuery {
  readonly funding_rate_history?: HistoryQuery;
  readonly funding_rates?: ProductsQuery;
  readonly perp_prices?: ProductsQuery;
}

interface ProductsQuery {
  readonly product_ids: readonly number[];
}

/** Answers about products are maps by their number, of integers scaled by 10^18. */
function archive(asked: ArchiveQuery, world: World, now: number): SimResponse {
  if (asked.funding_rate_history !== undefined) return history(asked.funding_rate_history, world, now);
  const { product_ids } = asked.funding_rates ?? asked.perp_prices ?? {};
  if (product_ids === undefined) return failure('unknown query');
  const update_time = String(Math.floor(now / 1000));
  const rows = product_ids.flatMap((product_id) => {
    const c = ofProduct(world, product_id);
    if (c === undefined) return [];
    const stated =
      asked.funding_rates === undefined
        ? { index_price_x18: x18(world.index(c, now)), mark_price_x18: x18(world.mark(c, now)) }
        : { funding_rate_x18: x18(world.fundingRate(c, now) * 24) };
    return [[product_id, { product_id, ...stated, update_time }] as const];
  });
  return { ...ok(Object.fromEntries(rows)), weight: 2 };
}

function orderbook(request: SimRequest, world: World): SimResponse {
  const c = live(world).find((contract) => contract.symbol === request.query.get('ticker_id'));
  if (c === undefined) return failure('unknown ticker');
  const t = bookTime(request.now);
  return ok({
    product_id: productOf(world, c),
    ticker_id: c.symbol,
    ...sidesOf(world.book(c, t, depthOf(request)), (price, size) => [num(price), num(size)]),
    timestamp: t,
  });
}

const depthOf = ({ query }: SimRequest): number => Math.min(LEVELS, Number(query.get('depth') ?? LEVELS));

/** The engine's query of a book: scaled integers, as of a time that stands in the order of the changes. */
function liquidity(request: SimRequest, world: World): SimResponse {
  const product_id = Number(request.query.get('product_id'));
  const c = ofProduct(world, product_id);
  if (c === undefined) return failure('unknown product');
  const t = bookTime(request.now);
  const data = { ...bookSides(c, world, t, depthOf(request)), product_id, timestamp: ns(t) };
  return ok({ status: 'success', data, request_type: 'query_market_liquidity' });
}

const symbolOf = (c: SimContract): string => `${c.base}-PERP`;

const tradingTerms = ({ c, product_id, trading_status }: Product) => ({
  type: 'perp',
  product_id,
  symbol: symbolOf(c),
  price_increment_x18: x18(c.tick),
  size_increment: x18(c.lot),
  min_size: x18(100),
  maker_fee_rate_x18: x18(0.0001),
  taker_fee_rate_x18: x18(TAKER_FEE),
  long_weight_initial_x18: x18(0.95),
  long_weight_maintenance_x18: x18(0.97),
  trading_status,
  isolated_only: false,
});

const SPOT = {
  type: 'spot',
  product_id: 1,
  symbol: 'KBTC',
  taker_fee_rate_x18: x18(TAKER_FEE),
  trading_status: 'live',
};

/** The engine's query of symbols, a map. */
function symbols({ query }: SimRequest, world: World): SimResponse {
  const rows = [...productsOf(world).map(tradingTerms), SPOT].filter(
    ({ type }) => query.get('product_type') === null || query.get('product_type') === type,
  );
  const data = { symbols: Object.fromEntries(rows.map((row) => [row.symbol, row])) };
  return { ...ok({ status: 'success', data, request_type: 'query_symbols' }), weight: 2 };
}

function engine(request: SimRequest, world: World): SimResponse {
  const type = request.query.get('type');
  if (type === 'symbols') return symbols(request, world);
  return type === 'market_liquidity' ? liquidity(request, world) : failure('unknown query');
}

/** Further lists of the gateway; the collector needs none of them. */
function catalogue(path: string, world: World): SimResponse | undefined {
  const products = productsOf(world);
  switch (path) {
    case '/v1/symbols':
      return ok(products.map(tradingTerms));
    case '/v2/pairs':
      return ok(
        products.map(({ c, product_id }) => ({
          product_id,
          ticker_id: c.symbol,
          base: symbolOf(c),
          quote: 'USDT0',
        })),
      );
    case '/v2/assets':
      return ok([
        {
          product_id: 0,
          ticker_id: null,
          market_type: null,
          name: 'USDT0',
          symbol: 'USDT0',
          can_deposit: true,
        },
        ...products.map(({ c, product_id }) => ({
          product_id,
          symbol: symbolOf(c),
          ticker_id: c.symbol,
          market_type: 'perp',
        })),
      ]);
    default:
      return undefined;
  }
}

/** Gateway and archive lie behind prefixes of one host; the hosts of their own, without a prefix, still answer. */
function rest(request: SimRequest, world: World): SimResponse | undefined {
  const path = request.path.replace(/^\/(?:gateway|archive)(?=\/)/, '');
  switch (path) {
    case '/v2/tickers':
    case '/v2/contracts': {
      const rows = productsOf(world).map(
        ({ c, product_id }) => [c.symbol, contractRow(c, product_id, world, request.now)] as const,
      );
      return ok(Object.fromEntries(rows));
    }
    case '/v2/orderbook':
      return orderbook(request, world);
    case '/v1/query':
      return engine(request, world);
    case '/v1': {
      return archive(JSON.parse(request.body || '{}') as ArchiveQuery, world, request.now);
    }
    default:
      return catalogue(path, world);
  }
}

export const simNado: SimVenue = {
  id: 'nado',
  listing,
  limit: {
    weight: 400,
    perMs: 10_000,
    status: 429,
    body: '{"status":"failure","error_code":1000,"error":"Too Many Requests!"}',
  },
  rest,
  socketNeedsDeflate: true,
  socket: (connection, world) => new NadoSocket(connection, world, (product) => ofProduct(world, product)),
};
