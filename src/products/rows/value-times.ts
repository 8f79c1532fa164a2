import { iso } from '../../domain/clock.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { MarketRow } from '../../market/view.ts';
import { nullable, timestamp } from '../answer/schema.ts';

/** When the values of a row were last stated; null where the value is not known. */
export const rateTimeField = { rate_updated_at: nullable(timestamp('Time of the rate')) };
export const markTimeField = { mark_updated_at: nullable(timestamp('Time of the mark price')) };
export const interestTimeField = {
  open_interest_updated_at: nullable(timestamp('Time of the open interest')),
};

export const isoOrNull = (time: UnixMs | undefined): string | null => (time === undefined ? null : iso(time));

export const rateTime = (row: MarketRow) => ({ rate_updated_at: isoOrNull(row.fundingUpdatedAt) });

/** Without a mark, the time of a row is of something else. */
export const markTime = (row: MarketRow) => ({
  mark_updated_at: row.markPrice === undefined ? null : iso(row.updatedAt),
});

export const interestTime = (row: MarketRow) => ({
  open_interest_updated_at: isoOrNull(row.openInterestUpdatedAt),
});

/** Time of the volume of a row that has any. */
export const volumeTime = (row: MarketRow): UnixMs => row.volumeUpdatedAt ?? row.updatedAt;

/** Time of the open interest of a row that has any. */
export const openInterestTime = (row: MarketRow): UnixMs => row.openInterestUpdatedAt ?? row.updatedAt;

/** Of some times the oldest; those of values that are not known do not count. */
export const oldestTime = (time: UnixMs, ...others: readonly (UnixMs | undefined)[]): UnixMs =>
  others.reduce<UnixMs>((oldest, time) => (time !== undefined && time < oldest ? time : oldest), time);
