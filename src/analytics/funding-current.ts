import { type Failure, fail, ok, type Result } from '../domain/errors.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { type Fact, factOf } from './fact.ts';
import { type FundingRow, fundingRow } from './funding-row.ts';
import { namingFailure, notReady, venueIds, venueInfos } from './select.ts';

export interface FundingCurrentQuery {
  /** Undefined = all. */
  readonly symbol?: string | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly includeUncomparable: boolean;
}

/** Everything of the answer but the rows. */
export interface FundingPageHead {
  /** The bare ticker, or `ALL`. */
  readonly symbol: string;
  readonly comparable_only: boolean;
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}

/** A page with market rows, for a caller that keeps their JSON. */
export interface FundingPage extends FundingPageHead {
  readonly rows: readonly MarketRow[];
}

export interface FundingCurrent extends FundingPageHead {
  readonly rates: readonly FundingRow[];
}

/** All lists of one table version share the filtered one. */
const comparableOf = new WeakMap<readonly MarketRow[], readonly MarketRow[]>();

/**
 * The page of rows that a request asks for, ordered by (canonical_id, source_id). `total` counts after filters.
 * Never ambiguous: a symbol that names several assets gives the rows of all. 404 unknown_ticker; an empty list is
 * not sold: 503 not_ready without a row, 404 no_data where no row is comparable.
 */
export function fundingPage(view: MarketView, query: FundingCurrentQuery): Result<Fact<FundingPage>> {
  const selected = selectRows(view, query.symbol);
  if (!selected.ok) return selected;
  const { symbol, rows } = selected.value;
  const { limit, offset, includeUncomparable } = query;
  const filtered = includeUncomparable ? rows : comparableRows(rows);
  if (filtered.length === 0) return fail(nothingListed(view, symbol, rows.length));
  const page = filtered.slice(offset, offset + limit);
  const body: FundingPage = {
    symbol,
    comparable_only: !includeUncomparable,
    rows: page,
    total: filtered.length,
    limit,
    offset,
    has_more: offset + page.length < filtered.length,
  };
  return ok(factOf(body, page, missingVenues(view, query.symbol === undefined ? undefined : rows)));
}

/** The answer of /v1/funding/current. Rates as raw fractions per interval of each venue. */
export function fundingCurrent(view: MarketView, query: FundingCurrentQuery): Result<Fact<FundingCurrent>> {
  const page = fundingPage(view, query);
  if (!page.ok) return page;
  const { rows, ...head } = page.value.body;
  const { symbol, comparable_only, ...counts } = head;
  const venues = venueInfos(view);
  const rates = rows.map((row) => fundingRow(row, venues.get(row.venue)));
  return ok({ ...page.value, body: { symbol, comparable_only, rates, ...counts } });
}

function selectRows(
  view: MarketView,
  symbol: string | undefined,
): Result<{ readonly symbol: string; readonly rows: readonly MarketRow[] }> {
  if (symbol === undefined) return ok({ symbol: 'ALL', rows: view.rows() });
  const resolution = view.resolve(symbol);
  if (resolution.kind === 'one') {
    return ok({ symbol: resolution.ticker, rows: view.rowsOf(resolution.canonicalId) });
  }
  if (resolution.kind !== 'ambiguous') return fail(namingFailure(view.venues(), symbol, { kind: 'unknown' }));
  const rows = resolution.candidates.flatMap((candidate) => view.rowsOf(candidate.canonical_id));
  return ok({ symbol: rows[0]?.ticker ?? symbol.toUpperCase(), rows });
}

function nothingListed(view: MarketView, symbol: string, uncomparable: number): Failure {
  if (uncomparable === 0) return notReady(`No row of ${symbol} is younger than 15 minutes`, view.venues());
  const detail = `None of ${uncomparable} rows of ${symbol} is comparable; include_uncomparable=true shows them`;
  return { code: 'no_data', detail };
}

function comparableRows(rows: readonly MarketRow[]): readonly MarketRow[] {
  const known = comparableOf.get(rows);
  if (known !== undefined) return known;
  const filtered = rows.filter((row) => row.comparable);
  comparableOf.set(rows, filtered);
  return filtered;
}

/** Venues that should have rows and are not live; of one asset, those that list it. */
function missingVenues(view: MarketView, rows: readonly MarketRow[] | undefined): readonly string[] {
  const idle = view.venues().filter((venue) => venue.status !== 'live');
  if (rows === undefined) return venueIds(idle);
  const ids = new Set(rows.map((row) => row.canonicalId));
  return venueIds(idle).filter((venue) => [...ids].some((id) => view.lists(venue, id)));
}
