import { iso } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import type { MarketRow } from '../market/view.ts';

/** When the values of a row were last stated; null where the value is not known. */
export interface RateTime {
  readonly rate_updated_at: string | null;
}
export interface MarkTime {
  readonly mark_updated_at: string | null;
}
export interface InterestTime {
  readonly open_interest_updated_at: string | null;
}

export const isoOrNull = (time: UnixMs | undefined): string | null => (time === undefined ? null : iso(time));

export const rateTime = (row: MarketRow): RateTime => ({ rate_updated_at: isoOrNull(row.fundingUpdatedAt) });

/** Without a mark, the time of a row is of something else. */
export const markTime = (row: MarketRow): MarkTime => ({
  mark_updated_at: row.markPrice === undefined ? null : iso(row.updatedAt),
});

export const interestTime = (row: MarketRow): InterestTime => ({
  open_interest_updated_at: isoOrNull(row.openInterestUpdatedAt),
});
