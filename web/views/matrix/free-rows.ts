import type { FreeMatrixAnswer } from '../../../packages/client/src/routes.ts';
import type { MatrixRow } from './matrix-view.ts';

/** The free matrix as rows of the table that is sold; they say nothing of contracts and settlements. */
export function freeRows({ assets, as_of }: FreeMatrixAnswer): readonly MatrixRow[] {
  const counts = new Map<string, number>();
  for (const { cells } of assets)
    for (const { venue } of cells) counts.set(venue, (counts.get(venue) ?? 0) + 1);
  // Venues with most assets come first: the answer has no numbers of venues.
  const order = [...counts].sort(([, a], [, b]) => b - a).map(([venue]) => venue);
  const places = new Map(order.map((venue, place) => [venue, place]));
  return assets.flatMap(({ canonical_id, ticker, asset_class, cells }) =>
    cells.map(
      (cell): MatrixRow => ({
        ...cell,
        canonical_id,
        asset_class,
        symbol: ticker,
        source_id: places.get(cell.venue) ?? 0,
        venue_symbol: '',
        quote: '',
        rate_updated_at: as_of,
        next_funding_time: null,
      }),
    ),
  );
}
