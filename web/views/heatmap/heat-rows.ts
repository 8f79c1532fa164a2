import type { PerpFundingHeatmapAnswer } from '../../../packages/client/src/routes.ts';
import { bps } from '../../text/number.ts';

/** An asset over time, bps of eight hours; null = no payment is known. */
export interface HeatRow {
  readonly ticker: string;
  readonly id: string;
  readonly openInterest: number | null;
  readonly values: readonly (number | null)[];
  /** Legs of the widest spread by column; none where one venue is shown. */
  readonly legs: readonly (readonly [short: string, long: string] | undefined)[];
}

const backwards = <Value>(list: readonly Value[] | undefined): Value[] | undefined => list?.toReversed();

/** The same answer from its newest column backwards, so that a narrow window begins with the present. */
export function fromNow(answer: PerpFundingHeatmapAnswer): PerpFundingHeatmapAnswer {
  const assets = answer.assets.map((asset) => {
    const turned = { ...asset, values_8h_bps: asset.values_8h_bps.toReversed() };
    const shorts = backwards(asset.short_venues);
    const longs = backwards(asset.long_venues);
    if (shorts !== undefined) turned.short_venues = shorts;
    if (longs !== undefined) turned.long_venues = longs;
    return turned;
  });
  return { ...answer, columns: answer.columns.toReversed(), assets };
}

export const heatRows = ({ assets }: PerpFundingHeatmapAnswer): readonly HeatRow[] =>
  assets.map((asset) => ({
    ticker: asset.ticker,
    id: asset.canonical_id,
    openInterest: asset.open_interest_usd,
    values: asset.values_8h_bps,
    legs: asset.values_8h_bps.map((_, at) => {
      const short = asset.short_venues?.[at];
      const long = asset.long_venues?.[at];
      return short && long ? ([short, long] as const) : undefined;
    }),
  }));

/** Value that nine tenths do not pass: one outlier would leave all others pale. At least a tenth of a basis point. */
export function fullColour(rows: readonly HeatRow[]): number {
  const sizes = rows
    .flatMap(({ values }) => values.flatMap((value) => (value === null ? [] : [Math.abs(value)])))
    .sort((a, b) => a - b);
  return Math.max(0.1, sizes[Math.floor(sizes.length * 0.9)] ?? 0);
}

/** `2026-11-22`, with the hour where columns are hours; UTC, as the columns are cut. */
export const columnText = (start: string, step: '1h' | '1d'): string =>
  step === '1d' ? start.slice(0, 10) : start.slice(0, 16).replace('T', ' ');

/** All that is known of one cell. */
export function describeHeat(answer: PerpFundingHeatmapAnswer, row: HeatRow, at: number): string {
  const legs = row.legs[at];
  const value = row.values[at];
  const known = value === null || value === undefined ? 'no payment is known' : `${bps(value)} bps per 8 h`;
  const [start = ''] = answer.columns.slice(at);
  const where = answer.venue ?? (legs === undefined ? '' : `short ${legs[0]}, long ${legs[1]}`);
  return [`${row.ticker}, ${columnText(start, answer.step)} UTC`, known, where]
    .filter((part) => part !== '')
    .join(': ');
}
