import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PerpFundingHeatmapAnswer } from '../../../packages/client/src/routes.ts';
import { go } from '../../place.ts';
import { CELL, columnWidth, type HeatPicture, paintHeat } from './heat-canvas.ts';
import { columnText, describeHeat, fullColour, type HeatRow } from './heat-rows.ts';

interface Spot {
  readonly row: number;
  readonly column: number;
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -1000],
  End: [0, 1000],
};
const within = (value: number, end: number): number => Math.max(0, Math.min(end - 1, value));

/** Paints now, and when the window or the colours change. */
function usePicture(canvas: { readonly current: HTMLCanvasElement | null }, of: Omit<HeatPicture, 'width'>) {
  const latest = useRef(of);
  latest.current = of;
  const widthNow = (): number => canvas.current?.parentElement?.clientWidth ?? 0;
  const paint = (): void => {
    if (canvas.current !== null) paintHeat(canvas.current, { ...latest.current, width: widthNow() });
  };
  useEffect(() => {
    const size = new ResizeObserver(paint);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    if (canvas.current?.parentElement) size.observe(canvas.current.parentElement);
    addEventListener('themechange', paint);
    dark.addEventListener('change', paint);
    return () => {
      size.disconnect();
      removeEventListener('themechange', paint);
      dark.removeEventListener('change', paint);
    };
  }, []);
  useEffect(paint);
  return widthNow;
}

/** The cell under the pointer; undefined below the last row. */
function spotOf(
  { offsetX, offsetY }: MouseEvent,
  width: number,
  rows: readonly HeatRow[],
  columns: number,
): Spot | undefined {
  const column = Math.floor((offsetX - CELL.name) / columnWidth({ width, columns }));
  const row = Math.floor(offsetY / CELL.height);
  return rows[row] === undefined ? undefined : { row, column: within(column, columns) };
}

interface HeatMapProps {
  readonly answer: PerpFundingHeatmapAnswer;
  readonly rows: readonly HeatRow[];
}

/** Assets by time on one canvas; arrows move, Enter opens the asset. */
export function HeatMap({ answer, rows }: HeatMapProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [chosen, choose] = useState<Spot>();
  const columns = answer.columns.length;
  const widthNow = usePicture(canvas, { rows, columns, full: fullColour(rows), chosen });
  const spotAt = (event: MouseEvent): Spot | undefined => spotOf(event, widthNow(), rows, columns);
  const open = (spot: Spot | undefined): void => {
    const row = spot && rows[spot.row];
    if (row !== undefined) go('asset', { ticker: row.ticker, id: row.id });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (event.key === 'Enter') open(chosen);
    else if (step === undefined) return;
    else {
      const { row, column } = chosen ?? { row: 0, column: 0 };
      choose({ row: within(row + step[0], rows.length), column: within(column + step[1], columns) });
    }
    event.preventDefault();
  };
  return (
    <figure class="chart heat">
      <div class="heat-frame">
        {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes keys; arrows move within it */}
        <canvas
          ref={canvas}
          style={{ height: `${rows.length * CELL.height}px` }}
          tabIndex={0}
          role="application"
          aria-label={`Heatmap of ${rows.length} assets by ${columns} columns. Arrow keys move, Enter opens the asset. The same as a table: button As table.`}
          onKeyDown={onKeyDown}
          onFocus={() => choose((before) => before ?? { row: 0, column: 0 })}
          onMouseMove={(event) => choose(spotAt(event))}
          onClick={(event) => open(spotAt(event))}
        />
      </div>
      <Reading answer={answer} rows={rows} chosen={chosen} />
    </figure>
  );
}

/** The ends of the time, and what the chosen cell says. */
function Reading({ answer, rows, chosen }: HeatMapProps & { chosen: Spot | undefined }): JSX.Element {
  const row = chosen && rows[chosen.row];
  return (
    <>
      <p class="scale">
        <span>{columnText(answer.columns[0] ?? '', answer.step)} UTC</span>
        <span>{columnText(answer.columns.at(-1) ?? '', answer.step)}</span>
      </p>
      <p class="fine" aria-live="polite">
        {row === undefined || chosen === undefined
          ? 'Rest on a cell, or move by arrow keys, to read it.'
          : describeHeat(answer, row, chosen.column)}
      </p>
    </>
  );
}
