import type { IncomingHttpHeaders } from 'node:http';

const PLAIN = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/i;

function first(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

function milliseconds(text: string | undefined): number | undefined {
  const n = text === undefined ? undefined : PLAIN.exec(text)?.[1];
  return n === undefined ? undefined : Number(n);
}

/** Terms for reading a plain number in `Retry-After`. */
export interface RetryAfterReading {
  /** The venue's known unit; without it seconds, by RFC 9110. */
  readonly unit?: 'seconds' | 'milliseconds' | undefined;
  /** Without a known unit, numbers above this are taken for milliseconds, as some venues send them. */
  readonly doubtAbove?: number | undefined;
}

/** A wait that a venue asks for. */
export interface RetryAfter {
  readonly ms: number;
  /** The unit was guessed. */
  readonly guessed: boolean;
}

/**
 * The wait that the venue asks for, from `now`; undefined where it states none (a wait of zero states none
 * either). Understands `Retry-After-Ms` and `X-Retry-After-Ms` (milliseconds), and `Retry-After` as a number,
 * with or without the unit behind it, or as an HTTP date.
 */
export function readRetryAfter(
  headers: IncomingHttpHeaders,
  now: number,
  reading: RetryAfterReading = {},
): RetryAfter | undefined {
  const exact = milliseconds(first(headers['retry-after-ms']) ?? first(headers['x-retry-after-ms']));
  const text = first(headers['retry-after']) ?? '';
  const asked = exact === undefined ? readValue(text, now, reading) : { ms: exact, guessed: false };
  return asked !== undefined && asked.ms > 0 ? asked : undefined;
}

function readValue(text: string, now: number, reading: RetryAfterReading): RetryAfter | undefined {
  const plain = PLAIN.exec(text);
  if (plain?.[1] === undefined) {
    const date = Date.parse(text);
    return Number.isNaN(date) ? undefined : { ms: date - now, guessed: false };
  }
  const value = Number(plain[1]);
  const suffix = plain[2]?.toLowerCase();
  if (suffix !== undefined) return { ms: suffix === 'ms' ? value : value * 1000, guessed: false };
  const { unit, doubtAbove = Number.POSITIVE_INFINITY } = reading;
  const guessed = unit === undefined && value > doubtAbove;
  return { ms: guessed || unit === 'milliseconds' ? value : value * 1000, guessed };
}
