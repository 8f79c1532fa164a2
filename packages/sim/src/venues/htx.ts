import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { contractsOf, fineText, fixed, rateText } from '../format.ts';
import { candleOf, openTimes, settlementsBefore } from '../history.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { HtxBooksSocket } from './htx-books.ts';
import { HtxMarksSocket } from './htx-marks.ts';
import {
  aliasOf,
  bboRow,
  bookRows,
  contractRow,
  fundingRow,
  indexRow,
  interestRow,
  overview,
  withLong,
} from './htx-rows.ts';
import { htxFifth } from './htx-v5.ts';
import { bookTime } from './stepped-book.ts';

/** Coins in one contract: the power of ten that is worth some ten dollars. */
function contractSize(_ticker: string, price: number): number {
  const power = Math.floor(Math.log10(20 / price));
  return Number(`1e${Math.max(-4, Math.min(9, power))}`);
}

const listing: SimListing = {
  venue: 'htx',
  size: 0.16,
  quotes: ['USDT'],
  count: 240,
  classes: ['crypto', 'equity', 'index', 'commodity'],
  include: ['PEPE', 'SHIB', 'NVDA', 'XAU', '1INCH'],
  contractSize,
  intervalHours: (rank) => (rank < 80 ? 8 : rank % 71 === 0 ? 1 : rank % 3 === 0 ? 4 : 8),
  symbol: (base, quote) => `${base}-${quote}`,
  dated: (base, quote) => `${base}-${quote}-261225`,
  delisted: 16,
  prelisting: 2,
};

const named = (x: unknown): string => JSON.stringify(x);

function ok(fields: object, now: number): SimResponse {
  return { status: 200, body: JSON.stringify({ status: 'ok', ...fields, ts: now }) };
}

const longNumbers = (response: SimResponse): SimResponse => ({ ...response, body: withLong(response.body) });

/** Calls of the API name their errors with a number, market calls with a text; both inside HTTP 200. */
const apiError = (code: number, message: string, now: number): SimResponse => ({
  status: 200,
  body: JSON.stringify({ status: 'error', err_code: code, err_msg: message, ts: now }),
});
const marketError = (code: string, message: string, now: number): SimResponse => ({
  status: 200,
  body: JSON.stringify({ ts: now, status: 'error', 'err-code': code, 'err-msg': message }),
});

function depth(contract: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const step = query.get('type') ?? 'step0';
  const ch = `market.${contract.symbol}.depth.${step}`;
  const at = bookTime(now);
  const second = Math.floor(at / 1000);
  const stamps = { ch, id: second, mrid: Math.floor(at / 7), ts: at, version: second };
  if (contract.status !== 'live') return ok({ ch, tick: { asks: [], bids: [], ...stamps } }, now);
  const { bids, asks } = bookRows(contract, world, at, Number(step.slice(4)) >= 6 ? 30 : 150);
  return ok({ ch, tick: { asks, bids, ...stamps } }, now);
}

/** Payments since the listing of a contract. */
const SETTLED = 1500;

function fundingHistory(contract: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const size = Math.min(50, Number(query.get('page_size') ?? 20));
  const page = Number(query.get('page_index') ?? 1);
  const newer = (page - 1) * size;
  const left = Math.max(0, Math.min(size, SETTLED - newer));
  const rows = settlementsBefore(world, contract, now, left, newer).map(({ time, rate }) => ({
    avg_premium_index: rateText(rate),
    funding_rate: `${rateText(rate)}0000000000`,
    realized_rate: page % 2 === 0 ? null : `${rateText(rate)}0000000000`,
    funding_time: String(time),
    contract_code: contract.symbol,
    symbol: contract.base,
    fee_asset: 'USDT',
  }));
  const total_page = Math.ceil(SETTLED / size);
  const data = { total_page, current_page: page, total_size: SETTLED, data: rows };
  return ok({ data }, now);
}

const PERIODS: Readonly<Record<string, number>> = {
  '1min': 60_000,
  '5min': 300_000,
  '60min': HOUR_MS,
  '4hour': 4 * HOUR_MS,
  '12hour': 12 * HOUR_MS,
  '1day': 24 * HOUR_MS,
};

function interestHistory(contract: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const step = PERIODS[query.get('period') ?? '60min'] ?? HOUR_MS;
  const type = query.get('amount_type') ?? '1';
  const times = openTimes(0, now, step, Math.min(200, Number(query.get('size') ?? 48)));
  const tick = times.map((t) => {
    const open = world.openInterest(contract, t);
    const volume = type === '2' ? open : contractsOf(contract, open);
    const value = fixed(open * world.mark(contract, t), 16);
    return { volume: fixed(volume, 16), amount_type: type, ts: String(t), value };
  });
  const data = {
    symbol: contract.base,
    tick: tick.reverse(),
    contract_code: contract.symbol,
    business_type: 'swap',
    pair: contract.symbol,
    contract_type: 'swap',
    trade_partition: 'USDT',
  };
  return { status: 200, body: JSON.stringify({ status: 'ok', data, ts: String(now) }) };
}

function markCandles(contract: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const period = query.get('period') ?? '1min';
  const step = PERIODS[period] ?? 60_000;
  const times = openTimes(0, now, step, Math.min(2000, Number(query.get('size') ?? 150)));
  const data = times.map((t) => {
    const { open, high, low, close } = candleOf((at) => world.mark(contract, Math.min(at, now)), t, step);
    const [o, h, l, c] = [open, high, low, close].map((price) => fineText(contract, price));
    return {
      amount: '0',
      close: c,
      count: '0',
      high: h,
      id: t / 1000,
      low: l,
      open: o,
      trade_turnover: '0',
      vol: '0',
    };
  });
  return ok({ ch: `market.${contract.symbol}.mark_price.${period}`, data }, now);
}

/** Calls of the API about all contracts, or about the one that is named. */
function apiCall(call: string, request: SimRequest, world: World): SimResponse | undefined {
  const { query, now } = request;
  const business = query.get('business_type') ?? 'swap';
  const code = query.get('contract_code');
  const all = world
    .contracts(listing)
    .filter((contract) => business === 'all' || (contract.kind === 'dated') === (business === 'futures'));
  const asked = code === null ? all : all.filter(({ symbol }) => symbol === code);
  if (asked.length === 0) return apiError(1332, 'The contract doesnt exist.', now);
  const trading = asked.filter(({ status }) => status === 'live');
  const [one] = trading;
  switch (call) {
    case 'swap_contract_info':
      return ok({ data: asked.map(contractRow) }, now);
    case 'swap_batch_funding_rate': {
      const dated = world.contracts(listing).filter(({ kind }) => kind === 'dated');
      return ok({ data: [...trading, ...dated].map((contract) => fundingRow(contract, world, now)) }, now);
    }
    case 'swap_index':
      return ok({ data: asked.map((contract) => indexRow(contract, world, now)) }, now);
    case 'swap_open_interest':
      return longNumbers(ok({ data: trading.map((contract) => interestRow(contract, world, now)) }, now));
    case 'swap_funding_rate':
      return one === undefined ? undefined : ok({ data: fundingRow(one, world, now) }, now);
    case 'swap_historical_funding_rate':
      return one === undefined ? undefined : fundingHistory(one, request, world);
    case 'swap_his_open_interest':
      return one === undefined ? undefined : interestHistory(one, request, world);
    default:
      return undefined;
  }
}

/** Market data. */
function marketCall(path: string, request: SimRequest, world: World): SimResponse | undefined {
  const { query, now } = request;
  const all = world.contracts(listing).filter(({ status }) => status === 'live');
  const business = query.get('business_type') ?? 'all';
  const asked = all.filter(
    (contract) => business === 'all' || (contract.kind === 'dated') === (business === 'futures'),
  );
  const version = path.startsWith('/v2') ? 2 : 1;
  if (path.endsWith('/market/bbo'))
    return ok({ ticks: asked.map((contract) => bboRow(contract, world, now)) }, now);
  if (path.endsWith('/market/detail/batch_merged')) {
    const ticks = asked.map((contract) => ({
      business_type: contract.kind === 'dated' ? 'futures' : 'swap',
      contract_code: aliasOf(contract),
      ...overview(contract, world, now, version),
    }));
    return ok({ ticks }, now);
  }
  const code = query.get('contract_code');
  const contract = world.contracts(listing).find(({ symbol }) => symbol === code);
  if (contract === undefined) return marketError('invalid-parameter', `invalid symbol ${named(code)}`, now);
  if (path.endsWith('/market/depth')) return depth(contract, request, world);
  if (path.endsWith('/market/detail/merged')) {
    const ch = `market.${contract.symbol}.detail.merged`;
    return ok({ ch, tick: overview(contract, world, now, 1) }, now);
  }
  return path.endsWith('/linear_swap_mark_price_kline') ? markCandles(contract, request, world) : undefined;
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { path } = request;
  const api = /^\/linear-swap-api\/v1\/(\w+)$/.exec(path)?.[1];
  if (api !== undefined) return apiCall(api, request, world);
  const fifth = /^\/v5\/market\/(\w+)$/.exec(path)?.[1];
  if (fifth !== undefined) return htxFifth(fifth, request, world.contracts(listing), world);
  if (!/^\/(?:v2\/)?(?:linear-swap-ex|index)\/market\//.test(path)) return undefined;
  return marketCall(path, request, world);
}

/** HTX USDT-margined swaps. */
export const simHtx: SimVenue = {
  id: 'htx',
  listing,
  limit: {
    weight: 240,
    perMs: 3000,
    status: 200,
    body: '{"status":"error","err_code":1032,"err_msg":"The number of access exceeded the limit.","ts":1792502400000}',
  },
  rest,
  socket: (connection, world) => {
    const Socket = connection.path.startsWith('/linear-swap-ws') ? HtxBooksSocket : HtxMarksSocket;
    return new Socket(connection, world.contracts(listing), world);
  },
};
