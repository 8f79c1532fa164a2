import type { Clock } from '../domain/clock.ts';
import { Limiter } from '../pay/limiter.ts';
import type { FreeLimiter } from './http/dispatcher.ts';

/** Seconds' worth of requests that may come at once. */
const BURST_SECONDS = 4;

/**
 * Limits free requests of one client address to so many a second, four times as many at once. Paid requests,
 * and the challenges that ask for payment, are not counted. Headers as drafted for RateLimit fields by the
 * IETF.
 */
export function createFreeLimiter(clock: Clock, perSecond: number): FreeLimiter {
  const burst = perSecond * BURST_SECONDS;
  const limiter = new Limiter({ clock, burst, refillMs: 1000 / perSecond });
  return (address) => {
    const wait = limiter.waitSeconds(address);
    if (wait === 0) {
      limiter.take(address);
      return undefined;
    }
    return {
      retryAfterSeconds: wait,
      headers: {
        'RateLimit-Policy': `"free";q=${burst};w=${BURST_SECONDS}`,
        RateLimit: `"free";r=0;t=${wait}`,
      },
    };
  };
}
