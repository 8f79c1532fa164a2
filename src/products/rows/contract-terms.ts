import type { ContractTerms, TermName } from '../../domain/contract-terms.ts';
import type { BaseQty, Price, RatePerInterval, UnixMs } from '../../domain/units.ts';
import type { VenueInfo } from '../../domain/venue.ts';
import type { NullReason } from '../answer/null-reason.ts';
import { integer, nullable, number, text, timestamp } from '../answer/schema.ts';
import { boundFields } from '../funding/funding-row.ts';
import { isoOrNull } from './value-times.ts';

/** Terms on which a contract is traded. Prices are per unit of the ticker and amounts count tickers. */
export const contractTermsFields = {
  contract_size: nullable(number('Units of the ticker in one contract, as the venue counts contracts')),
  tick: nullable(number('Smallest step of a limit price, quote currency per unit of the ticker')),
  price_significant_digits: nullable(
    integer('Most significant digits of a price that is no whole number, where the venue limits them too', 1),
  ),
  lot: nullable(number('Smallest step of the size of an order, units of the ticker')),
  min_size: nullable(number('Smallest size of an order that the venue states, units of the ticker')),
  min_notional_usd: nullable(number('Smallest value of an order that the venue states, USD')),
  min_order_base: nullable(
    number('Smallest order that meets both at the mark, in whole lots, units of the ticker'),
  ),
  min_order_usd: nullable(number('Its value at the mark, USD')),
  max_leverage: nullable(number('Largest leverage of the smallest position')),
  initial_margin_fraction: nullable(
    number('Margin that opens the smallest position, as a fraction of its value'),
  ),
  maintenance_margin_fraction: nullable(
    number('Margin below which the smallest position is liquidated, as a fraction of its value'),
  ),
  ...boundFields,
  position_limit_base: nullable(number('Largest position of an account, units of the ticker')),
  position_limit_usd: nullable(number('Largest position of an account, USD')),
  open_interest_limit_base: nullable(number('Largest open interest of the contract, units of the ticker')),
  open_interest_limit_usd: nullable(number('Largest open interest of the contract, USD')),
  trading_hours: nullable(text('When orders trade, in the venue’s own words')),
  listed_at: nullable(timestamp('When the venue says that it listed the contract')),
  delists_at: nullable(timestamp('When the venue has announced that it ends the contract')),
};

/** A contract with its terms; of a `MarketRow` or of a list. */
export interface TermedContract {
  readonly contractSize?: number | undefined;
  readonly terms?: ContractTerms | undefined;
  readonly fundingCap?: RatePerInterval | undefined;
  readonly fundingFloor?: RatePerInterval | undefined;
  readonly listedAt?: UnixMs | undefined;
  readonly markPrice?: Price | undefined;
}

/** The name of each term in answers. */
const FIELD_OF = {
  tick: 'tick',
  priceDigits: 'price_significant_digits',
  lot: 'lot',
  minSize: 'min_size',
  minNotionalUsd: 'min_notional_usd',
  maxLeverage: 'max_leverage',
  initialMargin: 'initial_margin_fraction',
  maintenanceMargin: 'maintenance_margin_fraction',
  positionLimit: 'position_limit_base',
  positionLimitUsd: 'position_limit_usd',
  openInterestLimit: 'open_interest_limit_base',
  openInterestLimitUsd: 'open_interest_limit_usd',
  tradingHours: 'trading_hours',
  delistsAt: 'delists_at',
} as const satisfies Readonly<Record<TermName, keyof typeof contractTermsFields>>;

/** The terms as an answer states them, without the reasons of those that are null: `noTerms` has these. */
export function contractTerms(contract: TermedContract) {
  const { terms = {}, markPrice } = contract;
  const base = smallestOrder(terms, markPrice);
  return {
    contract_size: contract.contractSize ?? null,
    tick: terms.tick ?? null,
    price_significant_digits: terms.priceDigits ?? null,
    lot: terms.lot ?? null,
    min_size: terms.minSize ?? null,
    min_notional_usd: terms.minNotionalUsd ?? null,
    min_order_base: base ?? null,
    min_order_usd: base === undefined || markPrice === undefined ? null : base * markPrice,
    max_leverage: terms.maxLeverage ?? null,
    initial_margin_fraction: terms.initialMargin ?? null,
    maintenance_margin_fraction: terms.maintenanceMargin ?? null,
    funding_cap: contract.fundingCap ?? null,
    funding_floor: contract.fundingFloor ?? null,
    position_limit_base: terms.positionLimit ?? null,
    position_limit_usd: terms.positionLimitUsd ?? null,
    open_interest_limit_base: terms.openInterestLimit ?? null,
    open_interest_limit_usd: terms.openInterestLimitUsd ?? null,
    trading_hours: terms.tradingHours ?? null,
    listed_at: isoOrNull(contract.listedAt),
    delists_at: isoOrNull(terms.delistsAt),
  };
}

type TermReasons = Readonly<Partial<Record<keyof typeof contractTermsFields, NullReason>>>;

/** The reasons for which terms are null, of a contract of now. A minimum in the other unit needs a mark. */
export function noTerms({ terms = {} }: TermedContract, info: VenueInfo | undefined): TermReasons {
  const hasMinimum = terms.minSize !== undefined || terms.minNotionalUsd !== undefined;
  const reasons: Record<string, NullReason> = {
    listed_at: 'not_stated',
    funding_cap: 'not_published',
    funding_floor: 'not_published',
    min_order_base: hasMinimum ? 'unknown' : 'not_stated',
    min_order_usd: hasMinimum ? 'unknown' : 'not_stated',
  };
  for (const field of Object.values(FIELD_OF)) reasons[field] = 'not_stated';
  const beside = info?.terms?.besideMetrics?.fields ?? {};
  for (const name of Object.keys(beside)) reasons[FIELD_OF[name as TermName]] = 'unknown';
  if (info?.terms?.fields.delistsAt !== undefined) reasons.delists_at = 'none_announced';
  return reasons;
}

/** A quotient that is a whole number but for its last digits is that number. */
const ROUNDED = 1e-9;

/**
 * The smallest order that meets the smallest size and the smallest value, in whole lots.
 *
 * @param mark price of one unit of the ticker, quote currency
 * @returns units of the ticker; undefined where no minimum is stated, or one is a value and no mark is known
 */
export function smallestOrder(
  { lot, minSize, minNotionalUsd }: ContractTerms,
  mark: Price | undefined,
): BaseQty | number | undefined {
  if (minNotionalUsd === undefined) return minSize;
  if (mark === undefined) return undefined;
  const ofValue = minNotionalUsd / mark;
  const lots = lot === undefined ? undefined : Math.ceil(ofValue / lot - ROUNDED);
  const rounded = lots === undefined || lot === undefined ? ofValue : Number((lots * lot).toPrecision(13));
  return Math.max(minSize ?? 0, rounded);
}
