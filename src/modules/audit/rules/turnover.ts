import { median } from '../../../domain/median.ts';

/** Contracts that what is usual needs at least, and their least open interest in US dollars. */
const MIN_CONTRACTS = 20;
export const MIN_OPEN_INTEREST_USD = 100_000;
/** Deviations from the median that are still usual, in median absolute deviations, and at least this factor. */
const DEVIATIONS = 8;
const MIN_FACTOR = 100;

/** A venue's usual ratio of 24 h volume to open interest, as natural logarithms. */
export interface UsualTurnover {
  readonly middle: number;
  readonly limit: number;
}

/** Median of the logarithms and how far from it is still usual; undefined with too few contracts. */
export function usualTurnover(logs: number[]): UsualTurnover | undefined {
  if (logs.length < MIN_CONTRACTS) return undefined;
  const middle = median(logs);
  const deviation = median(logs.map((log) => Math.abs(log - middle)));
  return { middle, limit: Math.max(Math.log(MIN_FACTOR), DEVIATIONS * deviation) };
}

/** The factor by which a contract's turnover is off what its venue shows usually; undefined where it is usual. */
export function unusualTurnover(log: number, { middle, limit }: UsualTurnover): number | undefined {
  return Math.abs(log - middle) > limit ? Math.exp(log - middle) : undefined;
}
