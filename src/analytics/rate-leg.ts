import type { MarketRow } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { type MarkTime, markTime, type RateTime, rateTime } from './value-times.ts';

/** One end of a spread of rates: the contract, and what it pays. */
export interface RateLeg extends ContractName, RateTime, MarkTime {
  readonly funding_interval_hours: number | null;
  /** Fraction per eight hours. */
  readonly rate_8h: number | null;
  readonly mark_price: number | null;
}

export function rateLeg(row: MarketRow): RateLeg {
  return {
    ...contractName(row),
    funding_interval_hours: row.fundingIntervalHours ?? null,
    rate_8h: row.rate8h ?? null,
    mark_price: row.markPrice ?? null,
    ...rateTime(row),
    ...markTime(row),
  };
}
