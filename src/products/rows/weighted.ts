/** Sum of value x weight / sum of weights over the pairs that have both; undefined without a positive weight. */
export function weightedMean(
  pairs: readonly (readonly [value: number | undefined, weight: number | undefined])[],
): number | undefined {
  let sum = 0;
  let weights = 0;
  for (const [value, weight] of pairs) {
    if (value === undefined || weight === undefined || !(weight > 0)) continue;
    sum += value * weight;
    weights += weight;
  }
  return weights > 0 ? sum / weights : undefined;
}

/** Sum of what is known; undefined when nothing is. */
export function knownSum(values: readonly (number | undefined)[]): number | undefined {
  let sum: number | undefined;
  for (const value of values) if (value !== undefined) sum = (sum ?? 0) + value;
  return sum;
}
