import type { VenueId } from '../../../domain/venue.ts';
import type { MarketView } from '../../../market/view.ts';
import { inParts } from '../../../runtime/in-parts.ts';
import type { SpotView } from '../../spot-market/market/spot-table.ts';
import type { OfferedMarket } from './candle-fill.ts';

/** Assets that are looked at in one turn of the event loop. */
const A_TURN = 100;

interface Sides {
  readonly spot: Pick<SpotView, 'rowsOf'>;
  readonly market: Pick<MarketView, 'rows' | 'rowsOf' | 'identitiesOf'>;
  /** Ids of assets that come first, in their order. */
  readonly priorityAssets: readonly string[];
}

/** The spot markets of a venue that stand at the price of their perpetuals now: of priority assets first, then of the most traded. */
export const offeredMarkets = (sides: Sides, venue: VenueId): Promise<readonly OfferedMarket[]> =>
  inParts(marketParts(sides, venue));

function* marketParts(sides: Sides, venue: VenueId): Generator<undefined, readonly OfferedMarket[]> {
  const { spot, market } = sides;
  const found: OfferedMarket[] = [];
  for (const [i, canonicalId] of coinsInOrder(sides).entries()) {
    for (const row of spot.rowsOf(canonicalId, market))
      if (row.market.venue === venue) found.push({ market: row.market, canonicalId });
    if (i % A_TURN === A_TURN - 1) yield undefined;
  }
  return found;
}

function coinsInOrder({ market, priorityAssets }: Sides): readonly string[] {
  const traded = new Map<string, number>();
  for (const { canonicalId, assetClass, volume24hUsd = 0 } of market.rows())
    if (assetClass === 'crypto') traded.set(canonicalId, (traded.get(canonicalId) ?? 0) + volume24hUsd);
  const rankOf = (id: string): number => {
    const rank = priorityAssets.indexOf(id);
    return rank === -1 ? priorityAssets.length : rank;
  };
  const byTrade = [...traded].toSorted(([, a], [, b]) => b - a).map(([id]) => id);
  return byTrade.toSorted((a, b) => rankOf(a) - rankOf(b));
}
