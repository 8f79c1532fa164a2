import { HOUR_MS, MINUTE_MS } from '../../../../src/runtime/duration.ts';
import { baseText, fineText, rateText } from '../format.ts';
import type { SimRequest, SimResponse } from '../venue.ts';
import type { SimContract, World } from '../world.ts';

const OPEN_INTEREST_STEPS: Readonly<Record<string, number>> = {
  '5min': 5 * MINUTE_MS,
  '15min': 15 * MINUTE_MS,
  '30min': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': 24 * HOUR_MS,
};

/** A good answer in the venue's envelope. */
export function success(result: unknown, now: number): SimResponse {
  return {
    status: 200,
    body: JSON.stringify({ retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: now }),
  };
}

/** Errors come with HTTP 200. */
export function failure(retCode: number, retMsg: string, now: number): SimResponse {
  return { status: 200, body: JSON.stringify({ retCode, retMsg, result: {}, retExtInfo: {}, time: now }) };
}

/** Stamps `step` apart, newest first, between the asked start and end. */
function stamps(
  request: SimRequest,
  step: number,
  end: string,
  start: string,
  limit: number,
): readonly number[] {
  const { query, now } = request;
  const last = Math.floor(Math.min(Number(query.get(end) ?? now), now) / step);
  const from = Number(query.get(start) ?? 0);
  const all = Array.from({ length: limit }, (_, i) => (last - i) * step);
  return all.filter((t) => t >= from);
}

function fundingHistory(request: SimRequest, c: SimContract, world: World): SimResponse {
  const { query, now } = request;
  if (query.has('startTime') && !query.has('endTime')) return failure(10001, 'params error: endTime', now);
  const limit = Math.min(200, Number(query.get('limit') ?? 200));
  const list = stamps(request, c.intervalHours * HOUR_MS, 'endTime', 'startTime', limit).map((t) => ({
    symbol: c.symbol,
    fundingRate: rateText(world.settledRate(c, t)),
    fundingRateTimestamp: String(t),
  }));
  return success({ category: query.get('category'), list }, now);
}

function openInterest(request: SimRequest, c: SimContract, world: World): SimResponse {
  const { query, now } = request;
  const step = OPEN_INTEREST_STEPS[query.get('intervalTime') ?? ''];
  if (step === undefined) return failure(10001, 'params error: intervalTime', now);
  const limit = Math.min(200, Number(query.get('limit') ?? 50));
  const list = stamps(request, step, 'endTime', 'startTime', limit).map((t) => {
    const open = world.openInterest(c, t);
    return {
      openInterest: baseText(c, 2 * open),
      singleOpenInterest: baseText(c, open),
      timestamp: String(t),
    };
  });
  return success({ symbol: c.symbol, category: query.get('category'), list, nextPageCursor: '' }, now);
}

function markKlines(request: SimRequest, c: SimContract, world: World): SimResponse {
  const { query, now } = request;
  const asked = query.get('interval') ?? '60';
  const step = asked === 'D' ? 24 * HOUR_MS : Number(asked) * MINUTE_MS;
  if (!(step > 0)) return failure(10001, 'params error: interval', now);
  const limit = Math.min(1000, Number(query.get('limit') ?? 200));
  const list = stamps(request, step, 'end', 'start', limit).map((t) => {
    const open = world.mark(c, t);
    const close = world.mark(c, Math.min(t + step, now));
    const prices = [open, Math.max(open, close), Math.min(open, close), close];
    return [String(t), ...prices.map((price) => fineText(c, price))];
  });
  return success({ symbol: c.symbol, category: query.get('category'), list }, now);
}

function klines(request: SimRequest, c: SimContract, world: World): SimResponse {
  const { query, now } = request;
  const asked = query.get('interval') ?? '60';
  const step = asked === 'D' ? 24 * HOUR_MS : Number(asked) * MINUTE_MS;
  if (!(step > 0)) return failure(10001, 'params error: interval', now);
  const limit = Math.min(1000, Number(query.get('limit') ?? 200));
  const list = stamps(request, step, 'end', 'start', limit).map((t) => {
    const end = Math.min(t + step, now);
    const amount = world.volumeBetween(c, t, end);
    const price = fineText(c, world.mark(c, t));
    const turnover = (amount * world.mark(c, (t + end) / 2)).toFixed(4);
    return [String(t), price, price, price, price, baseText(c, amount), turnover];
  });
  return success({ symbol: c.symbol, category: query.get('category'), list }, now);
}

/** Answers the venue's history calls; undefined for all others. */
export function bybitHistory(
  call: string,
  request: SimRequest,
  contract: SimContract,
  world: World,
): SimResponse | undefined {
  if (call === 'funding/history') return fundingHistory(request, contract, world);
  if (call === 'open-interest') return openInterest(request, contract, world);
  if (call === 'kline') return klines(request, contract, world);
  return call === 'mark-price-kline' ? markKlines(request, contract, world) : undefined;
}
