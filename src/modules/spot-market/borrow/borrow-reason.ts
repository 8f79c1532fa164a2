import type { UnixMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import type { NullReason } from '../../../products/answer/null-reason.ts';
import { nullable, oneOf } from '../../../products/answer/schema.ts';
import { SPOT_PLANS } from '../plan/plans.ts';
import { type BorrowPlan, callName } from '../plan/spot-plan.ts';
import { BORROW_LIMIT_MS, type BorrowState, type BorrowView } from './borrow-table.ts';

/** Reasons for which a venue has no rate of a coin. */
export const BORROW_REASONS = {
  not_published: 'the venue publishes no borrow rates to everybody',
  not_received: 'no rate of the coin has been received yet',
  not_stated: 'it lends the coin and states no rate',
  not_borrowable: 'it does not lend the coin',
  closed: 'it takes the coin back, and lends none now',
  out_of_range: 'its figure would be 0.1 % an hour or more: the unit is in doubt',
  stale: 'nothing younger than two hours is known',
} as const;
export type BorrowReason = keyof typeof BORROW_REASONS;
const WORDS = Object.keys(BORROW_REASONS) as readonly BorrowReason[];

/** The field of answers that says why there is no rate. */
export const borrowReasonWord = nullable(
  oneOf(WORDS, {
    description: `Why borrow_hourly is null: ${WORDS.map((word) => `${word}: ${BORROW_REASONS[word]}`).join('; ')}`,
  }),
);

/** The same as reasons of null values. */
export const NULL_OF_BORROW: Readonly<Record<BorrowReason, NullReason>> = {
  not_published: 'not_published',
  not_received: 'not_received',
  not_stated: 'not_stated',
  not_borrowable: 'not_lent',
  closed: 'not_lent',
  out_of_range: 'out_of_range',
  stale: 'stale',
};

/** True once the call that states the rate of a coin has been answered. */
const isAnswered = ({ list, ofCoin }: BorrowPlan, { calls }: BorrowState): boolean =>
  calls.includes(callName(ofCoin?.('') ?? list));

/** The reason for which there is no rate of a coin to show; undefined where there is one. */
export function borrowReason(
  borrow: Pick<BorrowView, 'stateOf' | 'listWord'>,
  venue: VenueId,
  ticker: string,
  now: UnixMs,
): BorrowReason | undefined {
  const plan = SPOT_PLANS.find((known) => known.venue === venue)?.borrow;
  if (plan === undefined) return 'not_published';
  const isOld = (at: UnixMs): boolean => now - at > BORROW_LIMIT_MS;
  const word = borrow.listWord(venue, callName(plan.list), ticker);
  if (word?.isListed === false) return isOld(word.at) ? 'stale' : 'not_borrowable';
  const state = borrow.stateOf(venue, ticker);
  if (state === undefined) return 'not_received';
  const { row, receivedAt } = state;
  if (row.refused === undefined && row.ratePerHour === undefined)
    return isAnswered(plan, state) ? 'not_stated' : 'not_received';
  return isOld(receivedAt) ? 'stale' : row.refused;
}
