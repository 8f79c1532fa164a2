import type { VenueHealth } from '../../src/collect/ports.ts';
import type { Candidate } from '../../src/domain/errors.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { FREE_DELAY_MS, type PastTable, pastTable } from '../../src/market/delayed-table.ts';
import type { RowSnapshots } from '../../src/market/row-snapshots.ts';
import { sumOf } from '../../src/market/venue-totals.ts';
import type { MarketRow, MarketView, Resolution, TrackedVenue } from '../../src/market/view.ts';

/** A market whose rows are given, for tests of what stands on top of it. */
export interface FakeMarket extends MarketView, RowSnapshots {
  replace(rows: readonly MarketRow[]): void;
  /** Rows that `rowsAsOf` gives, and the delayed table. */
  remember(rows: readonly MarketRow[]): void;
}

const order = (a: MarketRow, b: MarketRow): number =>
  a.canonicalId < b.canonicalId ? -1 : a.canonicalId > b.canonicalId ? 1 : a.sourceId - b.sourceId;

type Rows = readonly MarketRow[];

const identitiesIn = (rows: Rows, match: (row: MarketRow) => boolean): readonly string[] => [
  ...new Set(rows.filter(match).map((row) => row.canonicalId)),
];

const candidateIn = (rows: Rows, id: string): Candidate => ({
  canonical_id: id,
  asset_class: rows.find((row) => row.canonicalId === id)?.assetClass ?? 'unknown',
  venues: rows.filter((row) => row.canonicalId === id).map((row) => row.venue),
});

/** Identities that a name may mean, by the first rule that finds one. */
function namedIn(rows: Rows, name: string, venue?: string): readonly string[] {
  const wanted = name.toUpperCase();
  const bare = wanted.replace(/[-_]?PERP$/, '');
  const here = (row: MarketRow): boolean => venue === undefined || row.venue === venue;
  const rules: ((row: MarketRow) => boolean)[] = [
    (row) => row.ticker === wanted,
    (row) => row.canonicalId.toUpperCase() === wanted,
    (row) => venue !== undefined && row.symbol.toUpperCase() === wanted,
    (row) => row.ticker === bare,
  ];
  const found = rules.map((rule) => identitiesIn(rows, (row) => here(row) && rule(row)));
  return found.find((ids) => ids.length > 0) ?? [];
}

function resolveIn(rows: Rows, ...[name, options = {}]: Parameters<MarketView['resolve']>): Resolution {
  const one = (id: string): Resolution => ({
    kind: 'one',
    canonicalId: id,
    ticker: rows.find((row) => row.canonicalId === id)?.ticker ?? '',
  });
  const candidates = (ids: readonly string[]) => ids.map((id) => candidateIn(rows, id));
  const everywhere = namedIn(rows, name);
  const here = options.venue === undefined ? [] : namedIn(rows, name, options.venue);
  const ids = here.length > 0 ? here : everywhere;
  const [first] = ids;
  if (first === undefined) return { kind: 'unknown' };
  const wanted = options.canonicalId?.toUpperCase();
  if (wanted !== undefined) {
    const match = everywhere.find((id) => id.toUpperCase() === wanted);
    return match === undefined ? { kind: 'contradiction', candidates: candidates(everywhere) } : one(match);
  }
  return ids.length === 1 ? one(first) : { kind: 'ambiguous', candidates: candidates(ids) };
}

export function createFakeMarket(venues: readonly TrackedVenue[], initial: Rows): FakeMarket {
  let rows: Rows = [...initial].sort(order);
  let past: Rows | undefined;
  let delayed: PastTable | undefined;
  let version = 1;
  const of = (venue: string, id: string): Rows =>
    rows.filter((row) => row.venue === venue && row.canonicalId === id);
  return {
    get version() {
      return version;
    },
    rows: () => rows,
    eachRow: () => rows,
    get size() {
      return rows.length;
    },
    rowsOf: (id) => rows.filter((row) => row.canonicalId === id),
    row: (venue, id) => of(venue, id)[0],
    contract: (venue, symbol) => rows.find((row) => row.venue === venue && row.symbol === symbol),
    contractsOf: (id) => rows.filter((row) => row.canonicalId === id),
    totals: (venue, id) => {
      const found = of(venue, id);
      return found.length === 0 ? undefined : sumOf(found);
    },
    statedInterest: (id) =>
      new Map(
        rows.flatMap(({ canonicalId, venue, openInterestUsd: usd }) =>
          canonicalId !== id || usd === undefined ? [] : [[venue, usd]],
        ),
      ),
    identitiesOf: (ticker) => identitiesIn(rows, (row) => row.ticker === ticker),
    resolve: (...asked) => resolveIn(rows, ...asked),
    formerly: () => ({ kind: 'unknown' }),
    renamed: () => undefined,
    listings: ({ venue, canonicalId, at }) =>
      at !== undefined
        ? []
        : rows
            .filter((row) => venue === undefined || row.venue === venue)
            .filter((row) => canonicalId === undefined || row.canonicalId === canonicalId)
            .map(({ venue, symbol, canonicalId, ticker, assetClass, updatedAt }) => ({
              venue,
              symbol,
              canonicalId,
              ticker,
              assetClass,
              seenFrom: updatedAt,
            })),
    aliasesOf: () => [],
    venues: () => venues,
    venue: (id) => venues.find(({ info }) => info.id === id),
    lists: (venue, id) => of(venue, id).length > 0,
    rowsAsOf: (id) => past?.filter((row) => row.canonicalId === id),
    delayed: { delayMs: FREE_DELAY_MS, table: () => delayed },
    remember: (kept) => {
      past = kept;
      delayed = pastTable(asMs(Math.max(...kept.map(({ updatedAt }) => updatedAt))), kept);
    },
    replace: (next) => {
      rows = [...next].sort(order);
      version += 1;
    },
  };
}

/** Health as the board would state it for venues without trouble. */
export function calmHealth(venues: readonly TrackedVenue[], at: UnixMs) {
  const all: readonly VenueHealth[] = venues.map(({ info, status }) => ({
    venue: info.id,
    status,
    lastUpdateAt: status === 'down' ? undefined : asMs(at - 1500),
    since: asMs(at - 3_600_000),
    rejects5m: 0,
    rejectsByReason: {},
    errorRate5m: 0,
    lastError: status === 'down' ? 'HTTP 503' : undefined,
  }));
  return { all: () => all, of: (id: string) => all.find(({ venue }) => venue === id) };
}
