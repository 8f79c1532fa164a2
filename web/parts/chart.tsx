import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { type Aligned, align, type Series, timeRange } from '../data/series.ts';
import { moment } from '../text/time.ts';
import { colours } from '../theme.tsx';
import { type Column, csvOf, Table } from './table.tsx';
import { save } from './tools.tsx';

interface ChartProps {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
  readonly format: (value: number | null) => string;
  /** Charts with the same name share their cursor. */
  readonly sync: string;
  /** Names the file of its numbers. */
  readonly name: string;
  /** True if zero is always visible, as a line. */
  readonly hasZero?: boolean;
  /** Said where there are no points; by default that nothing is kept of this time. */
  readonly empty?: string;
  /** Said where there are points and none of them has a known value. */
  readonly unknown?: string;
}

const HEIGHT_PX = 190;
const LINES = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'] as const;
const NAMES = [...LINES, 'soft', 'line'] as const;
const FONT = '11px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** A time of an axis in the reader's zone: midnight is its day. */
function tickText(seconds: number): string {
  const time = new Date(seconds * 1000);
  return time.getHours() === 0 && time.getMinutes() === 0 ? day.format(time) : hour.format(time);
}

const lineOf = ({ colour }: Series, at: number): (typeof LINES)[number] =>
  LINES[(colour ?? at) % LINES.length] ?? 'series-1';

/** A range with zero in it. */
const withZero = (_plot: uPlot, low: number, high: number): uPlot.Range.MinMax =>
  uPlot.rangeNum(Math.min(0, low ?? 0), Math.max(0, high ?? 0), 0.1, true);

/** By itself the library shows years after a time that stands alone. */
const aroundTimes = ({ data }: uPlot, low: number, high: number): uPlot.Range.MinMax =>
  timeRange([...data[0]], low, high);

function drawZero(plot: uPlot, colour: string): void {
  const { ctx, bbox } = plot;
  const y = Math.round(plot.valToPos(0, 'y', true));
  ctx.fillStyle = colour;
  ctx.fillRect(bbox.left, y, bbox.width, Math.max(1, Math.round(devicePixelRatio)));
}

function optionsOf({ series, format, sync, hasZero = false }: ChartProps, width: number): uPlot.Options {
  const of = colours(NAMES);
  const axis = {
    stroke: of.soft,
    font: FONT,
    grid: { stroke: of.line, width: 1 },
    ticks: { stroke: of.line, width: 1 },
  };
  const steps = uPlot.paths.stepped?.({ align: -1 });
  return {
    width,
    height: HEIGHT_PX,
    cursor: { sync: { key: sync }, points: { size: 6 } },
    legend: { show: false },
    scales: { x: { time: true, range: aroundTimes }, y: hasZero ? { range: withZero } : {} },
    hooks: hasZero ? { drawAxes: [(plot) => drawZero(plot, of.soft)] } : {},
    axes: [
      { ...axis, values: (_plot, ticks) => ticks.map(tickText) },
      { ...axis, size: 68, values: (_plot, ticks) => ticks.map((tick) => format(tick)) },
    ],
    series: [
      {},
      ...series.map(
        (line, at): uPlot.Series => ({
          label: line.label,
          stroke: of[lineOf(line, at)],
          width: line.isFaint ? 1 : 1.5,
          ...(line.isFaint === true && { dash: [4, 3] }),
          spanGaps: true,
          // One alone would not be seen as a line.
          points: { show: line.times.length < 3 },
          ...(line.isSteps === true && steps !== undefined && { paths: steps }),
        }),
      ),
    ],
  };
}

/** Series over time on one plot, and the same as a table and as CSV. */
export function Chart(props: ChartProps): JSX.Element {
  const { title, unit, series, empty = 'Nothing is kept of this time.' } = props;
  const { unknown = 'What is kept of this time has no known value.' } = props;
  const aligned = useMemo(() => align(series), [series]);
  const hasPoints = aligned.times.length > 0;
  const isEmpty = !aligned.columns.some((column) => column.some((value) => value !== null));
  return (
    <figure class="chart">
      <figcaption>
        <h3>
          {title} <small>{unit}</small>
        </h3>
        <ul class="chart-legend">
          {series.map((line, at) => (
            <li key={line.label} class={`${lineOf(line, at)} ${line.isFaint ? 'faint' : ''}`}>
              {line.label}
            </li>
          ))}
        </ul>
      </figcaption>
      {isEmpty ? <p class="empty">{hasPoints ? unknown : empty}</p> : <Plot {...props} aligned={aligned} />}
      {!isEmpty && <Numbers {...props} aligned={aligned} />}
    </figure>
  );
}

function Plot(props: ChartProps & { aligned: Aligned }): JSX.Element {
  const { aligned, series, title } = props;
  const box = useRef<HTMLDivElement>(null);
  // Made again for other lines and points, and not because somebody asked for the same again.
  const content = JSON.stringify(series);
  useEffect(() => {
    if (box.current === null) return;
    const parent = box.current;
    let plot: uPlot | undefined;
    const make = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsOf(props, parent.clientWidth), dataOf(aligned), parent);
    };
    const size = new ResizeObserver(() => plot?.setSize({ width: parent.clientWidth, height: HEIGHT_PX }));
    const dark = matchMedia('(prefers-color-scheme: dark)');
    make();
    size.observe(parent);
    addEventListener('themechange', make);
    dark.addEventListener('change', make);
    return () => {
      size.disconnect();
      removeEventListener('themechange', make);
      dark.removeEventListener('change', make);
      plot?.destroy();
    };
  }, [content]);
  return <div class="plot" ref={box} role="img" aria-label={`${title}; the numbers follow as a table`} />;
}

const dataOf = ({ times, columns }: Aligned): uPlot.AlignedData => [
  [...times],
  ...columns.map((column) => [...column]),
];

interface Line {
  readonly time: number;
  readonly values: readonly (number | null)[];
}

/** The last points; the file has all. */
const SHOWN = 60;

function Numbers({ title, series, format, name, aligned }: ChartProps & { aligned: Aligned }): JSX.Element {
  const lines = aligned.times.map(
    (time, at): Line => ({ time, values: aligned.columns.map((column) => column[at] ?? null) }),
  );
  const columns: readonly Column<Line>[] = [
    {
      id: 'time',
      title: 'Time',
      value: ({ time }) => new Date(time * 1000).toISOString(),
      show: ({ time }) => moment(time * 1000),
    },
    ...series.map(
      ({ label }, at): Column<Line> => ({
        id: label,
        title: label,
        numeric: true,
        value: ({ values }) => values[at],
        show: ({ values }) => format(values[at] ?? null),
      }),
    ),
  ];
  return (
    <details class="numbers">
      <summary>Numbers</summary>
      <button type="button" class="quiet" onClick={() => save(`${name}.csv`, csvOf(columns, lines))}>
        CSV of all {lines.length} points
      </button>
      <Table
        id={name}
        caption={`${title}, newest points`}
        columns={columns}
        rows={lines.slice(-SHOWN)}
        keyOf={({ time }) => String(time)}
        first="-time"
      />
    </details>
  );
}
