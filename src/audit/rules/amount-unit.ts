import { median } from '../../market/comparable.ts';

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
/** Most contracts of a venue hold less than so many times what the largest other venue holds. */
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
 * A factor that all contracts share shows by size alone if it is too large: no venue holds twenty times what the
 * largest other one does in most of its contracts. One that is too small cannot be told from a small venue.
 */
export function wrongUnit(compared: readonly ComparedAmount[]): WrongUnit | undefined {
  if (compared.length < MIN_COMPARED) return undefined;
  const shares = compared.map(({ own, others }) => own - others);
  let least = LEFT * spreadOf(shares);
  let found: WrongUnit | undefined;
  for (const { is, factor } of MISREADINGS) {
    const left = spreadOf(compared.map((amount, i) => (shares[i] ?? 0) - factor(amount)));
    if (left >= least) continue;
    least = left;
    found = is;
  }
  if (found !== undefined) return found;
  const overLargest = median(compared.map(({ own, largest }) => own - largest));
  return overLargest > Math.log(LARGEST_TIMES) ? 'larger than is possible' : undefined;
}

/** Mean distance from the median: of logarithms, so that few contracts that are far off decide nothing. */
function spreadOf(values: readonly number[]): number {
  const middle = median(values);
  return values.reduce((sum, value) => sum + Math.abs(value - middle), 0) / values.length;
}
