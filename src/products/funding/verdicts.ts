import Type, { type Static } from 'typebox';
import { boolean, nullable, text } from '../answer/schema.ts';
import type { JudgedPair } from './chosen-signals.ts';
import { clearsFees } from './funding-pair.ts';

/** The two verdicts of a pair of the funding signal, which are about different things. */

const verdictPart = Type.Object({
  net_of_fees_positive: boolean(
    'One payment pays the fees: gross_funding_spread_bps > round_trip_fee_bps. Slippage, and payments after the first, do not count',
  ),
  clears_costs: nullable(
    boolean(
      'Seven days at the present spread pay fees and slippage: signal_score > 0, which is 21 x normalized_spread_8h_bps > round_trip_fee_bps + 2 x entry_slippage_bps. Rows where it is not come after all others',
    ),
  ),
  verdict_note: Type.Optional(
    text('Only where net_of_fees_positive and clears_costs disagree: why, with the figures'),
  ),
});
export const verdictFields = verdictPart.properties;

/** Payments of eight hours in the seven days over which the score spreads costs. */
const WEEK_PERIODS = 21;

/** Both verdicts; the note is the one of `verdictNote`. */
export function verdicts(judged: JudgedPair): Static<typeof verdictPart> {
  const paysAtOnce = clearsFees(judged.pair);
  const clears = judged.score === undefined ? null : judged.score > 0;
  const shown = { net_of_fees_positive: paysAtOnce, clears_costs: clears };
  if (clears === null || clears === paysAtOnce) return shown;
  return { ...shown, verdict_note: verdictNote(judged, clears) };
}

/** The size that both books have to fill, USD: the one that was asked for, else the least. */
const judgedSize = (book: JudgedPair['short']): string => (book?.asked?.usd ?? 1000).toLocaleString('en-US');

/** The figures of two verdicts that disagree, basis points with two places. */
function verdictNote({ pair, costs, short }: JudgedPair, clears: boolean): string {
  const bps = (value: number): string => `${value.toFixed(2)} bps`;
  const payment = `One payment of ${bps(pair.grossBps)}`;
  const fees = `the fees of ${bps(pair.feeBps)}`;
  if (costs === undefined) {
    const size = judgedSize(short);
    return `${payment} pays ${fees}, but a book does not fill ${size} USD, so nothing is cleared.`;
  }
  const week = `seven days at the present spread (${bps(WEEK_PERIODS * pair.normalizedBps)})`;
  const all = `fees and slippage together (${bps(costs)})`;
  return clears
    ? `${payment} does not pay ${fees}; ${week} pay ${all}.`
    : `${payment} pays ${fees}, but ${week} do not pay ${all}.`;
}
