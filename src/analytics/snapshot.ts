import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { basisBps } from '../domain/rate.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueInfo } from '../domain/venue.ts';
import type { MarketRow } from '../market/view.ts';
import { indexOf } from './basis.ts';
import { nextSettlement } from './funding-next.ts';
import { type FundingRow, fundingRow, noIndex, noNextFunding } from './funding-row.ts';
import { withReasons } from './null-reason.ts';
import { type ProductAnswer, productAnswer } from './product-answer.ts';
import { type AssetRows, freshRate8h, nothingUsable, usableRows, venueIds } from './select.ts';
import { knownSum, weightedMean } from './weighted.ts';

/** What the order books say of one row; everything in bps of the mid. */
export interface BookFigures {
  readonly bestBid: number;
  readonly bestAsk: number;
  /** Undefined when the book does not fill 10,000 USD. */
  readonly slippage10kBps: number | undefined;
}

export interface SnapshotSources {
  readonly now: UnixMs;
  readonly book?: (row: MarketRow) => BookFigures | undefined;
}

/** Totals in USD. */
export interface Snapshot {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly venues_count: number;
  readonly total_open_interest_usd: number | null;
  readonly total_volume_24h_usd: number | null;
  /** Contracts that the totals count: all of each venue. */
  readonly contracts_count: number;
  readonly oi_weighted_rate_8h: number | null;
  readonly volume_weighted_mark_price: number | null;
  readonly venues: readonly SnapshotVenue[];
  readonly note: string;
}

export interface SnapshotVenue extends FundingRow {
  readonly index_price: number | null;
  readonly basis_bps: number | null;
  readonly next_funding_time: string | null;
  readonly best_bid: number | null;
  readonly best_ask: number | null;
  readonly spread_bps: number | null;
  readonly slippage_10k_bps: number | null;
}

const NOTE =
  'Fresh comparable venues. Totals add what all contracts of the asset state, each venue by all of its own, and count venues that state none as unknown; weighted figures use the venues that have both parts. Naive baseline, before fees and latency.';

/**
 * Everything current of one asset. oi_weighted_rate_8h = sum(rate_8h x open interest USD) / sum(open interest USD);
 * volume_weighted_mark_price likewise by 24 h volume. 503 not_ready or 404 no_data without a row.
 */
export function snapshot(asset: AssetRows, sources: SnapshotSources): Result<ProductAnswer<Snapshot>> {
  const rows = usableRows(asset);
  const [first] = rows;
  if (first === undefined) return fail(nothingUsable(asset, 'row'));
  const totals = rows.map((row) => asset.totalsOf(row.venue));
  const infos = new Map(asset.listedBy.map((venue) => [venue.info.id, venue.info]));
  const body: Snapshot = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    asset_class: first.assetClass,
    venues_count: rows.length,
    total_open_interest_usd: knownSum(totals.map((it) => it?.openInterestUsd)) ?? null,
    total_volume_24h_usd: knownSum(totals.map((it) => it?.volume24hUsd)) ?? null,
    contracts_count: totals.reduce((sum, it) => sum + (it?.contracts ?? 0), 0),
    oi_weighted_rate_8h: weightedMean(rows.map((row) => [freshRate8h(row), row.openInterestUsd])) ?? null,
    volume_weighted_mark_price: weightedMean(rows.map((row) => [row.markPrice, row.volume24hUsd])) ?? null,
    venues: rows.map((row) => snapshotVenue(row, infos.get(row.venue), sources)),
    note: NOTE,
  };
  return ok(productAnswer(body, rows, venueIds(asset.listedBy)));
}

function snapshotVenue(
  row: MarketRow,
  info: VenueInfo | undefined,
  { now, book }: SnapshotSources,
): SnapshotVenue {
  const index = indexOf(row, info);
  const figures = book?.(row);
  const bid = figures?.bestBid ?? row.bestBid;
  const ask = figures?.bestAsk ?? row.bestAsk;
  const next = nextSettlement(row, now);
  const { null_reasons: known, ...shown } = fundingRow(row, info);
  const venue = {
    ...shown,
    index_price: index ?? null,
    basis_bps: basisBps(row.markPrice, index) ?? null,
    next_funding_time: next === undefined ? null : iso(next),
    best_bid: bid ?? null,
    best_ask: ask ?? null,
    spread_bps: touchSpreadBps(bid, ask),
    slippage_10k_bps: figures?.slippage10kBps ?? null,
  };
  return withReasons(venue, {
    ...known,
    index_price: noIndex(info),
    basis_bps: index === undefined ? noIndex(info) : 'unknown',
    next_funding_time: noNextFunding(row, info),
    slippage_10k_bps: figures === undefined ? 'not_followed' : 'too_thin',
  });
}

/** (ask - bid) / mid x 10000. */
function touchSpreadBps(bid: number | undefined, ask: number | undefined): number | null {
  if (bid === undefined || ask === undefined || ask < bid) return null;
  return ((ask - bid) / ((ask + bid) / 2)) * 10_000;
}
