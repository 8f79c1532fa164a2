import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import type { Row } from '../book-distortion.ts';
import { fineText, rateText } from '../format.ts';
import { capOf } from '../funding.ts';
import { settlementsBefore } from '../history.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookRows, contractRow, listing, num, sequenceAt, tickerRow } from './kucoin-rows.ts';
import { KucoinSocket } from './kucoin-socket.ts';
import { kucoinAnswer as answer, kucoinRefusal as refusal, unifiedCall } from './kucoin-unified.ts';
import { bookTime } from './stepped-book.ts';

/** Levels a side of the snapshot. */
const WHOLE = 1000;

function book(contract: SimContract, depth: number, world: World, now: number): SimResponse {
  const at = bookTime(now);
  const { bids, asks } = bookRows(contract, world, at, depth);
  const side = (levels: readonly Row[]) => levels.map((row) => row.map(Number));
  const row = { sequence: sequenceAt(at), symbol: contract.symbol, bids: side(bids), asks: side(asks) };
  return answer({ ...row, ts: at * 1e6 }, depth === WHOLE ? 3 : 5);
}

/** Settled rates between `from` and `to`, both needed, newest first, at most 100. */
function fundingHistory(
  contract: SimContract,
  query: URLSearchParams,
  world: World,
  now: number,
): SimResponse {
  const from = Number(query.get('from') ?? Number.NaN);
  const to = Number(query.get('to') ?? Number.NaN);
  if (Number.isNaN(from) || Number.isNaN(to)) {
    return { status: 400, body: '{"code":"400000","msg":"from and to are required"}' };
  }
  const rows = settlementsBefore(world, contract, Math.min(now, to + 1), 100)
    .filter(({ time }) => time >= from)
    .map(({ time, rate }) => ({
      symbol: contract.symbol,
      fundingRate: num(rateText(rate)),
      timepoint: time,
    }));
  return answer(rows, 5);
}

/** Calls of the classic futures API. */
function classic(request: SimRequest, world: World): SimResponse | undefined {
  const { path, query, now } = request;
  const all = world.contracts(listing);
  const live = all.filter((contract) => contract.status === 'live');
  if (path === '/api/v1/contracts/active') {
    return answer(
      all.map((contract) => contractRow(contract, world, now)),
      3,
    );
  }
  if (path === '/api/v1/allTickers') {
    return answer(
      live.map((contract) => tickerRow(contract, world, now)),
      5,
    );
  }
  const [, call = '', inPath] =
    /^\/api\/v1\/(contracts|funding-rate|mark-price)\/([^/]+)(?:\/current)?$/.exec(path) ?? [];
  const named = inPath ?? query.get('symbol');
  const contract = live.find((contract) => contract.symbol === named);
  if (call === 'contracts') {
    return contract === undefined
      ? refusal('404000', 'The contract information you requested does not exist.')
      : answer(contractRow(contract, world, now), 3);
  }
  if (call === 'funding-rate') return currentFunding(contract, world, now);
  if (call === 'mark-price') return markPrice(contract, world, now);
  if (path === '/api/v1/contract/funding-rates') {
    return contract === undefined
      ? refusal('404000', 'The contract does not exist.')
      : fundingHistory(contract, query, world, now);
  }
  const depth = /^\/api\/v1\/level2\/(snapshot|depth20|depth100)$/.exec(path)?.[1];
  if (depth === undefined) return undefined;
  if (contract === undefined) return refusal('200003', 'Invalid symbol.');
  return book(contract, depth === 'snapshot' ? WHOLE : Number(depth.slice(5)), world, now);
}

function currentFunding(contract: SimContract | undefined, world: World, now: number): SimResponse {
  if (contract === undefined || contract.kind === 'dated') {
    return refusal('415000', 'funding rate is not supported');
  }
  const period = contract.intervalHours * HOUR_MS;
  const next = world.nextFunding(contract, now);
  return answer(
    {
      symbol: `.${contract.symbol}FPI${contract.intervalHours}H`,
      granularity: period,
      timePoint: next - period,
      value: num(rateText(world.fundingRate(contract, now))),
      dailyInterestRate: 0.0003,
      fundingRateCap: capOf(contract),
      fundingRateFloor: -capOf(contract),
      period: 1,
      fundingTime: next,
    },
    2,
  );
}

function markPrice(contract: SimContract | undefined, world: World, now: number): SimResponse {
  if (contract === undefined) return refusal('415000', 'mark price is not supported');
  const t = Math.floor(now / 1000) * 1000;
  const value = num(fineText(contract, world.mark(contract, t)));
  const indexPrice = num(fineText(contract, world.index(contract, t)));
  return answer({ symbol: contract.symbol, granularity: 1000, timePoint: t, value, indexPrice }, 3);
}

/** KuCoin's classic futures calls, and the unified ones on the same address. */
export const simKucoin: SimVenue = {
  id: 'kucoin',
  listing,
  limit: {
    weight: 2000,
    perMs: 30_000,
    status: 429,
    body: '{"code":"429000","msg":"Too many requests in a short period of time, please retry later"}',
  },
  rest: (request, world) => classic(request, world) ?? unifiedCall(request, world.contracts(listing), world),
  socket: (connection, world) => new KucoinSocket(connection, world),
};
