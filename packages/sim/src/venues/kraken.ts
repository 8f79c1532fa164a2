import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { contractsOf, fineText, priceText } from '../format.ts';
import { capOf } from '../funding.ts';
import { candleOf, openTimes, settlementsBefore } from '../history.ts';
import { decimalsOf } from '../increments.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookRows, listing, num, spotAtHour, WHOLE } from './kraken-rows.ts';
import { KrakenSocket } from './kraken-socket.ts';
import { bookTime } from './stepped-book.ts';

const iso = (t: number): string => new Date(t).toISOString();
const named = (contract: SimContract): string => (contract.base === 'XBT' ? 'BTC' : contract.base);

function ok(data: object, now: number): SimResponse {
  return { status: 200, body: JSON.stringify({ result: 'success', ...data, serverTime: iso(now) }) };
}

/** A bad argument comes with its code and HTTP 400. */
function refused(argument: string, now: number): SimResponse {
  const errors = [{ code: 11, message: `Argument invalid: ${argument}` }];
  const body = { status: 'BAD_REQUEST', result: 'error', errors, serverTime: iso(now) };
  return { status: 400, body: JSON.stringify(body) };
}

const TYPES = { perp: 'flexible_futures', dated: 'flexible_futures', inverse: 'futures_inverse', spot: '' };

function instrument(contract: SimContract) {
  const base = named(contract);
  return {
    symbol: contract.symbol,
    type: TYPES[contract.kind],
    ...(contract.kind === 'inverse' ? { underlying: `rr_${contract.base.toLowerCase()}usd` } : {}),
    ...(contract.kind === 'dated' ? { lastTradingTime: '2026-12-25T16:00:00.000Z' } : {}),
    tickSize: contract.tick,
    contractSize: 1,
    tradeable: contract.status === 'live',
    impactMidSize: 1,
    maxPositionSize: 1_000_000,
    openingDate: '2022-03-22T13:18:45Z',
    marginLevels: [{ numNonContractUnits: 0, initialMargin: 0.02, maintenanceMargin: 0.01 }],
    ...(contract.kind === 'dated'
      ? {}
      : { fundingRateCoefficient: 24, maxRelativeFundingRate: capOf(contract) }),
    contractValueTradePrecision: decimalsOf(contract.lot),
    postOnly: contract.status === 'prelisting',
    mtf: true,
    base,
    quote: 'USD',
    pair: `${base}:USD`,
    category: contract.asset.assetClass === 'crypto' ? 'Layer 1' : 'Equities',
    tradfi: contract.asset.assetClass !== 'crypto',
    tags: [],
  };
}

/**
 * Absolute rates: USD for a unit and hour on linear contracts, coins for a dollar and hour on inverse ones, of the spot
 * price at which the hour began.
 */
function funding(contract: SimContract, world: World, t: number) {
  if (contract.kind === 'dated') return {};
  const spot = spotAtHour(contract, world, t);
  // Eighteen decimals at most.
  const absolute = (rate: number) =>
    Number((contract.kind === 'inverse' ? rate / spot : rate * spot).toFixed(18));
  return {
    fundingRate: absolute(world.fundingRate(contract, t)),
    fundingRatePrediction: absolute(world.fundingRate(contract, t + HOUR_MS)),
  };
}

function ticker(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const bid = bids[0] ?? [mark, 0];
  const ask = asks[0] ?? [mark, 0];
  const volume = world.volume24h(contract, t);
  const interest = world.openInterest(contract, t);
  const inverse = contract.kind === 'inverse';
  const amount = (base: number) => (inverse ? Math.round(base * mark) : contractsOf(contract, base));
  return {
    symbol: contract.symbol,
    last: num(priceText(contract, mark)),
    lastTime: iso(t - 2400),
    tag: contract.kind === 'dated' ? 'quarter' : 'perpetual',
    pair: `${named(contract)}:USD`,
    markPrice: mark,
    bid: num(priceText(contract, bid[0])),
    bidSize: amount(bid[1]),
    ask: num(priceText(contract, ask[0])),
    askSize: amount(ask[1]),
    vol24h: amount(volume),
    volumeQuote: volume * mark,
    openInterest: amount(interest),
    open24h: num(priceText(contract, mark)),
    high24h: num(priceText(contract, mark * 1.02)),
    low24h: num(priceText(contract, mark * 0.98)),
    lastSize: 1,
    ...funding(contract, world, t),
    suspended: contract.status === 'delisted',
    indexPrice: num(fineText(contract, world.index(contract, t))),
    postOnly: false,
    change24h: 0.47,
  };
}

/** Seconds after its listing a contract has neither prices nor rates. */
function newcomer(contract: SimContract) {
  const zeros = { bid: 0, bidSize: 0, ask: 0, askSize: 0, vol24h: 0, volumeQuote: 0, openInterest: 0 };
  return {
    symbol: contract.symbol,
    tag: 'perpetual',
    pair: `${named(contract)}:USD`,
    ...zeros,
    suspended: false,
  };
}

/** Rows of indices beside those of contracts. */
function indexRows(contracts: readonly SimContract[], world: World, t: number) {
  const inverse = contracts.filter(({ kind }) => kind === 'inverse');
  return inverse.flatMap((contract) => {
    const name = `${contract.base.toLowerCase()}usd`;
    const last = num(priceText(contract, world.index(contract, t)));
    return [
      { symbol: `in_${name}`, last, lastTime: iso(t) },
      { symbol: `rr_${name}`, last, lastTime: iso(t - HOUR_MS) },
    ];
  });
}

function tickers(contracts: readonly SimContract[], world: World, now: number): SimResponse {
  const rows = contracts.map((contract) =>
    contract.status === 'prelisting' ? newcomer(contract) : ticker(contract, world, now),
  );
  return ok({ tickers: [...rows, ...indexRows(contracts, world, now)] }, now);
}

function orderBook(contract: SimContract, world: World, now: number): SimResponse {
  return ok({ orderBook: bookRows(contract, world, bookTime(now), WHOLE) }, now);
}

/**
 * The whole history, here a month of it, oldest first: each rate under the beginning of the hour that it is of, the hour
 * that runs as the last.
 */
function rates(contract: SimContract, world: World, now: number): SimResponse {
  const row = (begin: number, rate: number) => ({
    timestamp: iso(begin),
    fundingRate: rate * world.index(contract, begin),
    relativeFundingRate: rate,
  });
  const paid = settlementsBefore(world, contract, now, 720).map(({ time, rate }) =>
    row(time - HOUR_MS, rate),
  );
  const running = row(world.nextFunding(contract, now) - HOUR_MS, world.fundingRate(contract, now));
  return ok({ rates: [...paid.reverse(), running] }, now);
}

const STEPS: Readonly<Record<string, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': 24 * HOUR_MS,
};

function window(request: SimRequest, first: string, step: number): readonly number[] {
  const { query, now } = request;
  const to = Math.min(now, Number(query.get('to') ?? now / 1000) * 1000);
  return openTimes(Number(query.get(first) ?? to / 1000 - (2000 * step) / 1000) * 1000, to, step, 2000);
}

function charts(contract: SimContract, kind: string, last: string, request: SimRequest, world: World) {
  if (kind === 'analytics') {
    const times = window(request, 'since', Number(request.query.get('interval') ?? 3600) * 1000);
    const data = times.map((t) => {
      const text = String(contractsOf(contract, world.openInterest(contract, t)));
      return [text, text, text, text];
    });
    const result = { timestamp: times.map((t) => t / 1000), data, more: false };
    return { status: 200, body: JSON.stringify({ result, errors: [] }) };
  }
  const price = (t: number) => (kind === 'spot' ? world.index(contract, t) : world.mark(contract, t));
  const step = STEPS[last] ?? HOUR_MS;
  const candles = window(request, 'from', step).map((t) => {
    const { open, high, low, close } = candleOf(price, t, step);
    const [o, h, l, c] = [open, high, low, close].map(String);
    return { time: t, open: o, high: h, low: l, close: c, volume: '0' };
  });
  return { status: 200, body: JSON.stringify({ candles, more_candles: false }) };
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { path, query, now } = request;
  const contracts = world.contracts(listing);
  const find = (symbol: string | null) => contracts.find((contract) => contract.symbol === symbol);
  const chart = /^\/api\/charts\/v1\/(mark|spot|analytics)\/([^/]+)\/([^/]+)$/.exec(path);
  if (chart !== null) {
    const contract = find(chart[2] ?? '');
    return contract === undefined
      ? refused('symbol', now)
      : charts(contract, chart[1] ?? '', chart[3] ?? '', request, world);
  }
  const [, call, last] = /^\/derivatives\/api\/v[34]\/([a-z-]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (call === 'instruments') return ok({ instruments: contracts.map(instrument) }, now);
  if (call === 'tickers' && last === undefined) return tickers(contracts, world, now);
  const contract = find(last ?? query.get('symbol'));
  switch (call) {
    case 'tickers': {
      if (contract === undefined) return refused('symbol', now);
      const { fundingRate: _, ...row } = { fundingRate: 0, ...ticker(contract, world, now) };
      return ok({ ticker: row }, now);
    }
    case 'orderbook':
      return contract === undefined ? refused('symbol', now) : orderBook(contract, world, now);
    case 'historicalfundingrates':
    case 'historical-funding-rates':
      return contract?.kind === 'perp' ? rates(contract, world, now) : refused('symbol', now);
    default:
      return undefined;
  }
}

/** Kraken Futures. */
export const simKraken: SimVenue = {
  id: 'kraken',
  listing,
  limit: {
    weight: 50,
    perMs: 10_000,
    status: 429,
    body: '{"result":"error","error":"apiLimitExceeded","serverTime":"2026-10-20T13:20:00.000Z"}',
  },
  rest,
  socket: (connection, world) => new KrakenSocket(connection, world),
};
