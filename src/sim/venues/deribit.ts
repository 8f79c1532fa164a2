import { contractsOf, fineText, fixed, priceText, rateText } from '../format.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';

const THOUSANDS = new Set(['PEPE', 'SHIB', 'BONK', 'MOG']);

const listing: SimListing = {
  venue: 'deribit',
  quotes: ['USDC'],
  count: 40,
  classes: ['crypto', 'equity', 'commodity'],
  include: ['PEPE', 'SHIB', 'BONK', 'NVDA', 'XAU'],
  baseName: (ticker) =>
    THOUSANDS.has(ticker) ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: () => 8,
  symbol: (base, quote) => `${base}_${quote}-PERPETUAL`,
  dated: (base, quote) => `${base}_${quote}-25DEC26`,
  inverse: (base) => `${base}-PERPETUAL`,
  delisted: 2,
};

const HOUR_MS = 3_600_000;
/** Inverse perpetuals exist for two coins only. */
const INVERSE = new Set(['BTC', 'ETH']);
const FAR = 32_503_708_800_000;
const DELIVERY = Date.UTC(2026, 11, 25, 8);
/** Summaries are made every two seconds and arrive late. */
const LATE_MS = 1200;
/** Credits of a call, and of the list of instruments. */
const CREDITS = 500;
const LIST_CREDITS = 10_000;

const num = (text: string): number => Number(text);

function answer(result: unknown, now: number, weight = CREDITS): SimResponse {
  const stamps = { usIn: now * 1000, usOut: now * 1000 + 400, usDiff: 400, testnet: false };
  return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', result, ...stamps }), weight };
}

function refused(reason: string, param: string): SimResponse {
  const error = { code: -32602, message: 'Invalid params', data: { reason, param } };
  return {
    status: 400,
    body: JSON.stringify({ jsonrpc: '2.0', error, testnet: false }),
    weight: CREDITS,
  };
}

function listed(world: World): readonly SimContract[] {
  return world.contracts(listing).filter((one) => one.kind !== 'inverse' || INVERSE.has(one.base));
}

const currencyOf = (contract: SimContract): string => (contract.kind === 'inverse' ? contract.base : 'USDC');

const UNDERLYING: Readonly<Record<string, string>> = { equity: 'equity', commodity: 'commodity' };

function instrument(contract: SimContract) {
  const inverse = contract.kind === 'inverse';
  const dated = contract.kind === 'dated';
  return {
    price_index: `${contract.base.toLowerCase()}_${inverse ? 'usd' : 'usdc'}`,
    kind: 'future',
    instrument_name: contract.symbol,
    max_leverage: 50,
    maker_commission: 0.00015,
    taker_commission: contract.asset.rank % 17 === 3 ? 0.0005 : 0.00035,
    instrument_type: inverse ? 'reversed' : 'linear',
    future_type: inverse ? 'reversed' : 'linear',
    expiration_timestamp: dated ? DELIVERY : FAR,
    creation_timestamp: 1_651_149_400_000,
    is_active: contract.status === 'live',
    state: contract.status === 'live' ? 'open' : 'closed',
    tick_size: contract.tick,
    // The step of orders; it scales no amount.
    contract_size: inverse ? 10 : contract.lot,
    min_trade_amount: inverse ? 10 : contract.lot,
    instrument_id: 215_000 + contract.asset.rank,
    settlement_currency: contract.settle,
    settlement_period: dated ? 'month' : 'perpetual',
    base_currency: contract.base,
    counter_currency: inverse ? 'USD' : 'USDC',
    quote_currency: inverse ? 'USD' : 'USDC',
    underlying_type: UNDERLYING[contract.asset.assetClass] ?? 'crypto',
    tick_size_steps: [],
  };
}

/** An option and a spot market: what the list of all kinds holds besides. */
function others() {
  const common = { is_active: true, state: 'open', taker_commission: 0.0003, tick_size: 0.0005 };
  return [
    {
      ...common,
      kind: 'option',
      instrument_name: 'BTC_USDC-25DEC26-100000-C',
      instrument_type: 'linear',
      option_type: 'call',
      strike: 100_000,
      expiration_timestamp: DELIVERY,
      settlement_currency: 'USDC',
      settlement_period: 'month',
      base_currency: 'BTC',
      counter_currency: 'USDC',
      quote_currency: 'USDC',
    },
    {
      ...common,
      kind: 'spot',
      instrument_name: 'BTC_USDC',
      instrument_type: 'linear',
      settlement_currency: 'USDC',
      base_currency: 'BTC',
      counter_currency: 'USDC',
      quote_currency: 'USDC',
    },
  ];
}

function instruments({ query, now }: SimRequest, world: World): SimResponse {
  const currency = query.get('currency') ?? 'any';
  const expired = query.get('expired') === 'true';
  const kind = query.get('kind') ?? 'any';
  const futures = listed(world).filter(
    (one) => (currency === 'any' || currencyOf(one) === currency) && (one.status === 'live') !== expired,
  );
  const rows = kind === 'future' || expired ? [] : others();
  return answer(
    [...futures.map(instrument), ...(currency === 'any' || currency === 'USDC' ? rows : [])],
    now,
    LIST_CREDITS,
  );
}

/** Amounts in the unit of the contract: coins on linear ones, dollars on inverse ones. */
function amount(contract: SimContract, coins: number, mark: number): number {
  return contract.kind === 'inverse' ? Math.round((coins * mark) / 10) * 10 : contractsOf(contract, coins);
}

function prices(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const [bid, ask] = [bids[0], asks[0]].map((level) =>
    level === undefined ? null : num(priceText(contract, level[0])),
  );
  return { mark, bid: bid ?? null, ask: ask ?? null };
}

/** The rate in force now. What a holder has paid over the last eight hours stands beside it. */
function funding(contract: SimContract, world: World, t: number) {
  if (contract.kind === 'dated') return {};
  return {
    current_funding: num(rateText(world.fundingRate(contract, t))),
    funding_8h: num(rateText(accrued(contract, world, t - 8 * HOUR_MS, t))),
  };
}

/** Funding accrued over a window, from the rate at the middle of each hour. */
function accrued(contract: SimContract, world: World, from: number, to: number): number {
  let sum = 0;
  for (let t = from; t < to; t += HOUR_MS) {
    const end = Math.min(to, t + HOUR_MS);
    sum += (world.fundingRate(contract, (t + end) / 2) * (end - t)) / (8 * HOUR_MS);
  }
  return sum;
}

function summary(contract: SimContract, world: World, t: number) {
  const { mark, bid, ask } = prices(contract, world, t);
  const volume = world.volume24h(contract, t);
  const coins = num(fixed(volume / contract.multiplier, 8));
  return {
    high: num(priceText(contract, mark * 1.02)),
    low: num(priceText(contract, mark * 0.98)),
    last: num(priceText(contract, mark)),
    instrument_name: contract.symbol,
    bid_price: bid,
    ask_price: ask,
    mid_price: bid === null || ask === null ? null : (bid + ask) / 2,
    open_interest: amount(contract, world.openInterest(contract, t), mark),
    mark_price: num(fineText(contract, mark)),
    creation_timestamp: t - LATE_MS,
    price_change: 0.47,
    volume: coins,
    estimated_delivery_price: num(fineText(contract, world.index(contract, t))),
    base_currency: contract.base,
    quote_currency: contract.kind === 'inverse' ? 'USD' : 'USDC',
    volume_usd: num(fixed(volume * mark, 2)),
    volume_notional: num(fixed(volume * mark, 2)),
    ...funding(contract, world, t),
  };
}

function ticker(contract: SimContract, world: World, t: number) {
  const { mark, bid, ask } = prices(contract, world, t);
  const { volume, volume_usd, high, low } = summary(contract, world, t);
  const index = num(fineText(contract, world.index(contract, t)));
  return {
    timestamp: t,
    state: 'open',
    stats: { high, low, price_change: 0.47, volume, volume_usd, volume_notional: volume_usd },
    index_price: index,
    estimated_delivery_price: index,
    instrument_name: contract.symbol,
    last_price: num(priceText(contract, mark)),
    mark_price: num(fineText(contract, mark)),
    open_interest: amount(contract, world.openInterest(contract, t), mark),
    // 0 stands for an empty side.
    best_bid_price: bid ?? 0,
    best_ask_price: ask ?? 0,
    ...funding(contract, world, t),
  };
}

const DEPTHS = [1, 5, 10, 20, 50, 100, 1000, 10_000];

function orderBook(contract: SimContract, { query, now }: SimRequest, world: World): SimResponse {
  const depth = Number(query.get('depth') ?? 5);
  if (!DEPTHS.includes(depth)) return refused('must be one of the documented depths', 'depth');
  const mark = world.mark(contract, now);
  const { bids, asks } = world.book(contract, now, depth);
  const side = (levels: readonly (readonly [number, number])[]) =>
    levels.map(([price, size]) => [num(priceText(contract, price)), amount(contract, size, mark)]);
  const change_id = 136_069_961_946 + Math.floor(now / 20);
  return answer({ ...ticker(contract, world, now), bids: side(bids), asks: side(asks), change_id }, now);
}

/** Hourly rows that end at their stamp; 744 at most. */
function history(contract: SimContract, from: number, to: number, world: World): unknown[] {
  const rows: unknown[] = [];
  for (let t = Math.ceil(from / HOUR_MS) * HOUR_MS; t <= to && rows.length < 744; t += HOUR_MS) {
    rows.push({
      timestamp: t,
      index_price: num(fineText(contract, world.index(contract, t))),
      prev_index_price: num(fineText(contract, world.index(contract, t - HOUR_MS))),
      interest_8h: accrued(contract, world, t - 8 * HOUR_MS, t),
      interest_1h: accrued(contract, world, t - HOUR_MS, t),
    });
  }
  return rows;
}

function ofInstrument(call: string, contract: SimContract, request: SimRequest, world: World) {
  const { query, now } = request;
  const from = Number(query.get('start_timestamp') ?? now - 8 * HOUR_MS);
  const to = Math.min(now, Number(query.get('end_timestamp') ?? now));
  switch (call) {
    case 'get_instrument':
      return answer(instrument(contract), now);
    case 'get_book_summary_by_instrument':
      return answer([summary(contract, world, now)], now);
    case 'ticker':
      return answer(ticker(contract, world, now), now);
    case 'get_order_book':
      return orderBook(contract, request, world);
    case 'get_funding_rate_history':
      return answer(history(contract, from, to, world), now);
    case 'get_funding_rate_value':
      return answer(accrued(contract, world, from, to), now);
    default:
      return undefined;
  }
}

function rest(request: SimRequest, world: World): SimResponse | undefined {
  const { path, query, now } = request;
  const call = /^\/api\/v2\/public\/([a-z_]+)$/.exec(path)?.[1];
  if (call === undefined) return undefined;
  if (call === 'get_instruments') return instruments(request, world);
  const live = listed(world).filter(({ status }) => status === 'live');
  if (call === 'get_book_summary_by_currency') {
    const rows = live.filter((one) => currencyOf(one) === query.get('currency'));
    return rows.length === 0
      ? refused('invalid currency', 'currency')
      : answer(
          rows.map((one) => summary(one, world, now)),
          now,
        );
  }
  const contract = live.find((one) => one.symbol === query.get('instrument_name'));
  return contract === undefined
    ? refused('wrong format', 'instrument_name')
    : ofInstrument(call, contract, request, world);
}

/** Deribit's JSON-RPC over HTTP GET. */
export const simDeribit: SimVenue = {
  id: 'deribit',
  listing,
  limit: {
    weight: 50_000,
    perMs: 5000,
    status: 400,
    body: '{"jsonrpc":"2.0","error":{"code":10028,"message":"too_many_requests","data":null},"testnet":false}',
  },
  rest,
};
