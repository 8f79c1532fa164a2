import { lowerAscii } from '../domain/ascii-case.ts';
import { type Failure, fail, ok, type Result } from '../domain/errors.ts';
import type { AssetClass } from '../domain/instrument.ts';
import { annualisedPct } from '../domain/rate.ts';
import type { MarketRow, MarketView, TrackedVenue } from '../market/view.ts';
import { fundingTime, type ProductAnswer, productAnswer } from './product-answer.ts';
import { hasFreshRate, namingFailure, notListed, notReady, selectVenue, venueIds } from './select.ts';

/** What rows can be ordered by; a `-` in front = descending. */
export const FUNDING_SORTS = [
  ...(['rate', 'rate_8h', 'annualized_pct', 'open_interest', 'volume_24h'] as const),
  ...(['-rate', '-rate_8h', '-annualized_pct', '-open_interest', '-volume_24h'] as const),
] as const;
export type FundingSort = (typeof FUNDING_SORTS)[number];

export interface FundingCurrentQuery {
  /** Undefined = all. */
  readonly symbol?: string | undefined;
  /** Undefined = all. */
  readonly venue?: string | undefined;
  /** Undefined = all. */
  readonly assetClass?: AssetClass | undefined;
  /** Undefined = by canonical id and source id. */
  readonly sort?: FundingSort | undefined;
  /** Whether rows without a fresh mark and a fresh rate are left out. */
  readonly fresh?: boolean | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly includeUncomparable: boolean;
}

/** A page with market rows, for a caller that keeps their JSON. */
export interface FundingPage {
  /** The bare ticker, or `ALL`. */
  readonly symbol: string;
  readonly comparable_only: boolean;
  readonly rows: readonly MarketRow[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}

/**
 * The page of rows that a request asks for, ordered by (canonical_id, source_id) unless it says by what. `total` counts after filters.
 * Never ambiguous: a symbol that names several assets gives the rows of all. 404 unknown_ticker, unknown_venue, not_listed; an empty list is
 * not sold: 503 not_ready without a row, 404 no_data where no row is comparable.
 */
export function fundingPage(
  view: MarketView,
  query: FundingCurrentQuery,
): Result<ProductAnswer<FundingPage>> {
  const selected = selectRows(view, query);
  if (!selected.ok) return selected;
  const { symbol, rows } = selected.value;
  const { limit, offset } = query;
  const filtered = chosenRows(rows, query);
  if (filtered.length === 0) return fail(nothingListed(view, symbol, rows, query));
  const page = filtered.slice(offset, offset + limit);
  const body: FundingPage = {
    symbol,
    comparable_only: !query.includeUncomparable,
    rows: page,
    total: filtered.length,
    limit,
    offset,
    has_more: offset + page.length < filtered.length,
  };
  return ok(productAnswer(body, page, missingVenues(view, query, rows), fundingTime));
}

interface SelectedRows {
  readonly symbol: string;
  readonly rows: readonly MarketRow[];
}

/** Rows of the assets, and of the venue, that are asked for. A name that means one contract of the venue gives its row. */
function selectRows(view: MarketView, { symbol, venue: at }: FundingCurrentQuery): Result<SelectedRows> {
  const found = at === undefined ? undefined : selectVenue(view, at);
  if (found?.ok === false) return found;
  const venue = found?.value;
  if (symbol === undefined) return ok({ symbol: 'ALL', rows: ofVenue(view.rows(), venue) });
  const resolution = view.resolve(symbol, venue === undefined ? {} : { venue: venue.info.id });
  if (resolution.kind === 'one') {
    const { ticker, canonicalId, symbol: contract } = resolution;
    if (venue !== undefined && !view.lists(venue.info.id, canonicalId))
      return fail(notListed(view, venue, resolution));
    const one =
      venue !== undefined && contract !== undefined ? view.contract(venue.info.id, contract) : undefined;
    return ok({ symbol: ticker, rows: one === undefined ? ofVenue(view.rowsOf(canonicalId), venue) : [one] });
  }
  if (resolution.kind !== 'ambiguous') return fail(namingFailure(view, symbol, { kind: 'unknown' }, venue));
  const rows = resolution.candidates.flatMap((candidate) => view.rowsOf(candidate.canonical_id));
  return ok({ symbol: rows[0]?.ticker ?? symbol.toUpperCase(), rows: ofVenue(rows, venue) });
}

function ofVenue(rows: readonly MarketRow[], venue: TrackedVenue | undefined): readonly MarketRow[] {
  return venue === undefined ? rows : rows.filter((row) => row.venue === venue.info.id);
}

function nothingListed(
  view: MarketView,
  symbol: string,
  rows: readonly MarketRow[],
  query: FundingCurrentQuery,
): Failure {
  if (rows.length === 0) return notReady(`No row of ${symbol} is younger than 15 minutes`, view.venues());
  const narrowed = query.assetClass !== undefined || query.fresh;
  const detail = narrowed
    ? `None of ${rows.length} rows of ${symbol} passes asset_class, fresh and the comparability checks; without these parameters they are shown`
    : `None of ${rows.length} rows of ${symbol} is comparable; include_uncomparable=true shows them`;
  return { code: 'no_data', detail };
}

/** Chosen lists of one table version are shared. */
const chosen = new WeakMap<readonly MarketRow[], Map<string, readonly MarketRow[]>>();
/** Further choices of one version are made again each time. */
const MOST_CHOICES = 64;

function chosenRows(rows: readonly MarketRow[], query: FundingCurrentQuery): readonly MarketRow[] {
  const { includeUncomparable, assetClass, fresh, sort } = query;
  const key = [includeUncomparable, assetClass, fresh, sort].join();
  const kept = chosen.get(rows) ?? new Map<string, readonly MarketRow[]>();
  chosen.set(rows, kept);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const passing = rows.filter(
    (row) =>
      (includeUncomparable || row.comparable) &&
      (assetClass === undefined || row.assetClass === assetClass) &&
      (!fresh || (row.fresh && hasFreshRate(row))),
  );
  const sorted = sort === undefined ? passing : sortedBy(passing, sort);
  if (kept.size < MOST_CHOICES) kept.set(key, sorted);
  return sorted;
}

const SORT_VALUES: Readonly<Record<string, (row: MarketRow) => number | undefined>> = {
  rate: (row) => row.fundingRate,
  rate_8h: (row) => row.rate8h,
  annualized_pct: (row) => annualisedPct(row.fundingRate, row.fundingIntervalHours),
  open_interest: (row) => row.openInterestUsd,
  volume_24h: (row) => row.volume24hUsd,
};

/** Rows by a value, ascending, or descending after a `-`; what is not known comes last, equal ones keep their order. */
function sortedBy(rows: readonly MarketRow[], sort: FundingSort): readonly MarketRow[] {
  const descends = sort.startsWith('-');
  const read = SORT_VALUES[descends ? sort.slice(1) : sort];
  return rows
    .map((row) => ({ row, value: read?.(row) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined);
      return descends ? b.value - a.value : a.value - b.value;
    })
    .map(({ row }) => row);
}

/** Venues that should have rows and are not live; of one asset, those that list it. */
function missingVenues(
  view: MarketView,
  { symbol, venue }: FundingCurrentQuery,
  rows: readonly MarketRow[],
): readonly string[] {
  const asked = venue === undefined ? undefined : lowerAscii(venue.trim());
  const idle = venueIds(
    view.venues().filter(({ info, status }) => status !== 'live' && (asked ?? info.id) === info.id),
  );
  if (symbol === undefined) return idle;
  const ids = new Set(rows.map((row) => row.canonicalId));
  return idle.filter((one) => [...ids].some((id) => view.lists(one, id)));
}
