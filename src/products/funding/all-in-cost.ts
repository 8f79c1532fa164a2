import Type, { type Static } from 'typebox';
import { HOURS_A_DAY } from '../../runtime/duration.ts';
import { type NullReason, nullReasons, withReasons } from '../answer/null-reason.ts';
import { integer, nullable, number } from '../answer/schema.ts';
import type { AskedFees } from '../rows/asked-fees.ts';
import { BPS_8H } from '../statistics/history-window.ts';
import { type HourlyRates, lastHours } from '../statistics/hourly-rates.ts';
import { roundingOf } from '../statistics/statistics.ts';
import type { JudgedPair } from './chosen-signals.ts';
import type { PairGap } from './pair-gap.ts';

/** Periods of eight hours in a day. */
const PERIODS = 3;
/** Windows over which a spread is held against its costs, days. */
const WINDOW_DAYS = [7, 30] as const;

const aboveCosts = Type.Object({
  days: integer('Length of the window, days before now', 1),
  share_pct: nullable(number('Percent of its known hours in which the settled spread was above cost_8h_bps')),
  hours_known: nullable(integer('Hours of it that settled payments of both legs cover')),
  hours_asked: integer('Hours of it', 1),
  ...nullReasons,
});

const costPart = Type.Object({
  all_in_cost_bps: nullable(
    number(
      'All costs in one: round_trip_fee_bps + 2 x entry_slippage_bps (entry and exit of both legs at notional_usd, else at max_notional_usd) + gap.cost_bps where that is above 0; basis points of one leg',
    ),
  ),
  cost_8h_bps: nullable(
    number('all_in_cost_bps / (3 x holding_days): the spread per eight hours that pays it in that time'),
  ),
  days_to_breakeven: nullable(
    number(
      'all_in_cost_bps / (3 x normalized_spread_8h_bps), days at the present spread; 0 where nothing has to be earned back',
    ),
  ),
  above_costs: Type.Array(aboveCosts, {
    description:
      'How often the settled spread of both contracts paid costs of now, over the last 7 and 30 days, of what is stored',
  }),
  maker_all_in_cost_bps: Type.Optional(
    nullable(
      number(
        'Where maker names both venues, and all four orders rest: 2 x (maker fee short + long) + gap.cost_bps where that is above 0, without slippage',
      ),
    ),
  ),
  maker_days_to_breakeven: Type.Optional(
    nullable(number('Days at the present spread until it has paid that')),
  ),
});
export const costFields = costPart.properties;
type AllInCost = Static<typeof costPart>;

/** The past spread of a pair, hour by hour over 30 days, or the reason for which none is known. */
export type PastSpread = { readonly hourly: HourlyRates } | { readonly why: NullReason };

/**
 * All costs of a pair in one number, and what they mean. With fees F = 2 x (short + long), slippage S of entering both
 * legs and the gap's cost G = usual - level, basis points: all_in = F + 2 x S + max(0, G). Leaving is taken to slip as
 * entering does. The gain of a favourable gap is not counted: it need not close before the pair is left.
 */
export function allInCost(
  { pair, costs }: JudgedPair,
  gap: PairGap,
  past: PastSpread,
  holdingDays: number,
  fees: AskedFees,
): AllInCost {
  const ofGap = gap.cost_bps === null ? undefined : Math.max(0, gap.cost_bps);
  const all = costs === undefined || ofGap === undefined ? undefined : costs + ofGap;
  const per8h = all === undefined ? undefined : all / (PERIODS * holdingDays);
  const makers = [fees.maker.get(pair.short.venue), fees.maker.get(pair.long.venue)];
  return {
    all_in_cost_bps: all ?? null,
    cost_8h_bps: per8h ?? null,
    days_to_breakeven: breakeven(all, pair.normalizedBps),
    above_costs: WINDOW_DAYS.map((days) => shareAbove(days, past, per8h)),
    ...makerCost(makers, ofGap, pair.normalizedBps),
  };
}

/** Days until a spread has paid a cost; null where it is not known, or so small that it never does. */
function breakeven(cost: number | undefined, spread8hBps: number): number | null {
  if (cost === undefined) return null;
  const days = Math.max(0, cost) / (PERIODS * spread8hBps);
  return Number.isFinite(days) ? days : null;
}

function makerCost(
  [short, long]: readonly (number | undefined)[],
  ofGap: number | undefined,
  spread8hBps: number,
): Pick<AllInCost, 'maker_all_in_cost_bps' | 'maker_days_to_breakeven'> {
  if (short === undefined || long === undefined) return {};
  const cost = ofGap === undefined ? undefined : 2 * (short + long) + ofGap;
  return { maker_all_in_cost_bps: cost ?? null, maker_days_to_breakeven: breakeven(cost, spread8hBps) };
}

/** Equal to the cost is not above it; rates are compared within their rounding. */
function shareAbove(days: number, past: PastSpread, per8hBps: number | undefined): Static<typeof aboveCosts> {
  const hours = days * HOURS_A_DAY;
  if ('why' in past) {
    const unread = { days, share_pct: null, hours_known: null, hours_asked: hours };
    return withReasons(unread, { share_pct: past.why, hours_known: past.why });
  }
  const { rates, known } = lastHours(past.hourly, hours);
  const least = per8hBps === undefined ? undefined : per8hBps / BPS_8H;
  let above = 0;
  if (least !== undefined) for (const rate of rates) if (rate > least + roundingOf(least)) above += 1;
  const share = least === undefined || known === 0 ? null : (above / known) * 100;
  const shown = { days, share_pct: share, hours_known: known, hours_asked: hours };
  return withReasons(shown, { share_pct: known === 0 ? 'past_too_short' : 'unknown' });
}

/** Reasons for which these are null. */
export function costReasons(
  unpriced: NullReason,
  { costs }: JudgedPair,
  { null_reasons: ofGap = {} }: PairGap,
): Partial<Record<keyof AllInCost, NullReason>> {
  const whyGap = ofGap.cost_bps ?? ofGap.level_bps ?? 'unknown';
  const why = costs === undefined ? unpriced : whyGap;
  return {
    all_in_cost_bps: why,
    cost_8h_bps: why,
    days_to_breakeven: costs !== undefined && ofGap.cost_bps === undefined ? 'not_positive' : why,
    maker_all_in_cost_bps: whyGap,
    maker_days_to_breakeven: ofGap.cost_bps === undefined ? 'not_positive' : whyGap,
  };
}
