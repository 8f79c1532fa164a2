import { decimal } from '../decimal.ts';
import { baseText, fineText, priceText, rateText } from '../format.ts';
import { capOf } from '../funding.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bybitHistory, failure, success } from './bybit-history.ts';
import { bookRows, categoryOf, listing } from './bybit-rows.ts';
import { BybitSocket } from './bybit-socket.ts';
import { bookStep, bookTime } from './stepped-book.ts';

const SYMBOL_TYPES: Readonly<Record<string, string>> = {
  equity: 'stock',
  commodity: 'commodity',
  fx: 'forex',
};

const STATUS = { live: 'Trading', delisted: 'Delivering', prelisting: 'PreLaunch' } as const;

function contractType(c: SimContract): string {
  if (c.kind === 'inverse') return 'InversePerpetual';
  return c.kind === 'dated' ? 'LinearFutures' : 'LinearPerpetual';
}

function instrumentRow(c: SimContract, now: number): object {
  const soon = now + 30 * 86_400_000;
  return {
    symbol: c.symbol,
    contractType: contractType(c),
    status: STATUS[c.status],
    baseCoin: c.base,
    quoteCoin: c.quote,
    launchTime: '1585526400000',
    deliveryTime: c.kind === 'dated' || c.status === 'delisted' ? String(soon) : '0',
    deliveryFeeRate: '',
    priceScale: '2',
    leverageFilter: { minLeverage: '1', maxLeverage: '50.00', leverageStep: '0.01' },
    priceFilter: { minPrice: decimal(c.tick), maxPrice: '1999999.80', tickSize: decimal(c.tick) },
    lotSizeFilter: {
      maxOrderQty: '1190000',
      minOrderQty: decimal(c.lot),
      qtyStep: decimal(c.lot),
      minNotionalValue: '5',
    },
    unifiedMarginTrade: true,
    fundingInterval: c.intervalHours * 60,
    settleCoin: c.settle,
    copyTrading: 'both',
    upperFundingRate: rateText(capOf(c)),
    lowerFundingRate: rateText(-capOf(c)),
    isPreListing: c.status === 'prelisting',
    preListingInfo: null,
    symbolType: SYMBOL_TYPES[c.asset.assetClass] ?? '',
  };
}

/** Contracts before their launch come only when asked for. */
function instruments(request: SimRequest, contracts: readonly SimContract[]): SimResponse {
  const { query, now } = request;
  const wanted = query.get('status');
  const symbol = query.get('symbol');
  const rows = contracts.filter(
    (c) =>
      (wanted === null ? c.status !== 'prelisting' : STATUS[c.status] === wanted) &&
      (symbol === null || c.symbol === symbol),
  );
  const limit = Math.min(1000, Number(query.get('limit') ?? 500));
  const start = Number(decodeURIComponent(query.get('cursor') ?? '').replace('row=', ''));
  const end = start + limit;
  const nextPageCursor = end < rows.length ? encodeURIComponent(`row=${end}`) : '';
  const list = rows.slice(start, end).map((c) => instrumentRow(c, now));
  return success({ category: query.get('category'), list, nextPageCursor }, now);
}

/** Blank on contracts with a delivery date. */
function fundingFields(c: SimContract, world: World, now: number) {
  const perp = c.kind !== 'dated';
  return {
    fundingRate: perp ? rateText(world.fundingRate(c, now)) : '',
    nextFundingTime: perp ? String(world.nextFunding(c, now)) : '0',
    fundingIntervalHour: perp ? String(c.intervalHours) : '',
    fundingCap: perp ? rateText(capOf(c)) : '',
  };
}

function touchFields(c: SimContract, world: World, now: number) {
  const book = world.book(c, now, 1);
  const [bid, bidSize] = book.bids[0] ?? [0, 0];
  const [ask, askSize] = book.asks[0] ?? [0, 0];
  return {
    bid1Price: bid > 0 ? priceText(c, bid) : '',
    bid1Size: baseText(c, bidSize),
    ask1Price: ask > 0 ? priceText(c, ask) : '',
    ask1Size: baseText(c, askSize),
  };
}

function tickerRow(c: SimContract, world: World, now: number): object {
  const mark = world.mark(c, now);
  const open = world.openInterest(c, now);
  const volume = world.volume24h(c, now);
  const price = priceText(c, mark);
  return {
    symbol: c.symbol,
    lastPrice: price,
    indexPrice: fineText(c, world.index(c, now)),
    markPrice: fineText(c, mark),
    prevPrice24h: price,
    price24hPcnt: '0',
    highPrice24h: price,
    lowPrice24h: price,
    prevPrice1h: price,
    // Both sides: twice the open contracts.
    openInterest: baseText(c, 2 * open),
    openInterestValue: (2 * open * mark).toFixed(2),
    singleOpenInterest: baseText(c, open),
    singleOpenInterestValue: (open * mark).toFixed(2),
    turnover24h: (volume * mark).toFixed(4),
    volume24h: baseText(c, volume),
    ...fundingFields(c, world, now),
    predictedDeliveryPrice: '',
    basisRate: '',
    deliveryFeeRate: '',
    deliveryTime: c.kind === 'dated' ? '2027-03-26T08:00:00Z' : '0',
    ...touchFields(c, world, now),
    basis: '',
    preOpenPrice: '',
    preQty: '',
    curPreListingPhase: '',
  };
}

function tickers(request: SimRequest, contracts: readonly SimContract[], world: World): SimResponse {
  const symbol = request.query.get('symbol');
  const rows = contracts.filter((c) => c.status === 'live' && (symbol === null || c.symbol === symbol));
  if (symbol !== null && rows.length === 0)
    return failure(10001, 'params error: symbol invalid', request.now);
  const list = rows.map((c) => tickerRow(c, world, request.now));
  return success({ category: request.query.get('category'), list }, request.now);
}

function orderbook(request: SimRequest, contract: SimContract, world: World): SimResponse {
  const { now } = request;
  const at = bookTime(now);
  const { bids, asks } = bookRows(contract, world, at, Number(request.query.get('limit') ?? 25));
  return success({ s: contract.symbol, b: bids, a: asks, ts: now, u: bookStep(at), seq: at, cts: at }, now);
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { path, query, now } = request;
  if (!path.startsWith('/v5/market/')) return undefined;
  const category = query.get('category');
  if (category !== 'linear' && category !== 'inverse') return failure(10001, 'Illegal category', now);
  const contracts = world.contracts(listing).filter((c) => categoryOf(c) === category);
  const call = path.slice('/v5/market/'.length);
  if (call === 'instruments-info') return instruments(request, contracts);
  if (call === 'tickers') return tickers(request, contracts, world);
  const contract = contracts.find((c) => c.symbol === query.get('symbol'));
  if (contract === undefined) return failure(10001, 'params error: symbol invalid', now);
  return call === 'orderbook'
    ? orderbook(request, contract, world)
    : bybitHistory(call, request, contract, world);
}

export const simBybit: SimVenue = {
  id: 'bybit',
  listing,
  limit: {
    weight: 600,
    perMs: 5000,
    status: 403,
    body: '{"retCode":10006,"retMsg":"access too frequent","result":{},"retExtInfo":{},"time":0}',
  },
  rest,
  socket: (connection, world) => new BybitSocket(connection, world),
};
