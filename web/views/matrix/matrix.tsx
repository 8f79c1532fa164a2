import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useKeptChoice } from '../../data/kept-choice.ts';
import { useHealth, useVenueHealth, useVenues } from '../../data/service.ts';
import { useMeant } from '../../parts/asset-names.tsx';
import { TableButton } from '../../parts/fields.tsx';
import { SkipPast } from '../../parts/skip-past.tsx';
import { Age, Shown } from '../../parts/states.tsx';
import { Tools } from '../../parts/tools.tsx';
import { change, choice, figure, linkTo, usePlace } from '../../place.ts';
import { amountOf } from '../../text/amount.ts';
import { feesOf } from '../../text/fees.ts';
import { count, percent } from '../../text/number.ts';
import { SIZES } from '../../text/size.ts';
import { Detail } from './detail.tsx';
import { useFavourites } from './favourites.ts';
import { Filters, LEAST_INTEREST } from './filters.tsx';
import { Grid } from './grid.tsx';
import type { GridColumn } from './grid-canvas.ts';
import { type GridContext, type GridQuery, PERIODS, SCALES } from './grid-model.ts';
import type { Corner, Spot } from './grid-props.ts';
import { Legend } from './legend.tsx';
import { describeSpot, matrixColumns, PERIOD_TEXT, SUMMARY_COLUMNS, unitOf } from './matrix-columns.ts';
import { MatrixTable, matrixCsv } from './matrix-table.tsx';
import { PartNotice } from './part-notice.tsx';
import { SizedNotice, useSized } from './sized.tsx';
import { type MatrixSource, useMatrix } from './use-matrix.ts';

const SORT = '-spread';
const NARROW_PX = 640;
/** Parameters of the address that are kept in the browser: columns, the reader's taker fees, and the size of a leg. */
const KEPT = ['cols', 'venues', 'fees', 'size'];
const NO_FEES: ReadonlyMap<string, number> = new Map();

/** The matrix of funding: assets by venues. */
export function Matrix(): JSX.Element {
  const { params } = usePlace();
  // After it, so that the change of the address is heard.
  useKeptChoice(KEPT);
  const key = params.toString();
  const meant = useMeant(params.get('q') ?? '');
  const query = useMemo(
    () => ({ ...queryOf(params), meant: new Set(meant.map((asset) => asset.canonical_id)) }),
    [key, meant],
  );
  const fees = useGridContext(params.get('fees') ?? '');
  const sized = useSized(query.sizeUsd, query.venues);
  const question = useMemo(
    () => ({ query, around: { ...fees, sized: sized?.books } }),
    [query, fees, sized?.books],
  );
  return (
    <>
      <div class="head">
        <h1>Funding matrix</h1>
        <a href={linkTo('heatmap')}>Settled funding over time</a>
      </div>
      {sized !== undefined && <SizedNotice {...sized} />}
      <Shown answer={useMatrix(useHealth(), question)} what="the funding table">
        {(matrix, { at }) => <Board matrix={matrix} asked={query} at={at} costsAt={sized?.books.boughtAt} />}
      </Shown>
    </>
  );
}

/** The earlier list if it has not changed, so that values derived from it stay. */
function useSame(list: readonly string[]): readonly string[] {
  return useMemo(() => list, [list.join(' ')]);
}

const listOf = (params: URLSearchParams, name: string): readonly string[] =>
  (params.get(name) ?? '').split(',').filter((param) => param !== '');

/** Nothing and zero keep assets of which no open interest is known, too. */
const leastInterest = (params: URLSearchParams): number | undefined =>
  (params.has('min_oi') ? figure(params, 'min_oi') : amountOf(LEAST_INTEREST)) || undefined;

function queryOf(params: URLSearchParams): GridQuery {
  const only = params.get('only');
  return {
    scale: choice(params, 'scale', SCALES),
    period: choice(params, 'period', PERIODS),
    holdDays: figure(params, 'hold') ?? 7,
    sizeUsd: SIZES.find((size) => size === figure(params, 'size')),
    assetClass: params.get('class') ?? '',
    venues: listOf(params, 'venues'),
    columns: listOf(params, 'cols').filter((name) => SUMMARY_COLUMNS.some((column) => column === name)),
    minOpenInterest: leastInterest(params),
    minVolume: figure(params, 'min_volume'),
    minSpread: figure(params, 'min_spread'),
    maxSpread: figure(params, 'max_spread'),
    text: params.get('q') ?? '',
    only: only === null ? undefined : new Set(only.split(',')),
    sort: params.get('sort') ?? SORT,
  };
}

/** @param own the reader's taker fees, as they are typed; they stand for those of the venues */
function useGridContext(own: string): GridContext {
  const venues = useVenues();
  const health = useVenueHealth(10_000);
  return useMemo(() => {
    const listed = venues.state === 'ready' ? venues.body : [];
    const seen = health.state === 'ready' ? health.body : [];
    return {
      down: new Set(seen.filter(({ status }) => status !== 'live').map(({ venue }) => venue)),
      takerFeeBps: new Map(listed.map((venue) => [venue.name, venue.taker_fee_bps])),
      ownFeeBps: feesOf(own) ?? NO_FEES,
    };
  }, [venues, health, own]);
}

interface BoardProps {
  readonly matrix: MatrixSource;
  /** The reader's choice; the lines may still be those of the choice before. */
  readonly asked: GridQuery;
  readonly at: number;
  /** When the costs of the chosen size were bought, ms since 1970; undefined where they are of now, or none. */
  readonly costsAt: number | undefined;
}

/** The columns of what is shown, for the venues that the reader has chosen. */
function useColumns(
  { query, costsAt }: Pick<MatrixSource, 'query'> & Pick<BoardProps, 'costsAt'>,
  asked: GridQuery,
  venues: readonly string[],
  isNarrow: boolean,
): readonly GridColumn[] {
  return useMemo(() => {
    const shown = asked.venues.length === 0 ? venues : venues.filter((venue) => asked.venues.includes(venue));
    const isShown = (id: string): boolean => asked.columns.length === 0 || asked.columns.includes(id);
    return matrixColumns({ query, costsAt, venues: shown, isShown, isNarrow });
  }, [query.scale, query.period, query.holdDays, query.sizeUsd, costsAt, asked, venues, isNarrow]);
}

interface HeadProps extends Pick<BoardProps, 'matrix' | 'at'> {
  /** Number of venues. */
  readonly venues: number;
  readonly columns: readonly GridColumn[];
}

function Head({ matrix, venues, columns, at }: HeadProps): JSX.Element {
  const { lines, query } = matrix;
  return (
    <div class="head">
      <p class="fine">
        <span role="status">
          {count(lines.length)} assets, {count(venues)} venues, {unitOf(query.scale)}
          {query.period !== 'now' && `, means of what was paid in ${PERIOD_TEXT[query.period]}`}
        </span>
        ; read <Age at={at} /> ago
      </p>
      <Legend />
      <div class="tools">
        <TableButton canvas="matrix" />
        <Tools name="funding-matrix" csv={() => matrixCsv(lines, columns, query)} paths={matrix.paths} />
      </div>
    </div>
  );
}

function Board({ matrix, asked, at, costsAt }: BoardProps): JSX.Element {
  const { params } = usePlace();
  const [marked, toggle] = useFavourites();
  const { lines, query } = matrix;
  const venues = useSame(matrix.venues);
  const classes = useSame(matrix.classes);
  const isNarrow = innerWidth < NARROW_PX;
  const [corner, setCorner] = useState<Corner>();
  const columns = useColumns({ query, costsAt }, asked, venues, isNarrow);
  const filters = useMemo(
    () => <Filters query={asked} classes={classes} venues={venues} marked={marked} />,
    [asked, classes, venues, marked],
  );
  return (
    <>
      {(matrix.isSample || matrix.missing.length > 0) && <PartNotice matrix={matrix} />}
      <SkipPast what="the filters" isBefore />
      <details class="filters" open={!isNarrow}>
        <summary>Filters</summary>
        {filters}
      </details>
      <Head matrix={matrix} venues={venues.length} columns={columns} at={at} />
      {lines.length === 0 ? (
        <NonePasses />
      ) : params.has('table') ? (
        <MatrixTable lines={lines} columns={columns} query={query} />
      ) : (
        <div class="grid-place">
          <Grid
            lines={lines}
            columns={columns}
            sort={query.sort}
            setSort={(sort) => change({ sort })}
            isFavourite={(id) => marked.has(id)}
            toggleFavourite={toggle}
            cellText={({ value }) => (value === 0 ? '0' : percent(value))}
            choose={({ line, column }: Spot, at) => {
              setCorner(at);
              change({ at: line.id, venue: column.venue });
            }}
            describe={(spot) => describeSpot(spot, query)}
          />
          <Detail
            lines={lines}
            query={query}
            id={params.get('at')}
            venue={params.get('venue')}
            corner={corner}
          />
        </div>
      )}
    </>
  );
}

function NonePasses(): JSX.Element {
  return (
    <p class="notice" role="status">
      No asset passes these filters. <a href={linkTo('matrix', { min_oi: 0 })}>Take them off</a>
    </p>
  );
}
