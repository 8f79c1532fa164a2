import type { Patch } from '../../../../web/place.ts';
import { choice, figure } from '../../../../web/place.ts';
import { amountOf } from '../../../../web/text/amount.ts';
import { feesOf } from '../../../../web/text/fees.ts';
import { DAY_MS } from '../../../../web/text/time.ts';
import type { CarryLegs } from './named-legs.ts';

/** Paths of the calls of carry: each filter of the address is a parameter of the call. */

export const DIRECTIONS = ['both', 'long_spot', 'short_spot'] as const;
export const HOLD_DAYS = ['7', '1', '30', '90'] as const;
/** The bound of open interest where the address says none: what nets most are pairs that nobody holds. */
export const LEAST_INTEREST = '1m';
/** As many pairs as a call gives. */
const MOST_PAIRS = 100;

/** Parameters of the address that are kept in the browser: the reader's taker fees, also on spot, and the size of a leg. */
export const KEPT = ['fees', 'spot_fees', 'size'] as const;
/** Names of the parameters of the address that a reader chooses, which a link to another view of carry takes along. */
const CHOSEN = ['hold', ...KEPT] as const;

export const listOf = (params: URLSearchParams, name: string): readonly string[] =>
  (params.get(name) ?? '').split(',').filter((word) => word !== '');

/** Taker fees as a call takes them; undefined for none, and where they cannot be read. */
function feesText(typed: string | null): string | undefined {
  const fees = [...(feesOf(typed ?? '') ?? [])];
  return fees.length === 0 ? undefined : fees.map(([venue, bps]) => `${venue}:${bps}`).join(',');
}

/** Sets a parameter of a call; undefined and empty texts are left out. */
function set(query: URLSearchParams, name: string, value: string | number | undefined): void {
  if (value !== undefined && value !== '') query.set(name, String(value));
}

/** The terms of a position: how long it is held, and the reader's own taker fees. */
function setTerms(query: URLSearchParams, params: URLSearchParams): void {
  const hold = choice(params, 'hold', HOLD_DAYS);
  set(query, 'holding_days', hold === HOLD_DAYS[0] ? undefined : hold);
  set(query, 'fees', feesText(params.get('fees')));
  set(query, 'spot_fees', feesText(params.get('spot_fees')));
}

/** The choice of pairs: venues, direction, size of a leg. */
function setChoice(query: URLSearchParams, params: URLSearchParams): void {
  set(query, 'venues', listOf(params, 'venues').join(','));
  set(query, 'exclude', listOf(params, 'exclude').join(','));
  const direction = choice(params, 'direction', DIRECTIONS);
  set(query, 'direction', direction === DIRECTIONS[0] ? undefined : direction);
  set(query, 'notional_usd', figure(params, 'size'));
}

/** Commas and colons stand for themselves, so that an address can be read. */
const pathOf = (route: string, query: URLSearchParams): string =>
  `${route}?${query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')}`;

/** Open interest that a perpetual must have, USD; undefined for any. */
export const leastInterest = (params: URLSearchParams): number | undefined =>
  (params.has('min_oi') ? figure(params, 'min_oi') : amountOf(LEAST_INTEREST)) || undefined;

/** The scan over all assets, or those that are named. */
export function scanPath(params: URLSearchParams): string {
  const query = new URLSearchParams();
  set(query, 'symbol', listOf(params, 'assets').join(','));
  setChoice(query, params);
  set(query, 'min_open_interest_usd', leastInterest(params));
  setTerms(query, params);
  set(query, 'limit', MOST_PAIRS);
  return pathOf('/v1/perp/arbitrage/cash-carry', query);
}

/** The pairs of one asset. @param asset the query that names it */
export function assetPairsPath(asset: string, params: URLSearchParams): string {
  const query = new URLSearchParams(asset);
  setChoice(query, params);
  setTerms(query, params);
  set(query, 'limit', MOST_PAIRS);
  return pathOf('/v1/perp/cash-carry', query);
}

/** The pairs of one asset among which that of these legs is. Where both are named, the call is held to their venues. */
export function pairPath(
  asset: string,
  { direction, spot, perp }: CarryLegs,
  size: string,
  params: URLSearchParams,
): string {
  const query = new URLSearchParams(asset);
  if (spot !== undefined && perp !== undefined) query.set('venues', [...new Set([spot, perp])].join(','));
  query.set('direction', direction);
  query.set('notional_usd', size);
  setTerms(query, params);
  set(query, 'limit', MOST_PAIRS);
  return pathOf('/v1/perp/cash-carry', query);
}

interface PairOfMarkets {
  readonly spot_venue: string;
  readonly spot_quote: string;
  readonly perp_venue: string;
}

/**
 * The pair of these legs that nets most. A venue may have several spot markets of an asset: where one of the quote is there, it is
 * that one.
 *
 * @param pairs the best first
 */
export function pairOf<Pair extends PairOfMarkets>(
  pairs: readonly Pair[],
  { spot, perp }: Pick<CarryLegs, 'spot' | 'perp'>,
  quote: string | null,
): Pair | undefined {
  const ofLegs = pairs.filter(
    (pair) =>
      (spot === undefined || pair.spot_venue === spot) && (perp === undefined || pair.perp_venue === perp),
  );
  return ofLegs.find((pair) => pair.spot_quote === quote) ?? ofLegs[0];
}

const PAST_DAYS = 29;

/** Thirty days of a spot market beside a perpetual, from a midnight on: the address stays the same for a day. @param now ms since 1970 */
export function pastPath(
  asset: string,
  market: { readonly spot: string; readonly perp: string; readonly quote: string },
  now: number,
): string {
  const from = new Date(Math.floor(now / DAY_MS) * DAY_MS - PAST_DAYS * DAY_MS).toISOString();
  const query = new URLSearchParams(asset);
  query.set('venue', market.spot);
  query.set('perp_venue', market.perp);
  query.set('quote', market.quote);
  query.set('from', `${from.slice(0, 19)}Z`);
  return pathOf('/v1/spot/history', query);
}

/** Slippage that no stored book tells is taken for larger sizes, USD. */
const STORED_SIZE = 10_000;
const BACKTEST_DAYS = 30;

interface TestedPair extends PairOfMarkets {
  readonly direction: string;
  readonly entry_slippage_bps: number | null;
}

/**
 * The form of a back-test of a pair by rule over the last thirty days, with the reader's own terms.
 *
 * @param size of a leg, USD
 * @param now ms since 1970
 */
export function backtestForm(
  ticker: string,
  pair: TestedPair,
  size: string,
  params: URLSearchParams,
  now: number,
): Patch {
  const to = Math.floor(now / DAY_MS) * DAY_MS;
  const second = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
  const slippage = Number(size) > STORED_SIZE ? pair.entry_slippage_bps : null;
  return {
    route: 'backtest-carry',
    'p.ticker': ticker,
    'p.spot': pair.spot_venue,
    'p.perp': pair.perp_venue,
    'p.direction': pair.direction,
    'p.size_usd': size,
    'p.fees': feesText(params.get('fees')),
    'p.spot_fee_bps': feesOf(params.get('spot_fees') ?? '')?.get(pair.spot_venue),
    // A leg has half of what both cost.
    'p.assumed_slippage_bps': slippage === null ? undefined : (slippage / 2).toFixed(2),
    'p.from': second(to - BACKTEST_DAYS * DAY_MS),
    'p.to': second(to),
  };
}

/** Filters of the address that hold for one pair, too. */
export const chosenTerms = (params: URLSearchParams): Patch =>
  Object.fromEntries(CHOSEN.flatMap((name) => (params.has(name) ? [[name, params.get(name) ?? '']] : [])));
