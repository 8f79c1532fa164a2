/**
 * The raw-parsing seam: unknown wire values to numbers with a unit. Absent, null, empty and unreadable all
 * give undefined; zero is data. Nothing here throws.
 */
import {
  asBase,
  asHours,
  asMs,
  asPrice,
  asRate,
  asUsd,
  type BaseQty,
  type Hours,
  type Price,
  type RatePerInterval,
  type UnixMs,
  type Usd,
} from './units.ts';

export type Wire = Readonly<Record<string, unknown>>;

export function isWire(x: unknown): x is Wire {
  return typeof x === 'object' && x !== null && !Array.isArray(x);
}

/** The array itself, or undefined. */
export function wireArray(x: unknown): readonly unknown[] | undefined {
  return Array.isArray(x) ? x : undefined;
}

/** Non-empty string, or undefined. */
export function readText(x: unknown): string | undefined {
  return typeof x === 'string' && x.length > 0 ? x : undefined;
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A finite number from a JSON number or a decimal string. */
export function readNumber(x: unknown): number | undefined {
  if (typeof x === 'number') return Number.isFinite(x) ? x : undefined;
  if (typeof x !== 'string' || x.length === 0 || x.length > 80) return undefined;
  const n = +x;
  if (!Number.isFinite(n)) return undefined;
  // `+x` also accepts blanks, hex and the like: those begin with something else than a digit, sign or point.
  const c = x.charCodeAt(0);
  if (c >= 49 && c <= 57) return n;
  return DECIMAL.test(x) ? n : undefined;
}

/** A price per base unit: strictly positive. `perBase` divides out a contract multiplier. */
export function readPrice(x: unknown, perBase = 1): Price | undefined {
  const n = readNumber(x);
  return n !== undefined && n > 0 && n < 1e15 ? asPrice(perBase === 1 ? n : n / perBase) : undefined;
}

/** An amount in base units, zero allowed. `scale` multiplies (contract size x multiplier). */
export function readBase(x: unknown, scale = 1): BaseQty | undefined {
  const n = readNumber(x);
  return n !== undefined && n >= 0 && n < 1e24 ? asBase(scale === 1 ? n : n * scale) : undefined;
}

/** A USD amount, zero allowed. */
export function readUsd(x: unknown): Usd | undefined {
  const n = readNumber(x);
  return n !== undefined && n >= 0 && n < 1e18 ? asUsd(n) : undefined;
}

/** Largest plausible funding rate of one interval; caps of the tracked venues end at 4 %, extremes at 10 %. */
const MAX_RATE = 0.5;

/** A funding rate as a fraction per interval. `scale` converts (0.01 for percent). */
export function readRate(x: unknown, scale = 1): RatePerInterval | undefined {
  const n = readNumber(x);
  if (n === undefined) return undefined;
  // Venues state a dozen digits at most; the product would show the error of its binary factors beyond them.
  const rate = scale === 1 ? n : Number((n * scale).toPrecision(13));
  return rate >= -MAX_RATE && rate <= MAX_RATE ? asRate(rate) : undefined;
}

const YEAR_2015 = 1_420_070_400_000;
const YEAR_2100 = 4_102_444_800_000;

/** A time in ms. `scale` converts (1000 for seconds, 1e-6 for nanoseconds). Outside 2015..2100 is undefined. */
export function readMs(x: unknown, scale = 1): UnixMs | undefined {
  const n = readNumber(x);
  if (n === undefined) return undefined;
  const ms = scale === 1 ? n : Math.round(n * scale);
  return ms >= YEAR_2015 && ms < YEAR_2100 ? asMs(ms) : undefined;
}

/** A time in ISO 8601 text. */
export function readIso(x: unknown): UnixMs | undefined {
  if (typeof x !== 'string' || x.length < 10) return undefined;
  const ms = Date.parse(x);
  return ms >= YEAR_2015 && ms < YEAR_2100 ? asMs(ms) : undefined;
}

/** A funding interval in hours, 1 <= h <= 24: no venue pays more often, or more rarely. `scale` converts (1/60 for minutes). */
export function readHours(x: unknown, scale = 1): Hours | undefined {
  const n = readNumber(x);
  if (n === undefined) return undefined;
  // A scale such as 1/3600000 is not exact: 28800000 of them are 8 hours, not 7.999….
  const h = scale === 1 ? n : Math.round(n * scale * 1e9) / 1e9;
  return h >= 1 && h <= 24 ? asHours(h) : undefined;
}
