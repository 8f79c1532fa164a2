import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { FundingPoint } from '../../domain/quote.ts';
import { isWire, readIso, readMs, readPrice, readRate, readText, wireArray } from '../../domain/read.ts';
import type { UnixMs } from '../../domain/units.ts';
import { HOUR_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { DecodeContext } from '../adapter.ts';
import { addOpenInterestPoint } from '../amounts.ts';
import { readOneContract } from '../contract-rows.ts';
import { unitsPerContract } from '../contract-units.ts';
import { addCandle } from '../history-points.ts';
import { requestParam } from '../request-param.ts';
import { requestSegment } from '../request-segment.ts';
import { INTERVAL } from './instruments.ts';
import { PUBLISHED } from './published.ts';
import { listedSymbol, unitsOf } from './symbols.ts';
import { isRefusal } from './wire.ts';

/** Times before this in ms would lie in 1970: they count seconds. */
const FIRST_MS = 1e11;

/** `/charts/v1/mark/PF_XBTUSD/1h`, `/charts/v1/analytics/PF_XBTUSD/open-interest`. */
const CHART = /\/charts\/v1\/(?:mark|spot|analytics)\/([^/]+)\//;

function asked(context: DecodeContext): string | undefined {
  const { request } = context;
  const named =
    request?.symbol ?? readText(requestParam(request, 'symbol')) ?? requestSegment(request, CHART);
  return named === undefined ? undefined : listedSymbol(context, named);
}

/** The list under `key`, a bare list, or one bare row that has the field `mark`. */
function listOf(payload: unknown, key: string, mark: string, out: Decoded): readonly unknown[] | undefined {
  if (Array.isArray(payload)) return payload;
  const list = isWire(payload) ? wireArray(payload[key]) : undefined;
  if (list !== undefined) return list;
  if (isWire(payload) && payload[mark] !== undefined) return [payload];
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: `no ${key}` });
  return undefined;
}

/**
 * `GET /historical-funding-rates?symbol=` (and its v4 form): the whole history, in either order. The stamp is that
 * of the period to which the rate applies. The interval is stated only where a neighbour lies an hour away: before
 * 2023 periods had four hours.
 */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (isRefusal(payload, out)) return out;
  const rates = listOf(payload, 'rates', 'timestamp', out);
  if (rates === undefined) return out;
  readOneContract(asked(context), unitsOf, context, out, (symbol) => {
    const points: FundingPoint[] = [];
    for (const row of rates) {
      const time = isWire(row) ? readIso(row.timestamp) : undefined;
      const rate = isWire(row) ? readRate(row.relativeFundingRate) : undefined;
      if (time !== undefined && rate !== undefined) points.push({ symbol, time, rate });
      else out.rejects.push({ symbol, reason: 'malformed', detail: 'funding row' });
    }
    points.sort((a, b) => a.time - b.time);
    const hourly = (a: FundingPoint | undefined, b: FundingPoint | undefined) =>
      a !== undefined && b !== undefined && b.time - a.time === HOUR_MS;
    points.forEach((point, i) => {
      const isHourly = hourly(points[i - 1], point) || hourly(point, points[i + 1]);
      out.funding.push(isHourly ? { ...point, intervalHours: INTERVAL } : point);
    });
  });
  return out;
}

/** `GET /api/charts/v1/mark|spot/{symbol}/{resolution}`: opens of mark or index candles, stamped in ms. */
export function decodeCandles(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (isRefusal(payload, out)) return out;
  const candles = listOf(payload, 'candles', 'time', out);
  if (candles === undefined) return out;
  const key = context.request?.path.includes('/spot/') === true ? 'indexPrice' : 'markPrice';
  readOneContract(asked(context), unitsOf, context, out, (symbol, { multiplier }) => {
    for (const row of candles) {
      const { time, open } = isWire(row) ? row : {};
      addCandle(out, symbol, key, readMs(time), readPrice(open, multiplier));
    }
  });
  return out;
}

function readStamp(stamp: unknown): UnixMs | undefined {
  return readMs(stamp, typeof stamp === 'number' && stamp < FIRST_MS ? SECOND_MS : 1);
}

/**
 * `GET /api/charts/v1/analytics/{symbol}/open-interest`: columns of stamps and `[open, high, low, close]` in base
 * units; the open is the open interest at the stamp.
 */
export function decodeOpenInterest(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (isRefusal(payload, out)) return out;
  const result = isWire(payload) && isWire(payload.result) ? payload.result : undefined;
  const stamps = wireArray(result?.timestamp);
  const data = wireArray(result?.data);
  if (stamps === undefined || data === undefined || stamps.length !== data.length) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'timestamp and data columns' });
    return out;
  }
  readOneContract(asked(context), unitsOf, context, out, (symbol, units) => {
    const amounts = unitsPerContract(units);
    stamps.forEach((stamp, i) => {
      const row = data[i];
      const base: unknown = Array.isArray(row) ? row[0] : row;
      addOpenInterestPoint(out, symbol, readStamp(stamp), PUBLISHED.openInterest, { base }, amounts);
    });
  });
  return out;
}
