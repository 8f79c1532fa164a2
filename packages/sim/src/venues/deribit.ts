import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { fineText } from '../format.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import {
  accrued,
  bookRows,
  changeIdAt,
  currencyOf,
  instrument,
  listed,
  listing,
  num,
  openContracts,
  others,
  summary,
  ticker,
} from './deribit-rows.ts';
import { DeribitSocket } from './deribit-socket.ts';
import { bookTime } from './stepped-book.ts';

/** Credits of a call, and of the list of instruments. */
const CREDITS = 500;
const LIST_CREDITS = 10_000;

function answer(result: unknown, now: number, weight = CREDITS): SimResponse {
  const stamps = { usIn: now * 1000, usOut: now * 1000 + 400, usDiff: 400, testnet: false };
  return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', result, ...stamps }), weight };
}

function refused(reason: string, param: string): SimResponse {
  const error = { code: -32602, message: 'Invalid params', data: { reason, param } };
  return {
    status: 400,
    body: JSON.stringify({ jsonrpc: '2.0', error, testnet: false }),
    weight: CREDITS,
  };
}

function instruments({ query, now }: SimRequest, world: World): SimResponse {
  const currency = query.get('currency') ?? 'any';
  const expired = query.get('expired') === 'true';
  const kind = query.get('kind') ?? 'any';
  const futures = listed(world).filter(
    (contract) =>
      (currency === 'any' || currencyOf(contract) === currency) && (contract.status === 'live') !== expired,
  );
  const rows = kind === 'future' || expired ? [] : others();
  return answer(
    [...futures.map(instrument), ...(currency === 'any' || currency === 'USDC' ? rows : [])],
    now,
    LIST_CREDITS,
  );
}

const DEPTHS = [1, 5, 10, 20, 50, 100, 1000, 10_000];

function orderBook(contract: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const depth = Number(query.get('depth') ?? 5);
  if (!DEPTHS.includes(depth)) return refused('must be one of the documented depths', 'depth');
  const at = bookTime(now);
  const sides = bookRows(contract, world, at, depth);
  return answer({ ...ticker(contract, world, now), ...sides, change_id: changeIdAt(at) }, now);
}

/** Hourly rows that end at their stamp; 744 at most. */
function history(contract: SimContract, from: number, to: number, world: World): unknown[] {
  const rows: unknown[] = [];
  for (let t = Math.ceil(from / HOUR_MS) * HOUR_MS; t <= to && rows.length < 744; t += HOUR_MS) {
    rows.push({
      timestamp: t,
      index_price: num(fineText(contract, world.index(contract, t))),
      prev_index_price: num(fineText(contract, world.index(contract, t - HOUR_MS))),
      interest_8h: accrued(contract, world, t - 8 * HOUR_MS, t),
      interest_1h: accrued(contract, world, t - HOUR_MS, t),
    });
  }
  return rows;
}

function ofInstrument(call: string, contract: SimContract, request: SimRequest, world: World) {
  const { query, now } = request;
  const from = Number(query.get('start_timestamp') ?? now - 8 * HOUR_MS);
  const to = Math.min(now, Number(query.get('end_timestamp') ?? now));
  switch (call) {
    case 'get_instrument':
      return answer(instrument(contract), now);
    case 'get_book_summary_by_instrument':
      return answer([summary(contract, world, now)], now);
    case 'ticker':
      return answer(ticker(contract, world, now), now);
    case 'get_order_book':
      return orderBook(contract, request, world);
    case 'get_funding_rate_history':
      return answer(history(contract, from, to, world), now);
    case 'get_funding_rate_value':
      return answer(accrued(contract, world, from, to), now);
    default:
      return undefined;
  }
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { path, query, now } = request;
  const call = /^\/api\/v2\/public\/([a-z_]+)$/.exec(path)?.[1];
  if (call === undefined) return undefined;
  if (call === 'get_instruments') return instruments(request, world);
  const live = openContracts(world);
  if (call === 'get_book_summary_by_currency') {
    const rows = live.filter((contract) => currencyOf(contract) === query.get('currency'));
    return rows.length === 0
      ? refused('invalid currency', 'currency')
      : answer(
          rows.map((row) => summary(row, world, now)),
          now,
        );
  }
  const contract = live.find((contract) => contract.symbol === query.get('instrument_name'));
  return contract === undefined
    ? refused('wrong format', 'instrument_name')
    : ofInstrument(call, contract, request, world);
}

/** Deribit's JSON-RPC over HTTP GET, and its socket. */
export const simDeribit: SimVenue = {
  id: 'deribit',
  listing,
  limit: {
    weight: 50_000,
    perMs: 5000,
    status: 400,
    body: '{"jsonrpc":"2.0","error":{"code":10028,"message":"too_many_requests","data":null},"testnet":false}',
  },
  rest,
  socket: (connection, world) => new DeribitSocket(connection, world),
};
