import type { AssetClass } from '../../../../src/domain/instrument.ts';
import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { decimal } from '../decimal.ts';
import { baseText } from '../format.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { ApexSocket, bookSides } from './apex-socket.ts';
import { bookStep, bookTime } from './stepped-book.ts';

const LOW = new Set(['PEPE', 'SHIB', 'BONK', 'FLOKI']);

const listing: SimListing = {
  venue: 'apex',
  quotes: ['USDT'],
  count: 100,
  classes: ['crypto', 'equity', 'index', 'commodity'],
  include: ['equity:NVDA', 'equity:TSLA', 'index:US500', 'commodity:XAU'],
  baseName: (ticker) =>
    LOW.has(ticker) ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: () => 1,
  symbol: (base, quote) => `${base}${quote}`,
  delisted: 50,
  prelisting: 1,
};

/** `BTC-USDT`, the spelling of history and of `instrumentInfo.all`. */
const hyphened = (c: SimContract): string => `${c.base}-${c.quote}`;

function ok(data: unknown): SimResponse {
  return { status: 200, body: JSON.stringify({ data, timeCost: 1234 }) };
}

const INVALID: SimResponse = {
  status: 200,
  body: '{"code":3,"msg":"invalid symbol","key":"INVALID_SYMBOL","detail":{}}',
};

function symbolRow(c: SimContract) {
  return {
    crossSymbolName: c.symbol,
    symbol: hyphened(c),
    symbolDisplayName: c.symbol,
    baseTokenId: c.base,
    settleAssetId: 'USDT',
    enableTrade: c.status !== 'delisted',
    enableDisplay: c.status !== 'delisted',
    enableOpenPosition: c.status !== 'delisted',
    isPrelaunch: c.status === 'prelisting',
    stepSize: decimal(c.lot),
    tickSize: decimal(c.tick),
    minOrderSize: decimal(c.lot),
    displayMaxLeverage: '50',
    displayMinLeverage: '1',
    initialMarginRate: '0.02000',
    maintenanceMarginRate: '0.01',
    maxPositionSize: decimal(100_000 * c.lot),
    fundingInterestRate: '0.0003',
  };
}

const CATEGORIES: Readonly<Partial<Record<AssetClass, string>>> = {
  equity: 'STOCK',
  index: 'INDEX',
  commodity: 'COMMODITY',
};

/** Contracts that are enabled for trading, one hidden and one of which no position can be opened. */
const notOpenable = (row: object): readonly object[] => [
  { ...row, crossSymbolName: 'IOUSDT', symbol: 'IO-USDT', baseTokenId: 'IO', enableDisplay: false },
  {
    ...row,
    crossSymbolName: 'SHUTUSDT',
    symbol: 'SHUT-USDT',
    baseTokenId: 'SHUT',
    enableOpenPosition: false,
  },
];

/** Stocks, indices and commodities are a list of their own in the same answer, as predictions are. */
function symbolLists(contracts: readonly SimContract[]) {
  const category = (c: SimContract) => CATEGORIES[c.asset.assetClass];
  const stocks = contracts.filter((c) => category(c) !== undefined);
  return {
    perpetualContract: [
      ...contracts.filter((c) => category(c) === undefined).map(symbolRow),
      ...contracts.slice(0, 1).flatMap((c) => notOpenable(symbolRow(c))),
    ],
    stockContract: stocks.map((c) => ({ ...symbolRow(c), category: category(c) })),
    predictionContract: [{ crossSymbolName: 'ELECTIONUSDT', symbol: 'ELECTION-USDT', enableTrade: true }],
  };
}

function ticker(c: SimContract, world: World, t: number) {
  const { multiplier: m } = c;
  const mark = world.mark(c, t);
  const volume = world.volume24h(c, t);
  return {
    symbol: c.symbol,
    price24hPcnt: '0.01',
    lastPrice: decimal(mark * m),
    markPrice: decimal(mark * m),
    indexPrice: decimal(world.index(c, t) * m),
    oraclePrice: '',
    openInterest: baseText(c, world.openInterest(c, t)),
    turnover24h: decimal(volume * mark),
    volume24h: baseText(c, volume),
    fundingRate: decimal(world.fundingRate(c, t)),
    predictedFundingRate: '0.0000125',
    nextFundingTime: new Date(world.nextFunding(c, t)).toISOString().replace('.000', ''),
    tradeCount: '',
  };
}

function shortRow(c: SimContract, world: World, t: number) {
  const row = ticker(c, world, t);
  return {
    s: hyphened(c),
    p: row.lastPrice,
    pr: row.price24hPcnt,
    h: row.lastPrice,
    l: row.lastPrice,
    op: row.lastPrice,
    xp: row.indexPrice,
    to: row.turnover24h,
    v: row.volume24h,
    fr: row.fundingRate,
    o: row.openInterest,
    tc: '10',
    mp: row.markPrice,
  };
}

function history(request: SimRequest, c: SimContract, world: World): SimResponse {
  const limit = Math.min(100, Number(request.query.get('limit') ?? 100));
  const page = Number(request.query.get('page') ?? 0);
  const newest = world.nextFunding(c, request.now) - HOUR_MS * (1 + page * limit);
  const historyFunds = Array.from({ length: limit }, (_, i) => {
    const t = newest - i * HOUR_MS;
    return {
      symbol: hyphened(c),
      rate: decimal(world.settledRate(c, t)),
      price: decimal(world.index(c, t) * c.multiplier),
      fundingTime: t,
      fundingTimestamp: t,
    };
  });
  return ok({ historyFunds, totalSize: 24 * 30 });
}

function depth({ now, query }: SimRequest, c: SimContract, world: World): SimResponse {
  const levels = Math.min(100, Number(query.get('limit') ?? 100));
  const { bids, asks } = bookSides(c, world, bookTime(now), levels);
  return ok({ a: asks, b: bids, s: c.symbol, u: bookStep(now) });
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const contracts = world.contracts(listing);
  if (request.path === '/api/v3/symbols') {
    return ok({ contractConfig: symbolLists(contracts) });
  }
  const asked = request.query.get('symbol');
  const live = contracts.filter((c) => c.status === 'live');
  const c = live.find((contract) => contract.symbol === asked);
  switch (request.path) {
    case '/api/v3/ticker':
      return ok(c === undefined ? [] : [ticker(c, world, request.now)]);
    case '/api/v3/data/all-ticker-info':
      return ok(live.map((contract) => ticker(contract, world, request.now)));
    case '/api/v3/depth':
      return c === undefined ? ok({ a: null, b: null, s: '', u: 0 }) : depth(request, c, world);
    case '/api/v3/history-funding': {
      const named = live.find((contract) => hyphened(contract) === asked);
      return named === undefined ? INVALID : history(request, named, world);
    }
    default:
      return undefined;
  }
}

export const simApex: SimVenue = {
  id: 'apex',
  listing,
  limit: { weight: 600, perMs: 60_000, status: 429, body: '{"code":10003,"msg":"too many requests"}' },
  rest,
  socket: (connection, world) => {
    const live = (): readonly SimContract[] => world.contracts(listing).filter((c) => c.status === 'live');
    const rows = (now: number) => live().map((c) => shortRow(c, world, now));
    return new ApexSocket(connection, world, { live, rows });
  },
};
