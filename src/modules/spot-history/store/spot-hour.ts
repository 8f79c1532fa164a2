import { asMs, asPrice, type Price, type UnixMs } from '../../../domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';

/** One hour of a spot market. Prices are in the quote currency, a dollar, per one unit of the ticker. */
export type SpotHour = ObservedHour | CandleHour;

interface AnyHour {
  readonly start: UnixMs;
  /** The last price of the hour: the middle that was seen last, or the close of the candle. */
  readonly last: Price;
}

/** An hour that this service saw, once a minute. */
export interface ObservedHour extends AnyHour {
  readonly origin: 'observed';
  readonly lastAt: UnixMs;
  readonly samples: number;
  /** Mean of the samples. */
  readonly mean: number;
  /** Ask less bid at the last sample, basis points of the middle; undefined where the venue states no sides. */
  readonly spreadBps: number | undefined;
  /** Sizes of the best bid and the best ask at the last sample, US dollars. */
  readonly bidUsd: number | undefined;
  readonly askUsd: number | undefined;
}

/** An hour of which the venue published a candle of trades afterwards. */
export interface CandleHour extends AnyHour {
  readonly origin: 'candle';
  /** The first trade of the hour. */
  readonly open: Price;
}

/**
 * An hour as it is stored: of one that was seen the minute of the last sample, samples, mean, spread and sizes follow the last
 * price; of a candle its open does. A mean and a spread are whole hundredths of a basis point, the mean as its distance from the
 * last price, and sizes whole dollars: each takes one to five bytes in place of nine.
 */
export type StoredHour =
  | readonly [
      kind: 0,
      last: number,
      minute: number,
      samples: number,
      meanOff: number,
      spread: number | null,
      bidUsd: number | null,
      askUsd: number | null,
    ]
  | readonly [kind: 1, close: number, open: number];

/** Stored units in one: hundredths of a basis point in a fraction, and in a basis point. */
const A_FRACTION = 1e6;
const A_BPS = 100;

const whole = (value: number | undefined, scale = 1): number | null =>
  value === undefined ? null : Math.round(value * scale);

export function storedHour(hour: SpotHour): StoredHour {
  if (hour.origin === 'candle') return [1, hour.last, hour.open];
  const { last, start, lastAt, samples, mean, spreadBps, bidUsd, askUsd } = hour;
  const minute = Math.floor((lastAt - start) / MINUTE_MS);
  const meanOff = Math.round((mean / last - 1) * A_FRACTION);
  return [0, last, minute, samples, meanOff, whole(spreadBps, A_BPS), whole(bidUsd), whole(askUsd)];
}

/** @param hour hours since 1970 */
export function readHour(hour: number, stored: StoredHour): SpotHour {
  const start = asMs(hour * HOUR_MS);
  if (stored[0] === 1) {
    const [, close, open] = stored;
    return { origin: 'candle', start, last: asPrice(close), open: asPrice(open) };
  }
  const [, last, minute, samples, meanOff, spread, bidUsd, askUsd] = stored;
  return {
    origin: 'observed',
    start,
    lastAt: asMs(start + minute * MINUTE_MS),
    last: asPrice(last),
    samples,
    mean: last * (1 + meanOff / A_FRACTION),
    spreadBps: spread === null ? undefined : spread / A_BPS,
    bidUsd: bidUsd ?? undefined,
    askUsd: askUsd ?? undefined,
  };
}

/** Two parts of one hour as one; a candle gives way to what was seen. */
export function joinedHours(before: SpotHour | undefined, later: ObservedHour): ObservedHour {
  if (before === undefined || before.origin === 'candle') return later;
  const samples = before.samples + later.samples;
  const mean = (before.mean * before.samples + later.mean * later.samples) / samples;
  return { ...later, samples, mean };
}
