import type { MarketRow } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import { type MarkTime, markTime, type RateTime, rateTime } from './value-times.ts';

/** One end of a spread of rates: the contract, and what it pays. */
export interface RateLeg extends ContractName, RateTime, MarkTime, WithReasons {
  readonly venue: string;
  /** Fraction per interval of the venue. */
  readonly rate: number | null;
  readonly funding_interval_hours: number | null;
  /** Fraction per eight hours. */
  readonly rate_8h: number | null;
  readonly mark_price: number | null;
}

export function rateLeg(row: MarketRow): RateLeg {
  const leg = {
    venue: row.venue,
    ...contractName(row),
    rate: row.fundingRate ?? null,
    funding_interval_hours: row.fundingIntervalHours ?? null,
    rate_8h: row.rate8h ?? null,
    mark_price: row.markPrice ?? null,
    ...rateTime(row),
    ...markTime(row),
  };
  return withReasons(leg, { funding_interval_hours: 'interval_unknown', rate_8h: 'interval_unknown' });
}
