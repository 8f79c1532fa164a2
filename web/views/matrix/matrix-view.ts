import type { FundingRow } from '../../data/funding.ts';
import { type AssetLine, type CellRow, type GridContext, type GridQuery, gridLines } from './grid-model.ts';

/** Lines in order; only those that are looked at need to be made. */
export interface Lines {
  readonly length: number;
  at(place: number): AssetLine | undefined;
  withId(id: string): AssetLine | undefined;
}

/** Lines from a place on. */
export const linesFrom = (lines: Lines, from = 0, end = lines.length): readonly AssetLine[] =>
  Array.from({ length: Math.max(0, Math.min(end, lines.length) - from) }, (_, at) =>
    lines.at(from + at),
  ).filter((line) => line !== undefined);

/** A row with what the list of venues is ordered by. */
export type MatrixRow = CellRow & Pick<FundingRow, 'source_id'>;

/** The matrix as it is shown. */
export interface MatrixView {
  readonly lines: Lines;
  /** The query behind its lines; a later one may be on its way. */
  readonly query: GridQuery;
  /** All venues of the rows, in the order of their numbers. */
  readonly venues: readonly string[];
  readonly classes: readonly string[];
}

/** Venues and classes of some rows. */
export function kindsOf(
  rows: Iterable<Pick<FundingRow, 'venue' | 'source_id' | 'asset_class'>>,
): Pick<MatrixView, 'venues' | 'classes'> {
  const ids = new Map<string, number>();
  const classes = new Set<string>();
  for (const row of rows) {
    ids.set(row.venue, row.source_id);
    classes.add(row.asset_class);
  }
  const venues = [...ids].sort(([, a], [, b]) => a - b).map(([venue]) => venue);
  return { venues, classes: [...classes].sort() };
}

/** A question about the rows. */
export interface MatrixQuestion {
  readonly query: GridQuery;
  readonly around: GridContext;
}

/** The matrix of rows that are held here. @param now ms since 1970 */
export function matrixView(
  rows: readonly MatrixRow[],
  now: number,
  { query, around }: MatrixQuestion,
): MatrixView {
  const lines = gridLines({ rows, now }, query, around);
  const withId = (id: string): AssetLine | undefined => lines.find((line) => line.id === id);
  return {
    query,
    ...kindsOf(rows),
    lines: { length: lines.length, at: (place) => lines[place], withId },
  };
}
