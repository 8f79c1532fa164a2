import type { FundingHistory } from '../../data/asset.ts';
import { type Series, seconds } from '../../data/series.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** With fewer of the expected settlements than this part, what a position earned is not said. */
const COVERED = 0.9;

/** A price of an hour stands for the beginning or end of a span that is no farther away: the longest usual interval. */
const NEAR_MS = 8 * HOUR_MS;

/** A venue of a pair, with what its side costs now. */
export interface Leg {
  readonly venue: string;
  readonly intervalHours: number | null;
  readonly takerFeeBps: number | null;
  /** Of the chosen size, the worse side, now; null where the book does not fill it or is not followed. */
  readonly slippageBps: number | null;
}

interface Settlement {
  /** Start of the hour that it was in, ms since 1970. */
  readonly at: number;
  /** Fractions of all settlements of that hour, added. */
  readonly rate: number;
  readonly count: number;
}

interface PricePoint {
  readonly at: number;
  readonly price: number;
}

/** What is known of a leg's past. */
export interface LegPast {
  readonly settlements: readonly Settlement[];
  readonly prices: readonly PricePoint[];
}

export function legPast({ buckets }: FundingHistory, venue: string): LegPast {
  const own = buckets
    .filter((one) => one.venue === venue)
    .map((one) => ({ ...one, at: Date.parse(one.bucket_start) }))
    .sort((a, b) => a.at - b.at);
  return {
    settlements: own
      .filter(({ basis, avg_funding_rate }) => basis === 'settled' && avg_funding_rate !== null)
      .map(({ at, avg_funding_rate: rate, samples }) => ({
        at,
        rate: (rate ?? 0) * samples,
        count: samples,
      })),
    prices: own.flatMap(({ at, avg_price: price }) => (price === null ? [] : [{ at, price }])),
  };
}

/** What a position of some days until now would have earned, bps of one leg's notional; null = not known. */
export interface Earned {
  readonly days: number;
  readonly funding: number | null;
  /** From the legs' prices drifting apart. */
  readonly price: number | null;
  readonly fees: number | null;
  readonly slippage: number | null;
  readonly net: number | null;
  /** Settlements known of the short and of the long leg, and how many there should be. */
  readonly known: readonly [short: number, long: number];
  readonly expected: readonly [short: number | null, long: number | null];
}

const plus = (...parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0);

interface Within {
  readonly sum: number;
  readonly count: number;
  readonly expected: number | null;
}

function within({ settlements }: LegPast, leg: Leg, from: number, to: number): Within {
  const inside = settlements.filter(({ at }) => at >= from && at < to);
  const expected = leg.intervalHours === null ? null : Math.floor((to - from) / HOUR_MS / leg.intervalHours);
  return {
    sum: inside.reduce((sum, { rate }) => sum + rate, 0),
    count: inside.reduce((sum, { count }) => sum + count, 0),
    expected,
  };
}

const isCovered = ({ count, expected }: Within): boolean => expected !== null && count >= expected * COVERED;

/**
 * What the long leg's price rose above the short's, as a fraction: between the first and the last hour of which both
 * are known. Null where these are not near the ends: of different times, prices of one asset differ by its moves.
 */
function drift(short: LegPast, long: LegPast, from: number, to: number): number | null {
  const shortAt = new Map(short.prices.map(({ at, price }) => [at, price]));
  const common = long.prices.flatMap(({ at, price }) => {
    const other = shortAt.get(at);
    return at < from || at >= to || other === undefined ? [] : [{ at, long: price, short: other }];
  });
  const [first, last] = [common[0], common.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  if (first.at - from > NEAR_MS || to - last.at > NEAR_MS) return null;
  return last.long / first.long - last.short / first.short;
}

/** Both legs bought and sold at market: in and out. */
export const feesBps = (short: Leg, long: Leg): number | null =>
  short.takerFeeBps === null || long.takerFeeBps === null ? null : 2 * (short.takerFeeBps + long.takerFeeBps);

export const slippageOfBoth = (short: Leg, long: Leg): number | null =>
  short.slippageBps === null || long.slippageBps === null ? null : 2 * (short.slippageBps + long.slippageBps);

/** A position of `days` until `to`, short on the one venue and long on the other, by settled funding. */
export function earned(short: Leg & LegPast, long: Leg & LegPast, days: number, to: number): Earned {
  const from = to - days * DAY_MS;
  const [ofShort, ofLong] = [within(short, short, from, to), within(long, long, from, to)];
  const funding = isCovered(ofShort) && isCovered(ofLong) ? (ofShort.sum - ofLong.sum) * 10_000 : null;
  const apart = drift(short, long, from, to);
  const price = apart === null ? null : apart * 10_000;
  const [fees, slippage] = [feesBps(short, long), slippageOfBoth(short, long)];
  const costs = plus(fees, slippage);
  return {
    ...{ days, funding, price, fees, slippage },
    net: plus(funding, price, costs === null ? null : -costs),
    known: [ofShort.count, ofLong.count],
    expected: [ofShort.expected, ofLong.expected],
  };
}

/** A leg's rate of eight hours as it stood from each settlement back to the one before. */
function heldRates(leg: Leg & LegPast): readonly { at: number; rate8h: number }[] {
  const { intervalHours, settlements } = leg;
  if (intervalHours === null) return [];
  return settlements.map(({ at, rate, count }) => ({
    at,
    rate8h: ((rate / Math.max(1, count)) * 8) / intervalHours,
  }));
}

/** Short less long, fractions of eight hours, at every settlement of either: the other's last one holds. */
export function spreadSeries(short: Leg & LegPast, long: Leg & LegPast): Series {
  const events = [
    ...heldRates(short).map((one) => ({ ...one, side: 'short' as const })),
    ...heldRates(long).map((one) => ({ ...one, side: 'long' as const })),
  ].sort((a, b) => a.at - b.at);
  const last: { short: number | undefined; long: number | undefined } = { short: undefined, long: undefined };
  const points = new Map<number, number>();
  for (const { at, rate8h, side } of events) {
    last[side] = rate8h;
    if (last.short !== undefined && last.long !== undefined) points.set(at, last.short - last.long);
  }
  return {
    label: 'short less long',
    times: [...points.keys()].map((at) => seconds(new Date(at).toISOString())),
    values: [...points.values()],
    isSteps: true,
  };
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** How often a value was in which range: bins of equal width over all of them; none without a value. */
export function distribution(values: readonly (number | null)[], bins: number): readonly Bin[] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return [];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const width = (high - low) / bins;
  if (width === 0) return [{ from: low, to: high, count: known.length }];
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of known) {
    const at = Math.min(bins - 1, Math.floor((value - low) / width));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts.map((count, at) => ({ from: low + at * width, to: low + (at + 1) * width, count }));
}
