import { APR_PCT_PER_BPS_8H } from '../../domain/rate.ts';

/** The leg that is bought: the coin, or its perpetual while the coin is borrowed and sold. */
export const DIRECTIONS = ['long_spot', 'short_spot'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The inputs of a pair's figures; undefined is not known. */
export interface CarryTerms {
  readonly direction: Direction;
  /** Funding of the perpetual, fraction per eight hours: positive is paid by who is long. */
  readonly rate8h: number | undefined;
  /** Cost of borrowing the coin, fraction an hour. */
  readonly borrowHourly: number | undefined;
  /** Taker fees, bps. */
  readonly spotFeeBps: number | undefined;
  readonly perpFeeBps: number | undefined;
  /** Slippage of entering each leg against the middle, bps. */
  readonly spotSlippageBps: number | undefined;
  readonly perpSlippageBps: number | undefined;
  /** Middle of the leg that is sold over the middle of the one that is bought, in one currency, less 1: bps. */
  readonly levelBps: number | undefined;
  /** The usual value of that, bps; undefined is not known. */
  readonly usualBps: number | undefined;
  readonly holdingDays: number;
}

/** The figures of a pair; undefined where one of their inputs is. Basis points are of one leg. */
export interface CarryFigures {
  /** Funding that the pair receives per eight hours; below 0 where it pays. */
  readonly funding8hBps: number | undefined;
  /** Funding less the cost of the borrowed coin. */
  readonly income8hBps: number | undefined;
  readonly roundTripFeeBps: number | undefined;
  readonly entrySlippageBps: number | undefined;
  /** Lost when the gap between the legs goes back to what is usual; below 0 where that is gained. */
  readonly gapCostBps: number | undefined;
  readonly allInCostBps: number | undefined;
  readonly cost8hBps: number | undefined;
  readonly daysToBreakeven: number | undefined;
  readonly netAprPct: number | undefined;
  readonly allInNetAprPct: number | undefined;
  /** The rate at which the coin may be borrowed at most for the pair to earn its costs back, percent a year. */
  readonly breakevenBorrowAprPct: number | undefined;
}

const HOURS = 8;
const PERIODS_A_DAY = 3;
const DAYS_A_YEAR = 365;
const BPS_PER_PCT = 100;
const BPS = 10_000;

const sum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b;

/** Earnings of a pair, percent a year, less its costs over the days that it is held. Both in bps of one leg, the first per eight hours. */
export const netAprPct = (income8hBps: number, costBps: number, holdingDays: number): number =>
  income8hBps * APR_PCT_PER_BPS_8H - ((costBps / BPS_PER_PCT) * DAYS_A_YEAR) / holdingDays;

/** Funding that the perpetual brings per eight hours, bps. @param rate8h fraction per eight hours */
export const fundingOf = (direction: Direction, rate8h: number): number =>
  (direction === 'short_spot' ? -rate8h : rate8h) * BPS;

/** Cost of the borrowed coin per eight hours, bps. @param hourly fraction an hour */
export const borrowOf = (hourly: number): number => hourly * HOURS * BPS;

/**
 * Computes earnings and costs of a spot market and a perpetual by the definitions of the funding signal
 * (`products/funding/all-in-cost.ts`). With fees F = 2 x (spot + perpetual), slippage S of entering both legs and the gap's cost
 * G = usual - level: all_in = F + 2 x S + max(0, G), since leaving is taken to slip as entering does; a gain by the gap is not counted.
 * A usual gap that is not known is taken as 0, since funding holds a perpetual to its index. Income I per eight hours = rate x 10000 where
 * the perpetual is sold, else -(rate + 8 x borrow) x 10000. Days to break even = all_in / (3 x I), 0 where nothing has to be earned
 * back, undefined where I is not above 0. Net APR = 10.95 x I - costs / 100 x 365 / holding days, of F + 2 x S or of all_in.
 */
export function carryFigures(terms: CarryTerms): CarryFigures {
  const { direction, rate8h, borrowHourly, levelBps, usualBps = 0, holdingDays } = terms;
  const isShort = direction === 'short_spot';
  const funding = rate8h === undefined ? undefined : fundingOf(direction, rate8h);
  const borrow = borrowHourly === undefined ? undefined : borrowOf(borrowHourly);
  const income = isShort ? sum(funding, borrow === undefined ? undefined : -borrow) : funding;
  const fees = sum(terms.spotFeeBps, terms.perpFeeBps);
  const roundTrip = fees === undefined ? undefined : 2 * fees;
  const entry = sum(terms.spotSlippageBps, terms.perpSlippageBps);
  const costs = sum(roundTrip, entry === undefined ? undefined : 2 * entry);
  const gap = levelBps === undefined ? undefined : usualBps - levelBps;
  const allIn = sum(costs, gap === undefined ? undefined : Math.max(0, gap));
  const net = (bps8h: number | undefined, cost: number | undefined): number | undefined =>
    bps8h === undefined || cost === undefined ? undefined : netAprPct(bps8h, cost, holdingDays);
  return {
    funding8hBps: funding,
    income8hBps: income,
    roundTripFeeBps: roundTrip,
    entrySlippageBps: entry,
    gapCostBps: gap,
    allInCostBps: allIn,
    cost8hBps: allIn === undefined ? undefined : allIn / (PERIODS_A_DAY * holdingDays),
    daysToBreakeven: breakeven(allIn, income),
    netAprPct: net(income, costs),
    allInNetAprPct: net(income, allIn),
    breakevenBorrowAprPct: isShort ? net(funding, allIn) : undefined,
  };
}

function breakeven(cost: number | undefined, income8hBps: number | undefined): number | undefined {
  if (cost === undefined || income8hBps === undefined) return undefined;
  if (cost <= 0) return 0;
  return income8hBps > 0 ? cost / (PERIODS_A_DAY * income8hBps) : undefined;
}

/** Inputs that are not known, as answers list them. */
export const UNKNOWN_INPUTS = [
  'funding_rate',
  'borrow_rate',
  'spot_taker_fee',
  'perp_taker_fee',
  'spot_book',
  'perp_book',
  'size',
  'quote_rate',
] as const;
export type UnknownInput = (typeof UNKNOWN_INPUTS)[number];
