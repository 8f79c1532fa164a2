import type { VenueHealth } from '../collect/ports.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId, VenueStatus } from '../domain/venue.ts';
import { type Eligibility, judgeAsset } from './comparable.ts';
import {
  type ContractState,
  FIELD_MAX_AGE_MS,
  fieldValue,
  QUOTE_FIELDS,
  SLOT,
  volumeUsd,
} from './contract.ts';
import {
  ABSENT,
  DEAD_AFTER_MS,
  type EligibilitySources,
  eligibilityOf,
  freshLimit,
  isRateFresh,
  isSameEligibility,
  rateLimit,
} from './eligibility.ts';
import { choosePrimary } from './primary.ts';
import {
  type Asset,
  type Group,
  invalidateJudgements,
  markDirty,
  primaryOf,
  type Table,
  type VenueTrack,
} from './table-state.ts';
import type { UncomparableReason } from './view.ts';

/** The facts from outside the table that a sweep uses. */
export interface SweepSources extends EligibilitySources {
  /** A venue by its health board; its status goes by the age of its quotes where it is not known. */
  readonly health?: ((venue: VenueId) => Pick<VenueHealth, 'status' | 'retired'> | undefined) | undefined;
}

/** A row is judged again at least this often: that a book is empty comes with no message. */
const RECHECK_MS = 10_000;

/** live = quotes within 3 refresh periods, stale = older but within 15 minutes, down = older or never. */
function statusByAge(lastQuoteAt: number, refreshMs: number, now: number): VenueStatus {
  if (lastQuoteAt === 0) return 'down';
  const age = now - lastQuoteAt;
  if (age <= 3 * refreshMs) return 'live';
  return age <= FIELD_MAX_AGE_MS ? 'stale' : 'down';
}

/** A sweep under way. */
export interface Sweep {
  /**
   * Brings further assets up to date.
   *
   * @param share part of all assets, 0..1
   * @returns whether the sweep is complete
   */
  go(share: number, now: UnixMs): boolean;
}

/** Begins to bring everything up to date that depends on time or on other rows: status, primary, age, comparability. */
export function beginSweep(table: Table, sources: SweepSources, now: UnixMs): Sweep {
  for (const track of table.venues.values()) {
    const health = sources.health?.(track.info.id);
    const status = health?.status ?? statusByAge(track.lastQuoteAt, track.refreshMs, now);
    if (status !== track.status) invalidateJudgements(track);
    track.status = status;
    track.isRetired = health?.retired === true;
  }
  const assets = [...table.assets.values()];
  const freshSymbols: FreshSymbols = new Map();
  let done = 0;
  const go = (share: number, at: UnixMs): boolean => {
    const end = Math.min(assets.length, done + Math.ceil(assets.length * share));
    while (done < end) {
      const asset = assets[done];
      done += 1;
      // One that lost its last contract meanwhile is none any more.
      if (asset !== undefined && table.assets.get(asset.canonicalId) === asset)
        sweepAsset(table, asset, sources, at, freshSymbols);
    }
    if (done < assets.length) return false;
    for (const track of table.venues.values()) track.freshSymbols = freshSymbols.get(track) ?? 0;
    table.sweeps += 1;
    return true;
  };
  return { go };
}

/** The whole sweep at once. */
export function sweepTable(table: Table, sources: SweepSources, now: UnixMs): void {
  beginSweep(table, sources, now).go(1, now);
  table.unjudged = false;
}

type FreshSymbols = Map<VenueTrack, number>;

function sweepAsset(
  table: Table,
  asset: Asset,
  sources: SweepSources,
  now: UnixMs,
  freshSymbols: FreshSymbols,
): void {
  let changed = !asset.judged;
  for (const group of asset.groups) {
    if (!stands(group, now) && lookAt(table, group, sources, now)) changed = true;
  }
  if (changed) judge(table, asset, now);
  for (const group of asset.groups) {
    if (group.fresh) freshSymbols.set(group.track, (freshSymbols.get(group.track) ?? 0) + 1);
    if (now > group.expiresAt) markDirty(table, group);
  }
}

/** True if a group is as it was found last. A clock that was set back says nothing of when that was. */
function stands({ standsUntil }: Group, now: UnixMs): boolean {
  return now < standsUntil && standsUntil <= now + RECHECK_MS;
}

/** Brings a group's eligibility up to date. Returns whether it is another than before. */
function lookAt(table: Table, group: Group, sources: SweepSources, now: UnixMs): boolean {
  const before = group.eligibility;
  const eligibility = shownEligibility(table, group, sources, now);
  const rateFresh = isRateFresh(primaryOf(group), group.track, now);
  if (group.fresh !== eligibility.fresh || group.rateFresh !== rateFresh) markDirty(table, group);
  const isSame = before !== undefined && isSameEligibility(before, eligibility);
  // An object kept in place of an equal one would age into the old generation, a thousand a second.
  if (!isSame) group.eligibility = eligibility;
  group.fresh = eligibility.fresh;
  group.rateFresh = rateFresh;
  group.standsUntil = standsUntil(group, sources, now);
  return !isSame;
}

function judge(table: Table, asset: Asset, now: UnixMs): void {
  const eligibilities = asset.groups.map(({ eligibility }) => eligibility ?? ABSENT);
  const verdicts = judgeAsset(eligibilities, asset.assetClass);
  let next = 0;
  for (const group of asset.groups) {
    const reason = verdicts[next++];
    countUncertainty(group, reason, now);
    const comparable = reason === undefined;
    if (group.comparable !== comparable || group.reason !== reason) markDirty(table, group);
    group.comparable = comparable;
    group.reason = reason;
  }
  asset.judged = true;
}

/** An outage neither proves nor disproves an identity: the count goes on. */
function countUncertainty(group: Group, reason: UncomparableReason | undefined, now: UnixMs): void {
  if (group.eligibility?.mark === undefined) return;
  if (reason !== 'identity_uncertain') group.uncertainSince = 0;
  else if (group.uncertainSince === 0) group.uncertainSince = now;
}

/** The eligibility of the contract that the group shows now. */
function shownEligibility(table: Table, group: Group, sources: SweepSources, now: UnixMs): Eligibility {
  if (group.contracts.length > 1) rechoose(table, group, now);
  const state = primaryOf(group);
  const visible = state !== undefined && hasQuotes(state, now);
  if (visible !== group.visible) {
    group.visible = visible;
    table.reordered = true;
    table.version += 1;
  }
  return state === undefined || !visible ? ABSENT : eligibilityOf(group, state, sources, now);
}

/**
 * Until when a group's eligibility and the freshness of its rate cannot change, unless a patch or the venue's
 * status changes them: most groups are as they were a second ago, and need no look.
 */
function standsUntil(group: Group, { bookEmptySince }: SweepSources, now: UnixMs): number {
  const { contracts, track } = group;
  const [state] = contracts;
  if (state === undefined || contracts.length > 1) return 0;
  if (bookEmptySince?.(track.info.id, state.instrument.symbol) !== undefined) return 0;
  let until = now + RECHECK_MS;
  const { values, times } = state;
  for (let slot = 0; slot < QUOTE_FIELDS.length; slot++) {
    if (!Number.isNaN(values[slot] ?? Number.NaN))
      until = earlier(until, (times[slot] ?? 0) + FIELD_MAX_AGE_MS, now);
  }
  until = earlier(until, (times[SLOT.markPrice] ?? 0) + freshLimit(track.refreshMs), now);
  until = earlier(until, (times[SLOT.fundingRate] ?? 0) + rateLimit(track), now);
  return earlier(until, state.markChangedAt + DEAD_AFTER_MS - 1, now);
}

/** Just after a limit that is still ahead, where that comes first. */
function earlier(until: number, limit: number, now: UnixMs): number {
  return limit >= now && limit < until ? limit + 1 : until;
}

function rechoose(table: Table, group: Group, now: UnixMs): void {
  const contenders = group.contracts.map((state) => ({
    symbol: state.instrument.symbol,
    quote: state.instrument.quote,
    volumeUsd: volumeUsd(state, now),
    standing: state.assignment?.standing,
    priced: fieldValue(state, 'markPrice', now) !== undefined,
  }));
  const chosen = choosePrimary(contenders, group.row === undefined ? undefined : group.primary);
  if (chosen === group.primary) return;
  group.primary = chosen;
  markDirty(table, group);
}

/** The interval, the bounds of rates, what a rate is of, the hours of a market and terms make no row on their own. */
const SAYS_NO_METRIC: ReadonlySet<number> = new Set([
  SLOT.fundingIntervalHours,
  SLOT.fundingCap,
  SLOT.fundingFloor,
  SLOT.rateSettled,
  SLOT.marketOpen,
  SLOT.opensAt,
  SLOT.maxLeverage,
  SLOT.openInterestLimitUsd,
]);

/** True if any other value is known and young enough for a row. */
function hasQuotes(state: ContractState, now: number): boolean {
  for (let slot = 0; slot < QUOTE_FIELDS.length; slot++) {
    if (SAYS_NO_METRIC.has(slot)) continue;
    if (Number.isNaN(state.values[slot] ?? Number.NaN)) continue;
    if (now - (state.times[slot] ?? 0) <= FIELD_MAX_AGE_MS) return true;
  }
  return false;
}
