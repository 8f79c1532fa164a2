import { iso } from '../domain/clock.ts';
import type { Reject } from '../domain/reject.ts';
import type { UnixMs } from '../domain/units.ts';

/**
 * The reject of a contract that is listed before its launch, with the launch in its detail where the venue states it;
 * undefined for one that trades. What a venue already calls open waits for a launch that lies ahead all the same.
 *
 * @param launch as published; undefined where the venue states none
 * @param isAnnounced whether the venue's own status says that trading has not begun
 * @param now receipt of the list; undefined for a recorded one, where the status alone decides
 */
export function beforeLaunch(
  symbol: string,
  launch: UnixMs | undefined,
  isAnnounced: boolean,
  now: UnixMs | undefined,
): Reject | undefined {
  const lies = launch !== undefined && now !== undefined && launch > now;
  if (!isAnnounced && !lies) return undefined;
  return { symbol, reason: 'prelisting', ...(launch !== undefined && { detail: `launch ${iso(launch)}` }) };
}
