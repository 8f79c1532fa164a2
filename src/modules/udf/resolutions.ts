import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import type { Kind } from './kinds.ts';

/** Widths of a bar by the library's names: minutes, or days. `D` and `1D` are one. */
const STEP_MS: ReadonlyMap<string, number> = new Map([
  ['60', HOUR_MS],
  ['240', 4 * HOUR_MS],
  ['D', DAY_MS],
  ['1D', DAY_MS],
]);

export const RESOLUTIONS = ['60', '240', '1D'] as const;

/** A candle of one mean would say that open, high, low and close were the same. */
const HOURLY = '60';

export const resolutionsOf = ({ isCandles }: Kind): readonly string[] =>
  isCandles ? RESOLUTIONS.filter((name) => name !== HOURLY) : RESOLUTIONS;

/** The width of a bar that a kind is charted in; undefined where it is not. */
export const stepOf = (kind: Kind, resolution: string): number | undefined =>
  kind.isCandles && resolution === HOURLY ? undefined : STEP_MS.get(resolution);
