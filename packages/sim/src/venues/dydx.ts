import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { baseText, fineText, fixed, priceText } from '../format.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { chainAnswer } from './dydx-chain.ts';
import { bookSides, DydxSocket, keyed } from './dydx-socket.ts';
import { bookTime } from './stepped-book.ts';

const BASE = '/v4';

/** Assets that anyone has listed: the base carries the pool they are priced by. */
const POOLS: Readonly<Record<string, string>> = {
  FARTCOIN: 'RAYDIUM,9BB6NFECJBCTNNLFKO2FQVQBQ8HHM13KCYYCDQBGPUMP',
  MOODENG: 'RAYDIUM,ED5NYYWEZPPPIWIMP8VYM7SD7TD3LAT3Q3GRTWHZPJBY',
};

const listing: SimListing = {
  venue: 'dydx',
  size: 0.04,
  quotes: ['USD'],
  settle: () => 'USDC',
  count: 270,
  delisted: 12,
  prelisting: 2,
  classes: ['crypto'],
  include: ['DYDX', ...Object.keys(POOLS)],
  baseName: (ticker) => {
    const pool = POOLS[ticker];
    return { base: pool === undefined ? ticker : `${ticker},${pool}`, multiplier: 1 };
  },
  intervalHours: () => 1,
  symbol: (base, quote) => `${base}-${quote}`,
};

const STATUS = { live: 'ACTIVE', delisted: 'FINAL_SETTLEMENT', prelisting: 'INITIALIZING' } as const;

const ok = (body: unknown): SimResponse => ({ status: 200, body: JSON.stringify(body) });

const notFound = (message: string): SimResponse => ({
  status: 404,
  body: JSON.stringify({ errors: [{ msg: message }] }),
});

/** A market; the oracle price is the only price there is. A market that does not trade yet has no rate. */
function market(contract: SimContract, id: number, world: World, t: number) {
  const live = contract.status === 'live';
  const oracle = world.mark(contract, t);
  const open = live ? baseText(contract, world.openInterest(contract, t)) : '0';
  return {
    clobPairId: String(id),
    ticker: contract.symbol,
    status: STATUS[contract.status],
    oraclePrice: fineText(contract, oracle),
    priceChange24H: fineText(contract, oracle - world.mark(contract, t - 24 * HOUR_MS)),
    volume24H: live ? fixed(world.volume24h(contract, t) * oracle, 4) : '0',
    trades24H: live ? 1000 : 0,
    nextFundingRate: contract.status === 'prelisting' ? null : fixed(world.fundingRate(contract, t), 20),
    initialMarginFraction: '0.05',
    maintenanceMarginFraction: '0.03',
    openInterest: open,
    atomicResolution: -9,
    quantumConversionExponent: -9,
    tickSize: String(contract.tick),
    stepSize: String(contract.lot),
    stepBaseQuantums: 1_000_000,
    subticksPerTick: 100_000,
    marketType: contract.symbol.includes(',') ? 'ISOLATED' : 'CROSS',
    openInterestLowerCap: '0',
    openInterestUpperCap: '0',
    baseOpenInterest: live ? baseText(contract, world.openInterest(contract, t) * 2.05) : '0',
    defaultFundingRate1H: contract.symbol.includes(',') ? '0.0000125' : '0',
  };
}

function perpetualMarkets(request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  const all = world.contracts(listing).map((contract, i) => [contract, i] as const);
  const ticker = query.get('ticker');
  const wanted = ticker === null ? all : all.filter(([contract]) => contract.symbol === ticker);
  if (wanted.length === 0) return notFound(`${ticker} not found in markets of type PERPETUAL`);
  const limit = Number(query.get('limit') ?? all.length);
  const rows = wanted
    .slice(0, limit)
    .map(([contract, i]) => [contract.symbol, market(contract, i, world, now)] as const);
  return ok({ markets: Object.fromEntries(rows) });
}

/** Settled rates, newest first, stamped with the time of their block. */
function historicalFunding(contract: SimContract, query: URLSearchParams, world: World, now: number) {
  const limit = Math.min(1000, Number(query.get('limit') ?? 1000));
  const before = Date.parse(query.get('effectiveBeforeOrAt') ?? '') || now;
  const newest = Math.floor(Math.min(before, now) / HOUR_MS) * HOUR_MS;
  const rows = Array.from({ length: limit }, (_, i) => {
    const hour = newest - i * HOUR_MS;
    return {
      ticker: contract.symbol,
      rate: fixed(world.settledRate(contract, hour), 18),
      price: fineText(contract, world.mark(contract, hour)),
      effectiveAtHeight: String(66_622_979 - i * 5600),
      effectiveAt: new Date(hour + ((hour / HOUR_MS) % 900)).toISOString(),
    };
  });
  return { historicalFunding: rows };
}

const RESOLUTIONS: Readonly<Record<string, number>> = {
  '1MIN': 60_000,
  '5MINS': 300_000,
  '15MINS': 900_000,
  '30MINS': 1_800_000,
  '1HOUR': HOUR_MS,
  '4HOURS': 4 * HOUR_MS,
  '1DAY': 24 * HOUR_MS,
};

/** Candles, newest first; each states the open interest at its start. */
function candles(contract: SimContract, query: URLSearchParams, world: World, now: number): SimResponse {
  const resolution = query.get('resolution') ?? '';
  const step = RESOLUTIONS[resolution];
  if (step === undefined) {
    return {
      status: 400,
      body: JSON.stringify({ errors: [{ msg: 'resolution must be a valid Candle Resolution' }] }),
    };
  }
  const to = Date.parse(query.get('toISO') ?? '') || now;
  const from = Date.parse(query.get('fromISO') ?? '') || 0;
  const limit = Math.min(1000, Number(query.get('limit') ?? 100));
  const rows: unknown[] = [];
  for (let start = Math.floor((to - 1) / step) * step; start >= from && rows.length < limit; start -= step) {
    const end = Math.min(now, start + step);
    const volume = world.volumeBetween(contract, start, end);
    const open = world.mark(contract, start);
    const close = world.mark(contract, end);
    rows.push({
      startedAt: new Date(start).toISOString(),
      ticker: contract.symbol,
      resolution,
      low: priceText(contract, Math.min(open, close)),
      high: priceText(contract, Math.max(open, close)),
      open: priceText(contract, open),
      close: priceText(contract, close),
      baseTokenVolume: baseText(contract, volume),
      usdVolume: fixed(volume * close, 4),
      trades: 10,
      startingOpenInterest: baseText(contract, world.openInterest(contract, start)),
      orderbookMidPriceOpen: priceText(contract, open),
      orderbookMidPriceClose: priceText(contract, close),
    });
  }
  return ok({ candles: rows });
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { path, query, now } = request;
  if (path === `${BASE}/perpetualMarkets`) return perpetualMarkets(request, world);
  const chain = chainAnswer(path, world.contracts(listing), world, now);
  if (chain !== undefined) return ok(chain);
  if (path === `${BASE}/time`) return ok({ iso: new Date(now).toISOString(), epoch: now / 1000 });
  const found =
    /^\/v4\/(orderbooks\/perpetualMarket|historicalFunding|candles\/perpetualMarkets)\/([^/]+)$/.exec(path);
  if (found === null) return undefined;
  const ticker = decodeURIComponent(found[2] ?? '');
  const contract = world.contracts(listing).find((contract) => contract.symbol === ticker);
  if (contract === undefined) return notFound(`${ticker} not found in markets of type PERPETUAL`);
  if (found[1] === 'historicalFunding') return ok(historicalFunding(contract, query, world, now));
  if (found[1] === 'candles/perpetualMarkets') return candles(contract, query, world, now);
  return ok(keyed(bookSides(contract, world, bookTime(now))));
}

export const simDydx: SimVenue = {
  id: 'dydx',
  listing,
  limit: {
    weight: 100,
    perMs: 10_000,
    status: 429,
    body: '{"errors":[{"msg":"Too many requests"}]}',
    retryAfterUnit: 'ms',
  },
  rest,
  socket: (connection, world) =>
    new DydxSocket(connection, world, (ticker) =>
      world.contracts(listing).find((c) => c.symbol === ticker && c.status === 'live'),
    ),
};
