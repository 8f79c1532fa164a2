import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs } from '../../domain/read.ts';
import { asHours, asMs, type Hours, type UnixMs } from '../../domain/units.ts';
import { rowsIn } from '../grammar/answer.ts';
import { field, hours, rate } from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { takeEach } from '../grammar/rows.ts';
import { hoursBetween } from '../hour.ts';
import { STAMPS } from './stamps.ts';
import { type DexDecoder, open, symbolsOf } from './wire.ts';

/** From this day on every recorded row is hourly; in 2023 the venue went over from 8 hours to 1. */
const HOURLY_SINCE = Date.UTC(2024, 0, 1);

/** Rows are stamped some milliseconds after the hour. */
function settledAt(raw: unknown): UnixMs | undefined {
  const time = readMs(raw);
  return time === undefined ? undefined : asMs(Math.floor(time / 1000) * 1000);
}

const takeSettled = settledRates({
  stamp: STAMPS.funding,
  time: field('time', settledAt),
  rate: rate('fundingRate'),
  intervalHours: hours('intervalHours'),
});

/** `fundingHistory`: settled rates of one coin, which do not state their interval. */
export const decodeFundingHistory: DexDecoder = (payload, context, dex) => {
  const out = emptyDecoded();
  const found = rowsIn(open)(payload, out);
  const times = found.map((row) => (isWire(row) ? settledAt(row.time) : undefined));
  const rows = found.map((row, i) => (isWire(row) ? { ...row, intervalHours: intervalAt(times, i) } : row));
  takeEach(rows, 'coin', symbolsOf(dex).unitsOf, context, out, takeSettled);
  return out;
};

/**
 * An hour since 2024: a longer distance there is a row that is missing. Before, the distance to the settlement before;
 * the oldest row of an answer, which shows none, is of eight hours where eight follow, because the venue went from
 * eight to one and never back.
 */
function intervalAt(times: readonly (UnixMs | undefined)[], i: number): Hours | undefined {
  const time = times[i];
  if (time === undefined) return undefined;
  if (time >= HOURLY_SINCE) return asHours(1);
  const beside = [times[i - 1], times[i + 1]].filter((other) => other !== undefined);
  const before = beside.find((other) => other < time);
  if (before !== undefined) return hoursBetween(before, time);
  const after = beside.find((other) => other > time);
  return after !== undefined && hoursBetween(time, after) === 8 ? asHours(8) : undefined;
}
