import { contractsOf, fineText, fixed, priceText, rateText } from '../format.ts';
import { candleOf, openTimes, settlementsBefore } from '../past.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';

/** Coins that are listed in blocks; PEPE and SHIB are scaled by their contract size alone. */
const BLOCKS: Readonly<Record<string, readonly [base: string, multiplier: number]>> = {
  BONK: ['1000BONK', 1000],
  RATS: ['1000RATS', 1000],
  BTT: ['1000BTT', 1000],
  BABYDOGE: ['1000000BABYDOGE', 1_000_000],
  MOG: ['1000000MOG', 1_000_000],
};

/** Coins (as named) in one contract: the power of ten that is worth some ten dollars. */
function contractSize(ticker: string, price: number): number {
  const power = Math.floor(Math.log10(20 / (price * (BLOCKS[ticker]?.[1] ?? 1))));
  return Number(`1e${Math.max(-5, Math.min(7, power))}`);
}

/** Hours between settlements: mostly 4 and 8, some of 1, 2 and 24. */
function intervalHours(rank: number): number {
  if (rank < 60) return 8;
  if (rank % 89 === 0) return 24;
  if (rank % 53 === 0) return 1;
  if (rank % 47 === 0) return 2;
  return rank % 2 === 0 ? 4 : 8;
}

const listing: SimListing = {
  venue: 'mexc',
  quotes: ['USDT', 'USDC'],
  count: 900,
  classes: ['crypto', 'equity'],
  include: ['PEPE', 'SHIB', 'BONK', 'BABYDOGE', 'NVDA', 'TSLA', '1INCH'],
  baseName: (ticker) => {
    const [base, multiplier] = BLOCKS[ticker] ?? [ticker, 1];
    return { base, multiplier };
  },
  contractSize,
  intervalHours,
  symbol: (base, quote) => `${base}_${quote}`,
  dated: (base, quote) => `${base}_${quote}_20261225`,
  inverse: (base) => `${base}_USD`,
  delisted: 3,
};

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

const num = (text: string): number => Number(text);
const STATE = { live: 0, delisted: 3, prelisting: 4 };

function detailRow(contract: SimContract) {
  const inverse = contract.kind === 'inverse';
  return {
    symbol: contract.symbol,
    displayName: contract.symbol,
    displayNameEn: `${contract.symbol} PERPETUAL`,
    positionOpenType: 3,
    baseCoin: contract.base,
    quoteCoin: contract.quote,
    settleCoin: contract.settle,
    baseCoinName: contract.base,
    futureType: contract.kind === 'dated' ? 2 : 1,
    contractSize: inverse ? 100 : contract.contractSize,
    minLeverage: 1,
    maxLeverage: 200,
    priceScale: 4,
    volScale: 0,
    amountScale: 4,
    priceUnit: contract.tick,
    volUnit: 1,
    minVol: 1,
    maxVol: 1_000_000,
    takerFeeRate: 0.0002,
    makerFeeRate: 0,
    maintenanceMarginRate: 0.004,
    initialMarginRate: 0.008,
    priceCoefficientVariation: 0.4,
    indexOrigin: ['BITGET', 'BYBIT', 'BINANCE', 'OKX', 'MEXC'],
    state: STATE[contract.status],
    isNew: false,
    isHot: false,
    isHidden: false,
    apiAllowed: contract.asset.rank % 29 !== 0,
    type: contract.asset.assetClass === 'equity' ? 2 : 1,
  };
}

function fundingRow(contract: SimContract, world: World, t: number) {
  return {
    symbol: contract.symbol,
    fundingRate: num(rateText(world.fundingRate(contract, t))),
    maxFundingRate: 0.0018,
    minFundingRate: -0.0018,
    collectCycle: contract.intervalHours,
    nextSettleTime: world.nextFunding(contract, t),
    timestamp: t - 30,
    idxPrice: num(fineText(contract, world.index(contract, t))),
    fairPrice: num(fineText(contract, world.mark(contract, t))),
  };
}

function tickerRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const volume = world.volume24h(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  return {
    contractId: 10 + contract.asset.rank,
    symbol: contract.symbol,
    lastPrice: num(priceText(contract, mark)),
    bid1: num(priceText(contract, bids[0]?.[0] ?? mark)),
    ask1: num(priceText(contract, asks[0]?.[0] ?? mark)),
    volume24: contractsOf(contract, volume),
    amount24: num(fixed(volume * mark, 5)),
    holdVol: contractsOf(contract, world.openInterest(contract, t)),
    lower24Price: num(priceText(contract, mark * 0.98)),
    high24Price: num(priceText(contract, mark * 1.02)),
    riseFallRate: 0.0047,
    riseFallValue: num(priceText(contract, mark * 0.0047)),
    indexPrice: num(fineText(contract, world.index(contract, t))),
    fairPrice: num(fineText(contract, mark)),
    fundingRate: num(rateText(world.fundingRate(contract, t))),
    maxBidPrice: num(priceText(contract, mark * 1.1)),
    minAskPrice: num(priceText(contract, mark * 0.9)),
    // The last trade, not the row.
    timestamp: t - 4000,
  };
}

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
  const version = Math.floor(now / 10);
  if (contract.status !== 'live') {
    // A contract that stopped trading keeps answering, with an empty book and a frozen stamp.
    return answer({ cts: null, asks: [], bids: [], version: 222_542_631, timestamp: 1_789_455_601_090 });
  }
  const { bids, asks } = world.book(contract, now, Math.min(1500, Number(query.get('limit') ?? 1500)));
  const side = (levels: readonly (readonly [number, number])[]) =>
    levels.map(([p, q]) => [num(priceText(contract, p)), contractsOf(contract, q), 2]);
  return answer({ cts: null, asks: side(asks), bids: side(bids), version, timestamp: now });
}

function history(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  const pageSize = Math.min(100, Number(query.get('page_size') ?? 20));
  const currentPage = Number(query.get('page_num') ?? 1);
  const rows = settlementsBefore(world, contract, now, pageSize, (currentPage - 1) * pageSize);
  const resultList = rows.map(({ time, rate }) => ({
    symbol: contract.symbol,
    fundingRate: num(rateText(rate)),
    settleTime: time,
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
  if (call === 'detail' || call === 'detail/country') return answer(all.map(detailRow));
  if (call === 'funding_rate') {
    const unlisted = UNLISTED.map((symbol) => unlistedFunding(symbol, now));
    return answer([...live.map((one) => fundingRow(one, world, now)), ...unlisted]);
  }
  if (call !== 'ticker') return undefined;
  const unlisted = UNLISTED.map((symbol) => unlistedTicker(symbol, now));
  return answer([...live.map((one) => tickerRow(one, world, now)), ...unlisted]);
}

/** Calls about one contract, named in the path or in the query. */
function single(call: string, named: string, request: SimRequest, world: World): SimResponse | undefined {
  const { now } = request;
  const contract = world.contracts(listing).find((one) => one.symbol === named);
  if (contract === undefined) return NO_CONTRACT;
  if (call === 'depth') return depth(contract, request, world);
  if (contract.status !== 'live') return NO_CONTRACT;
  switch (call) {
    case 'detail':
      return answer(detailRow(contract));
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
    weight: 20,
    perMs: 2_000,
    status: 200,
    body: '{"success":false,"code":510,"message":"Requests are too frequent, please try again later"}',
  },
  rest,
};
