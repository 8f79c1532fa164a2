import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import type { Row } from '../book-distortion.ts';
import { baseText, fineText, rateText } from '../format.ts';
import { candleOf, openTimes, settlementsBefore } from '../history.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookRows, contractRow, fundRow, listing, productOf, tickerRow } from './bitget-rows.ts';
import { BitgetSocket } from './bitget-socket.ts';
import { bookTime } from './stepped-book.ts';

function answer(now: number, data: unknown): SimResponse {
  return { status: 200, body: JSON.stringify({ code: '00000', msg: 'success', requestTime: now, data }) };
}

function refusal(now: number, code: string, msg: string): SimResponse {
  return { status: 400, body: JSON.stringify({ code, msg, requestTime: now, data: null }) };
}

const DEMO_PRODUCTS = new Set(['SUSDT-FUTURES', 'SUSDC-FUTURES', 'SCOIN-FUTURES']);

/** Contracts of the product that the query names; undefined for a product that does not exist. */
function ofProduct(world: World, query: URLSearchParams): readonly SimContract[] | undefined {
  const product = (query.get('productType') ?? '').toUpperCase();
  const found = world.contracts(listing).filter((contract) => productOf(contract) === product);
  return found.length > 0 ? found : DEMO_PRODUCTS.has(product) ? [] : undefined;
}

/** Contracts that the funding call knows and no other call does. */
const TEST_ROWS = ['BGTESTMEUSDT', 'RWATESTMEUSDT'].map((symbol) => ({
  symbol,
  fundingRate: '0',
  fundingRateInterval: '8',
  nextUpdate: '0',
  minFundingRate: null,
  maxFundingRate: null,
}));

function bulk(request: SimRequest, world: World): SimResponse | undefined {
  const { now, query } = request;
  const contracts = ofProduct(world, query);
  const name = request.path.slice('/api/v2/mix/market/'.length);
  if (!['contracts', 'tickers', 'current-fund-rate'].includes(name)) return undefined;
  if (contracts === undefined) {
    return refusal(now, '40019', `Parameter ${query.get('productType')} cannot be empty`);
  }
  if (name === 'contracts') {
    return answer(
      now,
      contracts.map((contract) => contractRow(contract, now)),
    );
  }
  const open = contracts.filter((contract) => contract.status === 'live');
  if (name === 'tickers') {
    return answer(
      now,
      open.map((contract) => tickerRow(contract, world, now)),
    );
  }
  const symbol = query.get('symbol');
  const asked = symbol === null ? open : open.filter((contract) => contract.symbol === symbol);
  if (asked.length === 0 && open.length > 0)
    return refusal(now, '40034', `Parameter ${symbol} does not exist`);
  const rows: unknown[] = asked.map((contract) => fundRow(contract, world, now));
  if (symbol === null && query.get('productType') === 'USDT-FUTURES') rows.push(...TEST_ROWS);
  return answer(now, rows);
}

const STEPS: Readonly<Record<string, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1H': HOUR_MS,
  '4H': 4 * HOUR_MS,
  '1Dutc': 24 * HOUR_MS,
};

function candles(contract: SimContract, request: SimRequest, price: (t: number) => number): SimResponse {
  const { query, now } = request;
  const step = STEPS[query.get('granularity') ?? '1m'];
  if (step === undefined) return refusal(now, '40020', 'Parameter granularity error');
  const limit = Math.min(200, Number(query.get('limit') ?? 100));
  const to = Math.min(now, Number(query.get('endTime') ?? now));
  const times = openTimes(Number(query.get('startTime') ?? 0), to, step, limit);
  const rows = times.map((t) => {
    const { open, high, low, close } = candleOf(price, t, step);
    return [String(t), ...[open, high, low, close].map((p) => fineText(contract, p)), '0', '0'];
  });
  return answer(now, rows);
}

function fundingHistory(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  const size = Math.min(100, Number(query.get('pageSize') ?? 20));
  const skip = (Number(query.get('pageNo') ?? 1) - 1) * size;
  const rows = settlementsBefore(world, contract, now, size, skip).map(({ time, rate }) => ({
    symbol: contract.symbol,
    fundingRate: rateText(rate),
    fundingTime: String(time),
  }));
  return answer(now, rows);
}

function depth(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  const asked = query.get('limit');
  const limit = asked === 'max' || asked === null ? 100 : Number(asked);
  const at = bookTime(now);
  const { bids, asks } = bookRows(contract, world, at, limit);
  const levels = (side: readonly Row[]) => side.map((row) => row.map(Number));
  return answer(now, {
    asks: levels(asks),
    bids: levels(bids),
    ts: String(at),
    scale: String(contract.tick),
    precision: 'scale0',
    isMaxPrecision: 'NO',
  });
}

/** Calls about one contract. */
function single(request: SimRequest, world: World): SimResponse | undefined {
  const { now, query, path } = request;
  const symbol = query.get('symbol');
  const contract = world.contracts(listing).find((c) => c.symbol === symbol && c.status === 'live');
  if (contract === undefined) return refusal(now, '40034', `Parameter ${symbol} does not exist`);
  switch (path.slice('/api/v2/mix/market/'.length)) {
    case 'ticker':
      return answer(now, [tickerRow(contract, world, now)]);
    case 'funding-time':
      return answer(now, [
        {
          symbol,
          nextFundingTime: String(world.nextFunding(contract, now)),
          ratePeriod: String(contract.intervalHours),
        },
      ]);
    case 'open-interest': {
      const size = baseText(contract, world.openInterest(contract, now));
      return answer(now, { openInterestList: [{ symbol, size }], ts: String(now) });
    }
    case 'merge-depth':
      return depth(contract, request, world);
    case 'history-fund-rate':
      return fundingHistory(contract, request, world);
    case 'history-mark-candles':
      return candles(contract, request, (t) => world.mark(contract, t));
    case 'history-index-candles':
      return candles(contract, request, (t) => world.index(contract, t));
    default:
      return undefined;
  }
}

/** Bitget's classic (v2) futures market calls. */
export const simBitget: SimVenue = {
  id: 'bitget',
  listing,
  limit: {
    weight: 6000,
    perMs: 60_000,
    status: 429,
    body: '{"code":"429","msg":"Too Many Requests","requestTime":1789456354640,"data":null}',
  },
  rest: (request, world) => {
    if (!request.path.startsWith('/api/v2/mix/market/')) return undefined;
    return bulk(request, world) ?? single(request, world);
  },
  socket: (connection, world) => new BitgetSocket(connection, world),
};
