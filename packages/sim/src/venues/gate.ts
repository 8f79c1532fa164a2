import type { Row } from '../book-distortion.ts';
import { contractsOf, fineText, fixed, rateText } from '../format.ts';
import { candleOf, openTimes, settlementsBefore } from '../history.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookIdAt, bookRows, contractRow, listing, ofSettle, tickerRow } from './gate-rows.ts';
import { GateSocket } from './gate-socket.ts';
import { bookTime } from './stepped-book.ts';

const ok = (value: unknown): SimResponse => ({ status: 200, body: JSON.stringify(value) });

function refusal(label: string, message?: string): SimResponse {
  return { status: 400, body: JSON.stringify(message === undefined ? { label } : { label, message }) };
}

const NOT_FOUND = refusal('CONTRACT_NOT_FOUND');

function orderBook(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  const limit = Number(query.get('limit') ?? 10);
  if (limit > 300) return refusal('TOO_BIG', 'limit 300');
  const at = bookTime(now);
  const { bids, asks } = bookRows(contract, world, at, limit);
  const side = (levels: readonly Row[]) => levels.map(([p, s]) => ({ p, s: Number(s) }));
  return ok({
    ...(query.get('with_id') === 'true' ? { id: bookIdAt(at) } : {}),
    current: now / 1000,
    update: at / 1000,
    asks: side(asks),
    bids: side(bids),
  });
}

const STEPS: Readonly<Record<string, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

/** Times that a history query asks for; `from` and `to` count seconds. */
function askedTimes(
  request: SimRequest,
  limit: number,
): { readonly times: readonly number[]; readonly step: number } {
  const { query, now } = request;
  const step = STEPS[query.get('interval') ?? '5m'] ?? 300_000;
  const to = Math.min(now, Number(query.get('to') ?? now / 1000) * 1000);
  return { times: openTimes(Number(query.get('from') ?? 0) * 1000, to, step, limit), step };
}

function stats(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { times } = askedTimes(request, Number(request.query.get('limit') ?? 30));
  const rows = times.map((t) => {
    const mark = world.mark(contract, t);
    const coins = world.openInterest(contract, t);
    return {
      time: t / 1000,
      lsr_taker: 0.667,
      lsr_account: 1.786,
      long_liq_size: 0,
      short_liq_size: 0,
      mark_price: Number(fineText(contract, mark)),
      open_interest: contractsOf(contract, coins),
      open_interest_usd: Number(fixed(coins * mark, 4)),
    };
  });
  return ok(rows);
}

function candles(contract: SimContract, request: SimRequest, world: World, prefix: string): SimResponse {
  const price = (t: number) => (prefix === 'index_' ? world.index(contract, t) : world.mark(contract, t));
  const { times, step } = askedTimes(request, Math.min(2000, Number(request.query.get('limit') ?? 100)));
  const rows = times.map((t) => {
    const { open, high, low, close } = candleOf(price, t, step);
    const [o, h, l, c] = [open, high, low, close].map((p) => fineText(contract, p));
    const traded = world.volumeBetween(contract, t, t + step);
    const plain = { v: contractsOf(contract, traded), sum: fixed(traded * close, 2) };
    return { t: t / 1000, o, h, l, c, ...(prefix === '' ? plain : {}) };
  });
  return ok(rows);
}

/** The stamp of a settlement is up to two seconds late. */
function fundingHistory(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  const to = Math.min(now, Number(query.get('to') ?? now / 1000) * 1000 + 1);
  const from = Number(query.get('from') ?? 0) * 1000;
  const count = Math.min(1000, Number(query.get('limit') ?? 100));
  const rows = settlementsBefore(world, contract, to, count)
    .filter(({ time }) => time >= from)
    .map(({ time, rate }) => ({ r: rateText(rate), t: time / 1000 + (Math.round(time / 3_600_000) % 3) }));
  return ok(rows);
}

const PATH = /^\/api\/v4\/futures\/(\w+)\/([a-z_]+)(?:\/([^/]+))?$/;

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const [, settle = '', call = '', named] = PATH.exec(request.path) ?? [];
  const { query, now } = request;
  const all = ofSettle(world, settle);
  if (call === '') return undefined;
  if (all.length === 0) {
    return refusal('MISSING_REQUIRED_HEADER', 'Missing required header: Timestamp');
  }
  const asked = named ?? query.get('contract');
  if (asked === null) return list(call, all, query, world, now);
  const prefix = call === 'candlesticks' ? (/^(?:mark|index)_/.exec(asked)?.[0] ?? '') : '';
  const contract = all.find((contract) => contract.symbol === decodeURIComponent(asked.slice(prefix.length)));
  if (contract === undefined) return NOT_FOUND;
  switch (call) {
    case 'contracts':
      return ok(contractRow(contract, world, now));
    case 'tickers':
      return ok([tickerRow(contract, world, now)]);
    case 'order_book':
      return orderBook(contract, request, world);
    case 'funding_rate':
      return fundingHistory(contract, request, world);
    case 'contract_stats':
      return stats(contract, request, world);
    case 'candlesticks':
      return candles(contract, request, world, prefix);
    default:
      return undefined;
  }
}

function list(
  call: string,
  all: readonly SimContract[],
  query: URLSearchParams,
  world: World,
  now: number,
): SimResponse | undefined {
  const limit = query.get('limit') === null ? all.length : Number(query.get('limit'));
  if (call === 'contracts')
    return ok(all.slice(0, limit).map((contract) => contractRow(contract, world, now)));
  if (call === 'tickers') {
    return ok(
      all.filter((contract) => contract.status === 'live').map((contract) => tickerRow(contract, world, now)),
    );
  }
  return refusal('MISSING_REQUIRED_PARAM', 'Missing required parameter: contract');
}

/** Gate's futures calls, one settlement currency a path. */
export const simGate: SimVenue = {
  id: 'gate',
  listing,
  limit: {
    weight: 200,
    perMs: 10_000,
    status: 429,
    body: '{"label":"TOO_MANY_REQUESTS","message":"Request Rate Limit Exceeded"}',
  },
  rest,
  socket: (connection, world) => new GateSocket(connection, world),
};
