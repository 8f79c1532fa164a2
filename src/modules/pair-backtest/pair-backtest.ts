import type { BookSample, FundingPayment, TakerFee } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';

/** When a pair is entered and left; spreads in basis points per eight hours. */
export interface PairRule {
  readonly enterBps: number;
  readonly exitBps: number;
  readonly maxHoldHours: number;
}

/** The known history of one leg, and the cost of trading it. */
export interface LegHistory {
  /** Of one contract, by time. */
  readonly payments: readonly FundingPayment[];
  /** Mean mark and last book of an hour, by its start. */
  readonly hours: ReadonlyMap<number, LegHour>;
  /** Charged where no fee was noted. */
  readonly feeBps: number;
  /** Taker fees as they were noted, by time; the first counts for the time before it, too. */
  readonly fees: readonly Pick<TakerFee, 'since' | 'takerBps'>[];
}

export interface LegHour {
  readonly mark: number | undefined;
  readonly book: BookSample | undefined;
}

export interface PairQuestion {
  /** Whole hours; the end is not included. */
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly sizeUsd: number;
  readonly rule: PairRule;
  readonly short: LegHistory;
  readonly long: LegHistory;
  /** Slippage of a leg where no stored book gives it, bps; undefined = it stays unknown. */
  readonly assumedSlippageBps?: number | undefined;
}

/** Money that came in or went out, US dollars. */
export interface CashFlow {
  readonly at: UnixMs;
  readonly kind: 'short_funding' | 'long_funding' | 'fees' | 'slippage' | 'price';
  readonly usd: number;
}

export type ExitReason = 'threshold' | 'holding_time' | 'window_end';

export interface PairTrade {
  readonly openedAt: UnixMs;
  readonly closedAt: UnixMs;
  readonly left: ExitReason;
  readonly entryBps: number;
  /** Undefined where the spread was not known when the pair was left. */
  readonly exitBps: number | undefined;
  readonly flows: readonly CashFlow[];
  /** The unknown parts of the trade, which its flows lack. */
  readonly unknown: readonly ('slippage' | 'price')[];
  /** Fills whose slippage is the assumed one. */
  readonly assumed: number;
  /** Settlements of either leg between entry and exit of which no payment is known. */
  readonly missing: number;
}

const BPS = 10_000;
/** A payment stands for the rate for this many times its own interval; after that the rate is unknown. */
const KNOWN_INTERVALS = 2;
/** The largest size whose slippage is stored with a book, US dollars. */
export const LARGEST_STORED_USD = 10_000;

const SIZES = [
  [1000, 'slippage1kBps'],
  [5000, 'slippage5kBps'],
  [LARGEST_STORED_USD, 'slippage10kBps'],
] as const;

/** The last settled rate of a leg at each hour, bps per eight hours, known by then; walks forward in time. */
export function settledRateWalker(payments: readonly FundingPayment[]): (at: number) => number | undefined {
  let next = 0;
  return (at) => {
    while ((payments[next]?.at ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    const last = payments[next - 1];
    if (last?.hours === undefined || at - last.at > KNOWN_INTERVALS * last.hours * HOUR_MS) return undefined;
    return ((last.rate * 8) / last.hours) * BPS;
  };
}

/**
 * When a leg was settled in a window without a payment that is known: between two payments, before the first and after
 * the last at their interval; of two the longer one counts, which a change of it takes at most.
 */
export function missingPayments(
  payments: readonly FundingPayment[],
  { from, to }: Pick<PairQuestion, 'from' | 'to'>,
): readonly number[] {
  const times: number[] = [];
  for (let i = 0; i <= payments.length; i++) {
    const before = payments[i - 1];
    const after = payments[i];
    // Where venues state no interval, the first that is stored has none: the time until the next one tells it.
    const hoursAfter = after?.hours ?? (before === undefined ? payments[1]?.hours : undefined);
    const step = Math.max(before?.hours ?? 0, hoursAfter ?? 0) * HOUR_MS;
    if (step === 0) continue;
    // Payments are stamped some minutes late: a whole interval more or less is what counts.
    const count =
      before && after ? Math.round((after.at - before.at) / step) - 1 : Math.ceil((to - from) / step) + 1;
    for (let n = 1; n <= count; n++) times.push(before ? before.at + n * step : (after?.at ?? 0) - n * step);
  }
  const [first] = payments;
  // Back-filled points are older than the moment at which the service first saw the contract: that is no listing
  // then.
  const since = first === undefined || first.at < first.listedAt ? from : Math.max(from, first.listedAt);
  return times.filter((at) => at >= since && at < to);
}

/** Slippage of a size in a stored book, bps: that of the smallest stored size that holds it. Undefined = not known. */
export function storedSlippage(book: BookSample | undefined, sizeUsd: number): number | undefined {
  const name = SIZES.find(([size]) => size >= sizeUsd)?.[1];
  return name === undefined ? undefined : book?.[name];
}

/** The taker fee of a leg at a time, bps. */
export const feeAt = ({ fees, feeBps }: Pick<LegHistory, 'fees' | 'feeBps'>, at: number): number =>
  (fees.findLast(({ since }) => since <= at) ?? fees[0])?.takerBps ?? feeBps;

/** Prices of both legs at an hour, of one kind: mids of the last books, else mean marks of the hour before. */
function pricesAt({ short, long }: PairQuestion, at: number): readonly [number, number] | undefined {
  const ofShort = short.hours.get(at - HOUR_MS);
  const ofLong = long.hours.get(at - HOUR_MS);
  const mids = [ofShort?.book, ofLong?.book].map((book) => book && (book.bestBid + book.bestAsk) / 2);
  for (const [a, b] of [mids, [ofShort?.mark, ofLong?.mark]]) {
    if (a !== undefined && b !== undefined) return [a, b];
  }
  return undefined;
}

/** The price gain of being short the one and long the other between two hours, US dollars. */
function priceGain(question: PairQuestion, opened: number, closed: number): number | undefined {
  const entry = pricesAt(question, opened);
  const exit = pricesAt(question, closed);
  if (entry === undefined || exit === undefined) return undefined;
  return question.sizeUsd * (exit[1] / entry[1] - exit[0] / entry[0]);
}

function fundingFlows({ short, long, sizeUsd }: PairQuestion, opened: number, closed: number): CashFlow[] {
  const within = ({ at }: FundingPayment): boolean => at > opened && at <= closed;
  const received = short.payments
    .filter(within)
    .map(({ at, rate }): CashFlow => ({ at, kind: 'short_funding', usd: rate * sizeUsd }));
  const paid = long.payments
    .filter(within)
    .map(({ at, rate }): CashFlow => ({ at, kind: 'long_funding', usd: -rate * sizeUsd }));
  return [...received, ...paid];
}

interface Opened {
  readonly at: UnixMs;
  readonly entryBps: number;
}

function tradeOf(
  question: PairQuestion,
  { at: openedAt, entryBps }: Opened,
  closedAt: UnixMs,
  left: ExitReason,
  exitBps: number | undefined,
): PairTrade {
  const { short, long, sizeUsd, assumedSlippageBps } = question;
  const flows = fundingFlows(question, openedAt, closedAt);
  const unknown = new Set<'slippage' | 'price'>();
  let assumed = 0;
  for (const at of [openedAt, closedAt]) {
    flows.push({ at, kind: 'fees', usd: (-(feeAt(short, at) + feeAt(long, at)) / BPS) * sizeUsd });
    for (const leg of [short, long]) {
      const stored = storedSlippage(leg.hours.get(at - HOUR_MS)?.book, sizeUsd);
      const bps = stored ?? assumedSlippageBps;
      if (bps === undefined) unknown.add('slippage');
      else flows.push({ at, kind: 'slippage', usd: (-bps / BPS) * sizeUsd });
      if (stored === undefined && bps !== undefined) assumed += 1;
    }
  }
  const gain = priceGain(question, openedAt, closedAt);
  if (gain === undefined) unknown.add('price');
  else flows.push({ at: closedAt, kind: 'price', usd: gain });
  flows.sort((a, b) => a.at - b.at);
  // A position held to the end of the window is paid at that moment, which the window itself leaves out.
  const due = { from: question.from, to: asMs(question.to + 1) };
  const missing = [short, long].flatMap(({ payments }) =>
    missingPayments(payments, due).filter((at) => at > openedAt && at <= closedAt),
  ).length;
  return { openedAt, closedAt, left, entryBps, exitBps, flows, unknown: [...unknown], assumed, missing };
}

/**
 * Trades a pair by rule, looking once an hour at what was known by then: the rates last settled on both legs. It is
 * entered where their spread reaches `enterBps`, and left where it is at or below `exitBps`, after `maxHoldHours`, or at
 * the end of the window. While the spread is unknown nothing is entered, and what is held is held on. A payment counts
 * if it is made after the entry and not after the exit. The notional of each leg stays `sizeUsd`.
 */
export function tradePair(question: PairQuestion): readonly PairTrade[] {
  const { from, to, rule } = question;
  const shortRate = settledRateWalker(question.short.payments);
  const longRate = settledRateWalker(question.long.payments);
  const trades: PairTrade[] = [];
  let opened: Opened | undefined;
  for (let at = from; at <= to; at = asMs(at + HOUR_MS)) {
    const ofShort = shortRate(at);
    const ofLong = longRate(at);
    const spread = ofShort === undefined || ofLong === undefined ? undefined : ofShort - ofLong;
    if (opened === undefined) {
      if (at < to && spread !== undefined && spread >= rule.enterBps) opened = { at, entryBps: spread };
      continue;
    }
    const left = leaveReason(question, opened, at, spread);
    if (left === undefined) continue;
    trades.push(tradeOf(question, opened, at, left, spread));
    opened = undefined;
  }
  return trades;
}

function leaveReason(
  { rule, to }: PairQuestion,
  opened: Opened,
  at: number,
  spread: number | undefined,
): ExitReason | undefined {
  if (spread !== undefined && spread <= rule.exitBps) return 'threshold';
  if (at - opened.at >= rule.maxHoldHours * HOUR_MS) return 'holding_time';
  return at >= to ? 'window_end' : undefined;
}

/** Sum of some flows, US dollars; of one kind where it is named. */
export const sumOfFlows = (flows: readonly CashFlow[], ...kinds: readonly CashFlow['kind'][]): number =>
  flows.reduce((sum, { kind, usd }) => (kinds.length === 0 || kinds.includes(kind) ? sum + usd : sum), 0);

/** The largest fall of the running sum below what it had reached, US dollars, 0 or above. */
export function maxDrawdown(flows: readonly Pick<CashFlow, 'usd'>[]): number {
  let sum = 0;
  let peak = 0;
  let fall = 0;
  for (const { usd } of flows) {
    sum += usd;
    peak = Math.max(peak, sum);
    fall = Math.max(fall, peak - sum);
  }
  return fall;
}
