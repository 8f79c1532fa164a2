import Type, { type Static } from 'typebox';
import type { MarketRow, VenueTotals } from '../../market/view.ts';
import { integer, nullable, number, venueName } from '../answer/schema.ts';
import { LEAST_SHARE, shareOf } from './interest-share.ts';
import type { AssetRows } from './select.ts';
import { knownSum } from './weighted.ts';

/** Parts of an asset's totals that a venue adds. */
export const venueTotalsFields = {
  contracts_count: integer('Contracts of the asset on the venue, which its totals count'),
  total_open_interest_usd: nullable(number('Open interest of all of them, USD')),
  total_volume_24h_usd: nullable(number('Volume of all of them in 24 hours, USD')),
};
const venueTotalsSchema = Type.Object(venueTotalsFields);

/** The totals of an asset: the sums of what its venues add. */
export const assetTotalsFields = {
  total_open_interest_usd: nullable(
    number(
      'Sum over the venues shown that state it; null where these hold less than half of what venues stated within the last hour',
    ),
  ),
  total_volume_24h_usd: nullable(number('Sum over the venues shown that state it; null as above')),
  contracts_count: integer('Contracts that the totals count: all of the asset on each venue'),
  open_interest_venues_count: integer('Venues that total_open_interest_usd is the sum of'),
  open_interest_venues_missing: Type.Array(venueName, {
    description:
      'Venues that list the asset and are not in that sum: not fresh, not comparable, or without a figure',
  }),
};
const assetTotalsSchema = Type.Object(assetTotalsFields);

/** These parts as an answer states them. */
export const statedVenueTotals = (totals: VenueTotals | undefined): Static<typeof venueTotalsSchema> => ({
  contracts_count: totals?.contracts ?? 0,
  total_open_interest_usd: totals?.openInterestUsd ?? null,
  total_volume_24h_usd: totals?.volume24hUsd ?? null,
});

/**
 * The totals of an asset over the venues of some rows. Null where these venues hold less than half of the open interest that
 * the asset's venues stated within the last hour: a sum without the largest ones would not be the asset's.
 */
export function assetTotals(
  asset: Pick<AssetRows, 'listedBy' | 'totalsOf' | 'statedInterest'>,
  rows: readonly MarketRow[],
): Static<typeof assetTotalsSchema> {
  const totals = new Map(rows.map(({ venue }) => [venue, asset.totalsOf(venue)]));
  const stating = new Set(
    [...totals].flatMap(([venue, it]) => (it?.openInterestUsd === undefined ? [] : [venue])),
  );
  const isWhole = (shareOf(asset.statedInterest(), stating) ?? 1) >= LEAST_SHARE;
  const parts = [...totals.values()];
  const sum = (part: (it: VenueTotals | undefined) => number | undefined): number | null =>
    (isWhole ? knownSum(parts.map(part)) : undefined) ?? null;
  return {
    total_open_interest_usd: sum((it) => it?.openInterestUsd),
    total_volume_24h_usd: sum((it) => it?.volume24hUsd),
    contracts_count: parts.reduce((count, it) => count + (it?.contracts ?? 0), 0),
    open_interest_venues_count: stating.size,
    open_interest_venues_missing: asset.listedBy.flatMap(({ info, isRetired }) =>
      isRetired || stating.has(info.id) ? [] : [info.id],
    ),
  };
}
