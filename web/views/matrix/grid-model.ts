import { type FundingRow, rowKey, type SettledMeans } from '../../data/funding.ts';
import { type CostLeg, costsAtSize, type LineCosts, netOfFees, type SizedBooks } from './line-costs.ts';
import { bySort } from './line-order.ts';

export const SCALES = ['8h', 'interval', '1h', 'day', 'year'] as const;
export type Scale = (typeof SCALES)[number];

/** The rates of now, or means of what was paid in so many days. */
export const PERIODS = ['now', '1d', '7d', '30d'] as const;
export type Period = (typeof PERIODS)[number];

/** The period over which a spread's persistence is measured: never that of the spread itself. */
export const persistenceOf = (period: Period): Exclude<Period, 'now'> => (period === '7d' ? '30d' : '7d');

/** Factors for a rate of eight hours. */
const PER_8H: Readonly<Record<Exclude<Scale, 'interval'>, number>> = {
  '1h': 1 / 8,
  '8h': 1,
  day: 3,
  year: 3 * 365,
};
/** Older rates are shown as stale. */
export const STALE_MS = 5 * 60_000;

export type CellState = 'known' | 'unknown' | 'stale' | 'uncomparable';

/** Of a row what the matrix shows. */
export type CellRow = Pick<
  FundingRow,
  | ('venue' | 'canonical_id' | 'symbol' | 'asset_class' | 'venue_symbol' | 'quote')
  | ('rate' | 'rate_8h' | 'funding_interval_hours' | 'open_interest' | 'volume_24h')
  | ('rate_updated_at' | 'next_funding_time' | 'uncomparable_reason' | 'settled_means')
>;

/** One asset on one venue; where a venue does not list it there is none. */
export interface Cell {
  readonly row: CellRow;
  /** Settled payments of its contract; undefined where they are not read. */
  readonly means: SettledMeans | undefined;
  readonly state: CellState;
  /** Fraction in the chosen scale; null where rate or interval is not known. */
  readonly value: number | null;
  /** The same of eight hours. */
  readonly rate8h: number | null;
}

export interface AssetLine extends LineCosts {
  readonly id: string;
  readonly ticker: string;
  readonly assetClass: string;
  readonly cells: ReadonlyMap<string, Cell>;
  /** The venue to be long on: the lowest rate of eight hours among the comparable and fresh. */
  readonly long: Cell | undefined;
  readonly short: Cell | undefined;
  /** Of eight hours, fraction; null with fewer than two legs. */
  readonly spread8h: number | null;
  /** The gain of the spread over the time of holding less taker fees of both legs in and out, bps. */
  readonly netBps: number | null;
  /**
   * The difference of the legs' payments over the days of `persistenceOf`, as a part of the spread; 1 = as
   * much.
   */
  readonly persistence: number | null;
  /** Sums over the venues that state them, USD. */
  readonly openInterest: number | null;
  readonly volume: number | null;
}

export interface GridQuery {
  readonly scale: Scale;
  readonly period: Period;
  readonly holdDays: number;
  /** Of a leg; undefined where costs at a size are not asked for. */
  readonly sizeUsd?: number | undefined;
  readonly assetClass: string;
  /** Venues to show and to compare; empty = all. */
  readonly venues: readonly string[];
  /** Columns before the venues to show; empty = all. */
  readonly columns: readonly string[];
  readonly minOpenInterest: number | undefined;
  readonly minVolume: number | undefined;
  /** Bps of eight hours. */
  readonly minSpread: number | undefined;
  readonly maxSpread: number | undefined;
  readonly text: string;
  /** Assets that the text means, whatever their names begin with: `gold`. */
  readonly meant?: ReadonlySet<string>;
  /** Only these assets, where any are named. */
  readonly only: ReadonlySet<string> | undefined;
  readonly sort: string;
}

/** Context of the rows. */
export interface GridContext {
  /** Venues whose data is old. */
  readonly down: ReadonlySet<string>;
  /** Of each venue's base tier. */
  readonly takerFeeBps: ReadonlyMap<string, number | null>;
  /** The reader's own, by venue: they stand for those of all its contracts. */
  readonly ownFeeBps?: ReadonlyMap<string, number>;
  /** Undefined where no size is chosen. */
  readonly sized?: SizedBooks | undefined;
}

/** Rows at a moment. */
export interface RowsNow {
  readonly rows: Iterable<CellRow>;
  readonly now: number;
  /** Settled payments of a row's contract, where the row lacks them. */
  readonly meansOf?: (row: CellRow) => SettledMeans | undefined;
}

/** A rate of eight hours in another scale; per interval it stays what it is. */
export const scaled = (rate8h: number, scale: Scale): number =>
  scale === 'interval' ? rate8h : rate8h * PER_8H[scale];

const paid8h = (means: SettledMeans | undefined, period: Exclude<Period, 'now'>): number | null =>
  means?.[`rate_8h_${period}`] ?? null;

/** The payments of a contract, in a scale; per interval it is that of its present one. */
function meanCell(row: CellRow, means: SettledMeans | undefined, { scale, period }: Asked): Cell {
  const rate8h = period === 'now' ? null : paid8h(means, period);
  const hours = row.funding_interval_hours;
  const perInterval = rate8h === null || hours === null ? null : (rate8h * hours) / 8;
  const value = scale === 'interval' ? perInterval : rate8h === null ? null : scaled(rate8h, scale);
  const reason = row.uncomparable_reason;
  // A rate that is old now says nothing of what was paid.
  const state = reason === undefined || reason === 'stale' ? 'known' : 'uncomparable';
  return { row, means, rate8h, value, state: value === null ? 'unknown' : state };
}

type Asked = Pick<GridQuery, 'scale' | 'period'>;

/** The inputs of a line. */
interface Making {
  readonly query: GridQuery;
  readonly around: GridContext;
  readonly meansOf: NonNullable<RowsNow['meansOf']>;
  /** The moment before which a rate is stale. Times of the interface are written alike, so that they compare as texts. */
  readonly staleBefore: string;
}

function makeCell(row: CellRow, { query, around, meansOf, staleBefore }: Making): Cell {
  const means = meansOf(row);
  if (query.period !== 'now') return meanCell(row, means, query);
  const { rate, rate_8h: rate8h, rate_updated_at: at, uncomparable_reason: reason } = row;
  const value = query.scale === 'interval' ? rate : rate8h === null ? null : scaled(rate8h, query.scale);
  let state: CellState = reason === undefined ? 'known' : 'uncomparable';
  if (value === null) state = 'unknown';
  else if (reason === 'stale' || at === null || at < staleBefore || around.down.has(row.venue))
    state = 'stale';
  return { row, means, rate8h, value, state };
}

const rate8h = (cell: Cell): number => cell.rate8h ?? Number.NaN;

/** Lowest and highest of the known; the first of equals. */
function bestLegs(cells: Iterable<Cell>): Pick<AssetLine, 'long' | 'short' | 'spread8h'> {
  let [long, short]: (Cell | undefined)[] = [];
  let count = 0;
  for (const cell of cells) {
    if (cell.state !== 'known' || cell.rate8h === null) continue;
    count += 1;
    if (long === undefined || rate8h(cell) < rate8h(long)) long = cell;
    if (short === undefined || rate8h(cell) > rate8h(short)) short = cell;
  }
  if (count < 2 || long === undefined || short === undefined) {
    return { long: undefined, short: undefined, spread8h: null };
  }
  // All are equal: there is no pair.
  if (long === short) return { long: undefined, short: undefined, spread8h: 0 };
  return { long, short, spread8h: rate8h(short) - rate8h(long) };
}

function persistence(
  { short, long, spread8h }: Pick<AssetLine, 'short' | 'long' | 'spread8h'>,
  period: Period,
): number | null {
  if (short === undefined || long === undefined || !spread8h) return null;
  const over = persistenceOf(period);
  const received = paid8h(short.means, over);
  const paid = paid8h(long.means, over);
  return received === null || paid === null ? null : (received - paid) / spread8h;
}

/** Of what is known; null where nothing is. */
const plus = (sum: number | null, value: number | null): number | null =>
  value === null ? sum : (sum ?? 0) + value;

/** A leg with the fee that the reader pays there, else its contract's where the funding signal states it, else its venue's. */
function costLeg({ row }: Cell, { takerFeeBps, ownFeeBps, sized }: GridContext): CostLeg {
  const key = rowKey(row);
  const fee = ownFeeBps?.get(row.venue) ?? sized?.takerFeeBps.get(key) ?? takerFeeBps.get(row.venue);
  return { key, takerFeeBps: fee ?? null };
}

/** A line of the matrix. */
function lineOf(rows: readonly CellRow[], making: Making): AssetLine {
  const [first] = rows;
  const cells = new Map<string, Cell>();
  let openInterest: number | null = null;
  let volume: number | null = null;
  for (const row of rows) {
    cells.set(row.venue, makeCell(row, making));
    openInterest = plus(openInterest, row.open_interest);
    volume = plus(volume, row.volume_24h);
  }
  const legs = bestLegs(cells.values());
  const id = first?.canonical_id ?? '';
  const short = legs.short && costLeg(legs.short, making.around);
  const long = legs.long && costLeg(legs.long, making.around);
  return {
    id,
    ticker: first?.symbol ?? '',
    assetClass: first?.asset_class ?? '',
    cells,
    long: legs.long,
    short: legs.short,
    spread8h: legs.spread8h,
    netBps: netOfFees(
      legs.spread8h,
      making.query.holdDays,
      long?.takerFeeBps ?? null,
      short?.takerFeeBps ?? null,
    ),
    ...costsAtSize(
      { id, legs: [short, long].filter((leg) => leg !== undefined), spread8h: legs.spread8h },
      making.around.sized,
    ),
    persistence: persistence(legs, making.query.period),
    openInterest,
    volume,
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
    (words === '' ||
      `${line.ticker} ${line.id}`.toLowerCase().includes(words) ||
      query.meant?.has(line.id) === true) &&
    atLeast(line.openInterest, query.minOpenInterest) &&
    atLeast(line.volume, query.minVolume) &&
    atLeast(spread, minSpread) &&
    (maxSpread === undefined || (spread !== null && spread <= maxSpread))
  );
}

/** The lines of the matrix: one an asset, filtered and in order. */
export function gridLines(
  { rows, now, meansOf = (row) => row.settled_means }: RowsNow,
  query: GridQuery,
  around: GridContext,
): readonly AssetLine[] {
  const chosen = query.venues.length === 0 ? undefined : new Set(query.venues);
  const byAsset = new Map<string, CellRow[]>();
  for (const row of rows) {
    if (chosen !== undefined && !chosen.has(row.venue)) continue;
    const known = byAsset.get(row.canonical_id);
    if (known === undefined) byAsset.set(row.canonical_id, [row]);
    else known.push(row);
  }
  const staleBefore = new Date(now - STALE_MS).toISOString();
  const making: Making = { query, around, meansOf, staleBefore };
  return [...byAsset.values()]
    .map((of) => lineOf(of, making))
    .filter((line) => passes(line, query))
    .sort(bySort(query.sort));
}
