import Type, { type Static } from 'typebox';
import { type NullReason, nullReasons, withReasons } from '../../products/answer/null-reason.ts';
import { integer, nullable, number } from '../../products/answer/schema.ts';
import { GAP_DAYS, type UsualGap } from '../spot-history/prices/usual-gap.ts';
import type { Direction } from './carry-figures.ts';

/** Days of the usual gap that a gap's cost is counted from: those of the funding signal. */
const COST_DAYS = 7;
const BPS = 10_000;

/** Usual gaps of the leg that is sold over the one that is bought, each price in its own quote currency. */
export type UsualOfWay = Readonly<Record<Direction, readonly UsualGap[]>>;

/** The past gap of a pair, or the reason for which none is known. */
export type PastGap = { readonly usual: UsualOfWay } | { readonly why: NullReason };

export const usualGapSchema = Type.Array(
  Type.Object({
    days: integer('Days before now, of whole hours', 1),
    hours: nullable(integer('Hours of them in which both prices are stored')),
    mean_bps: nullable(number('Mean gap; null where less than half of the hours are known')),
    lowest_bps: nullable(number('Lowest')),
    highest_bps: nullable(number('Highest')),
    ...nullReasons,
  }),
  {
    description:
      'What gap.level_bps was over 1, 7 and 30 days, from stored hours at the quote rates of now; the hours are in /v1/spot/history',
  },
);
export type UsualGapRow = Static<typeof usualGapSchema>[number];

/**
 * Usual gaps of a pair in one direction.
 *
 * @param quoteRate worth of one unit of the perpetual's quote in the spot's; undefined where no rate ties them together
 */
export function usualGapRows(
  direction: Direction,
  past: PastGap,
  quoteRate: number | undefined,
): readonly UsualGapRow[] {
  if ('why' in past) return GAP_DAYS.map((days) => unknownRow(days, null, past.why));
  return past.usual[direction].map(({ days, hours, mean, lowest, highest }) => {
    if (quoteRate === undefined) return unknownRow(days, hours, 'rate_unknown');
    if (mean === undefined || lowest === undefined || highest === undefined)
      return unknownRow(days, hours, hours === 0 ? 'not_stored_then' : 'past_too_short');
    const rate = direction === 'long_spot' ? quoteRate : 1 / quoteRate;
    const inOneCurrency = (bps: number): number => ((1 + bps / BPS) * rate - 1) * BPS;
    return {
      days,
      hours,
      mean_bps: inOneCurrency(mean),
      lowest_bps: inOneCurrency(lowest),
      highest_bps: inOneCurrency(highest),
    };
  });
}

function unknownRow(days: number, hours: number | null, why: NullReason): UsualGapRow {
  const row = { days, hours, mean_bps: null, lowest_bps: null, highest_bps: null };
  return withReasons(row, { hours: why, mean_bps: why, lowest_bps: why, highest_bps: why });
}

/** The usual gap that a gap's cost is counted from, bps; undefined where it is not known. */
export const usualBpsOf = (rows: readonly UsualGapRow[]): number | undefined =>
  rows.find(({ days }) => days === COST_DAYS)?.mean_bps ?? undefined;
