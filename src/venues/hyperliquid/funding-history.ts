import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { FundingPoint } from '../../domain/quote.ts';
import { isWire, readMs, readRate, readText, wireArray } from '../../domain/read.ts';
import { asHours, asMs, type Hours, type UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { fieldFault } from '../field-fault.ts';
import { hoursBetween } from '../hour.ts';
import { multiplierOf } from './listing.ts';
import { type DexName, errorBody, type WireFundingRow } from './wire.ts';

/** From this day on every recorded row is hourly; in 2023 the venue went over from 8 hours to 1. */
const HOURLY_SINCE = Date.UTC(2024, 0, 1);

/**
 * `fundingHistory`: settled rates of one coin. The time is cut to the second: rows are stamped some milliseconds
 * after the hour. The interval is the distance to the row before.
 */
export function decodeFundingHistory(payload: unknown, context: DecodeContext, dex: DexName): Decoded {
  const decoded = emptyDecoded();
  const rows = wireArray(payload);
  if (rows === undefined) {
    decoded.rejects.push(errorBody(payload) ?? { symbol: null, reason: 'unexpected_shape' });
    return decoded;
  }
  const times = rows.map((row) => (isWire(row) ? settledAt(row) : undefined));
  rows.forEach((row, i) => {
    const interval = intervalAt(times, i);
    const point = isWire(row) ? readPoint(row, times[i], interval, context, dex, decoded) : undefined;
    if (point !== undefined) decoded.funding.push(point);
    else if (!isWire(row)) decoded.rejects.push({ symbol: null, reason: 'malformed', detail: `[${i}]` });
  });
  return decoded;
}

function settledAt(row: WireFundingRow): UnixMs | undefined {
  const time = readMs(row.time);
  return time === undefined ? undefined : asMs(Math.floor(time / 1000) * 1000);
}

function readPoint(
  row: WireFundingRow,
  time: UnixMs | undefined,
  intervalHours: Hours | undefined,
  context: DecodeContext,
  dex: DexName,
  decoded: Decoded,
): FundingPoint | undefined {
  const symbol = readText(row.coin);
  const rate = readRate(row.fundingRate);
  if (symbol === undefined || time === undefined || rate === undefined) {
    if (symbol === undefined) decoded.rejects.push(fieldFault(null, 'coin', row.coin));
    else if (time === undefined) decoded.rejects.push(fieldFault(symbol, 'time', row.time));
    else decoded.rejects.push(fieldFault(symbol, 'fundingRate', row.fundingRate));
    return undefined;
  }
  const listed = multiplierOf(symbol, context, dex);
  if (typeof listed !== 'number') {
    decoded.rejects.push(listed);
    return undefined;
  }
  return { symbol, time, rate, ...(intervalHours === undefined ? {} : { intervalHours }) };
}

/**
 * Distance to the settlement before. The oldest row of an answer shows none: since 2024 it is of an hour, and one
 * that eight hours follow is of eight, because the venue went from eight hours to one and never back.
 */
function intervalAt(times: readonly (UnixMs | undefined)[], i: number): Hours | undefined {
  const time = times[i];
  if (time === undefined) return undefined;
  const beside = [times[i - 1], times[i + 1]].filter((other) => other !== undefined);
  const before = beside.find((other) => other < time);
  if (before !== undefined) return hoursBetween(before, time);
  if (time >= HOURLY_SINCE) return asHours(1);
  const after = beside.find((other) => other > time);
  return after !== undefined && hoursBetween(time, after) === 8 ? asHours(8) : undefined;
}
