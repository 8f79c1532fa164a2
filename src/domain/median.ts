/** Middle value, or the mean of the two middle ones; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}
