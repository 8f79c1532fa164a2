import type { VenueId } from '../../domain/venue.ts';
import { sumOf } from '../../market/venue-totals.ts';
import type { MarketRow } from '../../market/view.ts';
import { groupBy } from '../../runtime/group-by.ts';
import type { Ports } from '../define-product.ts';

type Market = Ports['market'];

const order = (a: MarketRow, b: MarketRow): number =>
  a.canonicalId === b.canonicalId ? a.sourceId - b.sourceId : a.canonicalId < b.canonicalId ? -1 : 1;

/**
 * The live table with the rows of a past moment. Names mean what they mean now; a venue counts as live where it has a row.
 *
 * @param rows one for an asset and venue
 */
export function historicalMarket(market: Market, rows: readonly MarketRow[]): Market {
  const sorted = [...rows].sort(order);
  const byAsset = groupBy(sorted, ({ canonicalId }) => canonicalId);
  const present = new Set(sorted.map(({ venue }) => venue));
  const rowsOf = (canonicalId: string): readonly MarketRow[] => byAsset.get(canonicalId) ?? [];
  const row = (venue: VenueId, canonicalId: string): MarketRow | undefined =>
    rowsOf(canonicalId).find((row) => row.venue === venue);
  const venues = market.venues().map((venue) => ({
    ...venue,
    status: present.has(venue.info.id) ? ('live' as const) : ('down' as const),
  }));
  return {
    version: 0,
    size: sorted.length,
    rows: () => sorted,
    eachRow: () => sorted,
    rowsOf,
    row,
    contractsOf: rowsOf,
    contract: (venue, symbol) => sorted.find((row) => row.venue === venue && row.symbol === symbol),
    totals: (venue, canonicalId) => {
      const found = row(venue, canonicalId);
      return found && sumOf([found]);
    },
    statedInterest: (canonicalId) =>
      new Map(
        rowsOf(canonicalId).flatMap((row) =>
          row.openInterestUsd === undefined ? [] : [[row.venue, row.openInterestUsd]],
        ),
      ),
    identitiesOf: (ticker) => market.identitiesOf(ticker),
    resolve: (name, options) => market.resolve(name, options),
    formerly: (name, options) => market.formerly(name, options),
    renamed: (name, options) => market.renamed(name, options),
    listings: (scope) => market.listings(scope),
    aliasesOf: (canonicalId) => market.aliasesOf(canonicalId),
    venues: () => venues,
    venue: (id) => venues.find(({ info }) => info.id === id),
    lists: (venue, canonicalId) => row(venue, canonicalId) !== undefined || market.lists(venue, canonicalId),
    rowsAsOf: () => undefined,
    delayed: market.delayed,
  };
}
