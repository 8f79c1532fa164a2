import { HOUR_MS } from '../../../src/runtime/duration.ts';
import type { SimContract, World } from './world.ts';

/** A settlement that has happened. */
export interface Settlement {
  readonly time: number;
  readonly rate: number;
}

/** The last `count` settlements before `t`, newest first, leaving out the `skip` newest. */
export function settlementsBefore(
  world: World,
  contract: SimContract,
  t: number,
  count: number,
  skip = 0,
): readonly Settlement[] {
  const period = contract.intervalHours * HOUR_MS;
  const last = world.nextFunding(contract, t) - period;
  return Array.from({ length: count }, (_, i) => {
    const time = last - (i + skip) * period;
    return { time, rate: world.settledRate(contract, time) };
  });
}

/** Open times of the candles of `stepMs` that lie in [from, to], oldest first, at most the `limit` newest. */
export function openTimes(from: number, to: number, stepMs: number, limit: number): readonly number[] {
  const last = Math.floor(to / stepMs) * stepMs;
  const first = Math.max(Math.ceil(from / stepMs) * stepMs, last - (limit - 1) * stepMs);
  const count = last < first ? 0 : Math.round((last - first) / stepMs) + 1;
  return Array.from({ length: count }, (_, i) => first + i * stepMs);
}

/** Open, high, low and close of a price over [t, t + stepMs), seen at ten instants. */
export function candleOf(price: (t: number) => number, t: number, stepMs: number) {
  const seen = Array.from({ length: 10 }, (_, i) => price(t + (i * stepMs) / 10));
  const close = price(t + stepMs);
  return { open: price(t), high: Math.max(...seen, close), low: Math.min(...seen, close), close };
}
