import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { nextOrder } from '../../parts/order-choice.tsx';
import { columnEdges, type GridColumn, HEAD_PX, LINE_PX } from './grid-canvas.ts';
import { usePainting } from './grid-painting.ts';
import type { Corner, Cursor, GridProps, Spot } from './grid-props.ts';

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
  // Said when the cursor moves, and not each time that a rate or an age changes.
  const said = useMemo(() => {
    const line = cursor && lines.at(cursor.line);
    const column = cursor && columns[cursor.column];
    return line && column ? describe({ line, column }) : '';
  }, [cursor]);
  return (
    <div class="grid-frame" ref={frame} onScroll={leave}>
      {/* biome-ignore lint/a11y/useValidAnchor: a link that works like every skip link, but for the address */}
      <a class="skip" href="#cells" onClick={(event) => toCells(event, canvas.current)}>
        To the cells
      </a>
      <Head columns={columns} px={total} sort={props.sort} setSort={props.setSort} />
      <div class="grid-body" style={{ width: `${total}px`, height: `${lines.length * LINE_PX}px` }}>
        {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes keys; arrows move within it */}
        <canvas
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-label={`Matrix of ${lines.length} assets. Arrow keys move, Enter shows, f marks a favourite. The same as a table: button As table.`}
          onKeyDown={(event) =>
            takeKey(event, cursor ?? { line: 0, column: 0 }, props, {
              move,
              cornerOf: (place) => cornerOf(place, frame.current, edges),
            })
          }
          onFocus={() => setCursor((before) => before ?? { line: 0, column: 0 })}
          onClick={onClick}
          onMouseMove={onMouseMove}
          onMouseLeave={leave}
        />
      </div>
      <p class="unseen" aria-live="polite">
        {said}
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
    setHover(undefined);
    if (spot?.onStar) props.toggleFavourite(spot.line.id);
    else if (spot !== undefined) props.choose(spot, cornerOf(spot.at, frame.current, edges));
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
): (Spot & { onStar: boolean; at: Cursor }) | undefined {
  if (frame === null) return undefined;
  const box = frame.getBoundingClientRect();
  const x = event.clientX - box.left;
  const across = x < (columns[0]?.width ?? 0) ? x : x + frame.scrollLeft;
  const at = {
    line: Math.floor((event.clientY - box.top - HEAD_PX + frame.scrollTop) / LINE_PX),
    column: edges.findIndex((edge) => edge > across) - 1,
  };
  const line = lines.at(at.line);
  const column = columns[at.column];
  return line && column && { line, column, onStar: x < STAR_PX, at };
}

/** Passes over the titles, of which there are as many as venues; the address is the view's state, and stays. */
function toCells(event: Event, canvas: HTMLCanvasElement | null): void {
  event.preventDefault();
  canvas?.focus();
}

/** The lower left corner of a cell, as it is scrolled now. */
function cornerOf({ line, column }: Cursor, frame: HTMLDivElement | null, edges: readonly number[]): Corner {
  if (frame === null) return { x: 0, y: 0 };
  const x = (edges[column] ?? 0) - (column === 0 ? 0 : frame.scrollLeft);
  return { x, y: HEAD_PX + (line + 1) * LINE_PX - frame.scrollTop };
}

interface Keys {
  readonly move: (next: Cursor) => void;
  readonly cornerOf: (at: Cursor) => Corner;
}

function takeKey(event: KeyboardEvent, at: Cursor, props: GridProps, { move, cornerOf }: Keys): void {
  const step = STEPS[event.key];
  const line = props.lines.at(at.line);
  const column = props.columns[at.column];
  if (step !== undefined) move({ line: at.line + step[0], column: at.column + step[1] });
  else if ((event.key === 'Enter' || event.key === ' ') && line && column)
    props.choose({ line, column }, cornerOf(at));
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
