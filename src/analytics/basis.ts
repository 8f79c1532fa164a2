import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { basisBps } from '../domain/rate.ts';
import type { Price } from '../domain/units.ts';
import type { VenueInfo } from '../domain/venue.ts';
import type { MarketRow } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { type ProductAnswer, productAnswer } from './product-answer.ts';
import { type AssetRows, nothingUsable, venueIds } from './select.ts';
import { type Structure, structureOf } from './structure.ts';
import { type MarkTime, markTime } from './value-times.ts';

const BASIS_METHODOLOGY =
  'basis_bps = (mark_price - index_price) / index_price x 10000; structure is its sign. basis_reliable needs a live market with trades, a fresh mark and an index that is not the venue’s own mark. Venues without such an index are named and have no basis. Naive baseline: each venue against its own index, before fees, funding and latency; not a profit forecast.';

export type LiquidityState = 'live' | 'dead' | 'unknown';

export interface Basis {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly venues_count: number;
  readonly methodology: string;
  readonly venues_without_index: readonly string[];
  readonly items: readonly BasisItem[];
}

export interface BasisItem extends ContractName, MarkTime {
  readonly venue: string;
  readonly asset_class: string;
  readonly mark_price: number | null;
  readonly index_price: number | null;
  readonly basis_bps: number | null;
  readonly structure: Structure | 'unknown';
  readonly liquidity_state: LiquidityState;
  readonly basis_reliable: boolean;
  readonly updated_at: string;
}

/**
 * dead: no volume in 24 h and the mark unmoved, or an empty book; unknown: neither volume nor touch known; else live.
 */
export function liquidityState(row: MarketRow): LiquidityState {
  if (row.uncomparableReason === 'dead_market') return 'dead';
  const touched = row.bestBid !== undefined && row.bestAsk !== undefined;
  return row.volume24hUsd === undefined && !touched ? 'unknown' : 'live';
}

/**
 * Mark against index on each venue, in bps of the index. Rows are fresh, and comparable or of a dead market: a dead
 * market is shown and flagged, whatever its basis looks like. 503 not_ready or 404 no_data without any.
 */
export function basis(asset: AssetRows): Result<ProductAnswer<Basis>> {
  const rows = asset.rows.filter(
    (row) => row.fresh && (row.comparable || row.uncomparableReason === 'dead_market'),
  );
  if (rows.length === 0) return fail(nothingUsable(asset, 'mark price'));
  const infos = new Map(asset.listedBy.map((venue) => [venue.info.id, venue.info]));
  const items = rows.map((row) => basisItem(row, infos.get(row.venue)));
  const body: Basis = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    venues_count: items.length,
    methodology: BASIS_METHODOLOGY,
    venues_without_index: items.filter((item) => item.index_price === null).map((item) => item.venue),
    items,
  };
  return ok(productAnswer(body, rows, venueIds(asset.listedBy)));
}

function basisItem(row: MarketRow, info: VenueInfo | undefined): BasisItem {
  const index = indexOf(row, info);
  const bps = basisBps(row.markPrice, index);
  const liquidity = liquidityState(row);
  return {
    venue: row.venue,
    asset_class: row.assetClass,
    mark_price: row.markPrice ?? null,
    index_price: index ?? null,
    basis_bps: bps ?? null,
    structure: bps === undefined ? 'unknown' : structureOf(bps),
    liquidity_state: liquidity,
    basis_reliable: liquidity === 'live' && row.volume24hUsd !== 0 && row.fresh && bps !== undefined,
    updated_at: iso(row.updatedAt),
    ...contractName(row),
    ...markTime(row),
  };
}

/** The venue's index; none where it is missing or nothing but the venue's own mark. */
export function indexOf(row: MarketRow, info: VenueInfo | undefined): Price | undefined {
  return info?.hasIndex === false ? undefined : row.indexPrice;
}
