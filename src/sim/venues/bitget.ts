import { baseText, fineText, fixed, priceText, rateText } from '../format.ts';
import { candleOf, openTimes, settlementsBefore } from '../past.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { SimContract, SimListing, World } from '../world.ts';

/** Low-priced coins that are listed in blocks. */
const BLOCKS: Readonly<Record<string, readonly [base: string, multiplier: number]>> = {
  BONK: ['1000BONK', 1000],
  SATS: ['1000SATS', 1000],
  RATS: ['1000RATS', 1000],
  XEC: ['1000XEC', 1000],
  CAT: ['1000CAT', 1000],
  BABYDOGE: ['1MBABYDOGE', 1_000_000],
  MOG: ['1000000MOG', 1_000_000],
};

const listing: SimListing = {
  venue: 'bitget',
  quotes: ['USDT', 'USDC'],
  count: 610,
  classes: ['crypto', 'equity', 'commodity', 'index', 'fx'],
  include: ['BONK', 'SATS', 'BABYDOGE', 'NVDA', 'TSLA', 'XAU', '1INCH', 'KAS', 'KNC'],
  baseName: (ticker) => {
    const [base, multiplier] = BLOCKS[ticker] ?? [ticker, 1];
    return { base, multiplier };
  },
  intervalHours: (rank) => (rank < 60 ? 8 : rank % 97 === 0 ? 1 : rank % 2 === 0 ? 4 : 8),
  symbol: (base, quote) => base + (quote === 'USDC' ? 'PERP' : quote),
  dated: (base) => `${base}USDZ26`,
  inverse: (base) => `${base}USD`,
  delisted: 3,
  prelisting: 3,
};

const HOUR_MS = 3_600_000;
const DELIVERY = Date.UTC(2026, 11, 25, 8);

function answer(now: number, data: unknown): SimResponse {
  return { status: 200, body: JSON.stringify({ code: '00000', msg: 'success', requestTime: now, data }) };
}

function refusal(now: number, code: string, msg: string): SimResponse {
  return { status: 400, body: JSON.stringify({ code, msg, requestTime: now, data: null }) };
}

function productOf(contract: SimContract): string {
  if (contract.kind !== 'perp') return 'COIN-FUTURES';
  return contract.quote === 'USDC' ? 'USDC-FUTURES' : 'USDT-FUTURES';
}

const DEMO_PRODUCTS = new Set(['SUSDT-FUTURES', 'SUSDC-FUTURES', 'SCOIN-FUTURES']);

/** Contracts of the product that the query names; undefined for a product that does not exist. */
function ofProduct(world: World, query: URLSearchParams): readonly SimContract[] | undefined {
  const product = (query.get('productType') ?? '').toUpperCase();
  const found = world.contracts(listing).filter((contract) => productOf(contract) === product);
  return found.length > 0 ? found : DEMO_PRODUCTS.has(product) ? [] : undefined;
}

const STATUS = { live: 'normal', delisted: 'off', prelisting: 'listed' };

function contractRow(contract: SimContract) {
  const coinMargined = contract.kind !== 'perp';
  const dated = contract.kind === 'dated';
  return {
    symbol: contract.symbol,
    baseCoin: contract.base,
    quoteCoin: coinMargined ? 'USD' : contract.quote,
    buyLimitPriceRatio: '0.05',
    sellLimitPriceRatio: '0.05',
    feeRateUpRatio: '0.005',
    makerFeeRate: '0.0002',
    takerFeeRate: '0.0006',
    openCostUpRatio: '0.01',
    supportMarginCoins: coinMargined ? [contract.base, 'USDC', 'BTC'] : [contract.settle],
    minTradeNum: String(contract.lot),
    priceEndStep: '1',
    volumePlace: '4',
    pricePlace: String(Math.max(0, -Math.round(Math.log10(contract.tick)))),
    sizeMultiplier: String(contract.lot),
    symbolType: dated ? 'delivery' : 'perpetual',
    minTradeUSDT: '5',
    symbolStatus: STATUS[contract.status],
    offTime: '-1',
    limitOpenTime: '-1',
    deliveryTime: dated ? String(DELIVERY) : '',
    deliveryStartTime: '',
    deliveryPeriod: dated ? 'this_quarter' : '',
    launchTime: '',
    fundInterval: String(contract.intervalHours),
    minLever: '1',
    maxLever: '50',
    posLimit: '0.05',
    maintainTime: '',
    isRwa: contract.asset.assetClass === 'crypto' ? 'NO' : 'YES',
  };
}

function tickerRow(contract: SimContract, world: World, t: number) {
  const mark = world.mark(contract, t);
  const volume = world.volume24h(contract, t);
  const { bids, asks } = world.book(contract, t, 1);
  const [bid = [mark, 0], ask = [mark, 0]] = [bids[0], asks[0]];
  const dated = contract.kind === 'dated';
  return {
    symbol: contract.symbol,
    lastPr: priceText(contract, mark),
    askPr: priceText(contract, ask[0]),
    bidPr: priceText(contract, bid[0]),
    bidSz: baseText(contract, bid[1]),
    askSz: baseText(contract, ask[1]),
    high24h: priceText(contract, mark * 1.02),
    low24h: priceText(contract, mark * 0.98),
    ts: String(t - 90),
    change24h: '0.00471',
    baseVolume: baseText(contract, volume),
    quoteVolume: fixed(volume * mark, 5),
    usdtVolume: fixed(volume * mark, 5),
    openUtc: priceText(contract, mark),
    changeUtc24h: '-0.00009',
    indexPrice: fineText(contract, world.index(contract, t)),
    fundingRate: dated ? '0' : rateText(world.fundingRate(contract, t)),
    holdingAmount: baseText(contract, world.openInterest(contract, t)),
    deliveryStartTime: dated ? '1774598400000' : null,
    deliveryTime: dated ? String(DELIVERY) : null,
    deliveryStatus: dated ? 'delivery_normal' : '',
    open24h: priceText(contract, mark),
    markPrice: fineText(contract, mark),
  };
}

function fundRow(contract: SimContract, world: World, t: number) {
  const dated = contract.kind === 'dated';
  return {
    symbol: contract.symbol,
    fundingRate: dated ? '0' : rateText(world.fundingRate(contract, t)),
    fundingRateInterval: String(contract.intervalHours),
    nextUpdate: dated ? '0' : String(world.nextFunding(contract, t)),
    minFundingRate: '-0.02',
    maxFundingRate: '0.02',
  };
}

/** Contracts that the funding call knows and no other call does. */
const TEST_ROWS = ['BGTESTMEUSDT', 'RWATESTMEUSDT'].map((symbol) => ({
  symbol,
  fundingRate: '0',
  fundingRateInterval: '8',
  nextUpdate: '0',
  minFundingRate: null,
  maxFundingRate: null,
}));

function bulk(request: SimRequest, world: World): SimResponse | undefined {
  const { now, query } = request;
  const contracts = ofProduct(world, query);
  const name = request.path.slice('/api/v2/mix/market/'.length);
  if (!['contracts', 'tickers', 'current-fund-rate'].includes(name)) return undefined;
  if (contracts === undefined) {
    return refusal(now, '40019', `Parameter ${query.get('productType')} cannot be empty`);
  }
  if (name === 'contracts') return answer(now, contracts.map(contractRow));
  const open = contracts.filter((contract) => contract.status === 'live');
  if (name === 'tickers') {
    return answer(
      now,
      open.map((contract) => tickerRow(contract, world, now)),
    );
  }
  const symbol = query.get('symbol');
  const asked = symbol === null ? open : open.filter((contract) => contract.symbol === symbol);
  if (asked.length === 0 && open.length > 0)
    return refusal(now, '40034', `Parameter ${symbol} does not exist`);
  const rows: unknown[] = asked.map((contract) => fundRow(contract, world, now));
  if (symbol === null && query.get('productType') === 'USDT-FUTURES') rows.push(...TEST_ROWS);
  return answer(now, rows);
}

const STEPS: Readonly<Record<string, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1H': HOUR_MS,
  '4H': 4 * HOUR_MS,
  '1Dutc': 24 * HOUR_MS,
};

function candles(contract: SimContract, request: SimRequest, price: (t: number) => number): SimResponse {
  const { query, now } = request;
  const step = STEPS[query.get('granularity') ?? '1m'];
  if (step === undefined) return refusal(now, '40020', 'Parameter granularity error');
  const limit = Math.min(200, Number(query.get('limit') ?? 100));
  const to = Math.min(now, Number(query.get('endTime') ?? now));
  const times = openTimes(Number(query.get('startTime') ?? 0), to, step, limit);
  const rows = times.map((t) => {
    const { open, high, low, close } = candleOf(price, t, step);
    return [String(t), ...[open, high, low, close].map((p) => fineText(contract, p)), '0', '0'];
  });
  return answer(now, rows);
}

function fundingHistory(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  const size = Math.min(100, Number(query.get('pageSize') ?? 20));
  const skip = (Number(query.get('pageNo') ?? 1) - 1) * size;
  const rows = settlementsBefore(world, contract, now, size, skip).map(({ time, rate }) => ({
    symbol: contract.symbol,
    fundingRate: rateText(rate),
    fundingTime: String(time),
  }));
  return answer(now, rows);
}

function depth(contract: SimContract, request: SimRequest, world: World): SimResponse {
  const { query, now } = request;
  const asked = query.get('limit');
  const limit = asked === 'max' || asked === null ? 100 : Number(asked);
  const levels = (side: readonly (readonly [number, number])[]) =>
    side.map(([p, q]) => [Number(priceText(contract, p)), Number(baseText(contract, q))]);
  const { bids, asks } = world.book(contract, now, limit);
  return answer(now, {
    asks: levels(asks),
    bids: levels(bids),
    ts: String(now),
    scale: String(contract.tick),
    precision: 'scale0',
    isMaxPrecision: 'NO',
  });
}

/** Calls about one contract. */
function single(request: SimRequest, world: World): SimResponse | undefined {
  const { now, query, path } = request;
  const symbol = query.get('symbol');
  const contract = world.contracts(listing).find((c) => c.symbol === symbol && c.status === 'live');
  if (contract === undefined) return refusal(now, '40034', `Parameter ${symbol} does not exist`);
  switch (path.slice('/api/v2/mix/market/'.length)) {
    case 'ticker':
      return answer(now, [tickerRow(contract, world, now)]);
    case 'funding-time':
      return answer(now, [
        {
          symbol,
          nextFundingTime: String(world.nextFunding(contract, now)),
          ratePeriod: String(contract.intervalHours),
        },
      ]);
    case 'open-interest': {
      const size = baseText(contract, world.openInterest(contract, now));
      return answer(now, { openInterestList: [{ symbol, size }], ts: String(now) });
    }
    case 'merge-depth':
      return depth(contract, request, world);
    case 'history-fund-rate':
      return fundingHistory(contract, request, world);
    case 'history-mark-candles':
      return candles(contract, request, (t) => world.mark(contract, t));
    case 'history-index-candles':
      return candles(contract, request, (t) => world.index(contract, t));
    default:
      return undefined;
  }
}

/** Bitget's classic (v2) futures market calls. */
export const simBitget: SimVenue = {
  id: 'bitget',
  listing,
  limit: {
    weight: 6000,
    perMs: 60_000,
    status: 429,
    body: '{"code":"429","msg":"Too Many Requests","requestTime":1789456354640,"data":null}',
  },
  rest: (request, world) => {
    if (!request.path.startsWith('/api/v2/mix/market/')) return undefined;
    return bulk(request, world) ?? single(request, world);
  },
};
