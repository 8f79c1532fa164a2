import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { nextOrder } from '../../parts/table.tsx';
import { columnEdges, type GridColumn, gridColours, HEAD_PX, LINE_PX, paintGrid } from './grid-canvas.ts';
import type { AssetLine, Cell } from './grid-model.ts';
import type { Lines } from './matrix-view.ts';

export interface Spot {
  readonly line: AssetLine;
  readonly column: GridColumn;
}

interface GridProps {
  readonly lines: Lines;
  readonly columns: readonly GridColumn[];
  readonly sort: string;
  readonly setSort: (order: string) => void;
  readonly isFavourite: (id: string) => boolean;
  readonly toggleFavourite: (id: string) => void;
  readonly cellText: (cell: Cell) => string;
  readonly choose: (spot: Spot) => void;
  /** The text of a place, on hover and for screen readers. */
  readonly describe: (spot: Spot) => string;
}

interface Cursor {
  readonly line: number;
  readonly column: number;
}

const STEPS: Readonly<Record<string, readonly [lines: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-15, 0],
  PageDown: [15, 0],
  Home: [0, -1000],
  End: [0, 1000],
};
/** Width of the star in front of an asset's name. */
const STAR_PX = 20;

const within = (value: number, end: number): number => Math.max(0, Math.min(end - 1, value));

/** Assets by venues, drawn on a canvas as far as it is to be seen. */
export function Grid(props: GridProps): JSX.Element {
  const { lines, columns, describe } = props;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [cursor, setCursor] = useState<Cursor>();
  const edges = useMemo(() => columnEdges(columns), [columns]);
  const total = edges.at(-1) ?? 0;
  usePainting(frame, canvas, props, cursor);

  const move = (next: Cursor): void => {
    const line = within(next.line, lines.length);
    const column = within(next.column, columns.length);
    setCursor({ line, column });
    reveal(frame.current, columns, edges, { line, column });
  };
  const { hover, leave, onClick, onMouseMove } = usePointer(frame, props, edges);
  const line = cursor && lines.at(cursor.line);
  const column = cursor && columns[cursor.column];
  return (
    <div class="grid-frame" ref={frame} onScroll={leave}>
      <Head columns={columns} px={total} sort={props.sort} setSort={props.setSort} />
      <div class="grid-body" style={{ width: `${total}px`, height: `${lines.length * LINE_PX}px` }}>
        {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes keys; arrows move within it */}
        <canvas
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-label={`Matrix of ${lines.length} assets. Arrow keys move, Enter shows, f marks a favourite. The same as a table: button As table.`}
          onKeyDown={(event) => takeKey(event, cursor ?? { line: 0, column: 0 }, props, move)}
          onFocus={() => setCursor((before) => before ?? { line: 0, column: 0 })}
          onClick={onClick}
          onMouseMove={onMouseMove}
          onMouseLeave={leave}
        />
      </div>
      <p class="unseen" aria-live="polite">
        {line && column ? describe({ line, column }) : ''}
      </p>
      {hover !== undefined && <Tip at={hover} text={describe(hover.spot)} />}
    </div>
  );
}

function Head(props: Pick<GridProps, 'columns' | 'sort' | 'setSort'> & { px: number }): JSX.Element {
  const { columns, sort, setSort, px } = props;
  return (
    <div class="grid-head" style={{ width: `${px}px` }}>
      {columns.map((column) => (
        <HeadCell key={column.id} column={column} sort={sort} setSort={setSort} />
      ))}
    </div>
  );
}

interface Hover {
  readonly spot: Spot;
  /** Of the pointer in the window, px. */
  readonly x: number;
  readonly y: number;
}

/** The place under the pointer, and the one that a click chooses. */
function usePointer(
  frame: { readonly current: HTMLDivElement | null },
  props: GridProps,
  edges: readonly number[],
) {
  const [hover, setHover] = useState<Hover>();
  const onClick = (event: MouseEvent): void => {
    const spot = spotAt(event, frame.current, props, edges);
    if (spot?.onStar) props.toggleFavourite(spot.line.id);
    else if (spot !== undefined) props.choose(spot);
  };
  const onMouseMove = (event: MouseEvent): void => {
    const spot = spotAt(event, frame.current, props, edges);
    setHover(spot && { spot, x: event.clientX, y: event.clientY });
  };
  return { hover, leave: () => setHover(undefined), onClick, onMouseMove };
}

function Tip({ at, text }: { at: Hover; text: string }): JSX.Element {
  const left = Math.min(at.x + 14, innerWidth - 270);
  const top = Math.min(at.y + 18, innerHeight - 150);
  return (
    <p class="tip" style={{ left: `${left}px`, top: `${top}px` }}>
      {text}
    </p>
  );
}

/** The cell that the pointer is over; the frozen column stays where it is while the others scroll. */
function spotAt(
  event: MouseEvent,
  frame: HTMLDivElement | null,
  { lines, columns }: GridProps,
  edges: readonly number[],
): (Spot & { onStar: boolean }) | undefined {
  if (frame === null) return undefined;
  const box = frame.getBoundingClientRect();
  const x = event.clientX - box.left;
  const across = x < (columns[0]?.width ?? 0) ? x : x + frame.scrollLeft;
  const line = lines.at(Math.floor((event.clientY - box.top - HEAD_PX + frame.scrollTop) / LINE_PX));
  const column = columns[edges.findIndex((edge) => edge > across) - 1];
  return line && column && { line, column, onStar: x < STAR_PX };
}

function takeKey(event: KeyboardEvent, at: Cursor, props: GridProps, move: (next: Cursor) => void): void {
  const step = STEPS[event.key];
  const line = props.lines.at(at.line);
  const column = props.columns[at.column];
  if (step !== undefined) move({ line: at.line + step[0], column: at.column + step[1] });
  else if ((event.key === 'Enter' || event.key === ' ') && line && column) props.choose({ line, column });
  else if (event.key === 'f' && line) props.toggleFavourite(line.id);
  else return;
  event.preventDefault();
}

function HeadCell({
  column,
  sort,
  setSort,
}: {
  column: GridColumn;
  sort: string;
  setSort: (order: string) => void;
}): JSX.Element {
  const chosen = sort.replace(/^-/, '') === column.id;
  const direction = chosen ? (sort.startsWith('-') ? ', descending' : ', ascending') : '';
  return (
    <button
      type="button"
      class={`sort ${column.numeric ? 'number' : ''} ${chosen ? 'chosen' : ''}`}
      style={{ width: `${column.width}px` }}
      title={column.about}
      onClick={() => setSort(nextOrder(column, sort))}
    >
      <span>
        <span class="unseen">Sort by </span>
        {column.title}
        {chosen && <span aria-hidden="true">{sort.startsWith('-') ? ' ▼' : ' ▲'}</span>}
        <span class="unseen">{direction}</span>
      </span>
      {column.unit !== undefined && <small>{column.unit}</small>}
    </button>
  );
}

/** Scrolls so far that a place is to be seen. */
function reveal(
  frame: HTMLDivElement | null,
  columns: readonly GridColumn[],
  edges: readonly number[],
  at: Cursor,
): void {
  if (frame === null) return;
  const top = at.line * LINE_PX;
  const room = frame.clientHeight - HEAD_PX - LINE_PX;
  if (top < frame.scrollTop) frame.scrollTop = top;
  else if (top > frame.scrollTop + room) frame.scrollTop = top - room;
  if (at.column === 0) return;
  const frozen = columns[0]?.width ?? 0;
  const left = edges[at.column] ?? 0;
  const right = edges[at.column + 1] ?? 0;
  if (left - frozen < frame.scrollLeft) frame.scrollLeft = left - frozen;
  else if (right > frame.scrollLeft + frame.clientWidth) frame.scrollLeft = right - frame.clientWidth;
}

type Colours = ReturnType<typeof gridColours>;

interface Seen {
  readonly props: GridProps;
  readonly cursor: Cursor | undefined;
}

/** Paints the part that is scrolled into sight; the cursor is drawn where the keys go to it. */
function paintSeen(box: HTMLElement, picture: HTMLCanvasElement, { props, cursor }: Seen, of: Colours): void {
  const { lines, columns, isFavourite, cellText } = props;
  const width = box.clientWidth;
  const height = Math.max(0, box.clientHeight - HEAD_PX);
  picture.style.width = `${width}px`;
  picture.style.height = `${height}px`;
  const { scrollLeft, scrollTop } = box;
  const place = document.activeElement === picture ? cursor : undefined;
  paintGrid(
    picture,
    { lines, columns, scrollLeft, scrollTop, width, height, cursor: place, isFavourite, cellText },
    of,
  );
}

/** Calls back when size, scroll, focus or colours have changed, until what is returned is called. */
function onChange(
  box: HTMLElement,
  picture: HTMLCanvasElement,
  later: () => void,
  recolour: () => void,
): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const size = new ResizeObserver(later);
  size.observe(box);
  box.addEventListener('scroll', later, { passive: true });
  picture.addEventListener('focus', later);
  picture.addEventListener('blur', later);
  addEventListener('themechange', recolour);
  dark.addEventListener('change', recolour);
  return () => {
    size.disconnect();
    box.removeEventListener('scroll', later);
    picture.removeEventListener('focus', later);
    picture.removeEventListener('blur', later);
    removeEventListener('themechange', recolour);
    dark.removeEventListener('change', recolour);
  };
}

/** Paints at most once a frame: after data, size, scroll, cursor or colours have changed. */
function usePainting(
  frame: { readonly current: HTMLDivElement | null },
  canvas: { readonly current: HTMLCanvasElement | null },
  props: GridProps,
  cursor: Cursor | undefined,
): void {
  const latest = useRef<Seen>({ props, cursor });
  latest.current = { props, cursor };
  const request = useRef<() => void>(() => undefined);
  useEffect(() => {
    const box = frame.current;
    const picture = canvas.current;
    if (box === null || picture === null) return;
    let of = gridColours();
    let due = 0;
    const paint = (): void => {
      due = 0;
      paintSeen(box, picture, latest.current, of);
    };
    const later = (): void => {
      due ||= requestAnimationFrame(paint);
    };
    const recolour = (): void => {
      of = gridColours();
      later();
    };
    const stop = onChange(box, picture, later, recolour);
    request.current = later;
    later();
    return () => {
      cancelAnimationFrame(due);
      stop();
    };
  }, [frame, canvas]);
  // Not after the next frame, but in it.
  useLayoutEffect(() => request.current());
}
