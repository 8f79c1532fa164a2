import type { UnixMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import { HOUR_MS } from '../../../runtime/duration.ts';
import { SPOT_PLANS } from '../plan/plans.ts';
import type { BorrowState } from './borrow-table.ts';

/** Reasons for which a venue has no rate of a coin. */
export const BORROW_REASONS = {
  not_published: 'the venue publishes no borrow rates to everybody',
  not_stated: 'it states none of this coin, or was not read yet',
  not_borrowable: 'it does not lend the coin',
  closed: 'it takes the coin back, and lends none now',
  out_of_range: 'its figure would be 0.1 % an hour or more: the unit is in doubt',
  stale: 'nothing younger than two hours is known',
} as const;
export type BorrowReason = keyof typeof BORROW_REASONS;
export const BORROW_REASON_WORDS = Object.keys(BORROW_REASONS) as readonly BorrowReason[];

/** Each coin is read once an hour at least. */
const LIMIT_MS = 2 * HOUR_MS;

/** The reason for which there is no rate to show; undefined where there is one. */
export function borrowReason(
  venue: VenueId,
  state: BorrowState | undefined,
  now: UnixMs,
): BorrowReason | undefined {
  if (SPOT_PLANS.find((plan) => plan.venue === venue)?.borrow === undefined) return 'not_published';
  if (state === undefined) return 'not_stated';
  if (state.row.refused !== undefined) return state.row.refused;
  if (state.row.ratePerHour === undefined) return 'not_stated';
  return now - state.receivedAt > LIMIT_MS ? 'stale' : undefined;
}
