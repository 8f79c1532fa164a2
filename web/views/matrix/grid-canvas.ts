import { hatch } from '../../parts/hatch.ts';
import { colours } from '../../theme.tsx';
import type { AssetLine, Cell } from './grid-model.ts';
import type { Lines } from './matrix-view.ts';

export const LINE_PX = 24;
export const HEAD_PX = 42;

/** A column as it is drawn. */
export interface GridColumn {
  readonly id: string;
  readonly title: string;
  readonly unit?: string;
  readonly about: string;
  readonly width: number;
  readonly numeric: boolean;
  /** A venue's column has cells, the others have text. */
  readonly venue?: string;
  readonly text?: (line: AssetLine) => string;
  readonly sign?: (line: AssetLine) => number | null;
  /** The reason for an unknown value; empty for others. */
  readonly why?: (line: AssetLine) => string;
}

export interface GridView {
  readonly lines: Lines;
  readonly columns: readonly GridColumn[];
  readonly scrollLeft: number;
  readonly scrollTop: number;
  readonly width: number;
  readonly height: number;
  /** Line and column that the keyboard is at. */
  readonly cursor: { readonly line: number; readonly column: number } | undefined;
  readonly isFavourite: (id: string) => boolean;
  readonly cellText: (cell: Cell) => string;
}

const NAMES = [
  ...([
    'ground',
    'panel',
    'raised',
    'ink',
    'soft',
    'line',
    'accent',
    'positive',
    'negative',
    'warn',
  ] as const),
  ...(['heat-positive', 'heat-negative', 'series-2'] as const),
] as const;
export type GridColours = Readonly<Record<(typeof NAMES)[number], string>>;
export const gridColours = (): GridColours => colours(NAMES);

const NUMBERS = '11.5px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
const WORDS = '12.5px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const BOLD = `600 ${WORDS}`;
const SMALL = '9px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
/** A year's rate at which a cell has its full colour. */
const FULL_YEAR = 1;
const MAX_ALPHA = 0.5;

/** First and last of some things of a width that are within a stretch. */
export function linesWithin(top: number, height: number, all: number): readonly [first: number, end: number] {
  const first = Math.max(0, Math.floor(top / LINE_PX));
  return [first, Math.min(all, Math.ceil((top + height) / LINE_PX))];
}

/** Left edges of the columns; the first stays where it is. */
export function columnEdges(columns: readonly GridColumn[]): readonly number[] {
  const edges = [0];
  for (const { width } of columns) edges.push((edges.at(-1) ?? 0) + width);
  return edges;
}

class Painter {
  readonly #to: CanvasRenderingContext2D;
  readonly #view: GridView;
  readonly #of: GridColours;

  constructor(to: CanvasRenderingContext2D, view: GridView, of: GridColours) {
    this.#to = to;
    this.#view = view;
    this.#of = of;
  }

  paint(): void {
    const { lines, columns, scrollLeft, scrollTop, width, height } = this.#view;
    const edges = columnEdges(columns);
    const frozen = columns[0]?.width ?? 0;
    const to = this.#to;
    to.fillStyle = this.#of.panel;
    to.fillRect(0, 0, width, height);
    to.textBaseline = 'middle';
    const [first, end] = linesWithin(scrollTop, height, lines.length);
    for (let at = first; at < end; at += 1) {
      const line = lines.at(at);
      if (line === undefined) continue;
      const y = at * LINE_PX - scrollTop;
      for (let column = 1; column < columns.length; column += 1) {
        const x = (edges[column] ?? 0) - scrollLeft;
        const one = columns[column];
        if (one === undefined || x + one.width < frozen || x > width) continue;
        this.#cell(one, line, x, y);
        this.#cursor(at, column, x, y, one.width);
      }
      this.#name(line, at, y, frozen);
      to.fillStyle = this.#of.line;
      to.fillRect(0, y + LINE_PX - 1, width, 1);
    }
    to.fillRect(frozen - 1, 0, 1, Math.min(height, lines.length * LINE_PX - scrollTop));
  }

  #cursor(line: number, column: number, x: number, y: number, width: number): void {
    const { cursor } = this.#view;
    if (cursor?.line !== line || cursor.column !== column) return;
    this.#to.strokeStyle = this.#of.accent;
    this.#to.lineWidth = 2;
    this.#to.strokeRect(x + 1, y + 1, width - 2, LINE_PX - 3);
  }

  #text(
    text: string,
    x: number,
    y: number,
    font: string,
    colour: string,
    align: CanvasTextAlign,
    room?: number,
  ): void {
    const to = this.#to;
    to.font = font;
    to.fillStyle = colour;
    to.textAlign = align;
    to.fillText(text, x, y + LINE_PX / 2, room);
  }

  #name(line: AssetLine, at: number, y: number, width: number): void {
    const to = this.#to;
    to.fillStyle = this.#of.panel;
    to.fillRect(0, y, width, LINE_PX);
    const isFavourite = this.#view.isFavourite(line.id);
    this.#text(isFavourite ? '★' : '☆', 6, y, WORDS, isFavourite ? this.#of.warn : this.#of.soft, 'left');
    this.#text(line.ticker, 22, y, BOLD, this.#of.ink, 'left', width - 26);
    this.#cursor(at, 0, 0, y, width);
  }

  #cell(column: GridColumn, line: AssetLine, x: number, y: number): void {
    if (column.venue !== undefined) {
      this.#rate(line, line.cells.get(column.venue), x, y, column.width);
      return;
    }
    const text = column.text?.(line) ?? '';
    const sign = column.sign?.(line) ?? 0;
    const colour = sign > 0 ? this.#of.positive : sign < 0 ? this.#of.negative : this.#of.ink;
    if (column.numeric) this.#text(text, x + column.width - 8, y, NUMBERS, colour, 'right');
    else this.#text(text, x + 8, y, WORDS, colour, 'left', column.width - 12);
  }

  #rate(line: AssetLine, cell: Cell | undefined, x: number, y: number, width: number): void {
    const to = this.#to;
    if (cell === undefined) {
      to.fillStyle = this.#of.ground;
      to.fillRect(x, y, width, LINE_PX);
      return;
    }
    const { state, row, rate8h } = cell;
    if (state === 'unknown') {
      hatch(to, this.#of.line, [x, y, width, LINE_PX]);
      this.#text('?', x + width / 2, y, NUMBERS, this.#of.soft, 'center');
      return;
    }
    if (state === 'known') this.#heat(rate8h ?? cell.value ?? 0, x, y, width);
    if (state === 'stale') hatch(to, this.#of.line, [x, y, width, LINE_PX]);
    const colour = { known: this.#of.ink, stale: this.#of.warn, uncomparable: this.#of.soft, unknown: '' }[
      state
    ];
    const interval = row.funding_interval_hours === null ? '?' : `${row.funding_interval_hours}h`;
    const mark = { known: interval, stale: 'old', uncomparable: '≠', unknown: '' }[state];
    this.#text(mark, x + 5, y, SMALL, state === 'stale' ? this.#of.warn : this.#of.soft, 'left');
    this.#text(this.#view.cellText(cell), x + width - 6, y, NUMBERS, colour, 'right');
    to.fillStyle = cell === line.short ? this.#of['series-2'] : this.#of.accent;
    if (cell === line.short) to.fillRect(x, y, width, 2);
    if (cell === line.long) to.fillRect(x, y + LINE_PX - 3, width, 2);
  }

  /** The colour of the sign, stronger with the root of the size: small rates are many. */
  #heat(rate8h: number, x: number, y: number, width: number): void {
    if (rate8h === 0) return;
    const to = this.#to;
    const size = Math.min(1, Math.sqrt((Math.abs(rate8h) * 3 * 365) / FULL_YEAR));
    to.globalAlpha = MAX_ALPHA * size;
    to.fillStyle = rate8h > 0 ? this.#of['heat-positive'] : this.#of['heat-negative'];
    to.fillRect(x, y, width, LINE_PX);
    to.globalAlpha = 1;
  }
}

/** Draws what is to be seen of the matrix; nothing outside the window costs anything. */
export function paintGrid(canvas: HTMLCanvasElement, view: GridView, of: GridColours): void {
  const to = canvas.getContext('2d', { alpha: false });
  if (to === null) return;
  const ratio = devicePixelRatio || 1;
  const width = Math.round(view.width * ratio);
  const height = Math.round(view.height * ratio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  new Painter(to, view, of).paint();
}
