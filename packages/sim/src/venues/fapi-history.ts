import { HOUR_MS, MINUTE_MS } from '../../../../src/runtime/duration.ts';
import { baseText, fineText, rateText } from '../format.ts';
import type { SimRequest, SimResponse } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { type FapiDialect, INVALID_SYMBOL, json } from './fapi-dialect.ts';

const PERIODS: Readonly<Record<string, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '2h': 2 * HOUR_MS,
  '4h': 4 * HOUR_MS,
  '8h': 8 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': 24 * HOUR_MS,
};

/** Stamps `step` apart, ascending: the last ones up to the end, or the first ones from the start. */
function stamps(request: SimRequest, step: number, defaultLimit: number, most: number): readonly number[] {
  const limit = Math.min(most, Number(request.query.get('limit') ?? defaultLimit));
  const end = Math.min(Number(request.query.get('endTime') ?? request.now), request.now);
  const last = Math.floor(end / step);
  const from = request.query.get('startTime');
  const first = from === null ? last - limit + 1 : Math.ceil(Number(from) / step);
  const count = Math.max(0, Math.min(limit, last - first + 1));
  return Array.from({ length: count }, (_, i) => (first + i) * step);
}

/** Settlement stamps lie some milliseconds behind the hour. */
const jitter = (t: number): number => t + ((t / HOUR_MS) % 7);

function fundingRates(request: SimRequest, contract: SimContract, world: World): SimResponse {
  const step = contract.intervalHours * HOUR_MS;
  const rows = stamps(request, step, 100, 1000).map((t) => ({
    symbol: contract.symbol,
    fundingTime: jitter(t),
    fundingRate: rateText(world.settledRate(contract, t)),
    markPrice: fineText(contract, world.mark(contract, t)),
  }));
  return json(rows, 1);
}

function interestHistory(request: SimRequest, contract: SimContract, world: World): SimResponse {
  const step = PERIODS[request.query.get('period') ?? ''];
  if (step === undefined) return { status: 400, body: '{"code":-1130,"msg":"Invalid period."}' };
  const rows = stamps(request, step, 30, 500).map((t) => {
    const amount = world.openInterest(contract, t);
    return {
      symbol: contract.symbol,
      sumOpenInterest: baseText(contract, amount),
      sumOpenInterestValue: (amount * world.mark(contract, t)).toFixed(2),
      timestamp: t,
    };
  });
  return json(rows, 0);
}

function markKlines(request: SimRequest, contract: SimContract, world: World): SimResponse {
  const step = PERIODS[request.query.get('interval') ?? '1h'];
  if (step === undefined) return { status: 400, body: '{"code":-1120,"msg":"Invalid interval."}' };
  const rows = stamps(request, step, 500, 1500).map((t) => {
    const open = world.mark(contract, t);
    const close = world.mark(contract, Math.min(t + step, request.now));
    const text = (x: number) => fineText(contract, x);
    const high = Math.max(open, close);
    const low = Math.min(open, close);
    const prices = [text(open), text(high), text(low), text(close)];
    return [t, ...prices, '0', t + step - 1, '0', step / 1000, '0', '0', '0'];
  });
  return json(rows, 5);
}

/** Turnover is at the mark of the middle of the bar. */
function klines(request: SimRequest, contract: SimContract, world: World): SimResponse {
  const step = PERIODS[request.query.get('interval') ?? '1h'];
  if (step === undefined) return { status: 400, body: '{"code":-1120,"msg":"Invalid interval."}' };
  const rows = stamps(request, step, 500, 1500).map((t) => {
    const end = Math.min(t + step, request.now);
    const amount = world.volumeBetween(contract, t, end);
    const price = fineText(contract, world.mark(contract, t));
    const turnover = (amount * world.mark(contract, (t + end) / 2)).toFixed(4);
    return [
      t,
      price,
      price,
      price,
      price,
      baseText(contract, amount),
      t + step - 1,
      turnover,
      900,
      '0',
      '0',
      '0',
    ];
  });
  return json(rows, 5);
}

/** Answers the family's history calls; undefined for all others. */
export function fapiHistory(
  dialect: FapiDialect,
  request: SimRequest,
  contract: SimContract | undefined,
  world: World,
): SimResponse | undefined {
  const { path } = request;
  const render = path.endsWith('/markPriceKlines')
    ? markKlines
    : path.endsWith('/klines')
      ? klines
      : path.endsWith('/fundingRate')
        ? fundingRates
        : dialect.interestHistory && path === '/futures/data/openInterestHist'
          ? interestHistory
          : undefined;
  if (render === undefined) return undefined;
  return contract === undefined ? INVALID_SYMBOL : render(request, contract, world);
}
