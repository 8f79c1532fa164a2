import { renderProblem } from '../api/problem.ts';
import { protectedRoute } from '../api/protect.ts';
import type { Route } from '../api/route.ts';
import { routeTableVersion } from '../api/route-table-version.ts';
import { isPresent } from '../api/server.ts';
import type { Clock } from '../domain/clock.ts';
import type { PaymentConfig } from '../pay/config.ts';
import { type CallCost, type CostTerms, callCost, type RouteMargin, routeMargins } from '../pay/margin.ts';
import { NETWORKS } from '../pay/networks.ts';
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
  /** The cost of one sale in each way of paying; empty where nothing is charged. */
  readonly callCosts: () => readonly CallCost[];
  /** The margin of one sale of each route after these costs. */
  readonly margins: () => readonly RouteMargin[];
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
  const tally = new PaymentTally(clock);
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
  const callCosts = (): readonly CallCost[] => costsOf(config, payments.value, tally);
  const margins = (): readonly RouteMargin[] => routeMargins(sold, prices, callCosts(), clock.now());
  return {
    ok: true,
    value: { ...brought, prices, routes, sold, payments: payments.value, tally, priceOf, callCosts, margins },
  };
}

/** In mode `self` gas is paid here, else a facilitator takes its fee; that of the sandbox takes none. */
function costsOf(config: PaymentConfig, payments: Payments, tally: PaymentTally): readonly CallCost[] {
  if (config.mode === 'off') return [];
  const { mode, coinPrices, facilitatorFee = mode === 'sandbox' ? 0n : undefined } = config;
  return payments.ways().map((way) => {
    const coin = NETWORKS[way.network]?.coin ?? '';
    const terms: CostTerms =
      mode === 'self' ? { by: 'gas', coinUsd: coinPrices.get(coin) } : { by: 'fee', fee: facilitatorFee };
    return callCost(way, tally.sales(way), terms);
  });
}
