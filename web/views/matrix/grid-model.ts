import type { FundingRow, SettledMeans } from '../../data/funding.ts';

export const SCALES = ['8h', 'interval', '1h', 'day', 'year'] as const;
export type Scale = (typeof SCALES)[number];

/** The rates of now, or means of what was paid in so many days. */
export const PERIODS = ['now', '1d', '7d', '30d'] as const;
export type Period = (typeof PERIODS)[number];

/** Over what it is told whether a spread persists: never the time that the spread itself is of. */
export const persistenceOf = (period: Period): Exclude<Period, 'now'> => (period === '7d' ? '30d' : '7d');

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
  /** The same of eight hours. */
  readonly rate8h: number | null;
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
  /** What the same legs paid apart over the days of `persistenceOf`, as a part of the spread; 1 = as much. */
  readonly persistence: number | null;
  /** Sums over the venues that state them, USD. */
  readonly openInterest: number | null;
  readonly volume: number | null;
}

export interface GridQuery {
  readonly scale: Scale;
  readonly period: Period;
  readonly holdDays: number;
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
  /** Only these assets, where any are named. */
  readonly only: ReadonlySet<string> | undefined;
  readonly sort: string;
}

export interface Surroundings {
  readonly now: number;
  /** Venues whose data is young. */
  readonly isLive: (venue: string) => boolean;
  readonly takerFeeBps: (venue: string) => number | null;
  /** What a row's contract was paid; undefined where that is not read. */
  readonly meansOf: (row: FundingRow) => SettledMeans | undefined;
}

/** A rate of eight hours in another scale; per interval it stays what it is. */
export const scaled = (rate8h: number, scale: Scale): number =>
  scale === 'interval' ? rate8h : rate8h * PER_8H[scale];

const paid8h = (means: SettledMeans | undefined, period: Exclude<Period, 'now'>): number | null =>
  means?.[`rate_8h_${period}`] ?? null;

/** What a contract was paid, in a scale; per interval it is that of its present one. */
function meanCell(row: FundingRow, scale: Scale, rate8h: number | null): Cell {
  const hours = row.funding_interval_hours;
  const perInterval = rate8h === null || hours === null ? null : (rate8h * hours) / 8;
  const value = scale === 'interval' ? perInterval : rate8h === null ? null : scaled(rate8h, scale);
  const reason = row.uncomparable_reason;
  // A rate that is old now says nothing of what was paid.
  const state = reason === undefined || reason === 'stale' ? 'known' : 'uncomparable';
  return { row, rate8h, value, state: value === null ? 'unknown' : state };
}

export const cellOf = (
  row: FundingRow,
  asked: Pick<GridQuery, 'scale' | 'period'>,
  around: Surroundings,
): Cell => makeCell(row, asked, around, staleBefore(around));

/** The moment before which a rate is stale. Times of the interface are written alike, so that they compare as texts. */
const staleBefore = ({ now }: Surroundings): string => new Date(now - STALE_MS).toISOString();

function makeCell(
  row: FundingRow,
  { scale, period }: Pick<GridQuery, 'scale' | 'period'>,
  { isLive, meansOf }: Surroundings,
  before: string,
): Cell {
  if (period !== 'now') return meanCell(row, scale, paid8h(meansOf(row), period));
  const { rate, rate_8h: rate8h, rate_updated_at: at, uncomparable_reason: reason } = row;
  const value = scale === 'interval' ? rate : rate8h === null ? null : scaled(rate8h, scale);
  let state: CellState = reason === undefined ? 'known' : 'uncomparable';
  if (value === null) state = 'unknown';
  else if (reason === 'stale' || at === null || at < before || !isLive(row.venue)) state = 'stale';
  return { row, rate8h, value, state };
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

function persistence(
  { short, long, spread8h }: Pick<AssetLine, 'short' | 'long' | 'spread8h'>,
  period: Period,
  { meansOf }: Surroundings,
): number | null {
  if (short === undefined || long === undefined || !spread8h) return null;
  const over = persistenceOf(period);
  const [received, paid] = [paid8h(meansOf(short.row), over), paid8h(meansOf(long.row), over)];
  return received === null || paid === null ? null : (received - paid) / spread8h;
}

/** Of what is known; null where nothing is. */
const plus = (sum: number | null, value: number | null): number | null =>
  value === null ? sum : (sum ?? 0) + value;

/** A line of the matrix. Nothing here is made that is thrown away: it runs for thousands of rows within a frame. */
function lineOf(
  rows: readonly FundingRow[],
  query: GridQuery,
  around: Surroundings,
  before: string,
): AssetLine {
  const [first] = rows;
  const cells = new Map<string, Cell>();
  let openInterest: number | null = null;
  let volume: number | null = null;
  for (const row of rows) {
    cells.set(row.venue, makeCell(row, query, around, before));
    openInterest = plus(openInterest, row.open_interest);
    volume = plus(volume, row.volume_24h);
  }
  const legs = bestLegs(cells.values());
  const fee = (leg: Cell | undefined): number | null =>
    leg === undefined ? null : around.takerFeeBps(leg.row.venue);
  return {
    id: first?.canonical_id ?? '',
    ticker: first?.symbol ?? '',
    assetClass: first?.asset_class ?? '',
    cells,
    long: legs.long,
    short: legs.short,
    spread8h: legs.spread8h,
    netBps: netOfFees(legs.spread8h, query.holdDays, fee(legs.long), fee(legs.short)),
    persistence: persistence(legs, query.period, around),
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
    case 'held':
      return line.persistence;
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

const order = new Intl.Collator('en').compare;

function bySort(wanted: string): (a: AssetLine, b: AssetLine) => number {
  const direction = wanted.startsWith('-') ? -1 : 1;
  const column = wanted.replace(/^-/, '');
  return (a, b) => {
    const [x, y] = [sortValue(a, column), sortValue(b, column)];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || order(a.ticker, b.ticker);
    const difference = typeof x === 'number' && typeof y === 'number' ? x - y : order(String(x), String(y));
    return difference * direction || order(a.ticker, b.ticker);
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
  const before = staleBefore(around);
  return [...byAsset.values()]
    .map((of) => lineOf(of, query, around, before))
    .filter((line) => passes(line, query))
    .sort(bySort(query.sort));
}
