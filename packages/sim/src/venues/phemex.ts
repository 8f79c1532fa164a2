import { decimal } from '../decimal.ts';
import { settlementsBefore } from '../history.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { World } from '../world.ts';
import {
  bookFrame,
  bookSides,
  fundingRow,
  listing,
  productCoinM,
  productV2,
  quoted,
  spotPair,
  TIERS,
  tickerV2,
  tickerV3,
  WHOLE,
} from './phemex-rows.ts';
import { PhemexSocket } from './phemex-socket.ts';
import { bookTime } from './stepped-book.ts';

const SPOT_PAIRS = 5;

function answer(data: unknown): SimResponse {
  return { status: 200, body: JSON.stringify({ code: 0, msg: 'OK', data }) };
}

function result(value: unknown): SimResponse {
  return { status: 200, body: JSON.stringify({ error: null, id: 0, result: value }) };
}

/** The calls under `/md` answer a bad argument with HTTP 500. */
const INVALID: SimResponse = {
  status: 500,
  body: '{"error":{"code":6001,"message":"invalid argument"},"id":null,"result":null}',
};

function products(world: World): SimResponse {
  const all = world.contracts(listing);
  const coinM = all.filter((c) => c.kind === 'inverse');
  const currencies = [{ currency: 'USDT', code: 3, valueScale: 8, status: 'Listed' }];
  return answer({
    currencies,
    products: [...coinM.map(productCoinM), ...all.slice(0, SPOT_PAIRS).map(spotPair)],
    perpProductsV2: all.filter((c) => c.kind === 'perp').map(productV2),
    perpProductsPilot: null,
    riskLimits: [],
    leverages: [],
    riskLimitsV2: [],
    leveragesV2: [],
    leverageMargins: [TIERS],
    ratioScale: 8,
  });
}

/** Twenty rows unless more are asked for, and never more than 200. */
function fundingRates({ query, now }: SimRequest, world: World): SimResponse {
  const size = Math.min(200, Number(query.get('pageSize') ?? 20));
  const page = Number(query.get('pageNum') ?? 1);
  const symbol = query.get('symbol');
  const rows = world
    .contracts(listing)
    .filter((c) => c.status === 'live' && (symbol === null || c.symbol === symbol));
  const shown = rows.slice((page - 1) * size, page * size);
  return answer({ total: rows.length, rows: shown.map((c) => fundingRow(c, world, now)) });
}

function fundingHistory({ query, now }: SimRequest, world: World): SimResponse {
  const name = /^\.(.+)FR8H$/.exec(query.get('symbol') ?? '')?.[1];
  const c = world.contracts(listing).find((contract) => contract.symbol === name);
  if (c === undefined) return answer({ rows: [] });
  const start = Number(query.get('start') ?? 0);
  const end = Number(query.get('end') ?? now);
  const limit = Math.min(100, Number(query.get('limit') ?? 20));
  const rows = settlementsBefore(world, c, now, 500)
    .filter(({ time }) => time >= start && time <= end)
    .slice(0, limit)
    .reverse()
    .map(({ time, rate }) => ({
      symbol: `.${c.symbol}FR8H`,
      fundingRate: decimal(rate),
      fundingTime: time,
      intervalSeconds: c.intervalHours * 3600,
    }));
  return answer({ rows });
}

function marketData({ path, query, now }: SimRequest, world: World): SimResponse {
  const [, version, call] = /^\/md\/(v\d)\/(.+)$/.exec(path) ?? [];
  const ticker = version === 'v3' ? tickerV3 : tickerV2;
  const all = quoted(world);
  if (call === 'ticker/24hr/all') return result(all.map((c) => ticker(c, world, now)));
  const c = all.find((contract) => contract.symbol === query.get('symbol'));
  if (c === undefined || version === undefined) return INVALID;
  if (call === 'ticker/24hr') return result(ticker(c, world, now));
  if (call !== 'orderbook' && call !== 'fullbook') return INVALID;
  const at = bookTime(now);
  const depth = call === 'orderbook' ? 30 : 0;
  return result(bookFrame(c, depth, at, bookSides(c, world, at, depth || WHOLE), 'snapshot'));
}

function rest(request: SimRequest, world: World): SimResponse {
  const { path } = request;
  if (path === '/public/products') return products(world);
  if (path.endsWith('/exchange/public/products')) return answer([]);
  if (path === '/contract-biz/public/real-funding-rates') return fundingRates(request, world);
  if (path === '/api-data/public/data/funding-rate-history') return fundingHistory(request, world);
  if (path.startsWith('/md/')) return marketData(request, world);
  return { status: 403, body: '' };
}

/** Phemex: USDT- and USDC-margined contracts beside coin-margined ones and spot; documented limit of an address. */
export const simPhemex: SimVenue = {
  id: 'phemex',
  listing,
  limit: {
    weight: 5000,
    perMs: 300_000,
    status: 429,
    body: '{"code":429,"msg":"Too many requests","data":null}',
  },
  rest,
  socket: (connection, world) => new PhemexSocket(connection, world),
};
