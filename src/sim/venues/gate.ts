import { contractsOf, fineText, fixed, priceText, rateText } from '../format.ts';
import { candleOf, openTimes, settlementsBefore } from '../past.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';

/** Coins in one contract: the power of ten that is worth some ten dollars. */
function contractSize(_ticker: string, price: number): number {
  const power = Math.floor(Math.log10(20 / price));
  return Number(`1e${Math.max(-4, Math.min(7, power))}`);
}

const listing: SimListing = {
  venue: 'gate',
  quotes: ['USDT'],
  count: 740,
  classes: ['crypto', 'equity', 'index', 'commodity', 'fx'],
  include: ['PEPE', 'SHIB', 'BONK', 'NVDA', 'XAU', 'EUR', '1INCH'],
  contractSize,
  intervalHours: (rank) => (rank < 80 ? 8 : rank % 113 === 0 ? 1 : rank % 5 < 2 ? 4 : 8),
  symbol: (base, quote) => `${base}_${quote}`,
  inverse: (base) => `${base}_USD`,
  delisted: 3,
  prelisting: 2,
};

const TYPES: Readonly<Record<string, string>> = {
  equity: 'stocks',
  index: 'indices',
  commodity: 'metals',
  fx: 'forex',
};
const STATUS = { live: 'trading', delisted: 'delisting', prelisting: 'prelaunch' };

const ok = (value: unknown): SimResponse => ({ status: 200, body: JSON.stringify(value) });

function refusal(label: string, message?: string): SimResponse {
  return { status: 400, body: JSON.stringify(message === undefined ? { label } : { label, message }) };
}

const NOT_FOUND = refusal('CONTRACT_NOT_FOUND');

/** Contracts of a settlement currency: all linear ones in usdt, one inverse in btc. */
function ofSettle(world: World, settle: string): readonly SimContract[] {
  const all = world.contracts(listing);
  if (settle === 'usdt') return all.filter((contract) => contract.kind === 'perp');
  return settle === 'btc' ? all.filter((contract) => contract.symbol === 'BTC_USD') : [];
}

function contractRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const rate = rateText(world.fundingRate(contract, t));
  const inverse = contract.kind === 'inverse';
  return {
    name: contract.symbol,
    type: inverse ? 'inverse' : 'direct',
    quanto_multiplier: inverse ? '0' : fixed(contract.contractSize, contract.contractSize < 1 ? 4 : 0),
    funding_rate: rate,
    funding_rate_indicative: rate,
    funding_interval: contract.intervalHours * 3600,
    funding_next_apply: world.nextFunding(contract, t) / 1000,
    funding_offset: 0,
    funding_cap_ratio: '0.75',
    funding_rate_limit: '0.02',
    funding_impact_value: '7000',
    interest_rate: '0.0003',
    mark_type: 'index',
    mark_price: fineText(contract, mark),
    mark_price_round: fixed(contract.tick, 12),
    index_price: fineText(contract, world.index(contract, t)),
    last_price: priceText(contract, mark),
    order_price_round: fixed(contract.tick, 12),
    order_price_deviate: '0.15',
    order_size_min: 1,
    order_size_max: 1_000_000,
    orders_limit: 100,
    enable_decimal: false,
    leverage_min: '1',
    leverage_max: '50',
    maintenance_rate: '0.01',
    risk_limit_base: '5000',
    risk_limit_step: '2495000',
    risk_limit_max: '2500000',
    // No retail tier: these two read the same on every row and are not the fee.
    maker_fee_rate: '-0.0001',
    taker_fee_rate: '0.00075',
    ref_discount_rate: '0',
    ref_rebate_rate: '0.2',
    position_size: contractsOf(contract, world.openInterest(contract, t)),
    trade_size: contractsOf(contract, world.volume24h(contract, t)) * 400,
    long_users: 191,
    short_users: 157,
    trade_id: 10_376_084,
    orderbook_id: Math.floor(t / 20),
    config_change_time: 1_782_119_113,
    create_time: 1_758_124_392,
    launch_time: 1_758_124_392,
    in_delisting: contract.status === 'delisted',
    is_pre_market: false,
    status: STATUS[contract.status],
    contract_type: TYPES[contract.asset.assetClass] ?? '',
  };
}

function tickerRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const volume = world.volume24h(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const [bid = [mark, 0], ask = [mark, 0]] = [bids[0], asks[0]];
  const quote = fixed(volume * mark, 0);
  return {
    contract: contract.symbol,
    last: priceText(contract, mark),
    low_24h: priceText(contract, mark * 0.98),
    high_24h: priceText(contract, mark * 1.02),
    change_percentage: '0.47',
    total_size: String(contractsOf(contract, world.openInterest(contract, t))),
    volume_24h: String(contractsOf(contract, volume)),
    volume_24h_btc: fixed((volume * mark) / 100_000, 0),
    volume_24h_usd: quote,
    volume_24h_base: fixed(volume, 0),
    volume_24h_quote: quote,
    volume_24h_settle: quote,
    mark_price: fineText(contract, mark),
    index_price: fineText(contract, world.index(contract, t)),
    funding_rate: rateText(world.fundingRate(contract, t)),
    funding_rate_indicative: rateText(world.fundingRate(contract, t)),
    quanto_base_rate: '',
    highest_bid: priceText(contract, bid[0]),
    highest_size: String(contractsOf(contract, bid[1])),
    lowest_ask: priceText(contract, ask[0]),
    lowest_size: String(contractsOf(contract, ask[1])),
  };
}

function orderBook(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  const limit = Number(query.get('limit') ?? 10);
  if (limit > 300) return refusal('TOO_BIG', 'limit 300');
  const { bids, asks } = world.book(contract, now, limit);
  const side = (levels: readonly (readonly [number, number])[]) =>
    levels.map(([p, s]) => ({ p: priceText(contract, p), s: contractsOf(contract, s) }));
  return ok({
    ...(query.get('with_id') === 'true' ? { id: Math.floor(now / 20) } : {}),
    current: now / 1000,
    update: (now - 40) / 1000,
    asks: side(asks),
    bids: side(bids),
  });
}

const STEPS: Readonly<Record<string, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

/** Times that a history query asks for; `from` and `to` count seconds. */
function askedTimes(
  request: SimRequest,
  limit: number,
): { readonly times: readonly number[]; readonly step: number } {
  const { query, now } = request;
  const step = STEPS[query.get('interval') ?? '5m'] ?? 300_000;
  const to = Math.min(now, Number(query.get('to') ?? now / 1000) * 1000);
  return { times: openTimes(Number(query.get('from') ?? 0) * 1000, to, step, limit), step };
}

function stats(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { times } = askedTimes(request, Number(request.query.get('limit') ?? 30));
  const rows = times.map((t) => {
    const mark = world.mark(contract, t);
    const coins = world.openInterest(contract, t);
    return {
      time: t / 1000,
      lsr_taker: 0.667,
      lsr_account: 1.786,
      long_liq_size: 0,
      short_liq_size: 0,
      mark_price: Number(fineText(contract, mark)),
      open_interest: contractsOf(contract, coins),
      open_interest_usd: Number(fixed(coins * mark, 4)),
    };
  });
  return ok(rows);
}

function candles(contract: SimContract, request: SimRequest, world: World, prefix: string): SimResponse {
  const price = (t: number) => (prefix === 'index_' ? world.index(contract, t) : world.mark(contract, t));
  const { times, step } = askedTimes(request, Math.min(2000, Number(request.query.get('limit') ?? 100)));
  const rows = times.map((t) => {
    const { open, high, low, close } = candleOf(price, t, step);
    const [o, h, l, c] = [open, high, low, close].map((p) => fineText(contract, p));
    const traded = world.volumeBetween(contract, t, t + step);
    const plain = { v: contractsOf(contract, traded), sum: fixed(traded * close, 2) };
    return { t: t / 1000, o, h, l, c, ...(prefix === '' ? plain : {}) };
  });
  return ok(rows);
}

/** The stamp of a settlement is up to two seconds late. */
function fundingHistory(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  const to = Math.min(now, Number(query.get('to') ?? now / 1000) * 1000 + 1);
  const from = Number(query.get('from') ?? 0) * 1000;
  const count = Math.min(1000, Number(query.get('limit') ?? 100));
  const rows = settlementsBefore(world, contract, to, count)
    .filter(({ time }) => time >= from)
    .map(({ time, rate }) => ({ r: rateText(rate), t: time / 1000 + (Math.round(time / 3_600_000) % 3) }));
  return ok(rows);
}

const PATH = /^\/api\/v4\/futures\/(\w+)\/([a-z_]+)(?:\/([^/]+))?$/;

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const [, settle = '', call = '', named] = PATH.exec(request.path) ?? [];
  const { query, now } = request;
  const all = ofSettle(world, settle);
  if (call === '') return undefined;
  if (all.length === 0) {
    return refusal('MISSING_REQUIRED_HEADER', 'Missing required header: Timestamp');
  }
  const asked = named ?? query.get('contract');
  if (asked === null) return list(call, all, query, world, now);
  const prefix = call === 'candlesticks' ? (/^(?:mark|index)_/.exec(asked)?.[0] ?? '') : '';
  const contract = all.find((one) => one.symbol === decodeURIComponent(asked.slice(prefix.length)));
  if (contract === undefined) return NOT_FOUND;
  switch (call) {
    case 'contracts':
      return ok(contractRow(contract, world, now));
    case 'tickers':
      return ok([tickerRow(contract, world, now)]);
    case 'order_book':
      return orderBook(contract, request, world);
    case 'funding_rate':
      return fundingHistory(contract, request, world);
    case 'contract_stats':
      return stats(contract, request, world);
    case 'candlesticks':
      return candles(contract, request, world, prefix);
    default:
      return undefined;
  }
}

function list(
  call: string,
  all: readonly SimContract[],
  query: URLSearchParams,
  world: World,
  now: number,
): SimResponse | undefined {
  const limit = query.get('limit') === null ? all.length : Number(query.get('limit'));
  if (call === 'contracts') return ok(all.slice(0, limit).map((one) => contractRow(one, world, now)));
  if (call === 'tickers') {
    return ok(all.filter((one) => one.status === 'live').map((one) => tickerRow(one, world, now)));
  }
  return refusal('MISSING_REQUIRED_PARAM', 'Missing required parameter: contract');
}

/** Gate's futures calls, one settlement currency a path. */
export const simGate: SimVenue = {
  id: 'gate',
  listing,
  limit: {
    weight: 200,
    perMs: 10_000,
    status: 429,
    body: '{"label":"TOO_MANY_REQUESTS","message":"Request Rate Limit Exceeded"}',
  },
  rest,
};
