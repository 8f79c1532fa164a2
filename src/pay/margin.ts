import type { UnixMs } from '../domain/units.ts';
import type { PriceSchedule } from './prices.ts';
import type { ProtectedRoute } from './types.ts';

/**
 * The margin of one sale of each route, atomic units: its price now less the operator's cost of the settlement
 * (FACILITATOR_FEE_USD). Negative where the fee is above the price.
 *
 * @param fee atomic units
 */
export function routeMargins(
  routes: readonly Pick<ProtectedRoute, 'id'>[],
  prices: PriceSchedule,
  fee: bigint,
  now: UnixMs,
): ReadonlyMap<string, bigint> {
  const margins = new Map<string, bigint>();
  for (const { id } of routes) {
    const price = prices.priceAt(id, now);
    if (price !== undefined) margins.set(id, price.atomic - fee);
  }
  return margins;
}
