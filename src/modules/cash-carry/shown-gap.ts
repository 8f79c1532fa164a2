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
    hours_apart: nullable(
      integer('Hours more in which they are, and the spot price was more than 3 % from the index'),
    ),
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
  if ('why' in past)
    return GAP_DAYS.map((days) => unknownRow({ days, hours: null, hours_apart: null }, past.why));
  return past.usual[direction].map((usual) => {
    const { days, hours, apart, mean, lowest, highest } = usual;
    const counts = { days, hours, hours_apart: apart };
    if (quoteRate === undefined) return unknownRow(counts, 'rate_unknown');
    if (mean === undefined || lowest === undefined || highest === undefined)
      return unknownRow(counts, whyUnknown(usual));
    const rate = direction === 'long_spot' ? quoteRate : 1 / quoteRate;
    const inOneCurrency = (bps: number): number => ((1 + bps / BPS) * rate - 1) * BPS;
    return {
      ...counts,
      mean_bps: inOneCurrency(mean),
      lowest_bps: inOneCurrency(lowest),
      highest_bps: inOneCurrency(highest),
    };
  });
}

/** The reason for which a span has no mean: where the hours that stand apart would have made it whole, these. */
function whyUnknown({ days, hours, apart }: UsualGap): NullReason {
  if (apart > 0 && (hours + apart) * 2 >= days * 24) return 'price_differs';
  return hours === 0 ? 'not_stored_then' : 'past_too_short';
}

function unknownRow(
  counts: Pick<UsualGapRow, 'days' | 'hours' | 'hours_apart'>,
  why: NullReason,
): UsualGapRow {
  const row = { ...counts, mean_bps: null, lowest_bps: null, highest_bps: null };
  const whys = { hours: why, hours_apart: why, mean_bps: why, lowest_bps: why, highest_bps: why };
  return withReasons(row, whys);
}

/** The usual gap that a gap's cost is counted from, bps; undefined where it is not known. */
export const usualBpsOf = (rows: readonly UsualGapRow[]): number | undefined =>
  rows.find(({ days }) => days === COST_DAYS)?.mean_bps ?? undefined;
