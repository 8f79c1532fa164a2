/** Resident memory at a moment of a run. */
export interface MemoryPoint {
  readonly minute: number;
  readonly mb: number;
}

/** The course of memory over a run. */
export interface MemoryTrend {
  /** Median of the last ten points. */
  readonly mb: number;
  /** Slope of the line of least squares, percent of its mean in an hour. */
  readonly percentAnHour: number;
  /** Standard error of that slope, in the same unit: a short run cannot tell a small growth from noise. */
  readonly error: number;
}

const MINUTES_AN_HOUR = 60;
const LAST = 10;

/** Fits a line by least squares. NaN where there are fewer than three points. */
export function memoryTrend(points: readonly MemoryPoint[]): MemoryTrend {
  const count = points.length;
  const mean = (of: (point: MemoryPoint) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / count;
  const minute = mean((point) => point.minute);
  const mb = mean((point) => point.mb);
  const spread = points.reduce((sum, point) => sum + (point.minute - minute) ** 2, 0);
  const slope = points.reduce((sum, point) => sum + (point.minute - minute) * (point.mb - mb), 0) / spread;
  const rest = points.reduce((sum, point) => sum + (point.mb - mb - slope * (point.minute - minute)) ** 2, 0);
  const share = (MINUTES_AN_HOUR * 100) / mb;
  const last = points
    .slice(-LAST)
    .map((point) => point.mb)
    .sort((a, b) => a - b);
  return {
    mb: last[last.length >> 1] ?? Number.NaN,
    percentAnHour: count < 3 ? Number.NaN : slope * share,
    error: count < 3 ? Number.NaN : Math.sqrt(rest / (count - 2) / spread) * share,
  };
}
