import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { MarketRow } from '../market/view.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { noNextFunding } from './funding-row.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import { fundingTime, type ProductAnswer, productAnswer } from './product-answer.ts';
import type { Pair } from './select.ts';
import { type MarkTime, markTime, type RateTime, rateTime } from './value-times.ts';

export interface FundingNext extends ContractName, RateTime, MarkTime, WithReasons {
  readonly venue: string;
  readonly ticker: string;
  readonly canonical_id: string;
  readonly next_funding_time: string | null;
  readonly funding_interval_hours: number | null;
  /** Fraction per interval, indicative until settlement. */
  readonly current_rate: number | null;
  readonly mark_price: number | null;
  readonly updated_at: string;
}

/**
 * The next settlement after `now`: as stated, or, when the stated one has just passed and the venue has not named
 * its successor, that many whole intervals later. Undefined when it was never stated, or has passed with an unknown
 * interval: the past is not answered as the future.
 */
export function nextSettlement(row: MarketRow, now: UnixMs): UnixMs | undefined {
  const { nextFundingTime: stated, fundingIntervalHours: hours } = row;
  if (stated === undefined || stated > now) return stated;
  if (hours === undefined) return undefined;
  const step = hours * HOUR_MS;
  return asMs(stated + (Math.floor((now - stated) / step) + 1) * step);
}

/** Next funding settlement of one pair. 404 no_data when the venue states neither time nor rate. */
export function fundingNext(pair: Pair, now: UnixMs): Result<ProductAnswer<FundingNext>> {
  const { row } = pair;
  const next = nextSettlement(row, now);
  if (next === undefined && row.fundingRate === undefined) {
    const detail = `${row.venue} states neither a funding time nor a rate for ${pair.ticker} at the moment`;
    return fail({ code: 'no_data', detail });
  }
  const body = {
    venue: row.venue,
    ticker: pair.ticker,
    canonical_id: pair.canonicalId,
    ...contractName(row),
    next_funding_time: next === undefined ? null : iso(next),
    funding_interval_hours: row.fundingIntervalHours ?? null,
    current_rate: row.fundingRate ?? null,
    mark_price: row.markPrice ?? null,
    updated_at: iso(fundingTime(row)),
    ...rateTime(row),
    ...markTime(row),
  };
  const explained: FundingNext = withReasons(body, {
    next_funding_time: noNextFunding(row, pair.venue.info),
    funding_interval_hours: 'interval_unknown',
  });
  return ok(productAnswer(explained, [row], [row.venue], fundingTime));
}
