import { contractsOf, fineText, fixed, priceText, rateText } from '../format.ts';
import { settlementsBefore } from '../past.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { kucoinAnswer as answer, kucoinRefusal as refusal, unifiedCall } from './kucoin-unified.ts';

/** Names of coins that the venue spells in its own way or lists in blocks. */
const NAMES: Readonly<Record<string, readonly [base: string, multiplier: number]>> = {
  BTC: ['XBT', 1],
  BONK: ['1000BONK', 1000],
  RATS: ['1000RATS', 1000],
  SATS: ['10000SATS', 10_000],
  CAT: ['10000CAT', 10_000],
  BABYDOGE: ['1MBABYDOGE', 1_000_000],
};

/** Coins (as named) in one lot. */
function lotSize(ticker: string, price: number): number {
  const named = price * (NAMES[ticker]?.[1] ?? 1);
  const power = Math.floor(Math.log10(40 / named));
  return Number(`1e${Math.max(-3, Math.min(5, power))}`);
}

const listing: SimListing = {
  venue: 'kucoin',
  quotes: ['USDT', 'USDC'],
  count: 580,
  classes: ['crypto', 'equity', 'commodity'],
  include: ['BONK', 'CAT', 'BABYDOGE', 'AAPL', 'XAU', '1INCH', 'KAS'],
  baseName: (ticker) => {
    const [base, multiplier] = NAMES[ticker] ?? [ticker, 1];
    return { base, multiplier };
  },
  contractSize: lotSize,
  intervalHours: (rank) => (rank < 50 ? 8 : rank % 151 === 0 ? 1 : rank % 3 === 0 ? 8 : 4),
  symbol: (base, quote) => `${base}${quote}M`,
  dated: (base) => `${base}MZ26`,
  inverse: (base) => `${base}USDM`,
  delisted: 3,
  prelisting: 2,
};

const HOUR_MS = 3_600_000;

const STATUS = { live: 'Open', delisted: 'BeingSettled', prelisting: 'Init' };
const CLASSES: Readonly<Record<string, string>> = { equity: 'STOCK', commodity: 'METAL' };

/** Number as the venue writes it in JSON. */
const num = (text: string): number => Number(text);

function fundingFields(contract: SimContract, world: World, t: number) {
  if (contract.kind === 'dated') return {};
  const next = world.nextFunding(contract, t);
  const period = contract.intervalHours * HOUR_MS;
  return {
    fundingFeeRate: num(rateText(world.fundingRate(contract, t))),
    predictedFundingFeeRate: null,
    lastTimeFundingRate: num(rateText(world.settledRate(contract, next - period))),
    // Null on some rows; the configured interval stands beside it.
    currentFundingRateGranularity: contract.asset.rank % 48 === 0 ? null : period,
    fundingRateGranularity: period,
    effectiveFundingRateCycleStartTime: 1_750_147_200_000,
    nextFundingRateDateTime: next,
    nextFundingRateTime: next - t,
    fundingRateCap: 0.02,
    fundingRateFloor: -0.02,
    fundingRateSymbol: `.${contract.symbol}FPI${contract.intervalHours}H`,
  };
}

function contractRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const volume = world.volume24h(contract, t);
  const inverse = contract.kind === 'inverse' || contract.kind === 'dated';
  return {
    symbol: contract.symbol,
    rootSymbol: inverse ? contract.base : contract.quote,
    type: contract.kind === 'dated' ? 'FFICSX' : 'FFWCSX',
    firstOpenDate: 1_585_555_200_000,
    expireDate: contract.kind === 'dated' ? Date.UTC(2026, 11, 25, 8) : null,
    settleDate: null,
    baseCurrency: contract.base,
    quoteCurrency: inverse ? 'USD' : contract.quote,
    settleCurrency: inverse ? contract.base : contract.settle,
    maxOrderQty: 1_000_000,
    maxPrice: 1_000_000,
    lotSize: 1,
    tickSize: contract.tick,
    indexPriceTickSize: contract.tick / 10,
    multiplier: inverse ? -1 : contract.contractSize,
    makerFeeRate: 0.0002,
    takerFeeRate: 0.0006,
    isQuanto: !inverse,
    isInverse: inverse,
    markMethod: 'FairPrice',
    fairMethod: 'FundingRate',
    indexSymbol: inverse ? `.B${contract.base}` : `.K${contract.base}${contract.quote}`,
    status: STATUS[contract.status],
    marketStage: 'NORMAL',
    assetClass: CLASSES[contract.asset.assetClass] ?? 'CRYPTO',
    ...fundingFields(contract, world, t),
    openInterest: String(contractsOf(contract, world.openInterest(contract, t))),
    turnoverOf24h: num(fixed(volume * mark, 8)),
    volumeOf24h: num(fixed(volume / contract.multiplier, 8)),
    markPrice: num(fineText(contract, mark)),
    indexPrice: num(fineText(contract, world.index(contract, t))),
    lastTradePrice: num(priceText(contract, mark)),
    maxLeverage: 75,
    sourceExchanges: ['okex', 'binance', 'kucoin', 'bybit'],
    lowPrice: num(priceText(contract, mark * 0.98)),
    highPrice: num(priceText(contract, mark * 1.02)),
    priceChgPct: 0.0047,
    priceChg: num(priceText(contract, mark * 0.0047)),
  };
}

function tickerRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const [bid = [mark, 0], ask = [mark, 0]] = [bids[0], asks[0]];
  return {
    sequence: Math.floor(t / 10),
    symbol: contract.symbol,
    side: 'buy',
    size: 3,
    tradeId: '1834000000001',
    price: priceText(contract, mark),
    bestBidPrice: priceText(contract, bid[0]),
    bestBidSize: contractsOf(contract, bid[1]),
    bestAskPrice: priceText(contract, ask[0]),
    bestAskSize: contractsOf(contract, ask[1]),
    ts: (t - 4000) * 1e6,
  };
}

function book(contract: SimContract, depth: number, world: World, now: number): SimResponse {
  const { bids, asks } = world.book(contract, now, depth);
  const side = (levels: readonly (readonly [number, number])[]) =>
    levels.map(([p, q]) => [num(priceText(contract, p)), contractsOf(contract, q)]);
  const row = { sequence: Math.floor(now / 10), symbol: contract.symbol, bids: side(bids), asks: side(asks) };
  return answer({ ...row, ts: now * 1e6 }, 5);
}

/** Settled rates between `from` and `to`, both needed, newest first, at most 100. */
function fundingHistory(
  contract: SimContract,
  query: URLSearchParams,
  world: World,
  now: number,
): SimResponse {
  const [from, to] = [Number(query.get('from') ?? Number.NaN), Number(query.get('to') ?? Number.NaN)];
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
  const contract = live.find((one) => one.symbol === named);
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
  return book(contract, depth === 'snapshot' ? 1000 : Number(depth.slice(5)), world, now);
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
      fundingRateCap: 0.02,
      fundingRateFloor: -0.02,
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
};
