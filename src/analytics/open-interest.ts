import { unitsNote } from '../domain/amount.ts';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { UnixMs } from '../domain/units.ts';
import type { MarketRow } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { type ProductAnswer, productAnswer } from './product-answer.ts';
import type { Pair } from './select.ts';
import { type InterestTime, interestTime, type MarkTime, markTime } from './value-times.ts';

export interface OpenInterest extends ContractName, InterestTime, MarkTime {
  readonly venue: string;
  readonly ticker: string;
  readonly canonical_id: string;
  /** The venue's own number; `units_note` says what it counts. */
  readonly open_interest_raw: number | null;
  readonly open_interest_base: number | null;
  readonly open_interest_usd: number | null;
  readonly mark_price: number | null;
  /** All contracts of the asset on the venue, and what they add up to. */
  readonly contracts: number;
  readonly total_open_interest_base: number | null;
  readonly total_open_interest_usd: number | null;
  readonly updated_at: string;
  readonly units_note: string;
}

/**
 * Open interest of one pair, stated by the venue at most 15 minutes ago; base and USD follow from each other by the
 * mark where the venue states one. 404 no_data when it states none.
 */
export function openInterest(pair: Pair): Result<ProductAnswer<OpenInterest>> {
  const { row, venue, totals } = pair;
  if (row.openInterestUpdatedAt === undefined) {
    const detail = `${row.venue} has stated no open interest for ${pair.ticker} in the last 15 minutes`;
    return fail({ code: 'no_data', detail });
  }
  const body: OpenInterest = {
    venue: row.venue,
    ticker: pair.ticker,
    canonical_id: pair.canonicalId,
    ...contractName(row),
    open_interest_raw: row.openInterestRaw ?? null,
    open_interest_base: row.openInterestBase ?? null,
    open_interest_usd: row.openInterestUsd ?? null,
    mark_price: row.markPrice ?? null,
    contracts: totals.contracts,
    total_open_interest_base: totals.openInterestBase ?? null,
    total_open_interest_usd: totals.openInterestUsd ?? null,
    updated_at: iso(openInterestTime(row)),
    ...interestTime(row),
    ...markTime(row),
    units_note: unitsNote('open_interest', venue.info.openInterest),
  };
  return ok(productAnswer(body, [row], [row.venue], openInterestTime));
}

/** Time of the open interest of a row that has any. */
export function openInterestTime(row: MarketRow): UnixMs {
  return row.openInterestUpdatedAt ?? row.updatedAt;
}
