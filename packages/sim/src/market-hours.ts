import { DAY_MS } from '../../../src/runtime/duration.ts';
import type { SimAsset } from './world.ts';

const AROUND_THE_CLOCK: ReadonlySet<string> = new Set(['crypto', 'prelaunch']);

/**
 * True if an asset's market elsewhere is closed: shares, indices, commodities and currencies, on Saturday and
 * Sunday (UTC).
 */
export function isClosed({ assetClass }: SimAsset, t: number): boolean {
  if (AROUND_THE_CLOCK.has(assetClass)) return false;
  // The first day of the epoch was a Thursday.
  const weekday = (Math.floor(t / DAY_MS) + 4) % 7;
  return weekday === 0 || weekday === 6;
}
