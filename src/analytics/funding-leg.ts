import type { MarketRow } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { type WithReasons, withReasons } from './null-reason.ts';

/** One end of a funding spread. Rates as fractions. */
export interface FundingLeg extends ContractName, WithReasons {
  readonly venue: string;
  readonly rate: number | null;
  readonly funding_interval_hours: number | null;
  readonly rate_8h: number | null;
}

export function fundingLeg(row: MarketRow): FundingLeg {
  const leg = {
    venue: row.venue,
    ...contractName(row),
    rate: row.fundingRate ?? null,
    funding_interval_hours: row.fundingIntervalHours ?? null,
    rate_8h: row.rate8h ?? null,
  };
  return withReasons(leg, { funding_interval_hours: 'interval_unknown', rate_8h: 'interval_unknown' });
}
