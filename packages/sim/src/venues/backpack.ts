import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { decimal } from '../decimal.ts';
import { candleOf, openTimes, settlementsBefore } from '../history.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import {
  bookSides,
  contractsWith,
  interestRow,
  listing,
  marketRow,
  markRow,
  spotRow,
  tickerRow,
  updateAt,
} from './backpack-rows.ts';
import { BackpackSocket } from './backpack-socket.ts';
import { bookTime } from './stepped-book.ts';

const SPOT_PAIRS = 8;
const DEPTHS = [5, 10, 20, 50, 100, 500, 1000];

const json = (body: unknown, status = 200): SimResponse => ({ status, body: JSON.stringify(body) });

const INVALID_SYMBOL = json({ code: 'INVALID_CLIENT_REQUEST', message: 'Invalid market symbol' }, 400);
const CLOSED = json({ code: 'RESOURCE_NOT_FOUND', message: 'Not Found' }, 404);

/** A parameter that cannot be read is answered in plain text. */
function unreadable(name: string, type: string): SimResponse {
  const body = `failed to parse parameter \`${name}\`: failed to parse "${type}": Expect a valid enumeration value.`;
  return { status: 400, body, headers: { 'content-type': 'text/plain' } };
}

/** Times in text are UTC and do not say so. */
const stamp = (t: number): string => new Date(t).toISOString().slice(0, 19);

function markets({ query }: SimRequest, world: World): SimResponse {
  const all = world.contracts(listing);
  const type = query.get('marketType');
  const spot = type === null || type === 'SPOT' ? all.slice(0, SPOT_PAIRS).map(spotRow) : [];
  return json([...spot, ...(type === 'SPOT' ? [] : all.map(marketRow))]);
}

/** The interval that still runs comes first. */
function fundingRates(c: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const limit = Math.min(1000, Number(query.get('limit') ?? 100));
  const offset = Number(query.get('offset') ?? 0);
  const running = { time: world.nextFunding(c, now), rate: world.fundingRate(c, now) };
  const all = [running, ...settlementsBefore(world, c, now, offset + limit)];
  const rows = all.slice(offset, offset + limit).map(({ time, rate }) => ({
    fundingRate: decimal(Math.round(rate * 1e9) / 1e9),
    intervalEndTimestamp: stamp(time),
    symbol: c.symbol,
  }));
  return json(rows);
}

function klines(c: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const start = Number(query.get('startTime')) * 1000;
  const end = Number(query.get('endTime') ?? now / 1000) * 1000;
  const price = query.get('priceType') === 'IndexPrice' ? world.index : world.mark;
  const rows = openTimes(start, Math.min(end, now), HOUR_MS, 1000).map((t) => {
    const { open, high, low, close } = candleOf((at) => price.call(world, c, at) * c.multiplier, t, HOUR_MS);
    const text = (x: number) => decimal(x, 12);
    const times = { start: stamp(t).replace('T', ' '), end: stamp(t + HOUR_MS).replace('T', ' ') };
    const prices = { open: text(open), high: text(high), low: text(low), close: text(close) };
    return { ...times, ...prices, volume: '0', quoteVolume: '0', trades: '0' };
  });
  return json(rows);
}

function depth(c: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const limit = Number(query.get('limit') ?? 1000);
  if (!DEPTHS.includes(limit)) return unreadable('limit', 'DepthLimit');
  const at = bookTime(now);
  const sides = bookSides(c, world, at, Math.min(limit, 200));
  return json({ ...sides, lastUpdateId: String(updateAt(at)), timestamp: now * 1000 });
}

type Render = (c: SimContract, world: World, t: number) => unknown;

/** All rows of a bulk call, or the one that was asked for. */
function bulk(
  contracts: readonly SimContract[],
  render: Render,
  { query, now }: SimRequest,
  world: World,
): SimResponse {
  const symbol = query.get('symbol');
  const some = contracts.filter((c) => symbol === null || c.symbol === symbol);
  if (some.length === 0) return json({ code: 'INVALID_CLIENT_REQUEST', message: 'Symbol not found' }, 400);
  return json(some.map((c) => render(c, world, now)));
}

function openInterest(request: SimRequest, world: World): SimResponse {
  const answer = bulk(contractsWith(world, 'live'), interestRow, request, world);
  if (request.query.get('symbol') !== null || answer.status !== 200) return answer;
  // Prediction contracts without a market of their own stand among the rows.
  const prediction = { openInterest: '100', symbol: 'FDVEXTD1B_USDC_PREDICTION', timestamp: request.now };
  return json([...(JSON.parse(answer.body) as unknown[]), prediction]);
}

function tickers({ now }: SimRequest, world: World): SimResponse {
  const perps = contractsWith(world, 'live').map((c) => tickerRow(c, world, now));
  const spot = perps
    .slice(0, SPOT_PAIRS)
    .map((row) => ({ ...row, symbol: row.symbol.replace(/_PERP$/, '') }));
  return json([...spot, ...perps]);
}

function ofContract(request: SimRequest, world: World): SimResponse | undefined {
  const symbol = request.query.get('symbol');
  const c = world.contracts(listing).find((contract) => contract.symbol === symbol);
  if (c === undefined) return INVALID_SYMBOL;
  if (c.status !== 'live') return CLOSED;
  switch (request.path) {
    case '/api/v1/market':
      return json(marketRow(c, 0));
    case '/api/v1/ticker':
      return json(tickerRow(c, world, request.now));
    case '/api/v1/depth':
      return depth(c, request, world);
    case '/api/v1/klines':
      return klines(c, request, world);
    default:
      return fundingRates(c, request, world);
  }
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  switch (request.path) {
    case '/api/v1/markets':
      return markets(request, world);
    case '/api/v1/markPrices':
      // Markets before their opening are quoted too.
      return bulk(contractsWith(world, 'live', 'prelisting'), markRow, request, world);
    case '/api/v1/openInterest':
      return openInterest(request, world);
    case '/api/v1/tickers':
      return tickers(request, world);
    case '/api/v1/market':
    case '/api/v1/ticker':
    case '/api/v1/depth':
    case '/api/v1/klines':
    case '/api/v1/fundingRates':
      return ofContract(request, world);
    default:
      return { status: 404, body: 'not found', headers: { 'content-type': 'text/plain' } };
  }
}

/** Backpack Exchange: perpetuals in USDC. The limit is the one that clients assume. */
export const simBackpack: SimVenue = {
  id: 'backpack',
  listing,
  limit: {
    weight: 200,
    perMs: 10_000,
    status: 429,
    body: '{"code":"TOO_MANY_REQUESTS","message":"Too many requests"}',
  },
  rest,
  socket: (connection, world) => new BackpackSocket(connection, world),
};
