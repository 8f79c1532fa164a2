import { baseText, fineText, fixed, priceText, rateText } from '../format.ts';
import { capOf } from '../funding.ts';
import { candleOf, openTimes, settlementsBefore } from '../history.ts';
import { decimalsOf } from '../increments.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookRows, listing } from './bingx-rows.ts';
import { BingxSocket } from './bingx-socket.ts';
import { bookTime } from './stepped-book.ts';

const ok = (data: unknown): SimResponse => ({
  status: 200,
  body: JSON.stringify({ code: 0, msg: '', data }),
});

/** Errors come with HTTP 200. */
const refused = (code: number, msg: string): SimResponse => ({
  status: 200,
  body: JSON.stringify({ code, msg, data: {} }),
});

/** Closed to new positions (25) in part, else offline. */
function statusOf(contract: SimContract): number {
  if (contract.status === 'live') return 1;
  if (contract.status === 'prelisting') return 5;
  return contract.asset.rank % 2 === 0 ? 25 : 0;
}

function contractRow(contract: SimContract, i: number) {
  const live = contract.status === 'live';
  return {
    contractId: String(100 + i),
    symbol: contract.symbol,
    displayName: contract.symbol,
    size: '1',
    quantityPrecision: decimalsOf(contract.lot),
    pricePrecision: decimalsOf(contract.tick),
    feeRate: 0.0005,
    makerFeeRate: 0.0002,
    takerFeeRate: 0.0005,
    tradeMinLimit: 0,
    tradeMinQuantity: contract.lot,
    tradeMinUSDT: 2,
    maxLongLeverage: 125,
    maxShortLeverage: 100,
    currency: contract.quote,
    asset: contract.base,
    status: statusOf(contract),
    apiStateOpen: String(live),
    apiStateClose: String(live),
    ensureTrigger: true,
    triggerFeeRate: '0.00050000',
    brokerState: live,
    launchTime: 1_586_275_200_000,
    maintainTime: 0,
    offTime: contract.status === 'delisted' ? 1_790_000_000_000 : 0,
  };
}

function premium(contract: SimContract, world: World, t: number) {
  const next = world.nextFunding(contract, t);
  return {
    symbol: contract.symbol,
    markPrice: fineText(contract, world.mark(contract, t)),
    indexPrice: fineText(contract, world.index(contract, t)),
    lastFundingRate: rateText(world.fundingRate(contract, t)),
    nextFundingTime: next,
    fundingIntervalHours: contract.intervalHours,
    minFundingRate: rateText(-capOf(contract)),
    maxFundingRate: rateText(capOf(contract)),
    // The last settlement.
    updateTime: next - contract.intervalHours * 3_600_000,
  };
}

function ticker(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const volume = world.volume24h(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const bid = bids[0] ?? [mark, 0];
  const ask = asks[0] ?? [mark, 0];
  return {
    symbol: contract.symbol,
    priceChange: priceText(contract, mark * 0.0047),
    priceChangePercent: '0.47%',
    lastPrice: priceText(contract, mark),
    lastQty: '1',
    highPrice: priceText(contract, mark * 1.02),
    lowPrice: priceText(contract, mark * 0.98),
    volume: baseText(contract, volume),
    quoteVolume: fixed(volume * mark, 2),
    openPrice: priceText(contract, mark),
    openTime: t - 86_400_000,
    closeTime: t,
    askPrice: priceText(contract, ask[0]),
    askQty: baseText(contract, ask[1]),
    bidPrice: priceText(contract, bid[0]),
    bidQty: baseText(contract, bid[1]),
  };
}

/** Open interest is the notional in the quote currency. */
function interest(contract: SimContract, world: World, t: number) {
  const value = world.openInterest(contract, t) * world.mark(contract, t);
  return { openInterest: fixed(value, 2), symbol: contract.symbol, time: t };
}

const LIMITS = [5, 10, 20, 50, 100, 500, 1000];

function depth(contract: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const limit = Number(query.get('limit') ?? 20);
  if (!LIMITS.includes(limit)) return refused(109_400, 'limit is invalid');
  const T = bookTime(now);
  const { bids, asks } = bookRows(contract, world, T, limit);
  return ok({ T, bids, asks, bidsCoin: bids, asksCoin: asks });
}

function history(contract: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const count = Math.min(1000, Number(query.get('limit') ?? 100));
  const to = Math.min(now, Number(query.get('endTime') ?? now) + 1);
  const from = Number(query.get('startTime') ?? 0);
  const rows = settlementsBefore(world, contract, to, count).filter(({ time }) => time >= from);
  return ok(
    rows.map(({ time, rate }) => ({
      symbol: contract.symbol,
      fundingRate: rateText(rate),
      fundingTime: time,
    })),
  );
}

const STEPS: Readonly<Record<string, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '1h': 3_600_000,
  '1d': 86_400_000,
};

function markCandles(contract: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const step = STEPS[query.get('interval') ?? '1m'] ?? 60_000;
  const to = Math.min(now, Number(query.get('endTime') ?? now));
  const limit = Math.min(1440, Number(query.get('limit') ?? 500));
  const times = openTimes(Number(query.get('startTime') ?? 0), to, step, limit);
  const rows = times.map((t) => {
    const { open, high, low, close } = candleOf((at) => world.mark(contract, at), t, step);
    const text = (price: number) => fineText(contract, price);
    return {
      open: text(open),
      close: text(close),
      high: text(high),
      low: text(low),
      volume: '0',
      openTime: t,
      closeTime: t + step - 1,
    };
  });
  return ok(rows.reverse());
}

function one(
  call: string,
  contract: SimContract,
  request: SimRequest,
  world: World,
): SimResponse | undefined {
  switch (call) {
    case 'premiumIndex':
      return ok(premium(contract, world, request.now));
    case 'ticker':
      return ok(ticker(contract, world, request.now));
    case 'openInterest':
      return ok(interest(contract, world, request.now));
    case 'depth':
      return depth(contract, request, world);
    case 'fundingRate':
      return history(contract, request, world);
    case 'markPriceKlines':
      return markCandles(contract, request, world);
    default:
      return undefined;
  }
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { path, query, now } = request;
  const call = /^\/openApi\/swap\/v[123]\/(?:quote|market)\/(\w+)$/.exec(path)?.[1];
  if (call === undefined) return undefined;
  const all = world.contracts(listing);
  if (call === 'contracts') return ok(all.map(contractRow));
  const live = all.filter(({ status }) => status === 'live');
  const named = query.get('symbol');
  if (named === null) {
    if (call === 'premiumIndex') return ok(live.map((contract) => premium(contract, world, now)));
    if (call === 'ticker') return ok(live.map((contract) => ticker(contract, world, now)));
    return refused(109_400, 'symbol is required');
  }
  const contract = live.find(({ symbol }) => symbol === named);
  return contract === undefined
    ? refused(109_425, `${named} not exist, please verify it`)
    : one(call, contract, request, world);
}

/** BingX perpetuals. */
export const simBingx: SimVenue = {
  id: 'bingx',
  listing,
  limit: {
    weight: 500,
    perMs: 10_000,
    status: 429,
    body: '{"code":100410,"msg":"code:100410:The endpoint trigger frequency limit rule is currently in the disabled period"}',
  },
  rest,
  socket: (connection, world) => new BingxSocket(connection, world),
};
