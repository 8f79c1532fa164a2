import { median } from '../../../domain/median.ts';

/** An amount of one contract of a venue beside what other venues state of the same asset. Natural logarithms. */
export interface ComparedAmount {
  /** Of the venue's own amount, US dollars. */
  readonly own: number;
  /** Of the others' median and of the largest of them. */
  readonly others: number;
  readonly largest: number;
  /** Of the price of one base unit as named. */
  readonly price: number;
  /** Of the base units in one contract. */
  readonly contractSize: number;
}

/** A wrong reading of an amount: a factor that differs from contract to contract, or one that is too large. */
export type WrongUnit = (typeof MISREADINGS)[number]['is'] | 'larger than is possible';

/** Contracts that a verdict needs at least. */
export const MIN_COMPARED = 20;
/** Part of the spread that is left once the factor of a wrong unit is taken out. */
const LEFT = 0.5;
/** The same of the spread that is left by the best step. */
const LEFT_BY_STEP = 0.9;
/** Steps are looked for at so many places, so that many contracts do not hold up the event loop. */
const STEPS = 50;
/** Most contracts of a venue hold less than so many times what the largest other venue holds, beyond what its size explains. */
const LARGEST_TIMES = 20;

/** The excess factor of an amount in a wrong unit, as a logarithm. */
const MISREADINGS = [
  { is: 'quote currency read as base units', factor: ({ price }: ComparedAmount) => price },
  { is: 'base units read as quote currency', factor: ({ price }: ComparedAmount) => -price },
  { is: 'contracts read as base units', factor: ({ contractSize }: ComparedAmount) => -contractSize },
  { is: 'base units read as contracts', factor: ({ contractSize }: ComparedAmount) => contractSize },
] as const;

/**
 * The true unit of one venue's amounts, if they are misread; undefined without evidence that they are.
 *
 * A venue may honestly be a thousand times smaller than others, so that sizes prove nothing. Evidence is how a
 * venue's share of what others state goes over its contracts. Let `r` be the logarithm of that share, `x` that of
 * the factor which a wrong unit puts in (price, or contract size), and `|.|` the mean distance from the median.
 * Of right amounts `r = b x + e` with a slope `b` near 0, since how large a venue is in an asset hardly depends
 * on the price of one unit; of wrong ones `b` is 1. Taking out the factor leaves `(b - 1) x + e`. It halves the
 * spread only where `|b - 1| <= |b| / 2`, which is `b >= 2/3` for any noise `e` that is independent of `x`: over
 * prices from 0.00001 to 100,000 an honest share would have to change by more than a factor of four million.
 * Where `x` is nearly the same for all contracts it halves nothing, and no verdict is given.
 *
 * A venue may honestly be large in one class of contracts and small in another whose prices or sizes are others: majors
 * and small coins, coins and stocks, single coins and thousands of them, two settlement currencies. Such a step is no
 * evidence: taking out the factor must leave less than nine tenths of what taking out the best step does, which parts the contracts in two by `x`
 * and holds each against the median of its own part.
 *
 * A factor that all contracts share shows by size alone if it is too large. The venue may be the one large one among
 * small ones: then its other amount is as much larger. Twenty times the largest other venue in most contracts, and
 * twenty times as far above it as the other amount is, no venue holds. A factor that is too small cannot be told from a
 * small venue, and one that both amounts share cannot be told from a large one.
 *
 * @param beside the same venue's other amount, volume beside open interest; too few of them say nothing about size
 */
export function wrongUnit(
  compared: readonly ComparedAmount[],
  beside: readonly ComparedAmount[],
): WrongUnit | undefined {
  if (compared.length < MIN_COMPARED) return undefined;
  let least = LEFT * spreadOf(compared.map(shareOf));
  let found: WrongUnit | undefined;
  for (const { is, factor } of MISREADINGS) {
    const left = spreadOf(compared.map((amount) => shareOf(amount) - factor(amount)));
    if (left >= least || left >= LEFT_BY_STEP * leastByStep(compared, factor)) continue;
    least = left;
    found = is;
  }
  if (found !== undefined || beside.length < MIN_COMPARED) return found;
  const over = overLargest(compared);
  const isTooLarge = Math.min(over, over - overLargest(beside)) > Math.log(LARGEST_TIMES);
  return isTooLarge ? 'larger than is possible' : undefined;
}

/** Logarithm of a venue's share of what the others state. */
const shareOf = ({ own, others }: ComparedAmount): number => own - others;

const overLargest = (compared: readonly ComparedAmount[]): number =>
  median(compared.map(({ own, largest }) => own - largest));

/** Spread of the shares about the medians of two parts of the contracts: those with the smaller factors, and the others. */
function leastByStep(
  compared: readonly ComparedAmount[],
  factor: (amount: ComparedAmount) => number,
): number {
  const shares = [...compared].sort((a, b) => factor(a) - factor(b)).map(shareOf);
  const { length } = shares;
  let least = Number.POSITIVE_INFINITY;
  const stride = Math.ceil(length / STEPS);
  for (let first = stride; first < length; first += stride) {
    const distances =
      first * spreadOf(shares.slice(0, first)) + (length - first) * spreadOf(shares.slice(first));
    least = Math.min(least, distances / length);
  }
  return least;
}

/** Mean distance from the median: of logarithms, so that few contracts that are far off decide nothing. */
function spreadOf(values: readonly number[]): number {
  const middle = median(values);
  return values.reduce((sum, value) => sum + Math.abs(value - middle), 0) / values.length;
}
