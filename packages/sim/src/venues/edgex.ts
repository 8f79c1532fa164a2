import { HOUR_MS, MINUTE_MS } from '../../../../src/runtime/duration.ts';
import { decimal } from '../decimal.ts';
import { baseText } from '../format.ts';
import { capOf } from '../funding.ts';
import { isClosed } from '../market-hours.ts';
import type { SimConnection, SimRequest, SimResponse, SimSession, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { bookData, bookSides, EdgexSocket } from './edgex-socket.ts';
import { bookTime } from './stepped-book.ts';

const FIRST_ID = 30_000_001;
const LOW = new Set(['PEPE', 'SHIB', 'BONK', 'FLOKI']);

const listing: SimListing = {
  venue: 'edgex',
  size: 0.12,
  quotes: ['USDC'],
  count: 190,
  classes: ['crypto', 'equity'],
  include: ['NVDA', 'TSLA'],
  baseName: (ticker) =>
    LOW.has(ticker) ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: (rank) => (rank % 5 === 2 ? 8 : 4),
  symbol: (base, quote) => `${base}${quote}`,
  delisted: 6,
};

function ok(data: unknown, now: number): SimResponse {
  const stamps = { requestTime: String(now), responseTime: String(now), traceId: 'sim' };
  return {
    status: 200,
    body: JSON.stringify({ code: 'SUCCESS', data, msg: null, errorParam: null, ...stamps }),
  };
}

interface Numbered {
  readonly c: SimContract;
  readonly id: string;
}

function numbered(world: World): readonly Numbered[] {
  return world.contracts(listing).map((c, i) => ({ c, id: String(FIRST_ID + i) }));
}

/** Tiers of position value, the smallest first. */
const RISK_TIERS = [
  { tier: 1, positionValueUpperBound: '200000', maxLeverage: '20', maintenanceMarginRate: '0.025' },
  { tier: 2, positionValueUpperBound: '300000', maxLeverage: '15', maintenanceMarginRate: '0.0333' },
];

function metaData(world: World) {
  const all = numbered(world);
  const coinList = [
    { coinId: '1000', coinName: 'USDC' },
    ...all.map(({ c }, i) => ({ coinId: String(2000 + i), coinName: c.base })),
  ];
  const contractList = all.map(({ c, id }, i) => ({
    contractId: id,
    contractName: c.symbol,
    baseCoinId: String(2000 + i),
    quoteCoinId: '1000',
    tickSize: decimal(c.tick),
    stepSize: decimal(c.lot),
    minOrderSize: decimal(c.lot),
    maxOrderSize: decimal(50_000 * c.lot),
    maxPositionSize: decimal(100_000 * c.lot),
    riskTierList: RISK_TIERS,
    enableTrade: c.status === 'live',
    enableDisplay: c.status === 'live',
    enableOpenPosition: c.status === 'live',
    isStock: c.asset.assetClass === 'equity',
    isFx: false,
    fundingInterestRate: '0.0003',
    fundingMaxRate: decimal(capOf(c)),
    fundingMinRate: decimal(-capOf(c)),
    ...(c.intervalUnknown === true ? {} : { fundingRateIntervalMin: String(c.intervalHours * 60) }),
    defaultTakerFeeRate: '0.00045',
    defaultMakerFeeRate: '0.00018',
  }));
  return { global: {}, coinList, contractList };
}

function funding({ c, id }: Numbered, world: World, t: number) {
  const next = world.nextFunding(c, t);
  const minute = Math.floor(t / 60_000) * 60_000;
  return {
    contractId: id,
    fundingTime: String(next - c.intervalHours * HOUR_MS),
    fundingTimestamp: String(minute),
    oraclePrice: decimal(world.mark(c, t) * c.multiplier, 18),
    markPrice: decimal(world.mark(c, t) * c.multiplier, 15),
    indexPrice: decimal(world.index(c, t) * c.multiplier, 15),
    fundingRate: decimal(world.settledRate(c, next - c.intervalHours * HOUR_MS)),
    isSettlement: false,
    forecastFundingRate: decimal(world.fundingRate(c, t)),
    interestRate: '0.0003',
    predictedFundingRate: '0.00005000',
    ...(c.intervalUnknown === true ? {} : { fundingRateIntervalMin: String(c.intervalHours * 60) }),
  };
}

function ticker({ c, id }: Numbered, world: World, t: number) {
  const { multiplier: m } = c;
  const mark = world.mark(c, t);
  const volume = world.volume24h(c, t);
  const next = world.nextFunding(c, t);
  return {
    contractId: id,
    contractName: c.symbol,
    trades: '4806',
    size: baseText(c, volume),
    value: decimal(volume * mark),
    lastPrice: decimal(mark * m),
    indexPrice: decimal(world.index(c, t) * m, 15),
    oraclePrice: decimal(mark * m, 15),
    markPrice: decimal(mark * m, 15),
    openInterest: baseText(c, world.openInterest(c, t)),
    fundingRate: decimal(world.fundingRate(c, t)),
    fundingTime: String(next - c.intervalHours * HOUR_MS),
    nextFundingTime: String(next),
  };
}

/** Settlements where they are asked for; else the row of each minute, most of them previews. */
function fundingPage(item: Numbered, world: World, request: SimRequest): SimResponse {
  const { c, id } = item;
  const interval = c.intervalHours * HOUR_MS;
  const isFiltered = request.query.get('filterSettlementFundingRate') === 'true';
  const step = isFiltered ? interval : MINUTE_MS;
  const size = Math.min(100, Number(request.query.get('size') ?? 100));
  const latest = isFiltered
    ? world.nextFunding(c, request.now) - interval
    : Math.floor(request.now / MINUTE_MS) * MINUTE_MS;
  const newest = Number(request.query.get('offsetData') || latest);
  const dataList = Array.from({ length: size }, (_, i) => {
    const t = newest - i * step;
    return {
      contractId: id,
      fundingTime: String(t),
      fundingTimestamp: String(t),
      fundingRate: decimal(world.settledRate(c, Math.floor(t / interval) * interval)),
      isSettlement: t % interval === 0,
      forecastFundingRate: '',
      fundingRateIntervalMin: String(c.intervalHours * 60),
    };
  });
  return ok({ dataList, nextPageOffsetData: String(newest - size * step) }, request.now);
}

function book({ c, id }: Numbered, world: World, now: number, level: number) {
  const t = bookTime(now);
  const head = { c, id, level, start: t - 90, end: t, depthType: 'SNAPSHOT' } as const;
  return bookData(head, bookSides(c, world, t, level));
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { now } = request;
  const path = request.path.replace('/api/v2/public', '');
  if (path === '/meta/getMetaData') return ok(metaData(world), now);
  const ids = new Set((request.query.get('contractId') ?? '').split(','));
  const asked = numbered(world).filter(({ c, id }) => ids.has(id) && c.status === 'live');
  const [first] = asked;
  switch (path) {
    case '/funding/getLatestFundingRate':
      return ok(
        asked.map((item) => funding(item, world, now)),
        now,
      );
    case '/quote/getTicker':
      return ok(
        asked.map((item) => ticker(item, world, now)),
        now,
      );
    case '/funding/getFundingRatePage':
      return first === undefined
        ? ok({ dataList: [], nextPageOffsetData: '' }, now)
        : fundingPage(first, world, request);
    case '/quote/getDepth':
      return ok(
        asked.map((item) => book(item, world, now, Number(request.query.get('level') ?? 15))),
        now,
      );
    default:
      return undefined;
  }
}

function socket(connection: SimConnection, world: World): SimSession {
  const live = (): readonly Numbered[] => numbered(world).filter(({ c }) => c.status === 'live');
  return new EdgexSocket(connection, world, {
    find: (id) => live().find((item) => item.id === id)?.c,
    tickers: (now) =>
      live().map((item) => ({ ...ticker(item, world, now), marketOpen: !isClosed(item.c.asset, now) })),
  });
}

export const simEdgex: SimVenue = {
  id: 'edgex',
  listing,
  limit: {
    weight: 50,
    perMs: 10_000,
    status: 429,
    body: '{"code":"RATE_LIMIT_EXCEEDED","data":null,"msg":"slow down"}',
  },
  rest,
  socket,
};
