import { toBps } from '../../domain/rate.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { MarketRow, MarketView } from '../../market/view.ts';
import { fundingTime } from '../answer/product-answer.ts';
import { type AskedFees, PUBLIC_FEES, takerFeeOf } from '../rows/asked-fees.ts';
import { freshAssets } from '../rows/scan.ts';
import { widestLegs } from './legs.ts';

/** The two venues of an asset between which funding differs most, eight-hour rates compared. */
export interface FundingPair {
  /** Highest rate_8h: the leg that is paid for being short. */
  readonly short: MarketRow;
  /** Lowest rate_8h. */
  readonly long: MarketRow;
  /** (rate_8h short - rate_8h long) x 10000, above 0. */
  readonly normalizedBps: number;
  /** (rate short - rate long) x 10000, raw rates per interval of each venue; may have the other sign. */
  readonly grossBps: number;
  /** Taker fee of each leg, bps. */
  readonly shortFeeBps: number;
  readonly longFeeBps: number;
  /** 2 x (taker fee short + taker fee long): entry and exit of both legs, bps. */
  readonly feeBps: number;
  readonly rows: readonly MarketRow[];
  /** Time of the older leg. */
  readonly updatedAt: UnixMs;
}

/** The reason for which an asset has no pair: fewer than two venues have what is named. */
export type NoPair = 'single_venue' | 'rate_unknown' | 'interval_unknown' | 'fee_unknown';

/** The pairs of all assets, and how many assets have none, by reason. */
export interface PairSurvey {
  readonly pairs: readonly FundingPair[];
  /** Assets whose venues all state the same eight-hour rate. */
  readonly equal: number;
  readonly without: Readonly<Record<NoPair, number>>;
}

/**
 * Per asset the fresh comparable pair with the largest rate_8h spread. A contract whose rate is not known or too
 * old, or whose interval or taker fee is not known, takes no part: nothing could be normalised or netted. Spreads of 0 are no pair and are counted.
 */
export function surveyPairs(view: MarketView, fees: AskedFees = PUBLIC_FEES): PairSurvey {
  const pairIn = pairing(view, fees);
  const pairs: FundingPair[] = [];
  let equal = 0;
  const without = { single_venue: 0, rate_unknown: 0, interval_unknown: 0, fee_unknown: 0 };
  for (const asset of freshAssets(view.rows())) {
    const pair = pairIn(asset);
    if (typeof pair === 'string') without[pair] += 1;
    else if (pair === undefined) equal += 1;
    else pairs.push(pair);
  }
  return { pairs, equal, without };
}

/** Finds the pair of an asset among its fresh comparable rows, or why there is none; undefined for a spread of 0. */
export function pairing(
  view: Pick<MarketView, 'venues'>,
  fees: AskedFees = PUBLIC_FEES,
): (asset: readonly MarketRow[]) => FundingPair | NoPair | undefined {
  const byVenue = new Map(view.venues().map((venue) => [venue.info.id, venue]));
  return (asset) => pairOf(asset, (row) => takerFeeOf(row, byVenue.get(row.venue), fees));
}

export const fundingPairs = (view: MarketView, fees: AskedFees = PUBLIC_FEES): readonly FundingPair[] =>
  surveyPairs(view, fees).pairs;

function pairOf(
  asset: readonly MarketRow[],
  feeOf: (row: MarketRow) => number | undefined,
): FundingPair | NoPair | undefined {
  if (asset.length < 2) return 'single_venue';
  const rated = asset.filter((row) => row.rateFresh);
  if (rated.length < 2) return 'rate_unknown';
  const normalized = rated.filter((row) => row.rate8h !== undefined);
  if (normalized.length < 2) return 'interval_unknown';
  const rows = normalized.filter((row) => feeOf(row) !== undefined);
  const legs = widestLegs(rows, (row) => row.rate8h);
  if (legs === undefined) return 'fee_unknown';
  const { low: long, high: short } = legs;
  const shortFeeBps = feeOf(short);
  const longFeeBps = feeOf(long);
  if (short.rate8h === undefined || long.rate8h === undefined) return undefined;
  if (short.fundingRate === undefined || long.fundingRate === undefined) return undefined;
  if (shortFeeBps === undefined || longFeeBps === undefined) return undefined;
  const normalizedBps = toBps(short.rate8h - long.rate8h);
  if (!(normalizedBps > 0)) return undefined;
  return {
    short,
    long,
    normalizedBps,
    grossBps: toBps(short.fundingRate - long.fundingRate),
    shortFeeBps,
    longFeeBps,
    feeBps: 2 * (shortFeeBps + longFeeBps),
    rows,
    updatedAt: asMs(Math.min(fundingTime(short), fundingTime(long))),
  };
}

/** True if one funding payment covers the fees of entry and exit. */
export function clearsFees(pair: FundingPair): boolean {
  return pair.grossBps > pair.feeBps;
}

/** Says in the methodology that a size of the buyer's own counts. */
export const sizeNote = (notionalUsd: number | undefined): string =>
  notionalUsd === undefined
    ? ''
    : ` Costs, gap and score are of ${notionalUsd} USD a leg (notional_usd) in place of the largest of the three sizes; pairs whose books do not fill it have score 0.`;

/** Text on the making and ranking of the signal's pairs, and on its omissions. */
export const SIGNAL_METHODOLOGY =
  'Per asset the fresh comparable pair of venues with the largest difference of eight-hour funding; short the higher, long the lower. Inputs: funding rates and intervals, public taker fees for entry and exit of both legs, and visible order-book depth at 1,000, 5,000 and 10,000 USD (the short leg sells into bids, the long leg buys from asks). Pairs whose score is not above 0 come after all others, pairs without known books last. net_apr_pct spreads the cost of entry and exit over holding_days at present rates. Price differences between the legs, in one currency, count in gap and all_in_cost_bps alone. Excluded: venues without a known interval or fee, margin, changes of the rates, and latency. A naive baseline derived from present values, not a profit forecast.';
