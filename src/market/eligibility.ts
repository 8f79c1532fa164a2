import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { DAY_MS, MINUTE_MS } from '../runtime/duration.ts';
import type { Eligibility } from './comparable.ts';
import {
  type ContractState,
  FIELD_MAX_AGE_MS,
  fieldTime,
  fieldValue,
  isBeyondBounds,
  isMarketOpen,
  volumeUsd,
} from './contract.ts';
import { fits } from './decide-identity.ts';
import type { Group, VenueTrack } from './table-state.ts';

/** Facts from outside the table about a contract that is judged. */
export interface EligibilitySources {
  /** Since when both sides of a contract's book have been empty. */
  readonly bookEmptySince?: ((venue: VenueId, symbol: string) => UnixMs | undefined) | undefined;
  /** The rule of data quality that a contract breaks. */
  readonly suspect?: ((venue: VenueId, symbol: string) => string | undefined) | undefined;
}

/** The rule that a rate beyond its venue's own cap or floor breaks. */
export const ABOVE_CAP = 'above_cap';

/** Marks are fresh for a minute, or for two refresh periods where that is longer. */
const FRESH_MS = MINUTE_MS;
export const DEAD_AFTER_MS = DAY_MS;
const EMPTY_BOOK_MS = 10 * MINUTE_MS;

/** The greatest age of a fresh mark, ms. @param refreshMs period of the venue's quotes, ms */
export function freshLimit(refreshMs: number): number {
  return Math.max(FRESH_MS, 2 * refreshMs);
}

/**
 * The greatest age of a rate that is compared: that of a mark, or twice the period in which the venue's slowest
 * call restates it where that is longer; never more than that of a fact. A rate moves within its interval of
 * hours, and venues restate it less often than marks.
 */
export function rateLimit({ info, refreshMs }: VenueTrack): number {
  return Math.min(FIELD_MAX_AGE_MS, Math.max(freshLimit(refreshMs), 2 * (info.rateEveryMs ?? 0)));
}

/** The eligibility of a contract of a group by itself, shown or not. */
export function eligibilityOf(
  { track, assignment }: Group,
  state: ContractState,
  sources: EligibilitySources,
  now: UnixMs,
): Eligibility {
  const mark = fieldValue(state, 'markPrice', now);
  // Nothing moves in closed hours, which says nothing of the market.
  const isClosed = isMarketOpen(state, now) === false;
  const volume = volumeUsd(state, now);
  return {
    mark,
    identityCertain: fits(assignment.priceRange, mark),
    unconfirmed:
      (state.assignment ?? assignment).standing === 'name' ? state.instrument.multiplier : undefined,
    dead: !isClosed && isDead(state, track, volume, sources, now),
    placeholder: isPlaceholder(state, volume, now),
    fresh: isFresh(state, track, now),
    // A rule that is broken now comes before one that was broken within the last minutes.
    suspect: isBeyondBounds(state, now)
      ? ABOVE_CAP
      : sources.suspect?.(track.info.id, state.instrument.symbol),
  };
}

/** The eligibility of a row without a value that is young enough. */
export const ABSENT: Eligibility = {
  mark: undefined,
  identityCertain: true,
  dead: false,
  placeholder: false,
  fresh: false,
  suspect: undefined,
  unconfirmed: undefined,
};

export function isSameEligibility(a: Eligibility, b: Eligibility): boolean {
  return (
    a.mark === b.mark &&
    a.fresh === b.fresh &&
    a.suspect === b.suspect &&
    a.unconfirmed === b.unconfirmed &&
    a.dead === b.dead &&
    a.placeholder === b.placeholder &&
    a.identityCertain === b.identityCertain
  );
}

function isFresh(state: ContractState, track: VenueTrack, now: UnixMs): boolean {
  const time = fieldTime(state, 'markPrice', now);
  return track.status === 'live' && time !== undefined && now - time <= freshLimit(track.refreshMs);
}

/** Has a rate within its limit at a live venue. */
export function isRateFresh(state: ContractState | undefined, track: VenueTrack, now: UnixMs): boolean {
  const time = state === undefined ? undefined : fieldTime(state, 'fundingRate', now);
  return track.status === 'live' && time !== undefined && now - time <= rateLimit(track);
}

/** No volume and the same mark for 24 h, or both book sides empty for 10 minutes. */
function isDead(
  state: ContractState,
  track: VenueTrack,
  volume: number | undefined,
  sources: EligibilitySources,
  now: UnixMs,
): boolean {
  if (volume === 0 && now - state.markChangedAt >= DEAD_AFTER_MS) return true;
  const emptySince = sources.bookEmptySince?.(track.info.id, state.instrument.symbol);
  return emptySince !== undefined && now - emptySince >= EMPTY_BOOK_MS;
}

/** A listing that nothing has happened on: no volume, no open interest, no funding. Its mark is a seed value. */
function isPlaceholder(state: ContractState, volume: number | undefined, now: UnixMs): boolean {
  if (volume !== 0 || (fieldValue(state, 'fundingRate', now) ?? 0) !== 0) return false;
  const interest = fieldValue(state, 'openInterestBase', now) ?? fieldValue(state, 'openInterestUsd', now);
  return interest === 0;
}
