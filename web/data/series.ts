/** Points of one line over time; unknown is a gap. */
export interface Series {
  readonly label: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  /** Each value holds for the time before it, as a settlement does. */
  readonly isSteps?: boolean;
  /** Thin and dashed: what stands beside another line of its colour. */
  readonly isFaint?: boolean;
  /** The index of the colour; without it that of its place. */
  readonly colour?: number;
}

/** Lines over one common row of times, as plots and tables take them. */
export interface Aligned {
  readonly times: readonly number[];
  readonly columns: readonly (readonly (number | null)[])[];
}

/** Puts lines over the union of their times; a line has nothing at another's times. */
export function align(series: readonly Series[]): Aligned {
  const times = [...new Set(series.flatMap((line) => line.times))].sort((a, b) => a - b);
  const place = new Map(times.map((time, at) => [time, at]));
  const columns = series.map((line) => {
    const column: (number | null)[] = times.map(() => null);
    line.times.forEach((time, at) => {
      column[place.get(time) ?? 0] = line.values[at] ?? null;
    });
    return column;
  });
  return { times, columns };
}

/** Half of what is shown around a time that stands alone, s. */
const AROUND_S = 43_200;

/** The range of an axis of time, s: a day around a time that stands alone, of more times what is asked for. */
export function timeRange(times: readonly number[], low: number, high: number): [low: number, high: number] {
  const [only] = times;
  return only !== undefined && times.length === 1 ? [only - AROUND_S, only + AROUND_S] : [low, high];
}

export const seconds = (iso: string): number => Date.parse(iso) / 1000;
