import { unitsNote } from '../domain/amount.ts';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { UnixMs } from '../domain/units.ts';
import type { MarketRow } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { type ProductAnswer, productAnswer } from './product-answer.ts';
import type { Pair } from './select.ts';
import { type MarkTime, markTime } from './value-times.ts';

export interface Volume24h extends ContractName, MarkTime {
  readonly venue: string;
  readonly ticker: string;
  readonly canonical_id: string;
  /** The venue's own number; `units_note` says what it counts. */
  readonly volume_24h_raw: number | null;
  readonly volume_24h_base: number | null;
  readonly volume_24h_usd: number | null;
  readonly units_note: string;
  readonly mark_price: number | null;
  /** All contracts of the asset on the venue, and what they add up to. */
  readonly contracts: number;
  readonly total_volume_24h_base: number | null;
  readonly total_volume_24h_usd: number | null;
  readonly updated_at: string;
}

/**
 * Rolling 24 h volume of one pair; base and USD follow from each other by the mark where the venue states one.
 * 404 no_data when it states none.
 */
export function volume24h(pair: Pair): Result<ProductAnswer<Volume24h>> {
  const { row, venue, totals } = pair;
  if ((row.volume24hRaw ?? row.volume24hBase ?? row.volume24hUsd) === undefined) {
    const detail = `${row.venue} has stated no 24 h volume for ${pair.ticker} in the last 15 minutes`;
    return fail({ code: 'no_data', detail });
  }
  const body: Volume24h = {
    venue: row.venue,
    ticker: pair.ticker,
    canonical_id: pair.canonicalId,
    ...contractName(row),
    volume_24h_raw: row.volume24hRaw ?? null,
    volume_24h_base: row.volume24hBase ?? null,
    volume_24h_usd: row.volume24hUsd ?? null,
    units_note: unitsNote('volume_24h', venue.info.volume),
    mark_price: row.markPrice ?? null,
    contracts: totals.contracts,
    total_volume_24h_base: totals.volume24hBase ?? null,
    total_volume_24h_usd: totals.volume24hUsd ?? null,
    updated_at: iso(volumeTime(row)),
    ...markTime(row),
  };
  return ok(productAnswer(body, [row], [row.venue], volumeTime));
}

const volumeTime = (row: MarketRow): UnixMs => row.volumeUpdatedAt ?? row.updatedAt;
