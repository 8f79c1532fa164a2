import { fail, ok, type Result } from '../domain/errors.ts';
import { toBps } from '../domain/rate.ts';
import type { MarketRow } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { type ProductAnswer, productAnswer } from './product-answer.ts';
import { type AssetRows, freshRate8h, nothingUsable, usableRows, venueIds } from './select.ts';
import { type MarkTime, markTime, type RateTime, rateTime } from './value-times.ts';
import { weightedMean } from './weighted.ts';

export interface VwSpread {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly venues_count: number;
  readonly vw_rate_8h: number | null;
  readonly vw_mark_price: number | null;
  readonly venues: readonly VwSpreadVenue[];
  readonly max_deviation_venue: string | null;
  readonly min_deviation_venue: string | null;
  readonly note: string;
}

export interface VwSpreadVenue extends ContractName, RateTime, MarkTime {
  readonly venue: string;
  /** Share of the volume of all venues counted, 0..1. */
  readonly weight: number;
  readonly rate_8h: number | null;
  readonly deviation_rate_8h_bps: number | null;
  readonly mark_price: number | null;
  readonly deviation_price_bps: number | null;
  readonly volume_24h_usd: number;
}

const NOTE =
  'Weights are shares of 24 h USD volume over fresh comparable venues that trade. Naive baseline, before fees, slippage and latency; not a profit forecast.';

/**
 * Each venue against the volume-weighted market. vw_rate_8h = sum(rate_8h x volume) / sum(volume) over venues with a
 * known and fresh rate_8h, vw_mark_price likewise; deviation_rate_8h_bps = (rate_8h - vw_rate_8h) x 10000,
 * deviation_price_bps = (mark - vw_mark) / vw_mark x 10000. max and min deviation are of the rate. 404 single_venue
 * with one venue that trades.
 */
export function vwSpread(asset: AssetRows): Result<ProductAnswer<VwSpread>> {
  const rows = usableRows(asset).filter((row) => (row.volume24hUsd ?? 0) > 0);
  const [only] = rows;
  if (only === undefined) return fail(nothingUsable(asset, 'volume'));
  if (rows.length === 1) {
    const detail = `Only ${only.venue} has a fresh comparable row of ${asset.canonicalId} with volume`;
    return fail({ code: 'single_venue', detail });
  }
  const rate = weightedMean(rows.map((row) => [freshRate8h(row), row.volume24hUsd]));
  const mark = weightedMean(rows.map((row) => [row.markPrice, row.volume24hUsd]));
  const total = rows.reduce((sum, row) => sum + (row.volume24hUsd ?? 0), 0);
  const venues = rows.map((row) => deviationOf(row, total, rate, mark));
  const body: VwSpread = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    venues_count: venues.length,
    vw_rate_8h: rate ?? null,
    vw_mark_price: mark ?? null,
    venues,
    max_deviation_venue: extreme(venues, 1),
    min_deviation_venue: extreme(venues, -1),
    note: NOTE,
  };
  return ok(productAnswer(body, rows, venueIds(asset.listedBy)));
}

function deviationOf(
  row: MarketRow,
  total: number,
  vwRate: number | undefined,
  vwMark: number | undefined,
): VwSpreadVenue {
  const { venue, markPrice } = row;
  const rate8h = freshRate8h(row);
  const volume = row.volume24hUsd ?? 0;
  return {
    venue,
    weight: volume / total,
    rate_8h: rate8h ?? null,
    deviation_rate_8h_bps: rate8h === undefined || vwRate === undefined ? null : toBps(rate8h - vwRate),
    mark_price: markPrice ?? null,
    deviation_price_bps:
      markPrice === undefined || vwMark === undefined ? null : toBps((markPrice - vwMark) / vwMark),
    volume_24h_usd: volume,
    ...contractName(row),
    ...rateTime(row),
    ...markTime(row),
  };
}

/** Venue whose rate deviates most upwards (sign 1) or downwards (-1); the first of equal ones. */
function extreme(venues: readonly VwSpreadVenue[], sign: 1 | -1): string | null {
  let best: VwSpreadVenue | undefined;
  for (const venue of venues) {
    const deviation = venue.deviation_rate_8h_bps;
    if (deviation === null) continue;
    if (best === undefined || deviation * sign > (best.deviation_rate_8h_bps ?? 0) * sign) best = venue;
  }
  return best?.venue ?? null;
}
