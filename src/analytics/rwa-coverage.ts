import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { AssetClass } from '../domain/instrument.ts';
import type { VenueInfo } from '../domain/venue.ts';
import type { MarketRow, MarketView, UncomparableReason } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { groupBy } from './group-by.ts';
import type { ProductAnswer } from './product-answer.ts';
import { scanAnswer } from './scan.ts';
import { namingFailure } from './select.ts';
import {
  type InterestTime,
  interestTime,
  type MarkTime,
  markTime,
  type RateTime,
  rateTime,
} from './value-times.ts';

/** Classes of assets from outside crypto. */
export const RWA_CLASSES = [
  'equity',
  'index',
  'commodity',
  'fx',
  'etf',
  'prelaunch',
] as const satisfies readonly AssetClass[];
export type RwaClass = (typeof RWA_CLASSES)[number];

export interface RwaCoverageQuery {
  readonly assetClass?: RwaClass | undefined;
  readonly ticker?: string | undefined;
}

export interface RwaCoverage {
  readonly count: number;
  readonly assets: readonly RwaAsset[];
  readonly note: string;
}

export interface RwaAsset {
  readonly canonical_id: string;
  readonly ticker: string;
  readonly asset_class: string;
  readonly venues_count: number;
  readonly venues: readonly RwaVenue[];
}

/** Open interest and volume in USD. */
export interface RwaVenue extends ContractName, RateTime, MarkTime, InterestTime {
  readonly venue: string;
  readonly symbol: string;
  readonly mark_price: number | null;
  readonly open_interest_usd: number | null;
  readonly volume_24h_usd: number | null;
  readonly funding_rate: number | null;
  readonly funding_interval_hours: number | null;
  readonly oracle_family: string;
  readonly updated_at: string;
}

const NOTE =
  'Perpetuals on assets from outside crypto with a fresh row. Marks of one asset can stand apart while its home market is closed. Naive baseline, before fees and latency.';

/** Rows that may be of another asset, or of none, do not count as coverage. */
const NOT_COVERED: ReadonlySet<UncomparableReason | undefined> = new Set<UncomparableReason>([
  'identity_uncertain',
  'multiplier_suspect',
  'placeholder',
]);

/**
 * Which assets from outside crypto trade as perpetuals, and where; assets by canonical id, venues by source id.
 * An empty list is an answer; 404 unknown_ticker for a ticker that nothing lists.
 */
export function rwaCoverage(view: MarketView, query: RwaCoverageQuery): Result<ProductAnswer<RwaCoverage>> {
  const chosen = chooseIds(view, query.ticker);
  if (!chosen.ok) return chosen;
  const ids = chosen.value;
  const rows = view
    .rows()
    .filter((row) => isCovered(row, query.assetClass) && (ids?.has(row.canonicalId) ?? true));
  const infos = new Map(view.venues().map((venue) => [venue.info.id, venue.info]));
  const byAsset = groupBy(rows, (row) => row.canonicalId);
  const assets = [...byAsset].map(([canonicalId, list]) => coverageOf(canonicalId, list, infos));
  return ok(scanAnswer(view, { count: assets.length, assets, note: NOTE }, rows));
}

function chooseIds(view: MarketView, ticker: string | undefined): Result<ReadonlySet<string> | undefined> {
  if (ticker === undefined) return ok(undefined);
  const resolution = view.resolve(ticker);
  if (resolution.kind === 'one') return ok(new Set([resolution.canonicalId]));
  return fail(namingFailure(view, ticker, resolution));
}

function isCovered(row: MarketRow, assetClass: RwaClass | undefined): boolean {
  const classed: readonly string[] = assetClass === undefined ? RWA_CLASSES : [assetClass];
  return row.fresh && classed.includes(row.assetClass) && !NOT_COVERED.has(row.uncomparableReason);
}

function coverageOf(
  canonicalId: string,
  rows: readonly MarketRow[],
  infos: ReadonlyMap<string, VenueInfo>,
): RwaAsset {
  return {
    canonical_id: canonicalId,
    ticker: rows[0]?.ticker ?? canonicalId,
    asset_class: rows[0]?.assetClass ?? 'unknown',
    venues_count: rows.length,
    venues: rows.map((row) => ({
      venue: row.venue,
      symbol: row.symbol,
      mark_price: row.markPrice ?? null,
      open_interest_usd: row.openInterestUsd ?? null,
      volume_24h_usd: row.volume24hUsd ?? null,
      funding_rate: row.fundingRate ?? null,
      funding_interval_hours: row.fundingIntervalHours ?? null,
      oracle_family: infos.get(row.venue)?.index.family ?? 'unknown',
      updated_at: iso(row.updatedAt),
      ...contractName(row),
      ...rateTime(row),
      ...markTime(row),
      ...interestTime(row),
    })),
  };
}
