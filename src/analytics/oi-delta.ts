import { unitsNote } from '../domain/amount.ts';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { HistoricalValue } from '../domain/series.ts';
import type { MarketRow } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { openInterestTime } from './open-interest.ts';
import { type ProductAnswer, productAnswer } from './product-answer.ts';
import type { Pair } from './select.ts';

/** Amounts in base units, `_usd` in US dollars at the mark of their time. */
export interface OiDelta extends ContractName {
  readonly venue: string;
  readonly ticker: string;
  readonly canonical_id: string;
  readonly lookback_hours: number;
  readonly current_oi: number;
  readonly past_oi: number;
  readonly current_oi_usd: number | null;
  readonly past_oi_usd: number | null;
  /** Of the base units; null where the past was zero. */
  readonly delta_pct: number | null;
  readonly current_ts: string;
  readonly past_ts: string;
  readonly past_source: HistoricalValue['origin'];
  readonly units_note: string;
}

/** Open interest of a pair that has any. 404 no_data where the venue states none. */
export function currentInterest({ row }: Pair): Result<number> {
  if (row.openInterestBase !== undefined) return ok(row.openInterestBase);
  const detail = `${row.venue} has stated no open interest for ${row.ticker} in the last 15 minutes`;
  return fail({ code: 'no_data', detail });
}

/** The value of the contract that is shown now; of no other listing. */
export function historicalValueOf(
  values: readonly HistoricalValue[],
  row: MarketRow,
): HistoricalValue | undefined {
  return values.find(({ symbol }) => symbol === row.symbol);
}

/** delta_pct = (current - past) / past x 100, of base units. */
export function oiDelta(
  pair: Pair,
  lookbackHours: number,
  current: number,
  historical: HistoricalValue,
): Result<ProductAnswer<OiDelta>> {
  const { row, venue } = pair;
  const body: OiDelta = {
    venue: row.venue,
    ticker: pair.ticker,
    canonical_id: pair.canonicalId,
    ...contractName(row),
    lookback_hours: lookbackHours,
    current_oi: current,
    past_oi: historical.value,
    current_oi_usd: row.openInterestUsd ?? null,
    past_oi_usd: historical.valueUsd ?? null,
    delta_pct: historical.value === 0 ? null : ((current - historical.value) / historical.value) * 100,
    current_ts: iso(openInterestTime(row)),
    past_ts: iso(historical.at),
    past_source: historical.origin,
    units_note: `current_oi and past_oi count units of the base asset. ${unitsNote('open_interest', venue.info.openInterest)}`,
  };
  return ok(productAnswer(body, [row], [row.venue], openInterestTime));
}
