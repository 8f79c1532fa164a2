import type { GridColumn } from './grid-canvas.ts';
import type { AssetLine, Cell } from './grid-model.ts';
import type { Lines } from './matrix-view.ts';

export interface Spot {
  readonly line: AssetLine;
  readonly column: GridColumn;
}

/** A place in the frame of the matrix, px. */
export interface Corner {
  readonly x: number;
  readonly y: number;
}

export interface GridProps {
  readonly lines: Lines;
  readonly columns: readonly GridColumn[];
  readonly sort: string;
  readonly setSort: (order: string) => void;
  readonly isFavourite: (id: string) => boolean;
  readonly toggleFavourite: (id: string) => void;
  readonly cellText: (cell: Cell) => string;
  /** @param at the lower left corner of the cell, in the frame */
  readonly choose: (spot: Spot, at: Corner) => void;
  /** The text of a place, on hover and for screen readers. */
  readonly describe: (spot: Spot) => string;
}

export interface Cursor {
  readonly line: number;
  readonly column: number;
}
