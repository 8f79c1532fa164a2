import type { UnixMs } from '../../../domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';
import { type ComparedField, FIELD_RULES } from './field-rules.ts';

/** A value of a field and its time: the venue's stamp, else receipt. */
export interface Reading {
  readonly value: number;
  readonly at: UnixMs;
}

/** The values of two ways for one field of one contract. */
export interface Comparison {
  readonly field: ComparedField;
  /** As answers show it. */
  readonly shown: Reading;
  readonly second: Reading;
  /** By the measure of the field: a part of the larger amount, a fraction per interval, ms or hours. */
  readonly difference: number;
  readonly tolerance: number;
  readonly agrees: boolean;
}

/** Deviations that a value may move while one reading grows older than the other. */
const DEVIATIONS = 6;
/** Of a rate that is near zero a part says nothing: after this long it may have moved these deviations all the same. */
const RATE_SETTLED_MS = MINUTE_MS;
const RATE_DEVIATIONS = 4;
/** The factor by which a value without an observed move may move more than the least. */
const UNSEEN = 2;
/** Two readings are never of the same instant: a request takes its time, and clocks differ. */
const MIN_APART_MS = 1000;
/** The time of a settlement is not compared this close to it: one way moves on before the other. */
const ROLLOVER_MS = 120_000;

const larger = (a: number, b: number): number => Math.max(Math.abs(a), Math.abs(b));

/** The distance of two values, in the unit of the field's measure; symmetric, and finite also beside zero. */
export function differenceOf(field: ComparedField, a: number, b: number): number {
  const apart = Math.abs(a - b);
  if (FIELD_RULES[field].measure !== 'relative' || apart === 0) return apart;
  return apart / larger(a, b);
}

/**
 * The largest allowed difference of two readings: `base`, of rates a drift that small ones have as well, and
 * six deviations of the value's move in the time between them, at most `most` of the value; a rate after a
 * minute at least four deviations. The movement is a random walk: its volatility grows with the root of time.
 *
 * @param volatility of the value in an hour as it was seen to move: a part of it, of a rate a fraction per
 *   interval; undefined = nothing was seen yet
 */
export function toleranceOf(field: ComparedField, a: Reading, b: Reading, volatility?: number): number {
  const { measure, base, hourlyDrift = 0, hourlyVolatility, most } = FIELD_RULES[field];
  if (hourlyVolatility === 0) return base;
  const scale = measure === 'rate' ? larger(a.value, b.value) : 1;
  const apartMs = Math.max(MIN_APART_MS, Math.abs(a.at - b.at));
  const time = Math.sqrt(apartMs / HOUR_MS);
  const least = hourlyVolatility * scale;
  const moved = DEVIATIONS * Math.max(volatility ?? UNSEEN * least, least) * time;
  const settledMs = measure === 'rate' ? Math.max(0, apartMs - RATE_SETTLED_MS) : 0;
  const mostMoved = Math.max(
    most * scale,
    RATE_DEVIATIONS * (volatility ?? 0) * Math.sqrt(settledMs / HOUR_MS),
  );
  return base + hourlyDrift * time + Math.min(mostMoved, moved);
}

/**
 * Compares what is shown with what another way says. Undefined where that tells nothing: a settlement is due, and one of
 * both may still name the last one.
 */
export function compareReadings(
  field: ComparedField,
  shown: Reading,
  second: Reading,
  volatility?: number,
): Comparison | undefined {
  if (field === 'next_funding_time') {
    const now = Math.max(shown.at, second.at);
    if (Math.min(shown.value, second.value) - now < ROLLOVER_MS) return undefined;
  }
  const difference = differenceOf(field, shown.value, second.value);
  const tolerance = toleranceOf(field, shown, second, volatility);
  return { field, shown, second, difference, tolerance, agrees: difference <= tolerance };
}
