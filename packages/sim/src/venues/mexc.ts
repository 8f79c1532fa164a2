import { fineText, rateText } from '../format.ts';
import { candleOf, openTimes, settlementsBefore } from '../history.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookRows, detailRow, fundingRow, listing, num, tickerRow, versionAt, WHOLE } from './mexc-rows.ts';
import { MexcSocket } from './mexc-socket.ts';
import { bookTime } from './stepped-book.ts';

/** Coins with rows in the bulk replies and none in the catalog. */
const UNLISTED = ['MX_USDT', 'WBTC_USDT', 'STETH_USDT', 'USDE_USDT', 'MXSOL_USDT'];

function answer(data: unknown): SimResponse {
  return { status: 200, body: JSON.stringify({ success: true, code: 0, data }) };
}

/** Errors come with HTTP 200. */
const NO_CONTRACT: SimResponse = {
  status: 200,
  body: '{"success":false,"code":1001,"message":"Contract does not exist"}',
};

const unlistedFunding = (symbol: string, t: number) => ({
  symbol,
  fundingRate: 0,
  maxFundingRate: 0.0018,
  minFundingRate: -0.0018,
  collectCycle: 8,
  nextSettleTime: Math.ceil((t + 1) / 28_800_000) * 28_800_000,
  timestamp: t - 30,
  idxPrice: 0,
  fairPrice: 0,
});

const unlistedTicker = (symbol: string, t: number) => ({
  symbol,
  lastPrice: 0,
  bid1: 0,
  ask1: 0,
  volume24: 0,
  amount24: 0,
  holdVol: 0,
  indexPrice: 1.5,
  fairPrice: 1.5,
  fundingRate: 0,
  timestamp: t,
});

function depth(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  if (contract.status !== 'live') {
    // A contract that stopped trading keeps answering, with an empty book and a frozen stamp.
    return answer({ cts: null, asks: [], bids: [], version: 222_542_631, timestamp: 1_789_455_601_090 });
  }
  const at = bookTime(now);
  const { bids, asks } = bookRows(contract, world, at, Math.min(WHOLE, Number(query.get('limit') ?? WHOLE)));
  return answer({ cts: null, asks, bids, version: versionAt(at), timestamp: now });
}

function history(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  const pageSize = Math.min(1000, Number(query.get('page_size') ?? 20));
  const currentPage = Number(query.get('page_num') ?? 1);
  const rows = settlementsBefore(world, contract, now, pageSize, (currentPage - 1) * pageSize);
  const resultList = rows.map(({ time, rate }) => ({
    symbol: contract.symbol,
    fundingRate: num(rateText(rate)),
    settleTime: time,
    collectCycle: contract.intervalHours,
  }));
  return answer({
    pageSize,
    totalCount: 2000,
    totalPage: Math.ceil(2000 / pageSize),
    currentPage,
    resultList,
  });
}

const STEPS: Readonly<Record<string, number>> = {
  Min1: 60_000,
  Min5: 300_000,
  Min15: 900_000,
  Min60: 3_600_000,
  Hour4: 14_400_000,
  Day1: 86_400_000,
};

function candles(contract: SimContract, request: SimRequest, price: (t: number) => number): SimResponse {
  const { query, now } = request;
  const step = STEPS[query.get('interval') ?? 'Min1'] ?? 60_000;
  const to = Math.min(now, Number(query.get('end') ?? now / 1000) * 1000);
  const times = openTimes(Number(query.get('start') ?? 0) * 1000, to, step, 2000);
  const bars = times.map((t) => candleOf(price, t, step));
  const column = (key: 'open' | 'high' | 'low' | 'close') =>
    bars.map((bar) => num(fineText(contract, bar[key])));
  const none = times.map(() => 0);
  return answer({
    time: times.map((t) => t / 1000),
    open: column('open'),
    close: column('close'),
    high: column('high'),
    low: column('low'),
    vol: none,
    amount: none,
  });
}

/** Lists of all contracts. */
function bulk(call: string, world: World, now: number): SimResponse | undefined {
  const all = world.contracts(listing);
  const live = all.filter((contract) => contract.status === 'live' && contract.kind !== 'dated');
  if (call === 'detail' || call === 'detail/country')
    return answer(all.map((contract) => detailRow(contract, now)));
  if (call === 'funding_rate') {
    const unlisted = UNLISTED.map((symbol) => unlistedFunding(symbol, now));
    return answer([...live.map((contract) => fundingRow(contract, world, now)), ...unlisted]);
  }
  if (call !== 'ticker') return undefined;
  const unlisted = UNLISTED.map((symbol) => unlistedTicker(symbol, now));
  return answer([...live.map((contract) => tickerRow(contract, world, now)), ...unlisted]);
}

/** Calls about one contract, named in the path or in the query. */
function single(call: string, named: string, request: SimRequest, world: World): SimResponse | undefined {
  const { now } = request;
  const contract = world.contracts(listing).find((contract) => contract.symbol === named);
  if (contract === undefined) return NO_CONTRACT;
  if (call === 'depth') return depth(contract, request, world);
  if (contract.status !== 'live') return NO_CONTRACT;
  switch (call) {
    case 'detail':
      return answer(detailRow(contract, now));
    case 'funding_rate':
      return answer(fundingRow(contract, world, now));
    case 'ticker':
      return answer(tickerRow(contract, world, now));
    case 'index_price':
      return answer({ symbol: named, indexPrice: fundingRow(contract, world, now).idxPrice, timestamp: now });
    case 'fair_price':
      return answer({ symbol: named, fairPrice: fundingRow(contract, world, now).fairPrice, timestamp: now });
    case 'funding_rate/history':
      return history(contract, request, world);
    case 'kline/fair_price':
      return candles(contract, request, (t) => world.mark(contract, t));
    case 'kline/index_price':
      return candles(contract, request, (t) => world.index(contract, t));
    default:
      return undefined;
  }
}

const PATH =
  /^\/api\/v1\/contract\/(detail\/country|funding_rate\/history|kline\/\w+_price|[a-z_]+)(?:\/([^/]+))?$/;

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const [, call, inPath] = PATH.exec(request.path) ?? [];
  if (call === undefined) return undefined;
  const named = inPath ?? request.query.get('symbol');
  return named === null ? bulk(call, world, request.now) : single(call, named, request, world);
}

/** MEXC's futures calls. */
export const simMexc: SimVenue = {
  id: 'mexc',
  listing,
  limit: {
    // Each call has a limit of its own, of 10 or 20; here they are one.
    weight: 50,
    perMs: 2_000,
    status: 200,
    body: '{"success":false,"code":510,"message":"Requests are too frequent, please try again later"}',
  },
  rest,
  socket: (connection, world) => new MexcSocket(connection, world),
};
