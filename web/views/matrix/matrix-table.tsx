import type { JSX } from 'preact';
import { Pages, usePage } from '../../parts/pages.tsx';
import { type Column, csvOf, Table } from '../../parts/table.tsx';
import { WatchLink } from '../../parts/watch-link.tsx';
import { change } from '../../place.ts';
import { percent } from '../../text/number.ts';
import type { GridColumn } from './grid-canvas.ts';
import type { AssetLine, GridQuery } from './grid-model.ts';
import { sortValue } from './line-order.ts';
import { spreadOf } from './matrix-columns.ts';
import { type Lines, linesFrom } from './matrix-view.ts';

const PAGE = 50;

function cellWords(line: AssetLine, venue: string): string {
  const cell = line.cells.get(venue);
  if (cell === undefined) return 'not listed';
  if (cell.value === null) return 'unknown';
  const text = percent(cell.value);
  return cell.state === 'known' ? text : `${text} (${cell.state === 'stale' ? 'stale' : 'not compared'})`;
}

/** The text of a column before the venues; of an unknown value the reason, where there is one. */
function summaryWords({ text, why }: GridColumn, line: AssetLine): JSX.Element | string {
  const reason = why?.(line) ?? '';
  return reason === '' ? (text?.(line) ?? line.ticker) : <span class="unknown">{reason}</span>;
}

function tableColumns(columns: readonly GridColumn[]): readonly Column<AssetLine>[] {
  return columns.map((column) => {
    const { id, title, unit, about, numeric, venue } = column;
    return {
      id,
      title,
      about,
      numeric,
      ...(unit !== undefined && { unit }),
      value: (line: AssetLine) => sortValue(line, id),
      show: (line: AssetLine) => (venue === undefined ? summaryWords(column, line) : cellWords(line, venue)),
      isVoid: (line: AssetLine) => venue !== undefined && !line.cells.has(venue),
    };
  });
}

/** Leads from a row to a watch of the asset's spread. */
const WATCH_COLUMN: Column<AssetLine> = {
  id: 'watch',
  title: 'Watch',
  about: 'An alert when its spread passes a level',
  isControl: true,
  value: () => null,
  show: ({ id, ticker, spread8h }) => (
    <WatchLink
      kind="spread"
      ticker={id}
      now={spread8h === null ? null : spread8h * 10_000}
      what={`the spread of ${ticker}`}
    />
  ),
};

/** The matrix as a table, fifty lines at a time; a title orders all of them, and not those that are shown. */
export function MatrixTable(props: {
  lines: Lines;
  columns: readonly GridColumn[];
  query: GridQuery;
}): JSX.Element {
  const { lines, columns, query } = props;
  const { page, pages } = usePage(lines.length, PAGE);
  return (
    <>
      <Table
        id="matrix"
        caption="Funding matrix"
        columns={[...tableColumns(columns), WATCH_COLUMN]}
        rows={linesFrom(lines, (page - 1) * PAGE, page * PAGE)}
        keyOf={({ id }) => id}
        empty="No asset passes the filters."
        list={{ order: query.sort, setOrder: (sort) => change({ sort, page: undefined }) }}
      />
      <Pages page={page} pages={pages} />
    </>
  );
}

/** The whole of what passes the filters, rates in the chosen scale as fractions. */
export function matrixCsv(
  lines: Lines,
  columns: readonly GridColumn[],
  { scale, period, sizeUsd }: GridQuery,
): string {
  const extra: readonly Column<AssetLine>[] = [
    { id: 'canonical_id', title: '', value: ({ id }) => id },
    { id: 'asset_class', title: '', value: ({ assetClass }) => assetClass },
  ];
  const why: readonly Column<AssetLine>[] =
    sizeUsd === undefined ? [] : [{ id: 'cost_unknown', title: '', value: ({ costWhy }) => costWhy || null }];
  const own = columns.map(({ id, venue }) => ({
    id: venue === undefined ? id : `${id}_rate_${scale}${period === 'now' ? '' : `_paid_${period}`}`,
    title: '',
    value: (line: AssetLine) => (id === 'spread' ? spreadOf(line, scale) : sortValue(line, id)),
  }));
  return csvOf([...extra, ...own, ...why], linesFrom(lines));
}
