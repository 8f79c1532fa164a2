import type { Instrument } from '../../domain/instrument.ts';
import type { FundingPoint } from '../../domain/quote.ts';
import { asHours, asMs, type UnixMs } from '../../domain/units.ts';

const HOUR_MS = 3_600_000;
const LONGEST_HOURS = 24;

/**
 * What rate was in force in each hour, told by the payment that ended its interval: venues publish what was paid, not
 * what they showed meanwhile. The interval is the distance to the payment before, else what the contract states; an
 * hour of which neither tells stays unknown.
 */
export function ratesInForce(
  payments: readonly FundingPoint[],
  instrument: Instrument,
  from: UnixMs,
): readonly FundingPoint[] {
  const sorted = payments
    .filter(({ observed }) => observed !== true)
    .sort((a, b) => a.time - b.time)
    .filter(({ time }, i, all) => time !== all[i - 1]?.time);
  return sorted.flatMap((payment, i) => {
    const before = sorted[i - 1]?.time;
    const stated = payment.intervalHours ?? instrument.fundingIntervalHours;
    const apart = before === undefined ? undefined : Math.round((payment.time - before) / HOUR_MS);
    // A payment that is missing makes the distance a multiple of the interval.
    const hours = Math.min(apart ?? LONGEST_HOURS, stated ?? LONGEST_HOURS, LONGEST_HOURS);
    if ((apart === undefined && stated === undefined) || hours < 1) return [];
    const end = Math.round(payment.time / HOUR_MS) * HOUR_MS;
    return Array.from({ length: hours }, (_, k) => asMs(end - (hours - k) * HOUR_MS))
      .filter((time) => time >= from)
      .map((time): FundingPoint => ({ ...payment, time, intervalHours: asHours(hours), observed: true }));
  });
}
