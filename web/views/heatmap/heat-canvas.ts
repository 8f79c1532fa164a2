import { hatch } from '../../parts/hatch.ts';
import { colours } from '../../theme.tsx';
import type { HeatRow } from './heat-rows.ts';

export const CELL = { height: 22, name: 86, least: 12 } as const;

export interface HeatPicture {
  readonly rows: readonly HeatRow[];
  readonly columns: number;
  readonly width: number;
  /** Value that has the full colour, bps of eight hours. */
  readonly full: number;
  readonly chosen: { readonly row: number; readonly column: number } | undefined;
}

const FONT = '600 12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const MAX_ALPHA = 0.85;

/** Width of a column; all of them fill the window where they have room. */
export const columnWidth = ({ width, columns }: Pick<HeatPicture, 'width' | 'columns'>): number =>
  Math.max(CELL.least, (width - CELL.name) / Math.max(1, columns));

/** Clears a canvas of a size, in pixels of the page. */
function sizeTo(
  canvas: HTMLCanvasElement,
  to: CanvasRenderingContext2D,
  width: number,
  height: number,
): void {
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
}

/** The colour of the sign, stronger with the root of the size; what is not known is hatched, zero is bare. */
export function paintHeat(canvas: HTMLCanvasElement, picture: HeatPicture): void {
  const to = canvas.getContext('2d', { alpha: false });
  if (to === null) return;
  const { rows, columns, full, chosen } = picture;
  const of = colours(['panel', 'ink', 'line', 'accent', 'heat-positive', 'heat-negative']);
  const width = CELL.name + columnWidth(picture) * columns;
  const height = rows.length * CELL.height;
  sizeTo(canvas, to, width, height);
  to.fillStyle = of.panel;
  to.fillRect(0, 0, width, height);
  const step = columnWidth(picture);
  rows.forEach((row, line) => {
    const y = line * CELL.height;
    to.font = FONT;
    to.textBaseline = 'middle';
    to.fillStyle = of.ink;
    to.fillText(row.ticker, 4, y + CELL.height / 2, CELL.name - 8);
    row.values.forEach((value, at) => {
      const x = CELL.name + at * step;
      if (value === null) hatch(to, of.line, [x, y, step - 1, CELL.height - 1]);
      else {
        to.globalAlpha = MAX_ALPHA * Math.min(1, Math.sqrt(Math.abs(value) / full));
        to.fillStyle = of[value < 0 ? 'heat-negative' : 'heat-positive'];
        to.fillRect(x, y, step - 1, CELL.height - 1);
        to.globalAlpha = 1;
      }
    });
  });
  if (chosen === undefined) return;
  to.strokeStyle = of.accent;
  to.lineWidth = 2;
  to.strokeRect(CELL.name + chosen.column * step, chosen.row * CELL.height, step - 1, CELL.height - 1);
}
