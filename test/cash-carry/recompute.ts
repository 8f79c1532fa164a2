/** Cash and carry computed from the answers about its parts. It shares no code with the service. */

export type Json = Readonly<Record<string, unknown>>;

/** Answers about one asset. */
export interface Parts {
  readonly current: Json;
  readonly depth: Json;
  /** Undefined where no venue lends the coin. */
  readonly borrow: Json | undefined;
  readonly funding: Json;
  readonly snapshot: Json;
  /** Slippage of selling and of buying perpetuals; undefined where too few books are known. */
  readonly selling: Json | undefined;
  readonly buying: Json | undefined;
}

/** The figures of one pair; undefined where an input is missing. */
export interface Figures {
  /** The largest of three sizes that can be entered, USD. */
  readonly largest: number | undefined;
  readonly gap: number | undefined;
  readonly fees: number | undefined;
  readonly slippage: number | undefined;
  readonly allIn: number | undefined;
  readonly income: number | undefined;
  readonly days: number | undefined;
  readonly apr: number | undefined;
}

const rowsOf = (answer: Json | undefined, field: string): readonly Json[] => {
  const list = answer?.[field];
  return Array.isArray(list) ? list : [];
};
const numberOf = (row: Json | undefined, field: string): number | undefined => {
  const value = row?.[field];
  return typeof value === 'number' ? value : undefined;
};
const all = (values: readonly (number | undefined)[]): readonly number[] | undefined =>
  values.some((value) => value === undefined) ? undefined : (values as readonly number[]);

/** One side of a leg: its middle, and what entering it slips by. */
interface Leg {
  readonly mid: number | undefined;
  /** Both sides of its book, USD. */
  readonly depth: number | undefined;
  readonly sale: number | undefined;
  readonly purchase: number | undefined;
  readonly fee: number | undefined;
}

function spotLeg(parts: Parts, venue: unknown, symbol: unknown, usd: number): Leg {
  const isIt = (row: Json): boolean => row.venue === venue && row.venue_symbol === symbol;
  const book = rowsOf(parts.depth, 'markets').find(isIt);
  const market = rowsOf(parts.current, 'markets').find(isIt);
  const fill = rowsOf(book, 'fills').find((row) => row.usd === usd);
  const depth = numberOf(book, 'max_notional_usd');
  const isTwoSided = (depth ?? 0) >= usd;
  return {
    mid: numberOf(book, 'mid_price'),
    depth,
    sale: isTwoSided ? numberOf(fill, 'sell_slippage_bps') : undefined,
    purchase: isTwoSided ? numberOf(fill, 'buy_slippage_bps') : undefined,
    fee: numberOf(market, 'taker_fee_bps'),
  };
}

function perpLeg(parts: Parts, venue: unknown, usd: number): Leg {
  const of = (answer: Json | undefined): Json | undefined =>
    rowsOf(answer, 'venues').find((row) => row.venue === venue);
  const sold = of(parts.selling);
  const bought = of(parts.buying);
  const sides = all([numberOf(sold, 'best_bid'), numberOf(sold, 'best_ask')]);
  const depths = all([numberOf(sold, 'bid_depth_usd'), numberOf(sold, 'ask_depth_usd')]);
  const depth = depths && Math.min(...depths);
  const isTwoSided = depth !== undefined && depth >= usd;
  return {
    mid: sides && ((sides[0] ?? 0) + (sides[1] ?? 0)) / 2,
    depth,
    sale: isTwoSided ? numberOf(sold, 'slippage_bps') : undefined,
    purchase: isTwoSided ? numberOf(bought, 'slippage_bps') : undefined,
    fee: numberOf(sold, 'taker_fee_bps') ?? numberOf(bought, 'taker_fee_bps'),
  };
}

/** The most dollars of a coin that can be borrowed: the least of what is stated, coins at the middle of the spot book; without a word no end. */
function borrowable(lent: Json | undefined, mid: number | undefined): number {
  let most = numberOf(lent, 'limit_usd') ?? Number.POSITIVE_INFINITY;
  for (const name of ['limit', 'available']) {
    const coins = numberOf(lent, name);
    if (coins !== undefined && mid !== undefined) most = Math.min(most, coins * mid);
  }
  return most;
}

/** The largest of three sizes up to some bounds, 0 where the least is above one. */
const largestUpTo = (bounds: readonly number[]): number =>
  Math.max(0, ...[1000, 5000, 10_000].filter((size) => bounds.every((bound) => size <= bound)));

/**
 * @param pair names the legs: direction, venues and symbols
 * @param worth of one unit of each quote in one currency; undefined where no rate is known
 */
export function recompute(
  parts: Parts,
  pair: Json,
  worth: { readonly spot: number; readonly perp: number } | undefined,
  usd: number,
  days: number,
): Figures {
  const isLong = pair.direction === 'long_spot';
  const spot = spotLeg(parts, pair.spot_venue, pair.spot_symbol, usd);
  const perp = perpLeg(parts, pair.perp_venue, usd);
  const [sold, bought] = isLong ? [perp, spot] : [spot, perp];
  const { spot: ofSpot, perp: ofPerp } = worth ?? { spot: 1, perp: 1 };
  const [ofSold, ofBought] = isLong ? [ofPerp, ofSpot] : [ofSpot, ofPerp];
  const mids = worth && all([sold.mid, bought.mid]);
  const lent = rowsOf(parts.borrow, 'venues').find((row) => row.venue === pair.spot_venue);
  const limit = isLong ? Number.POSITIVE_INFINITY : borrowable(lent, spot.mid);
  const depths = all([spot.depth, perp.depth]);
  const slips = usd > limit ? undefined : all([sold.sale, bought.purchase]);
  const level = mids && (((mids[0] ?? 0) * ofSold) / ((mids[1] ?? 1) * ofBought) - 1) * 10_000;
  const gap =
    mids &&
    slips &&
    (((mids[0] ?? 0) * (1 - (slips[0] ?? 0) / 10_000) * ofSold) /
      ((mids[1] ?? 1) * (1 + (slips[1] ?? 0) / 10_000) * ofBought) -
      1) *
      10_000;
  const week = rowsOf(pair, 'usual_gap').find((row) => row.days === 7);
  const usual = numberOf(week, 'mean_bps') ?? 0;
  const paid = all([spot.fee, perp.fee]);
  const fees = paid && 2 * ((paid[0] ?? 0) + (paid[1] ?? 0));
  const slippage = slips && (slips[0] ?? 0) + (slips[1] ?? 0);
  const allIn =
    fees === undefined || slippage === undefined || level === undefined
      ? undefined
      : fees + 2 * slippage + Math.max(0, usual - level);
  const rate = rowsOf(parts.funding, 'rates').find((row) => row.venue === pair.perp_venue);
  const rates = all([numberOf(rate, 'rate'), numberOf(rate, 'funding_interval_hours')]);
  const funding = rates && (((isLong ? 1 : -1) * (rates[0] ?? 0)) / (rates[1] ?? 1)) * 8 * 10_000;
  const market = rowsOf(parts.current, 'markets').find(
    (row) => row.venue === pair.spot_venue && row.venue_symbol === pair.spot_symbol,
  );
  const amounts = [lent?.available, lent?.limit, lent?.limit_usd];
  const isLent = !amounts.includes(0) && market?.can_short !== false;
  const hourly = isLent ? numberOf(lent, 'borrow_hourly') : undefined;
  const cost = isLong ? 0 : hourly === undefined ? undefined : hourly * 8 * 10_000;
  const income = funding === undefined || cost === undefined ? undefined : funding - cost;
  const known = allIn !== undefined && income !== undefined;
  return {
    largest: depths && largestUpTo([...depths, limit]),
    gap,
    fees,
    slippage,
    allIn,
    income,
    days: known && income > 0 ? allIn / income / 3 : undefined,
    apr: known ? ((income * 3 - allIn / days) * 365) / 100 : undefined,
  };
}
