import type { UnixMs } from '../domain/units.ts';
import { gasCostUsd } from './gas-cost.ts';
import type { PriceSchedule } from './prices.ts';
import type { SettlementCosts } from './settlement-meter.ts';
import type { ProtectedRoute } from './types.ts';

const ATOMIC_PER_USD = 1_000_000;

/**
 * The reason for which a cost is not known. `no_declared_fee`: the facilitator's fee is not set. `no_coin_price`: the price of
 * the coin in which gas is paid is not set. `nothing_settled`, `nothing_sold`: not since the start.
 */
export type CostGap = 'no_declared_fee' | 'no_coin_price' | 'nothing_settled' | 'nothing_sold';

/** A scheme on a network, with what settled its sales since the start. */
export interface PaidWay {
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: string;
  /** True if each sale has a transaction of its own. */
  readonly isAlone: boolean;
  readonly costs: SettlementCosts;
}

/** The operator's costs of settlements. */
export type CostTerms =
  /** A facilitator's fee for each transaction, atomic units; undefined where none is declared. */
  | { readonly by: 'fee'; readonly fee: bigint | undefined }
  /** Gas, at the price of the coin in US dollars; undefined where none is set. */
  | { readonly by: 'gas'; readonly coinUsd: number | undefined };

/** The cost of one sale of a scheme on a network. */
export interface CallCost extends Pick<PaidWay, 'scheme' | 'network'> {
  /** Since the start. */
  readonly transactions: number;
  readonly sales: number;
  /** Atomic units, with fractions; undefined where it is not known. */
  readonly atomic: number | undefined;
  readonly gap: CostGap | undefined;
}

/** The margin of one sale of a route. */
export interface RouteMargin extends Pick<CallCost, 'scheme' | 'network' | 'gap'> {
  readonly route: string;
  /** US dollars; negative where the settlement costs more than the price; undefined where the cost is not known. */
  readonly usd: number | undefined;
}

/**
 * The cost of one sale: that of one transaction where each sale has its own, else the cost of all transactions since the
 * start by the sales since the start.
 *
 * @param sales settled since the start
 */
export function callCost(
  { scheme, network, isAlone, costs }: PaidWay,
  sales: number,
  terms: CostTerms,
): CallCost {
  const { transactions } = costs;
  const of = { scheme, network, transactions, sales };
  const each = transactionCost(costs, terms);
  if (typeof each === 'string') return { ...of, atomic: undefined, gap: each };
  if (isAlone) return { ...of, atomic: each, gap: undefined };
  if (sales === 0) return { ...of, atomic: undefined, gap: 'nothing_sold' };
  return { ...of, atomic: (each * transactions) / sales, gap: undefined };
}

/** The mean cost of a transaction, atomic units. */
function transactionCost({ read, wei }: SettlementCosts, terms: CostTerms): number | CostGap {
  if (terms.by === 'fee') return terms.fee === undefined ? 'no_declared_fee' : Number(terms.fee);
  if (terms.coinUsd === undefined) return 'no_coin_price';
  if (read === 0) return 'nothing_settled';
  return (gasCostUsd(Number(wei), terms.coinUsd) * ATOMIC_PER_USD) / read;
}

/** The margin of one sale of each route in each way of paying: its price now less the cost. */
export function routeMargins(
  routes: readonly Pick<ProtectedRoute, 'id'>[],
  prices: PriceSchedule,
  costs: readonly CallCost[],
  now: UnixMs,
): readonly RouteMargin[] {
  return routes.flatMap(({ id }) => {
    const price = prices.priceAt(id, now);
    if (price === undefined) return [];
    return costs.map(({ scheme, network, atomic, gap }) => {
      const usd = atomic === undefined ? undefined : (Number(price.atomic) - atomic) / ATOMIC_PER_USD;
      return { route: id, scheme, network, usd, gap };
    });
  });
}
