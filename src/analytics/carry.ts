import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { annualisedPct } from '../domain/rate.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { fundingTime, type ProductAnswer, productAnswer } from './product-answer.ts';
import { type AssetRows, nothingUsable, ratedRows, venueIds } from './select.ts';
import { type Structure, structureOf } from './structure.ts';
import { type MarkTime, markTime, type RateTime, rateTime } from './value-times.ts';

const CARRY_METHODOLOGY =
  'annualized_carry_pct = funding_rate x (24 / funding_interval_hours) x 365 x 100, null where the interval is unknown; structure follows the sign of the funding rate. Fresh comparable venues only. Naive baseline: the present rate held for a year, before fees, slippage and basis; not a profit forecast.';

export interface Carry {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly venues_count: number;
  readonly methodology: string;
  readonly items: readonly CarryItem[];
}

export interface CarryItem extends ContractName, RateTime, MarkTime {
  readonly venue: string;
  readonly asset_class: string;
  readonly funding_rate: number;
  readonly funding_interval_hours: number | null;
  readonly annualized_carry_pct: number | null;
  readonly structure: Structure;
  readonly mark_price: number | null;
  readonly updated_at: string;
}

/**
 * Funding carry of an asset on each venue with a fresh comparable rate, in percent a year. An unknown interval keeps
 * the venue with a null carry. 503 not_ready or 404 no_data without any.
 */
export function carry(asset: AssetRows): Result<ProductAnswer<Carry>> {
  const rows = ratedRows(asset);
  if (rows.length === 0) return fail(nothingUsable(asset, 'funding rate'));
  const items = rows.flatMap((row): CarryItem[] => {
    const rate = row.fundingRate;
    if (rate === undefined) return [];
    return [
      {
        venue: row.venue,
        asset_class: row.assetClass,
        funding_rate: rate,
        funding_interval_hours: row.fundingIntervalHours ?? null,
        annualized_carry_pct: annualisedPct(rate, row.fundingIntervalHours) ?? null,
        structure: structureOf(rate),
        mark_price: row.markPrice ?? null,
        updated_at: iso(fundingTime(row)),
        ...contractName(row),
        ...rateTime(row),
        ...markTime(row),
      },
    ];
  });
  const body: Carry = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    venues_count: items.length,
    methodology: CARRY_METHODOLOGY,
    items,
  };
  return ok(productAnswer(body, rows, venueIds(asset.listedBy), fundingTime));
}
