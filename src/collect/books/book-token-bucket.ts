import { TokenBucket } from '../../runtime/token-bucket.ts';

/** In a short rate-limit window the initial snapshots leave part of it to the other requests at start. */
const SHORT_WINDOW_MS = 10_000;
const FILLED_AT_START = 0.2;

/** The token bucket of a venue's snapshots: a share of its limit, but at least one request at a time. */
export function bookTokenBucket(limit: number, perMs: number, share: number, weight: number): TokenBucket {
  const capacity = Math.max(limit * share, weight);
  const initialLevel = perMs > SHORT_WINDOW_MS ? 1 : Math.max(FILLED_AT_START, weight / capacity);
  return new TokenBucket(capacity, perMs, initialLevel);
}
