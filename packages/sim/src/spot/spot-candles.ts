import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import { fixed } from '../format.ts';
import { candleOf, openTimes } from '../history.ts';
import { decimalsOf, onGrid, tickOf } from '../increments.ts';
import type { SimRequest, SimResponse, SimVenue } from '../venue.ts';
import type { World } from '../world.ts';
import { json } from './spot-answer.ts';
import { type SpotName, type SpotPair, spotMid, spotPairs } from './spot-pair.ts';

/** A candle in the venue's units, as text. */
interface Candle {
  readonly start: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  /** Coins, and their value. */
  readonly volume: string;
  readonly turnover: string;
}

/** The call of a venue for candles of one hour, and its answer. */
export interface CandleCall {
  readonly path: string;
  /** The market and span that a request names; undefined for another call at the path. The end is included. */
  readonly asked: (request: SimRequest) => AskedCandles | undefined;
  readonly answer: (candles: readonly Candle[], asked: AskedCandles, now: number) => SimResponse;
  /** The pair of a symbol among those of the venue. */
  readonly symbolOf: (pair: SpotPair) => string | undefined;
  readonly named?: SpotName;
}

export interface AskedCandles {
  readonly symbol: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** Answers a call for candles; undefined for any other call. */
export function spotCandles(
  call: CandleCall,
  request: SimRequest,
  world: World,
  venue: SimVenue,
): SimResponse | undefined {
  if (request.path !== call.path) return undefined;
  const asked = call.asked(request);
  if (asked === undefined) return undefined;
  const pair = spotPairs(world, venue, call.named).find((known) => call.symbolOf(known) === asked.symbol);
  const candles = pair === undefined ? [] : candlesOf(world, pair, asked, request.now);
  return call.answer(candles, asked, request.now);
}

/** Oldest first, the newest so many of the span, the hour that goes on among them. */
function candlesOf(
  world: World,
  pair: SpotPair,
  { from, to, limit }: AskedCandles,
  now: number,
): readonly Candle[] {
  const price = (t: number): number => spotMid(world, pair, Math.min(t, now)) * pair.multiplier;
  return openTimes(from, Math.min(to, now), HOUR_MS, limit).map((start) => {
    const { open, high, low, close } = candleOf(price, start, HOUR_MS);
    const tick = tickOf(open, pair.asset.rank);
    const text = (x: number): string => fixed(onGrid(x, tick), decimalsOf(tick));
    const traded = (world.volumeBetween(pair.contract, start, start + HOUR_MS) * 0.35) / pair.multiplier;
    return {
      start,
      open: text(open),
      high: text(high),
      low: text(low),
      close: text(close),
      volume: fixed(traded, 6),
      turnover: fixed(traded * open, 4),
    };
  });
}

const numberOf = (query: URLSearchParams, name: string, fallback: number): number =>
  Number(query.get(name) ?? fallback);

const dollars = ({ base }: SpotPair): string => `${base}USDT`;

/** `[time, open, high, low, close, volume, …]`. */
const row = ({ start, open, high, low, close, volume }: Candle): readonly [number, ...string[]] => [
  start,
  open,
  high,
  low,
  close,
  volume,
];

export const binanceCandles = (named: SpotName): CandleCall => ({
  path: '/api/v3/klines',
  named,
  symbolOf: dollars,
  asked: ({ query, now }) => ({
    symbol: query.get('symbol') ?? '',
    from: numberOf(query, 'startTime', 0),
    to: numberOf(query, 'endTime', now),
    limit: numberOf(query, 'limit', 500),
  }),
  answer: (candles) =>
    json(
      candles.map((candle) => [
        ...row(candle),
        candle.start + HOUR_MS - 1,
        candle.turnover,
        100,
        '0',
        '0',
        '0',
      ]),
      2,
    ),
});

export const bybitCandles: CandleCall = {
  path: '/v5/market/kline',
  symbolOf: dollars,
  asked: ({ query, now }) =>
    query.get('category') === 'spot'
      ? {
          symbol: query.get('symbol') ?? '',
          from: numberOf(query, 'start', 0),
          to: numberOf(query, 'end', now),
          limit: numberOf(query, 'limit', 200),
        }
      : undefined,
  answer: (candles, { symbol }, now) => {
    const list = candles.toReversed().map((candle) => [...row(candle).map(String), candle.turnover]);
    return json({ retCode: 0, retMsg: 'OK', result: { category: 'spot', symbol, list }, time: now });
  },
};

export const okxCandles: CandleCall = {
  path: '/api/v5/market/history-candles',
  symbolOf: ({ base }) => `${base}-USDT`,
  asked: ({ query, now }) => {
    const symbol = query.get('instId') ?? '';
    if (symbol.endsWith('-SWAP')) return undefined;
    const limit = Math.min(100, numberOf(query, 'limit', 100));
    return {
      symbol,
      from: numberOf(query, 'before', 0) + 1,
      to: numberOf(query, 'after', now + 1) - 1,
      limit,
    };
  },
  answer: (candles, _, now) => {
    const data = candles.toReversed().map((candle) => {
      const isOver = candle.start + HOUR_MS <= now;
      return [...row(candle).map(String), candle.turnover, candle.turnover, isOver ? '1' : '0'];
    });
    return json({ code: '0', msg: '', data });
  },
};

export const gateCandles: CandleCall = {
  path: '/api/v4/spot/candlesticks',
  symbolOf: ({ base }) => `${base}_USDT`,
  asked: ({ query, now }) => ({
    symbol: query.get('currency_pair') ?? '',
    from: numberOf(query, 'from', 0) * 1000,
    to: numberOf(query, 'to', now / 1000) * 1000,
    limit: 1000,
  }),
  answer: (candles, _, now) =>
    json(
      candles.map(({ start, open, high, low, close, volume, turnover }) => {
        const isOver = String(start + HOUR_MS <= now);
        return [String(start / 1000), turnover, close, high, low, open, volume, isOver];
      }),
    ),
};

export const bitgetCandles = (named: SpotName): CandleCall => ({
  path: '/api/v2/spot/market/history-candles',
  named,
  symbolOf: dollars,
  // The end alone is taken, and is left out.
  asked: ({ query, now }) => ({
    symbol: query.get('symbol') ?? '',
    from: 0,
    to: numberOf(query, 'endTime', now) - 1,
    limit: Math.min(200, numberOf(query, 'limit', 100)),
  }),
  answer: (candles, _, now) => {
    const data = candles.map((candle) => [...row(candle).map(String), candle.turnover, candle.turnover]);
    return json({ code: '00000', msg: 'success', requestTime: now, data });
  },
});

interface Snapshot {
  readonly req?: { readonly coin?: string; readonly startTime?: number; readonly endTime?: number };
}

/** @param symbolOf the venue's name of a pair; undefined of a coin that it does not list */
export const hyperliquidCandles = (symbolOf: CandleCall['symbolOf']): CandleCall => ({
  path: '/info',
  symbolOf,
  asked: ({ body, now }) => {
    if (!body.includes('"candleSnapshot"')) return undefined;
    const { req = {} }: Snapshot = JSON.parse(body);
    if (req.coin?.startsWith('@') !== true) return undefined;
    return { symbol: req.coin, from: req.startTime ?? 0, to: req.endTime ?? now, limit: 5000 };
  },
  answer: (candles, { symbol }) =>
    json(
      candles.map(({ start, open, high, low, close, volume }) => {
        const times = { t: start, T: start + HOUR_MS - 1, s: symbol, i: '1h' };
        return { ...times, o: open, c: close, h: high, l: low, v: volume, n: 100 };
      }),
      20,
    ),
});
