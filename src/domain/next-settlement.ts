import { HOUR_MS } from '../runtime/duration.ts';
import { asMs, type Hours, type UnixMs } from './units.ts';

/** A venue's latest statement about the settlements of a contract. */
interface StatedSettlements {
  readonly nextFundingTime?: UnixMs | undefined;
  readonly fundingIntervalHours?: Hours | undefined;
}

/**
 * The next settlement after `now`: as stated, or, when the stated one has passed and the venue has not named its
 * successor, as many whole intervals later as it takes. Undefined when it was never stated, or has passed with an
 * unknown interval: the past is not answered as the future.
 */
export function nextSettlement(
  { nextFundingTime: stated, fundingIntervalHours: hours }: StatedSettlements,
  now: UnixMs,
): UnixMs | undefined {
  if (stated === undefined || stated > now) return stated;
  if (hours === undefined) return undefined;
  const step = hours * HOUR_MS;
  return asMs(stated + (Math.floor((now - stated) / step) + 1) * step);
}
