import { asMs, type UnixMs } from '../../../domain/units.ts';
import { HOUR_MS } from '../../../runtime/duration.ts';
import { feeAt, missingPayments, storedSlippage } from '../../pair-backtest/pair-backtest.ts';
import type { AlignedPrices } from '../../spot-history/prices/aligned-prices.ts';
import type {
  CarryFlow,
  CarryQuestion,
  CarryTrade,
  DueExit,
  FillSources,
  Opened,
  UnknownPart,
} from './carry-question.ts';

const BPS = 10_000;

/** The hour in which a position is left. */
interface Closed {
  readonly at: UnixMs;
  readonly due: DueExit;
  readonly carry: number | undefined;
  readonly prices: AlignedPrices | undefined;
}

/** The flows of a trade: all that is known of them, and the parts that are not. */
export function tradeOf(question: CarryQuestion, opened: Opened, closed: Closed): CarryTrade {
  const unknown = new Set<UnknownPart>();
  const borrowed = borrowFlows(question, opened.at, closed.at);
  const flows = [...fundingFlows(question, opened.at, closed.at), ...borrowed.flows];
  if (borrowed.unknown > 0) unknown.add('borrow');
  const fills = { book: 0, touch: 0, thin: 0, assumed: 0 };
  for (const [at, isEntry] of [
    [opened.at, true],
    [closed.at, false],
  ] as const) {
    const feeBps = feeAt(question.perp, at) + question.spot.feeBps;
    flows.push({ at, kind: 'fees', usd: (-feeBps / BPS) * question.sizeUsd });
    for (const fill of [perpFill(question, at), spotFill(question, at, isEntry)]) {
      const { bps } = fill;
      if (bps === undefined) unknown.add('slippage');
      else flows.push({ at, kind: 'slippage', usd: (-bps / BPS) * question.sizeUsd });
      countFill(fills, fill);
    }
  }
  const gain = priceGain(question, opened.prices, closed.prices);
  if (gain === undefined) unknown.add('price');
  else flows.push({ at: closed.at, kind: 'price', usd: gain });
  // A position held to the end of the window is paid at that moment, which the window itself leaves out.
  const span = { from: question.from, to: asMs(question.to + 1) };
  return {
    openedAt: opened.at,
    closedAt: closed.at,
    left: closed.due.reason,
    postponed: (closed.at - closed.due.since) / HOUR_MS,
    entryBps: opened.entryBps,
    exitBps: closed.carry,
    entryPriceOf: opened.prices.moment,
    exitPriceOf: closed.prices?.moment,
    flows: flows.sort((a, b) => a.at - b.at),
    unknown: [...unknown],
    fills,
    missingPayments: missingPayments(question.perp.payments, span).filter(
      (at) => at > opened.at && at <= closed.at,
    ).length,
    missingBorrow: borrowed.missing,
  };
}

/** Payments after the entry and up to the exit: to who is short the perpetual. */
function fundingFlows({ perp, sizeUsd, direction }: CarryQuestion, from: number, to: number): CarryFlow[] {
  const sign = direction === 'long_spot' ? 1 : -1;
  return perp.payments
    .filter(({ at }) => at > from && at <= to)
    .map(({ at, rate }) => ({ at, kind: 'funding', usd: sign * rate * sizeUsd }));
}

interface Borrowed {
  readonly flows: readonly CarryFlow[];
  /** Hours without a stored rate, and those of them for which none is assumed either. */
  readonly missing: number;
  readonly unknown: number;
}

/** The cost of borrowing the coin, an hour at a time, at its end. */
function borrowFlows(
  { spot, sizeUsd, direction, assumedBorrowHourly }: CarryQuestion,
  from: number,
  to: number,
): Borrowed {
  if (direction === 'long_spot') return { flows: [], missing: 0, unknown: 0 };
  const flows: CarryFlow[] = [];
  let missing = 0;
  let unknown = 0;
  for (let start = from; start < to; start += HOUR_MS) {
    const stored = spot.borrow.get(start);
    const rate = stored ?? assumedBorrowHourly;
    if (stored === undefined) missing += 1;
    if (rate === undefined) unknown += 1;
    else flows.push({ at: asMs(start + HOUR_MS), kind: 'borrow', usd: -rate * sizeUsd });
  }
  return { flows, missing, unknown };
}

interface Fill {
  /** Undefined where nothing tells it. */
  readonly bps: number | undefined;
  readonly source: Exclude<keyof FillSources, 'thin'>;
  readonly isThin: boolean;
}

/** A fill of the perpetual: by the last stored book of the hour before. */
function perpFill({ perp, sizeUsd, assumedSlippageBps }: CarryQuestion, at: number): Fill {
  const stored = storedSlippage(perp.hours.get(at - HOUR_MS)?.book, sizeUsd);
  if (stored !== undefined) return { bps: stored, source: 'book', isThin: false };
  return { bps: assumedSlippageBps, source: 'assumed', isThin: false };
}

/** A fill of spot: half of the spread at the last touch of the hour before. */
function spotFill(
  { spot, sizeUsd, direction, assumedSlippageBps }: CarryQuestion,
  at: number,
  isEntry: boolean,
): Fill {
  const hour = spot.hours.get(at - HOUR_MS);
  if (hour?.origin !== 'observed' || hour.spreadBps === undefined)
    return { bps: assumedSlippageBps, source: 'assumed', isThin: false };
  const isBought = isEntry === (direction === 'long_spot');
  const held = isBought ? hour.askUsd : hour.bidUsd;
  return { bps: hour.spreadBps / 2, source: 'touch', isThin: held === undefined || held < sizeUsd };
}

function countFill(fills: { -readonly [Key in keyof FillSources]: number }, fill: Fill): void {
  if (fill.bps === undefined) return;
  fills[fill.source] += 1;
  if (fill.isThin) fills.thin += 1;
}

/** The gain of prices between entry and exit, US dollars; undefined without a price at the exit. */
function priceGain(
  { sizeUsd, direction }: CarryQuestion,
  entry: AlignedPrices,
  exit: AlignedPrices | undefined,
): number | undefined {
  if (exit === undefined) return undefined;
  const spotLess = exit.spot / entry.spot - exit.perp / entry.perp;
  return sizeUsd * (direction === 'long_spot' ? spotLess : -spotLess);
}
