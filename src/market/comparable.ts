import { isPowerOfTen } from '../domain/factor.ts';
import type { AssetClass } from '../domain/instrument.ts';
import { median } from '../domain/median.ts';
import { STEP_FACTOR } from './contract.ts';
import type { UncomparableReason } from './view.ts';

/** The facts behind a verdict on comparability, for one row of an asset. */
export interface Eligibility {
  readonly mark: number | undefined;
  /** False where the mark lies outside the curated range of the asset. */
  readonly identityCertain: boolean;
  /**
   * Of a contract whose asset or units rest on its name alone: the multiplier that was read. It counts where a
   * certain row, or one that was read with another multiplier, has the same price.
   */
  readonly unconfirmed?: number | undefined;
  readonly dead: boolean;
  readonly placeholder: boolean;
  readonly fresh: boolean;
  /** The rule of data quality that it breaks. */
  readonly suspect?: string | undefined;
}

/** Base limit of dispersion: 3 % of the median for crypto, 5 % for what trades in sessions. */
export function baseLimit(assetClass: AssetClass): number {
  return assetClass === 'crypto' ? 0.03 : 0.05;
}

/** Marks further apart than this are of unrelated assets, not of a slow or thin venue: a step, as of one price in time. */
export const UNRELATED_RATIO = STEP_FACTOR;

/** Two marks at this distance on either side of the median are just not unrelated. */
const WIDEST_LIMIT = (UNRELATED_RATIO - 1) / (UNRELATED_RATIO + 1);
/**
 * The distance from a power of ten within which a multiplier is at fault; more than venues differ, less than
 * chance would allow.
 */
const MULTIPLIER_TOLERANCE = 0.1;

/**
 * Largest |mark - median| / median that is comparable: the base limit, with four or more marks the larger of it and
 * 4 x MAD / median (MAD = median absolute deviation). Never so wide that two comparable marks are unrelated: half of
 * the venues at one level and half at another would otherwise excuse each other.
 */
export function dispersionLimit(marks: readonly number[], middle: number, base: number): number {
  if (marks.length < 4) return base;
  const mad = median(marks.map((mark) => Math.abs(mark - middle)));
  return Math.max(base, Math.min(WIDEST_LIMIT, (4 * mad) / middle));
}

/** 10, 100, 1000 … (or their inverses) between two prices, give or take `tolerance`: a contract multiplier. */
export function isPowerOfTenApart(a: number, b: number, tolerance: number): boolean {
  return isPowerOfTen(a > b ? a / b : b / a, tolerance);
}

/**
 * The reason for which each row of one asset may not be compared with the others; undefined = it may. The
 * reference is the robust median of the marks that are fresh, alive and of certain identity; without a fresh
 * one, of all that qualify. A row that rests on a name alone is held against the others, and is no measure of
 * them. A row that is off the median is judged by how far: a power of ten is a multiplier fault, an unrelated
 * level an uncertain identity, a smaller distance dispersion, or staleness where the row is not fresh.
 */
export function judgeAsset(
  rows: readonly Eligibility[],
  assetClass: AssetClass,
): (UncomparableReason | undefined)[] {
  const verdicts = rows.map(ownFault);
  const base = baseLimit(assetClass);
  const marks = referenceMarks(rows, verdicts, base);
  if (marks.length === 0) return rows.map((row, i) => verdicts[i] ?? unconfirmedFault(row));
  const middle = median(marks);
  const limit = dispersionLimit(marks, middle, base);
  return rows.map((row, i) => {
    if (verdicts[i] !== undefined || row.mark === undefined) return verdicts[i];
    if (Math.abs(row.mark - middle) / middle <= limit) return undefined;
    return distanceFault(row.mark, marks, middle, limit, row.fresh);
  });
}

/**
 * Verdict on a contract of an asset beside the venue's primary one: within the base limit of the primary's mark
 * it shares the primary's verdict, else it is judged by its distance. Where the primary has a fault of its own,
 * or is stale and this one is not, it is compared with the other venues instead.
 *
 * @param shown the primary contract, with what was found of it
 */
export function judgeSecondaryContract(
  contract: Eligibility,
  shown: { readonly eligibility: Eligibility | undefined; readonly reason: UncomparableReason | undefined },
  others: () => readonly Eligibility[],
  assetClass: AssetClass,
): UncomparableReason | undefined {
  const fault = ownFault(contract);
  if (fault !== undefined || contract.mark === undefined) return fault;
  const { eligibility, reason } = shown;
  const isSound =
    eligibility !== undefined && (ownFault(eligibility) ?? unconfirmedFault(eligibility)) === undefined;
  if (!isSound || eligibility.mark === undefined || (contract.fresh && !eligibility.fresh)) {
    return judgeAsset([contract, ...others()], assetClass)[0];
  }
  const limit = baseLimit(assetClass);
  if (Math.abs(contract.mark - eligibility.mark) / eligibility.mark <= limit) return reason;
  return distanceFault(contract.mark, [eligibility.mark], eligibility.mark, limit, contract.fresh);
}

/** A row without a fault of its own, which has a mark. */
type Priced = Eligibility & { readonly mark: number };

/**
 * Marks of the certain rows without a fault of their own, without any those that confirm each other; of these the
 * fresh ones where there are any.
 */
function referenceMarks(
  rows: readonly Eligibility[],
  verdicts: readonly (UncomparableReason | undefined)[],
  limit: number,
): readonly number[] {
  const sound = rows.filter((row, i): row is Priced => verdicts[i] === undefined && row.mark !== undefined);
  const certain = sound.filter((row) => row.unconfirmed === undefined);
  const all = certain.length > 0 ? certain : sound.filter((row) => isConfirmed(row, sound, limit));
  const fresh = all.filter((row) => row.fresh);
  return (fresh.length > 0 ? fresh : all).map(({ mark }) => mark);
}

/** Two names that were read with different multipliers do not make one price by chance. */
function isConfirmed(row: Priced, others: readonly Priced[], limit: number): boolean {
  return others.some(
    (other) => other.unconfirmed !== row.unconfirmed && Math.abs(other.mark - row.mark) / row.mark <= limit,
  );
}

/** A row that rests on a name alone, without confirmation beside it, is at fault. */
const unconfirmedFault = ({ unconfirmed }: Eligibility): UncomparableReason | undefined =>
  unconfirmed === undefined ? undefined : 'identity_uncertain';

/** Faults that need no other row. */
function ownFault(row: Eligibility): UncomparableReason | undefined {
  if (row.mark === undefined) return 'no_mark_price';
  if (row.dead) return 'dead_market';
  if (row.placeholder) return 'placeholder';
  if (row.suspect !== undefined) return 'suspect';
  return row.identityCertain ? undefined : 'identity_uncertain';
}

function distanceFault(
  mark: number,
  marks: readonly number[],
  middle: number,
  limit: number,
  fresh: boolean,
): UncomparableReason {
  // Without a majority the median lies between the levels and says nothing of multipliers: ask each mark.
  if (marks.some((other) => isPowerOfTenApart(mark, other, MULTIPLIER_TOLERANCE)))
    return 'multiplier_suspect';
  const divided = !marks.some((other) => Math.abs(other - middle) / middle <= limit);
  if (isUnrelated(mark, middle) || (divided && marks.some((other) => isUnrelated(mark, other)))) {
    return 'identity_uncertain';
  }
  return fresh ? 'price_dispersion' : 'stale';
}

function isUnrelated(a: number, b: number): boolean {
  return (a > b ? a / b : b / a) > UNRELATED_RATIO;
}
