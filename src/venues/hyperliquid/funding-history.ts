import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { FundingPoint } from '../../domain/quote.ts';
import { isWire, readMs, readRate, readText, wireArray } from '../../domain/read.ts';
import { asHours, asMs, type Hours, type UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { fieldFault } from '../field-fault.ts';
import { multiplierOf } from './listing.ts';
import { type DexName, errorBody, type WireFundingRow } from './wire.ts';

const HOUR_MS = 3_600_000;

/** From this day on every recorded row is hourly; in 2023 the venue went over from 8 hours to 1. */
const HOURLY_SINCE = Date.UTC(2024, 0, 1);

/**
 * `fundingHistory`: settled rates of one coin. The time is cut to the second: rows are stamped some milliseconds
 * after the hour. The interval of rows before 2024 is taken from the distance to their neighbours.
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

/** The two schedules that this venue has had, by distance to the nearer neighbour; undefined when it is neither. */
function intervalAt(times: readonly (UnixMs | undefined)[], i: number): Hours | undefined {
  const time = times[i];
  if (time === undefined) return undefined;
  if (time >= HOURLY_SINCE) return asHours(1);
  const gaps = [times[i - 1], times[i + 1]]
    .filter((other) => other !== undefined)
    .map((other) => Math.round(Math.abs(time - other) / HOUR_MS));
  const hours = Math.min(...gaps);
  return hours === 1 || hours === 8 ? asHours(hours) : undefined;
}
