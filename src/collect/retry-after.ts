import type { IncomingHttpHeaders } from 'node:http';

const PLAIN = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/i;

function first(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

function milliseconds(text: string | undefined): number | undefined {
  const n = text === undefined ? undefined : PLAIN.exec(text)?.[1];
  return n === undefined ? undefined : Number(n);
}

/**
 * How long the venue asks us to wait, ms from `now`; undefined where it does not say. Understands
 * `Retry-After-Ms` and `X-Retry-After-Ms` (milliseconds), and `Retry-After` as a number (seconds by RFC 9110,
 * `unit` where a venue is known to send another) or as an HTTP date.
 */
export function readRetryAfter(
  headers: IncomingHttpHeaders,
  now: number,
  unit: 'seconds' | 'milliseconds' = 'seconds',
): number | undefined {
  const exact = milliseconds(first(headers['retry-after-ms']) ?? first(headers['x-retry-after-ms']));
  if (exact !== undefined) return exact;
  const text = first(headers['retry-after']);
  if (text === undefined || text === '') return undefined;
  const plain = PLAIN.exec(text);
  if (plain?.[1] !== undefined) {
    const isMs = plain[2] === undefined ? unit === 'milliseconds' : plain[2].toLowerCase() === 'ms';
    return Number(plain[1]) * (isMs ? 1 : 1000);
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
