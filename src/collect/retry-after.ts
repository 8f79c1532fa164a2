import type { IncomingHttpHeaders } from 'node:http';

const PLAIN = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/i;

function first(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

function milliseconds(text: string | undefined): number | undefined {
  const n = text === undefined ? undefined : PLAIN.exec(text)?.[1];
  return n === undefined ? undefined : Number(n);
}

/** How to read a plain number in `Retry-After`. */
export interface RetryAfterReading {
  /** What the venue is known to count; without it seconds, as RFC 9110 has it. */
  readonly unit?: 'seconds' | 'milliseconds' | undefined;
  /** Where no unit is known: numbers above this are taken for milliseconds, as some venues send them. */
  readonly doubtAbove?: number;
}

/**
 * How long the venue asks us to wait, ms from `now`; undefined where it does not say. Understands
 * `Retry-After-Ms` and `X-Retry-After-Ms` (milliseconds), and `Retry-After` as a number, with or without the
 * unit behind it, or as an HTTP date.
 */
export function readRetryAfter(
  headers: IncomingHttpHeaders,
  now: number,
  reading: RetryAfterReading = {},
): number | undefined {
  const exact = milliseconds(first(headers['retry-after-ms']) ?? first(headers['x-retry-after-ms']));
  if (exact !== undefined) return exact;
  const text = first(headers['retry-after']);
  if (text === undefined || text === '') return undefined;
  const plain = PLAIN.exec(text);
  if (plain?.[1] !== undefined) {
    const value = Number(plain[1]);
    const { unit, doubtAbove = Number.POSITIVE_INFINITY } = reading;
    const assumed = unit ?? (value > doubtAbove ? 'milliseconds' : 'seconds');
    const isMs = plain[2] === undefined ? assumed === 'milliseconds' : plain[2].toLowerCase() === 'ms';
    return value * (isMs ? 1 : 1000);
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
