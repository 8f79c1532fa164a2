import { type ErrorCode, ok, type Result } from '../../domain/errors.ts';
import type { MarketView } from '../../market/view.ts';
import {
  type AskedAsset,
  type AskedPair,
  type AssetRows,
  assetRows,
  type NamedPair,
  namePair,
  selectAsset,
  selectVenue,
} from './select.ts';

/**
 * Stored values of assets outlive their listings: a request may name them where no venue lists them any more.
 */

/** As `selectAsset`, also for an asset that was listed once. */
export function selectStoredAsset(view: MarketView, asked: AskedAsset): Result<AssetRows> {
  const listed = selectAsset(view, asked);
  if (listed.ok || listed.error.code !== 'unknown_ticker') return listed;
  const former = view.formerly(asked.ticker);
  return former.kind === 'one' ? ok(assetRows(view, former.canonicalId, former.ticker)) : listed;
}

/** Nothing that is listed now goes by the name: at a venue without any contract nothing is known to be unknown. */
const NOT_THERE_NOW: ReadonlySet<ErrorCode> = new Set([
  'unknown_ticker',
  'not_listed',
  'not_ready',
  'canonical_id_contradicts_ticker',
]);

/** As `namePair`, also for an asset that the venue has listed once. */
export function nameStoredPair(view: MarketView, asked: AskedPair): Result<NamedPair> {
  const named = namePair(view, asked);
  if (named.ok || !NOT_THERE_NOW.has(named.error.code)) return named;
  const found = selectVenue(view, asked.venue);
  if (!found.ok) return found;
  const venue = found.value;
  const { ticker, canonical_id: canonicalId } = asked;
  const former = view.formerly(ticker, {
    venue: venue.info.id,
    ...(canonicalId !== undefined && { canonicalId }),
  });
  if (former.kind !== 'one') return named;
  return ok({ ticker: former.ticker, canonicalId: former.canonicalId, venue, symbol: former.symbol });
}
