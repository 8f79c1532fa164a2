import type { FundingRow } from '../../data/funding.ts';

export const SCALES = ['8h', 'interval', '1h', 'day', 'year'] as const;
export type Scale = (typeof SCALES)[number];

/** What a rate of eight hours is multiplied by. */
const PER_8H: Readonly<Record<Exclude<Scale, 'interval'>, number>> = {
  '1h': 1 / 8,
  '8h': 1,
  day: 3,
  year: 3 * 365,
};
/** Older rates are shown as stale. */
export const STALE_MS = 5 * 60_000;

export type CellState = 'known' | 'unknown' | 'stale' | 'uncomparable';

/** One asset on one venue; where a venue does not list it there is none. */
export interface Cell {
  readonly row: FundingRow;
  readonly state: CellState;
  /** Fraction in the chosen scale; null where rate or interval is not known. */
  readonly value: number | null;
}

export interface AssetLine {
  readonly id: string;
  readonly ticker: string;
  readonly assetClass: string;
  readonly cells: ReadonlyMap<string, Cell>;
  /** The venue to be long on: the lowest rate of eight hours among the comparable and fresh. */
  readonly long: Cell | undefined;
  readonly short: Cell | undefined;
  /** Of eight hours, fraction; null with fewer than two legs. */
  readonly spread8h: number | null;
  /** What the spread earns over the time of holding less taker fees of both legs in and out, bps. */
  readonly netBps: number | null;
  /** Sums over the venues that state them, USD. */
  readonly openInterest: number | null;
  readonly volume: number | null;
}

export interface GridQuery {
  readonly scale: Scale;
  readonly holdDays: number;
  readonly assetClass: string;
  /** Venues to show and to compare; empty = all. */
  readonly venues: readonly string[];
  readonly minOpenInterest: number | undefined;
  readonly minVolume: number | undefined;
  /** Bps of eight hours. */
  readonly minSpread: number | undefined;
  readonly maxSpread: number | undefined;
  readonly text: string;
  /** Only these assets, where any are named. */
  readonly only: ReadonlySet<string> | undefined;
  readonly sort: string;
}

export interface Surroundings {
  readonly now: number;
  /** Venues whose data is young. */
  readonly isLive: (venue: string) => boolean;
  readonly takerFeeBps: (venue: string) => number | null;
}

/** A rate of eight hours in another scale; per interval it stays what it is. */
export const scaled = (rate8h: number, scale: Scale): number =>
  scale === 'interval' ? rate8h : rate8h * PER_8H[scale];

function rateIn(row: FundingRow, scale: Scale): number | null {
  if (scale === 'interval') return row.rate;
  return row.rate_8h === null ? null : scaled(row.rate_8h, scale);
}

export function cellOf(row: FundingRow, scale: Scale, { now, isLive }: Surroundings): Cell {
  const value = rateIn(row, scale);
  const age = row.rate_updated_at === null ? Number.POSITIVE_INFINITY : now - Date.parse(row.rate_updated_at);
  const reason = row.uncomparable_reason;
  if (value === null) return { row, value, state: 'unknown' };
  if (reason === 'stale' || !isLive(row.venue) || age > STALE_MS) return { row, value, state: 'stale' };
  return { row, value, state: reason === undefined ? 'known' : 'uncomparable' };
}

const rate8h = (cell: Cell): number => cell.row.rate_8h ?? Number.NaN;

function bestLegs(cells: Iterable<Cell>): Pick<AssetLine, 'long' | 'short' | 'spread8h'> {
  const usable = [...cells].filter(({ state, row }) => state === 'known' && row.rate_8h !== null);
  if (usable.length < 2) return { long: undefined, short: undefined, spread8h: null };
  const long = usable.reduce((best, cell) => (rate8h(cell) < rate8h(best) ? cell : best));
  const short = usable.reduce((best, cell) => (rate8h(cell) > rate8h(best) ? cell : best));
  // All are equal: there is no pair.
  if (long === short) return { long: undefined, short: undefined, spread8h: 0 };
  return { long, short, spread8h: rate8h(short) - rate8h(long) };
}

/** Spread of eight hours over days, less taker fees of both legs in and out, bps; null where a fee is not known. */
export function netOfFees(
  spread8h: number | null,
  days: number,
  feeA: number | null,
  feeB: number | null,
): number | null {
  if (spread8h === null || feeA === null || feeB === null) return null;
  return spread8h * 10_000 * 3 * days - 2 * (feeA + feeB);
}

const sum = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
};

function lineOf(rows: readonly FundingRow[], query: GridQuery, around: Surroundings): AssetLine {
  const [first] = rows;
  const cells = new Map(rows.map((row) => [row.venue, cellOf(row, query.scale, around)]));
  const legs = bestLegs(cells.values());
  const fee = (leg: Cell | undefined): number | null =>
    leg === undefined ? null : around.takerFeeBps(leg.row.venue);
  return {
    id: first?.canonical_id ?? '',
    ticker: first?.symbol ?? '',
    assetClass: first?.asset_class ?? '',
    cells,
    ...legs,
    netBps: netOfFees(legs.spread8h, query.holdDays, fee(legs.long), fee(legs.short)),
    openInterest: sum(rows.map((row) => row.open_interest)),
    volume: sum(rows.map((row) => row.volume_24h)),
  };
}

const atLeast = (value: number | null, least: number | undefined): boolean =>
  least === undefined || (value !== null && value >= least);

function passes(line: AssetLine, query: GridQuery): boolean {
  const { assetClass, text, only, minSpread, maxSpread } = query;
  const spread = line.spread8h === null ? null : line.spread8h * 10_000;
  const words = text.trim().toLowerCase();
  return (
    (assetClass === '' || line.assetClass === assetClass) &&
    (only === undefined || only.has(line.id)) &&
    (words === '' || `${line.ticker} ${line.id}`.toLowerCase().includes(words)) &&
    atLeast(line.openInterest, query.minOpenInterest) &&
    atLeast(line.volume, query.minVolume) &&
    atLeast(spread, minSpread) &&
    (maxSpread === undefined || (spread !== null && spread <= maxSpread))
  );
}

/** What a line is ordered by; a venue's name orders by its rates. */
export function sortValue(line: AssetLine, column: string): string | number | null {
  switch (column) {
    case 'asset':
      return line.ticker;
    case 'spread':
      return line.spread8h;
    case 'net':
      return line.netBps;
    case 'long':
      return line.long?.row.venue ?? null;
    case 'short':
      return line.short?.row.venue ?? null;
    case 'oi':
      return line.openInterest;
    case 'volume':
      return line.volume;
    default:
      return line.cells.get(column)?.value ?? null;
  }
}

function bySort(order: string): (a: AssetLine, b: AssetLine) => number {
  const direction = order.startsWith('-') ? -1 : 1;
  const column = order.replace(/^-/, '');
  return (a, b) => {
    const [x, y] = [sortValue(a, column), sortValue(b, column)];
    if (x === null || y === null)
      return Number(x === null) - Number(y === null) || a.ticker.localeCompare(b.ticker);
    const difference =
      typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
    return difference * direction || a.ticker.localeCompare(b.ticker);
  };
}

/** The lines of the matrix: one an asset, filtered and in order. */
export function gridLines(
  rows: readonly FundingRow[],
  query: GridQuery,
  around: Surroundings,
): readonly AssetLine[] {
  const chosen = query.venues.length === 0 ? undefined : new Set(query.venues);
  const byAsset = new Map<string, FundingRow[]>();
  for (const row of rows) {
    if (chosen !== undefined && !chosen.has(row.venue)) continue;
    const known = byAsset.get(row.canonical_id);
    if (known === undefined) byAsset.set(row.canonical_id, [row]);
    else known.push(row);
  }
  return [...byAsset.values()]
    .map((of) => lineOf(of, query, around))
    .filter((line) => passes(line, query))
    .sort(bySort(query.sort));
}
