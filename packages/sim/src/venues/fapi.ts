import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { decimal } from '../decimal.ts';
import { baseText, fineText, priceText, rateText } from '../format.ts';
import { capOf } from '../funding.ts';
import type { SimRequest, SimResponse } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookRows, updateIdAt } from './fapi-books.ts';
import { type CrossPair, type FapiDialect, INVALID_SYMBOL, json, type Placeholder } from './fapi-dialect.ts';
import { fapiHistory } from './fapi-history.ts';
import { bookTime } from './stepped-book.ts';

const PERPETUAL_END = 4_133_404_800_000;

const traded = (c: SimContract): boolean => c.status === 'live';
const funded = (c: SimContract): boolean => c.kind === 'perp' && c.status === 'live';

function contractType(c: SimContract, dialect: FapiDialect): string {
  if (c.status === 'prelisting') return '';
  if (c.kind === 'dated') return 'CURRENT_QUARTER';
  return c.asset.assetClass === 'crypto' ? 'PERPETUAL' : dialect.offchainType;
}

function symbolRow(c: SimContract, dialect: FapiDialect, now: number): object {
  const status = { live: 'TRADING', delisted: 'SETTLING', prelisting: 'PENDING_TRADING' }[c.status];
  const ended = c.status === 'delisted' ? now - 30 * 24 * HOUR_MS : PERPETUAL_END;
  return {
    symbol: c.symbol,
    pair: c.symbol.split('_')[0],
    contractType: contractType(c, dialect),
    deliveryDate: c.kind === 'dated' ? now + 30 * 24 * HOUR_MS : ended,
    onboardDate: 1_598_252_400_000,
    status,
    maintMarginPercent: '2.5000',
    requiredMarginPercent: '5.0000',
    baseAsset: c.base,
    quoteAsset: c.quote,
    marginAsset: c.settle,
    pricePrecision: 8,
    quantityPrecision: 3,
    baseAssetPrecision: 8,
    quotePrecision: 8,
    ...dialect.underlying(c),
    triggerProtect: '0.0500',
    liquidationFee: '0.012500',
    marketTakeBound: '0.05',
    filters: [
      {
        filterType: 'PRICE_FILTER',
        minPrice: decimal(c.tick),
        maxPrice: '1000000',
        tickSize: decimal(c.tick),
      },
      { filterType: 'LOT_SIZE', minQty: decimal(c.lot), maxQty: '1000000', stepSize: decimal(c.lot) },
      { filterType: 'MIN_NOTIONAL', notional: '5' },
    ],
    orderTypes: ['LIMIT', 'MARKET', 'STOP', 'TAKE_PROFIT'],
    timeInForce: ['GTC', 'IOC', 'FOK', 'GTX'],
  };
}

function exchangeInfo(contracts: readonly SimContract[], dialect: FapiDialect, now: number): SimResponse {
  return json({
    timezone: 'UTC',
    serverTime: now,
    futuresType: 'U_MARGINED',
    rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 }],
    exchangeFilters: [],
    assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '-10000' }],
    symbols: [...contracts.map((c) => symbolRow(c, dialect, now)), ...dialect.crossPairs.map(crossSymbol)],
  });
}

function premiumRow(c: SimContract, world: World, now: number): object {
  const index = fineText(c, world.index(c, now));
  const alive = funded(c);
  return {
    symbol: c.symbol,
    markPrice: fineText(c, world.mark(c, now)),
    indexPrice: index,
    estimatedSettlePrice: index,
    lastFundingRate: alive ? rateText(world.fundingRate(c, now)) : '0.00000000',
    interestRate: alive ? '0.00010000' : '0.00000000',
    nextFundingTime: alive ? world.nextFunding(c, now) : 0,
    time: Math.floor(now / 1000) * 1000,
  };
}

function crossSymbol(pair: CrossPair): object {
  return {
    symbol: pair.base + pair.quote,
    pair: pair.base + pair.quote,
    contractType: 'PERPETUAL',
    deliveryDate: PERPETUAL_END,
    status: 'TRADING',
    baseAsset: pair.base,
    quoteAsset: pair.quote,
    marginAsset: pair.quote,
    underlyingType: 'COIN',
    underlyingSubType: ['Cross Pair'],
    filters: [],
  };
}

function isCross(symbol: string | null, dialect: FapiDialect): boolean {
  return dialect.crossPairs.some(({ base, quote }) => base + quote === symbol);
}

function crossPremium(pair: CrossPair, world: World, now: number): object {
  const spot = (ticker: string) => {
    const asset = world.assets.find((asset) => asset.ticker === ticker);
    return asset === undefined ? 1 : world.spot(asset, now);
  };
  const price = (spot(pair.base) / spot(pair.quote)).toFixed(8);
  return flatRow(pair.base + pair.quote, price, '0.00000000', nextEight(now), now);
}

/** A row without funding: mark and index are one. */
function flatRow(symbol: string, price: string, rate: string, nextFundingTime: number, now: number): object {
  return {
    symbol,
    markPrice: price,
    indexPrice: price,
    estimatedSettlePrice: price,
    lastFundingRate: rate,
    interestRate: rate,
    nextFundingTime,
    time: Math.floor(now / 1000) * 1000,
  };
}

const nextEight = (now: number): number => (Math.floor(now / (8 * HOUR_MS)) + 1) * 8 * HOUR_MS;

function fundingRow(c: SimContract, dialect: FapiDialect, now: number): object {
  const interval = { symbol: c.symbol, fundingIntervalHours: c.intervalHours };
  if (dialect.caps === 'number') {
    return {
      ...interval,
      interestRate: '0.00010000',
      time: now,
      fundingFeeCap: capOf(c),
      fundingFeeFloor: -capOf(c),
    };
  }
  return {
    ...interval,
    adjustedFundingRateCap: rateText(capOf(c)),
    adjustedFundingRateFloor: rateText(-capOf(c)),
    disclaimer: false,
    updateTime: now - 24 * HOUR_MS,
  };
}

function placeholderFunding(row: Placeholder, now: number): object {
  const caps = { fundingFeeCap: null, fundingFeeFloor: null };
  return { symbol: row.symbol, interestRate: '0', time: now, fundingIntervalHours: 8, ...caps };
}

function tickerRow(c: SimContract, world: World, now: number): object {
  const mark = world.mark(c, now);
  const price = priceText(c, mark);
  const volume = world.volume24h(c, now);
  return {
    symbol: c.symbol,
    priceChange: '0.00',
    priceChangePercent: '0.000',
    weightedAvgPrice: price,
    lastPrice: price,
    lastQty: decimal(c.lot),
    openPrice: price,
    highPrice: price,
    lowPrice: price,
    volume: baseText(c, volume),
    quoteVolume: (volume * mark).toFixed(2),
    openTime: now - 24 * HOUR_MS,
    closeTime: now,
    firstId: 1,
    lastId: 2,
    count: 1,
  };
}

function topRow(c: SimContract, world: World, now: number): object {
  const book = world.book(c, now, 1);
  const [bid, bidSize] = book.bids[0] ?? [0, 0];
  const [ask, askSize] = book.asks[0] ?? [0, 0];
  return {
    symbol: c.symbol,
    bidPrice: priceText(c, bid),
    bidQty: baseText(c, bidSize),
    askPrice: priceText(c, ask),
    askQty: baseText(c, askSize),
    time: now,
  };
}

function openInterest(contract: SimContract | undefined, world: World, now: number): SimResponse {
  if (contract === undefined || !traded(contract)) return INVALID_SYMBOL;
  const amount = baseText(contract, world.openInterest(contract, now));
  return json({ symbol: contract.symbol, openInterest: amount, time: now });
}

function depth(request: SimRequest, contract: SimContract | undefined, world: World): SimResponse {
  if (contract === undefined) return INVALID_SYMBOL;
  const limit = Number(request.query.get('limit') ?? 500);
  const at = bookTime(request.now);
  const { bids, asks } = bookRows(contract, world, at, limit);
  const weight = limit <= 50 ? 2 : limit <= 100 ? 5 : limit <= 500 ? 10 : 20;
  return json({ lastUpdateId: updateIdAt(at), E: request.now, T: at, bids, asks }, weight);
}

/** One symbol's row as an object, or all rows as an array. */
function oneOrAll(
  request: SimRequest,
  rows: readonly SimContract[],
  render: (c: SimContract) => object,
  weights: readonly [one: number, all: number],
  extra: readonly object[] = [],
): SimResponse {
  const symbol = request.query.get('symbol');
  if (symbol === null) return json([...rows.map(render), ...extra], weights[1]);
  const contract = rows.find((c) => c.symbol === symbol);
  return contract === undefined ? INVALID_SYMBOL : json(render(contract), weights[0]);
}

function premiumIndex(
  dialect: FapiDialect,
  request: SimRequest,
  contracts: readonly SimContract[],
  world: World,
): SimResponse {
  const { now } = request;
  const announced = contracts.filter((c) => c.status !== 'prelisting');
  const extra = [
    ...dialect.crossPairs.map((pair) => crossPremium(pair, world, now)),
    ...dialect.placeholders.map((row) => flatRow(row.symbol, row.price, '0', nextEight(now), now)),
  ];
  return oneOrAll(request, announced, (c) => premiumRow(c, world, now), [1, 10], extra);
}

function fundingInfo(dialect: FapiDialect, contracts: readonly SimContract[], now: number): SimResponse {
  const stated = contracts.filter((c) => funded(c) && c.intervalUnknown !== true);
  const extra = dialect.placeholders.map((row) => placeholderFunding(row, now));
  return json([...stated.map((c) => fundingRow(c, dialect, now)), ...extra]);
}

/** Answers a call of the family; undefined for paths that it does not have. */
export function fapiRest(dialect: FapiDialect, request: SimRequest, world: World): SimResponse | undefined {
  const contracts = world.contracts(dialect.listing);
  const symbol = request.query.get('symbol');
  const contract = contracts.find((c) => c.symbol === symbol);
  const history = fapiHistory(dialect, request, contract, world);
  if (history !== undefined) return history;
  const prefix = dialect.prefixes.find((text) => request.path.startsWith(text));
  if (prefix === undefined) return undefined;
  const { now } = request;
  const open = contracts.filter(traded);
  switch (request.path.slice(prefix.length)) {
    case 'exchangeInfo':
      return exchangeInfo(contracts, dialect, now);
    case 'premiumIndex':
      return premiumIndex(dialect, request, contracts, world);
    case 'fundingInfo':
      return fundingInfo(dialect, contracts, now);
    case 'ticker/24hr':
      return oneOrAll(request, open, (c) => tickerRow(c, world, now), [1, 40]);
    case 'ticker/bookTicker':
      return oneOrAll(request, open, (c) => topRow(c, world, now), [2, 5]);
    case 'openInterest':
      return isCross(symbol, dialect)
        ? json({ symbol, openInterest: '1520.5', time: now })
        : openInterest(contract, world, now);
    case 'depth':
      return depth(request, contract, world);
    default:
      return undefined;
  }
}
