import { renderProblem } from '../api/problem.ts';
import { protectedRoute } from '../api/protect.ts';
import type { Route } from '../api/route.ts';
import { routeTableVersion } from '../api/route-table-version.ts';
import { isPresent } from '../api/server.ts';
import type { Clock } from '../domain/clock.ts';
import { routeMargins } from '../pay/margin.ts';
import { PaymentTally } from '../pay/payment-tally.ts';
import { createPayments, type Payments } from '../pay/payments.ts';
import { loadPriceSchedule, type PriceSchedule } from '../pay/prices.ts';
import type { ProtectedRoute } from '../pay/types.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { rolesOf } from './collection.ts';
import type { ServiceOptions } from './options.ts';
import type { RouteTable } from './route-table.ts';
import type { Seams } from './seams.ts';

/** The served routes, their prices, and the payments for them. */
export interface PricedApi extends Pick<RouteTable, 'toolPlaces' | 'soldHeaders'> {
  readonly prices: PriceSchedule;
  readonly routes: readonly Route[];
  readonly sold: readonly ProtectedRoute[];
  readonly payments: Payments;
  readonly tally: PaymentTally;
  /** The price of a route, US dollars; undefined where it is free. */
  readonly priceOf: (route: Route) => string | undefined;
  /**
   * The margin of one sale of a route after the facilitator's fee, atomic units; empty where nothing is
   * charged.
   */
  readonly margins: () => ReadonlyMap<string, bigint>;
}

/** Reads the price list and opens the payments, or says all that is wrong with them. */
export async function openPricedApi(
  options: ServiceOptions,
  { routes: table, priceLists, ...brought }: RouteTable,
  clock: Clock,
  seams: Seams,
): Promise<{ readonly ok: true; readonly value: PricedApi } | { ok: false; errors: readonly string[] }> {
  const { payments: config, logger } = options;
  const book = loadPriceSchedule(options.priceChanges, priceLists);
  if (!book.ok) return book;
  const prices = book.value;
  const present = options.history === undefined ? table.filter(isPresent) : table;
  const routes = rolesOf(options).has('sell') ? present : present.filter(({ access }) => access === 'free');
  const sold = routes.filter(({ access }) => access === 'paid').map(protectedRoute);
  const tally = new PaymentTally();
  const payments = await createPayments({
    config,
    ledgerPlace: seams.ledger,
    prices,
    routes: sold,
    renderProblem,
    routeTable: routeTableVersion(routes),
    openSale: seams.sale,
    ownFacilitator: seams.facilitator,
    clock,
    observe: (event) => tally.observe(event),
    onVerified: () => {
      tally.verified += 1;
    },
    onClosed: (record) => tally.close(record),
    onError: (cause) => logger.warn({ reason: reasonOf(cause) }, 'payment reconciliation failed'),
  });
  if (!payments.ok) return payments;
  const isCharging = config.mode !== 'off';
  const priceOf = ({ id, access }: Route): string | undefined =>
    isCharging && access === 'paid' ? prices.priceAt(id, clock.now())?.usd : undefined;
  const margins = (): ReadonlyMap<string, bigint> =>
    isCharging ? routeMargins(sold, prices, config.facilitatorFee, clock.now()) : new Map();
  return {
    ok: true,
    value: { ...brought, prices, routes, sold, payments: payments.value, tally, priceOf, margins },
  };
}
