import { HOUR_MS, MINUTE_MS } from '../../../../src/runtime/duration.ts';
import { baseText, contractsText, fineText, rateText } from '../format.ts';
import type { SimRequest, SimResponse } from '../venue.ts';
import type { SimContract, World } from '../world.ts';

const BARS: Readonly<Record<string, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1H': HOUR_MS,
  '4H': 4 * HOUR_MS,
  '1D': 24 * HOUR_MS,
  '1Dutc': 24 * HOUR_MS,
};

/** A good answer in the venue's envelope. */
export function success(data: readonly unknown[]): SimResponse {
  return { status: 200, body: JSON.stringify({ code: '0', msg: '', data }) };
}

export function failure(code: string, msg: string): SimResponse {
  return { status: 200, body: JSON.stringify({ code, msg, data: [] }) };
}

/** Stamps `step` apart, newest first: older than `after`, newer than `before`. */
function stamps(
  request: SimRequest,
  step: number,
  after: string,
  before: string,
  most: number,
): readonly number[] {
  const { query, now } = request;
  const older = Math.min(Number(query.get(after) ?? now + 1), now + 1);
  const newer = Number(query.get(before) ?? 0);
  const first = Math.ceil(older / step) - 1;
  const limit = Math.min(most, Number(query.get('limit') ?? 100));
  return Array.from({ length: limit }, (_, i) => (first - i) * step).filter((t) => t > newer);
}

function fundingHistory(request: SimRequest, c: SimContract, world: World): SimResponse {
  const times = stamps(request, c.intervalHours * HOUR_MS, 'after', 'before', 400);
  return success(
    times.map((t) => ({
      instType: 'SWAP',
      instId: c.symbol,
      formulaType: 'withRate',
      fundingRate: rateText(world.fundingRate(c, t - 60_000)),
      realizedRate: rateText(world.settledRate(c, t)),
      fundingTime: String(t),
      method: 'current_period',
    })),
  );
}

function markCandles(request: SimRequest, c: SimContract, world: World): SimResponse {
  const step = BARS[request.query.get('bar') ?? '1m'];
  if (step === undefined) return failure('51000', 'Parameter bar error');
  const { now } = request;
  const rows = stamps(request, step, 'after', 'before', 100).map((t) => {
    const open = world.mark(c, t);
    const close = world.mark(c, Math.min(t + step, now));
    const prices = [open, Math.max(open, close), Math.min(open, close), close];
    return [String(t), ...prices.map((price) => fineText(c, price)), t + step <= now ? '1' : '0'];
  });
  return success(rows);
}

function candles(request: SimRequest, c: SimContract, world: World): SimResponse {
  const step = BARS[request.query.get('bar') ?? '1m'];
  if (step === undefined) return failure('51000', 'Parameter bar error');
  const { now } = request;
  const rows = stamps(request, step, 'after', 'before', 100).map((t) => {
    const end = Math.min(t + step, now);
    const amount = world.volumeBetween(c, t, end);
    const price = fineText(c, world.mark(c, t));
    const turnover = (amount * world.mark(c, (t + end) / 2)).toFixed(4);
    const volumes = [contractsText(c, amount), baseText(c, amount), turnover];
    return [String(t), price, price, price, price, ...volumes, t + step <= now ? '1' : '0'];
  });
  return success(rows);
}

function interestHistory(request: SimRequest, c: SimContract, world: World): SimResponse {
  const step = BARS[request.query.get('period') ?? '5m'];
  if (step === undefined) return failure('51000', 'Parameter period error');
  const rows = stamps(request, step, 'end', 'begin', 100).map((t) => {
    const open = world.openInterest(c, t);
    const usd = (open * world.mark(c, t)).toFixed(2);
    return [String(t), contractsText(c, open), baseText(c, open), usd];
  });
  return success(rows);
}

/** Answers the venue's history calls; undefined for all others. */
export function okxHistory(
  call: string,
  request: SimRequest,
  contract: SimContract,
  world: World,
): SimResponse | undefined {
  switch (call) {
    case 'public/funding-rate-history':
      return fundingHistory(request, contract, world);
    case 'market/mark-price-candles':
    case 'market/history-mark-price-candles':
      return markCandles(request, contract, world);
    case 'market/candles':
    case 'market/history-candles':
      return candles(request, contract, world);
    case 'rubik/stat/contracts/open-interest-history':
      return interestHistory(request, contract, world);
    default:
      return undefined;
  }
}
