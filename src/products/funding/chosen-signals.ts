import type { MarketRow, MarketView } from '../../market/view.ts';
import { entrySlippage, type LegBook, type LegBooks, type PairDepth, pairDepth } from '../books/leg-book.ts';
import { type AskedFees, PUBLIC_FEES } from '../rows/asked-fees.ts';
import { byWidth } from '../rows/scan.ts';
import { type FundingPair, type NoPair, surveyPairs } from './funding-pair.ts';

/** Eight-hour periods over which the score lets a spread count. */
const HELD_PERIODS = 3;
/** Days over which the score spreads the cost of entry and exit. */
const COST_DAYS = 7;
const FULL_SIZE_USD = 10_000;

/** The pairs that are shown, and what became of the others. */
export interface ChosenSignals {
  readonly shown: readonly JudgedPair[];
  readonly used: readonly MarketRow[];
  /** Assets whose pair is wide enough and has both books, and the others by reason. */
  readonly counts: {
    readonly assessed: number;
    readonly unassessed: Record<NoPair | 'depth_unknown' | 'below_min_diff', number>;
  };
}

interface SignalFilter {
  /** Least difference of eight-hour rates, a fraction. */
  readonly min_diff: number;
  readonly limit: number;
  /** Also pairs whose books do not fill 1,000 USD, or are not known. */
  readonly include_below_1k: boolean;
}

/** The pairs of all assets that differ enough, by score. */
export function chooseSignals(
  view: MarketView,
  books: LegBooks | undefined,
  asked: SignalFilter,
  fees: AskedFees = PUBLIC_FEES,
): ChosenSignals {
  const used: MarketRow[] = [];
  const found: JudgedPair[] = [];
  const { pairs, equal, without } = surveyPairs(view, fees);
  const wide = pairs.filter((pair) => pair.normalizedBps > asked.min_diff * 10_000);
  let assessed = 0;
  for (const pair of wide) {
    const judged = judge(pair, books);
    const filled = judged.depth.maxNotionalUsd;
    if (filled !== undefined) assessed += 1;
    if (!filled && !asked.include_below_1k) continue;
    used.push(...pair.rows);
    found.push(judged);
  }
  const unassessed = {
    ...without,
    depth_unknown: wide.length - assessed,
    below_min_diff: pairs.length - wide.length + equal,
  };
  const shown = byWidth(found, rankOf).slice(0, asked.limit);
  return { shown, used, counts: { assessed, unassessed } };
}

/** The measures that rank a pair; the many that are not shown need no more. */
export interface JudgedPair {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly pair: FundingPair;
  readonly short: LegBook | undefined;
  readonly long: LegBook | undefined;
  readonly depth: PairDepth;
  /** Fees and slippage of entry and exit, bps. */
  readonly costs: number | undefined;
  readonly score: number | undefined;
}

function judge(pair: FundingPair, books: LegBooks | undefined): JudgedPair {
  const short = books?.(pair.short);
  const long = books?.(pair.long);
  const depth = pairDepth(short, long);
  const slippage = entrySlippage(depth);
  const costs = slippage === undefined ? undefined : pair.feeBps + 2 * slippage;
  const score = scoreOf(pair.normalizedBps, costs, depth.entry?.sizeUsd ?? depth.maxNotionalUsd);
  const { ticker, canonicalId } = pair.short;
  return { ticker, canonical_id: canonicalId, pair, short, long, depth, costs, score };
}

/** By score; a pair whose score is not known comes after all that are. */
const rankOf = ({ score }: JudgedPair): number => score ?? Number.NEGATIVE_INFINITY;

function scoreOf(
  normalizedBps: number,
  costs: number | undefined,
  sizeUsd: number | undefined,
): number | undefined {
  if (costs === undefined) return sizeUsd === undefined ? undefined : 0;
  return (HELD_PERIODS * normalizedBps - costs / COST_DAYS) * Math.sqrt((sizeUsd ?? 0) / FULL_SIZE_USD);
}
