import { DAY_MS } from '../../runtime/duration.ts';

/** Addresses of the calls that the page's views make, in the very words in which they make them. */

const SNAPSHOT = '/v1/perp/snapshot';
const SLIPPAGE = '/v1/orderbook/multi-venue-slippage';
const FUNDING_PAST = '/v1/funding/historical';
const OPEN_INTEREST_PAST = '/v1/perp/oi-history';
const VOLUME_PAST = '/v1/perp/volume-history';
const PAIR_BACKTEST = '/v1/backtest/pair';
const SPREAD_STATS = '/v1/perp/spread-stats';
const RATES = '/v1/funding/current';

/** Routes of the calls of each bundle. */
export const ASSET_ROUTES = [SNAPSHOT, SLIPPAGE, FUNDING_PAST, OPEN_INTEREST_PAST, VOLUME_PAST];
export const PAIR_ROUTES = [SNAPSHOT, SLIPPAGE, PAIR_BACKTEST, FUNDING_PAST, SPREAD_STATS];
export const MATRIX_ROUTES = [RATES];

/** Sizes of the costs that the view of an asset shows, USD. */
export const SIZES = [1000, 5000, 10_000] as const;
/** The books themselves are asked for with one of the sizes. */
const LADDER_SIZE = 10_000;

export const SPANS = ['3d', '7d', '30d'] as const;
export type Span = (typeof SPANS)[number];
const AGGREGATION: Readonly<Record<Span, string>> = { '3d': '1h', '7d': '4h', '30d': '1d' };

/** Days that a position is held for in the view of a pair. */
const HELD_DAYS = [30, 7, 1] as const;
/** A rule of entry that any settled spread fulfils, and one of exit that none does: what is held is held to the end. */
const ALWAYS = 'enter_bps=-100000&exit_bps=-1000000';
const SPREAD_DAYS = 30;

const midnight = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS;
const second = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const tickerQuery = (ticker: string): string => new URLSearchParams({ ticker }).toString();

export const snapshotPath = (ticker: string): string => `${SNAPSHOT}?${tickerQuery(ticker)}`;

export function slippagePath(ticker: string, size: number, hasLadder = false): string {
  const ladder = hasLadder ? '&ladder=true' : '';
  return `${SLIPPAGE}?${tickerQuery(ticker)}&size_usd=${size}${ladder}`;
}

export const costPaths = (ticker: string): readonly string[] =>
  SIZES.map((size) => slippagePath(ticker, size, size === LADDER_SIZE));

/** The window begins at midnight in UTC: a call that was bought stays the same for a day. @param now ms since 1970 */
function windowOf(span: Span, now: number): string {
  const from = midnight(now) - Number.parseInt(span, 10) * DAY_MS + DAY_MS;
  return `aggr=${AGGREGATION[span]}&from=${second(from)}`;
}

export const fundingPath = (ticker: string, span: Span, now: number): string =>
  `${FUNDING_PAST}?${tickerQuery(ticker)}&basis=both&${windowOf(span, now)}`;

/** Open interest and volume over time of each venue. */
export const seriesPaths = (
  ticker: string,
  span: Span,
  venues: readonly string[],
  now: number,
): readonly string[] =>
  [OPEN_INTEREST_PAST, VOLUME_PAST].flatMap((route) =>
    venues.map((venue) => `${route}?${tickerQuery(ticker)}&venue=${venue}&${windowOf(span, now)}`),
  );

/** The legs of a pair. */
export interface LegNames {
  readonly short: string;
  readonly long: string;
}

/** The past of a pair: earnings of a position, the spread over time, and that spread against its own past. */
export function pairPaths(
  ticker: string,
  { short, long }: LegNames,
  size: number,
  now: number,
): readonly string[] {
  const query = `${tickerQuery(ticker)}&short=${short}&long=${long}`;
  const to = midnight(now);
  const held = HELD_DAYS.map((days) => {
    const rule = `${ALWAYS}&max_hold_hours=${days * 24}&size_usd=${size}`;
    return `${PAIR_BACKTEST}?${query}&from=${second(to - days * DAY_MS)}&to=${second(to)}&${rule}`;
  });
  const from = second(to - (SPREAD_DAYS - 1) * DAY_MS);
  const spread = `${FUNDING_PAST}?${tickerQuery(ticker)}&basis=settled&aggr=1h&from=${from}`;
  return [...held, spread, `${SPREAD_STATS}?${query}`];
}

const PAGE = 1000;

/** One page of the table of the matrix. */
export function tablePath(page: number, assetClass: string | undefined): string {
  const chosen = assetClass === undefined ? '' : `&asset_class=${assetClass}`;
  const rows = `limit=${PAGE}&offset=${page * PAGE}`;
  return `${RATES}?include_uncomparable=true&settled_means=true&${rows}${chosen}`;
}
