import { decimal } from '../decimal.ts';
import { contractsText, fineText, priceText, rateText } from '../format.ts';
import { settlementsBefore } from '../history.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';
import { sidesOf } from './sides.ts';

const LIMIT_BODY = '{"code":4290,"message":"too many requests"}';
const LOW_PRICED = new Set(['PEPE', 'SHIB', 'BONK']);

/** The venue's list of the world's assets, with rows that a reader must leave out. */
const listing: SimListing = {
  venue: 'template',
  quotes: ['USDT'],
  count: 60,
  classes: ['crypto'],
  include: ['PEPE'],
  baseName: (ticker) =>
    LOW_PRICED.has(ticker) ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  contractSize: (_, price) => (price > 100 ? 0.001 : 10),
  intervalHours: (rank) => (rank % 3 === 0 ? 4 : 8),
  symbol: (base, quote) => `${base}-${quote}-PERP`,
  dated: (base, quote) => `${base}-${quote}-261225`,
  inverse: (base) => `${base}-USD-PERP`,
  delisted: 3,
  prelisting: 1,
};

const STATUS = { live: 'trading', delisted: 'delisted', prelisting: 'announced' } as const;

function ok(data: unknown): SimResponse {
  return { status: 200, body: JSON.stringify({ code: 0, data }) };
}

/** This venue says with HTTP 200 what went wrong. */
const NO_SYMBOL: SimResponse = { status: 200, body: '{"code":1001,"message":"no such symbol"}' };

function instrument(c: SimContract) {
  return {
    symbol: c.symbol,
    type: c.kind === 'dated' ? 'future' : 'perpetual',
    status: STATUS[c.status],
    settle: c.settle,
    contractSize: String(c.contractSize),
    fundingIntervalMinutes: c.intervalHours * 60,
    takerFee: '0.0005',
    priceStep: decimal(c.tick),
    sizeStep: decimal(c.lot),
    minSize: decimal(c.lot),
    minValue: '5',
    maxLeverage: 50,
    maintenanceMarginPercent: '1.5',
  };
}

function ticker(c: SimContract, world: World, t: number) {
  const { bids, asks } = world.book(c, t, 1);
  const volume = world.volume24h(c, t);
  const mark = world.mark(c, t);
  return {
    symbol: c.symbol,
    fundingRate: rateText(world.fundingRate(c, t)),
    nextFundingTime: world.nextFunding(c, t),
    markPrice: fineText(c, mark),
    indexPrice: fineText(c, world.index(c, t)),
    bid: bids[0] === undefined ? '' : priceText(c, bids[0][0]),
    ask: asks[0] === undefined ? '' : priceText(c, asks[0][0]),
    openInterest: contractsText(c, world.openInterest(c, t)),
    volume: contractsText(c, volume),
    turnover: (volume * mark).toFixed(2),
  };
}

function fundingHistory(c: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const from = Number(query.get('from') ?? 0);
  const to = Number(query.get('to') ?? now);
  const rows = settlementsBefore(world, c, now, 500).filter(({ time }) => time >= from && time <= to);
  return ok(rows.slice(0, 50).map(({ time, rate }) => ({ time: String(time), rate: rateText(rate) })));
}

function book(c: SimContract, world: World, t: number): SimResponse {
  return ok({
    symbol: c.symbol,
    ...sidesOf(world.book(c, t, 50), (price, size) => [priceText(c, price), contractsText(c, size)]),
    sequence: Math.floor(t / 1000),
    time: t,
  });
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { path, query, now } = request;
  const contracts = world.contracts(listing);
  if (path === '/api/instruments') return { ...ok(contracts.map(instrument)), weight: 10 };
  if (path === '/api/tickers') {
    const trading = contracts.filter((c) => c.status === 'live');
    return { ...ok(trading.map((c) => ticker(c, world, now))), weight: 5 };
  }
  if (path !== '/api/funding-history' && path !== '/api/book') return undefined;
  const c = contracts.find(
    (contract) => contract.symbol === query.get('symbol') && contract.status === 'live',
  );
  if (c === undefined) return NO_SYMBOL;
  return path === '/api/book' ? book(c, world, now) : fundingHistory(c, request, world);
}

/** The venue as it would answer; written from VENUE.md, not from the decoder. */
export const simTemplate: SimVenue = {
  id: 'template',
  listing,
  limit: { weight: 600, perMs: 60_000, status: 429, body: LIMIT_BODY },
  rest,
};
