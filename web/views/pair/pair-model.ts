import type { FundingPast, StoredBooks } from '../../data/asset.ts';
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

/** What a stored book would have cost to take, bps; null where it did not fill the size. */
interface StoredSlippage {
  readonly at: number;
  readonly slippageBps: number | null;
}

/** What is known of a leg's past. */
export interface LegPast {
  readonly settlements: readonly Settlement[];
  readonly prices: readonly PricePoint[];
  /** Last book of each hour, where it was stored. */
  readonly books: readonly StoredSlippage[];
}

const SLIPPAGE_FIELDS = {
  1000: 'slippage_1k_bps',
  5000: 'slippage_5k_bps',
  10000: 'slippage_10k_bps',
} as const;
export type LegSize = keyof typeof SLIPPAGE_FIELDS;

/** The stored books of a venue as what a size would have cost in them. */
export function storedSlippages(stored: StoredBooks | undefined, size: LegSize): readonly StoredSlippage[] {
  const field = SLIPPAGE_FIELDS[size];
  return (stored?.data ?? []).flatMap((row) =>
    row.book_reason === 'not_sampled' || row.book_reason === 'not_followed'
      ? []
      : [{ at: Date.parse(row.ts), slippageBps: row[field] ?? null }],
  );
}

export function legPast(
  { buckets }: FundingPast,
  venue: string,
  books: readonly StoredSlippage[] = [],
): LegPast {
  const own = buckets
    .filter((one) => one.venue === venue)
    .map((one) => ({ ...one, at: Date.parse(one.bucket_start) }))
    .sort((a, b) => a.at - b.at);
  // Of an hour that was sampled and paid, the sampled price is the mean of all of it.
  const prices = new Map<number, number>();
  for (const { at, avg_price: price, basis } of own)
    if (price !== null && (basis === 'sampled' || !prices.has(at))) prices.set(at, price);
  return {
    settlements: own
      .filter(({ basis, avg_funding_rate }) => basis === 'settled' && avg_funding_rate !== null)
      .map(({ at, avg_funding_rate: rate, samples }) => ({
        at,
        rate: (rate ?? 0) * samples,
        count: samples,
      })),
    prices: [...prices].map(([at, price]) => ({ at, price })),
    books,
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
  /** Whose slippage it is going in: the hour's in which the position began, or the present books' for want of it. */
  readonly entryBooks: 'stored' | 'present';
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

/** Settlements from a moment on, which is one itself at a whole number of intervals. */
function expectedWithin(intervalMs: number, from: number, to: number): number {
  const count = (to - from) / intervalMs;
  return from % intervalMs === 0 ? Math.ceil(count) : Math.floor(count);
}

function within({ settlements }: LegPast, leg: Leg, from: number, to: number): Within {
  const inside = settlements.filter(({ at }) => at >= from && at < to);
  const expected = leg.intervalHours === null ? null : expectedWithin(leg.intervalHours * HOUR_MS, from, to);
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

/** The book that was stored nearest to a moment, at most an hour from it. */
function bookAt({ books }: LegPast, at: number): StoredSlippage | undefined {
  const distance = (one: StoredSlippage): number => Math.abs(one.at - at);
  const near = books.filter((one) => distance(one) <= HOUR_MS);
  return near.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** In by the books of that moment where both legs' are stored, and out by the present ones. */
function slippageOf(short: Leg & LegPast, long: Leg & LegPast, from: number) {
  const [a, b] = [bookAt(short, from), bookAt(long, from)];
  const present = plus(short.slippageBps, long.slippageBps);
  if (a === undefined || b === undefined)
    return { slippage: slippageOfBoth(short, long), entryBooks: 'present' as const };
  return { slippage: plus(a.slippageBps, b.slippageBps, present), entryBooks: 'stored' as const };
}

/** A position of `days` until `to`, short on the one venue and long on the other, by settled funding. */
export function earned(short: Leg & LegPast, long: Leg & LegPast, days: number, to: number): Earned {
  const from = to - days * DAY_MS;
  const { received, paid, funding } = fundingWithin(short, long, from, to);
  const apart = drift(short, long, from, to);
  const price = apart === null ? null : apart * 10_000;
  const fees = feesBps(short, long);
  const { slippage, entryBooks } = slippageOf(short, long, from);
  const costs = plus(fees, slippage);
  return {
    ...{ days, funding, price, fees, slippage, entryBooks },
    net: plus(funding, price, costs === null ? null : -costs),
    known: [received.count, paid.count],
    expected: [received.expected, paid.expected],
  };
}

const bpsOf = (part: Within, sign: 1 | -1): number | null =>
  isCovered(part) ? sign * part.sum * 10_000 : null;

function fundingWithin(short: Leg & LegPast, long: Leg & LegPast, from: number, to: number) {
  const [received, paid] = [within(short, short, from, to), within(long, long, from, to)];
  return { received, paid, funding: plus(bpsOf(received, 1), bpsOf(paid, -1)) };
}

/** One day of a position, bps of one leg's notional; before all costs. */
export interface EarnedDay {
  /** Start of the day in UTC, ms since 1970. */
  readonly at: number;
  /** What the short leg received, and what the long leg received: both with their sign. */
  readonly short: number | null;
  readonly long: number | null;
  readonly funding: number | null;
  readonly price: number | null;
  readonly known: Earned['known'];
  readonly expected: Earned['expected'];
}

/** The last days until `to` one by one, in UTC; the present one as far as it went. */
export function earnedDays(
  short: Leg & LegPast,
  long: Leg & LegPast,
  days: number,
  to: number,
): readonly EarnedDay[] {
  const today = Math.floor(to / DAY_MS) * DAY_MS;
  return Array.from({ length: days }, (_, back) => {
    const at = today - back * DAY_MS;
    const end = Math.min(at + DAY_MS, to);
    const { received, paid, funding } = fundingWithin(short, long, at, end);
    const apart = drift(short, long, at, end);
    return {
      ...{ at, short: bpsOf(received, 1), long: bpsOf(paid, -1), funding },
      price: apart === null ? null : apart * 10_000,
      known: [received.count, paid.count],
      expected: [received.expected, paid.expected],
    };
  });
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
