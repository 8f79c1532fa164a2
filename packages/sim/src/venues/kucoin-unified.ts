import { DAY_MS, HOUR_MS } from '../../../../src/runtime/duration.ts';
import { contractsOf, fineText, rateText } from '../format.ts';
import { capOf } from '../funding.ts';
import { candleOf, openTimes } from '../history.ts';
import type { SimRequest, SimResponse } from '../venue.ts';
import type { SimContract, World } from '../world.ts';

/** The envelope of every successful answer. */
export function kucoinAnswer(data: unknown, weight = 1): SimResponse {
  return { status: 200, body: JSON.stringify({ code: '200000', data }), weight };
}

/** Bad symbols are answered with HTTP 200. */
export function kucoinRefusal(code: string, msg: string): SimResponse {
  return { status: 200, body: JSON.stringify({ msg, code }) };
}

const STEPS: Readonly<Record<string, number>> = {
  '1min': 60_000,
  '5min': 300_000,
  '15min': 900_000,
  '30min': 1_800_000,
  '1hour': HOUR_MS,
  '4hour': 4 * HOUR_MS,
  '1day': 24 * HOUR_MS,
};

/** The first version of the list is abandoned, and still answers. */
const OPEN_INTEREST = /^\/api\/ua\/v[12]\/market\/open-interest$/;

/** The venue's answer to a call of the unified API; undefined where there is no such call. */
export function unifiedCall(
  request: SimRequest,
  contracts: readonly SimContract[],
  world: World,
): SimResponse | undefined {
  const { path, query, now } = request;
  const swaps = contracts.filter((contract) => contract.status === 'live' && contract.kind !== 'dated');
  const asked = query.get('symbol') ?? undefined;
  const contract = swaps.find((swap) => swap.symbol === asked);
  if (path === '/api/ua/v2/market/funding-rate') {
    return kucoinAnswer(swaps.map((swap) => unifiedFunding(swap, world, now)));
  }
  if (OPEN_INTEREST.test(path) && !query.has('interval')) {
    const some = asked === undefined ? swaps : swaps.filter((swap) => asked.split(',').includes(swap.symbol));
    return kucoinAnswer(
      some.map((swap) => ({ symbol: swap.symbol, openInterest: lots(swap, world, now), ts: now })),
      5,
    );
  }
  if (!path.startsWith('/api/ua/v2/market/')) return undefined;
  if (contract === undefined) return kucoinRefusal('404000', 'The contract does not exist.');
  if (path === '/api/ua/v2/market/open-interest') return openInterestHistory(request, contract, world);
  // Of trades, the other type, the world keeps no candles.
  return path === '/api/ua/v2/market/kline' && query.get('klineType') === 'MARK_PRICE'
    ? markCandles(request, contract, world)
    : undefined;
}

const stepOf = ({ query }: SimRequest): number => STEPS[query.get('interval') ?? '5min'] ?? 300_000;

/** Past open interest is kept this long; days for longer. */
const KEPT_MS = 7 * DAY_MS;
const KEPT_DAYS_MS = 70 * DAY_MS;

/** Newest first; times of the query in ms. */
function openInterestHistory(request: SimRequest, contract: SimContract, world: World): SimResponse {
  const { query, now } = request;
  const step = stepOf(request);
  const oldest = now - (step === DAY_MS ? KEPT_DAYS_MS : KEPT_MS);
  const from = Math.max(oldest, Number(query.get('startAt') ?? 0));
  const to = Math.min(now, Number(query.get('endAt') ?? now));
  const limit = Math.min(200, Number(query.get('pageSize') ?? 30));
  const times = openTimes(from, to, step, limit).toReversed();
  return kucoinAnswer(
    times.map((ts) => ({ openInterest: lots(contract, world, ts), ts })),
    5,
  );
}

/** Newest first; times of the query in seconds. */
function markCandles(request: SimRequest, contract: SimContract, world: World): SimResponse {
  const { query, now } = request;
  const step = stepOf(request);
  const to = Math.min(now, Number(query.get('endAt') ?? now / 1000) * 1000);
  const times = openTimes(Number(query.get('startAt') ?? 0) * 1000, to, step, 1500).toReversed();
  const list = times.map((t) => {
    const { open, high, low, close } = candleOf((at) => world.mark(contract, at), t, step);
    const prices = [open, close, high, low].map((p) => fineText(contract, p));
    return [String(t / 1000), ...prices, '0', '0'];
  });
  return kucoinAnswer({ tradeType: 'FUTURES', symbol: query.get('symbol'), list }, 3);
}

const lots = (contract: SimContract, world: World, t: number): string =>
  String(contractsOf(contract, world.openInterest(contract, t)));

function unifiedFunding(contract: SimContract, world: World, t: number) {
  const period = contract.intervalHours * HOUR_MS;
  return {
    symbol: contract.symbol,
    nextFundingRate: rateText(world.fundingRate(contract, t)),
    fundingTime: world.nextFunding(contract, t),
    fundingRateCap: rateText(capOf(contract)),
    fundingRateFloor: rateText(-capOf(contract)),
    currentGranularity: period,
    newGranularity: period,
    newGranularityStartTime: 1_750_147_200_000,
  };
}
