import { asMs, type UnixMs } from '../../../domain/units.ts';
import { HOUR_MS } from '../../../runtime/duration.ts';
import { settledRateWalker } from '../../pair-backtest/pair-backtest.ts';
import { type AlignedPrices, alignedPrices, arePrices } from '../../spot-history/prices/aligned-prices.ts';
import type { CarryQuestion, CarryTrade, CarryWalk, DueExit, Opened } from './carry-question.ts';
import { tradeOf } from './carry-trade.ts';

const BPS = 10_000;
const RATE_HOURS = 8;

/** The borrow rate that was known at an hour, fraction an hour: that of the hour before, else the assumed one. */
export const borrowBefore = (
  { spot, assumedBorrowHourly }: Pick<CarryQuestion, 'spot' | 'assumedBorrowHourly'>,
  at: number,
): number | undefined => spot.borrow.get(at - HOUR_MS) ?? assumedBorrowHourly;

/** Prices that were known at an hour: those of the hour before. Undefined where they stand apart, too. */
export function pricesBefore({ spot, perp }: CarryQuestion, at: number): AlignedPrices | undefined {
  const prices = alignedPrices(spot.hours.get(at - HOUR_MS), perp.hours.get(at - HOUR_MS));
  return arePrices(prices) ? prices : undefined;
}

/**
 * The carry of a direction at an hour, basis points per eight hours, by what was known then: the rate last settled, which who is
 * short the perpetual is paid; who is long it pays it, and the cost of borrowing the coin. Undefined where a part is unknown.
 */
function carryAt(question: CarryQuestion, settledBps: number | undefined, at: number): number | undefined {
  if (settledBps === undefined || question.direction === 'long_spot') return settledBps;
  const borrow = borrowBefore(question, at);
  return borrow === undefined ? undefined : -settledBps - borrow * RATE_HOURS * BPS;
}

/**
 * Trades spot against a perpetual by rule, looking once an hour at what was known by then. It is entered where the carry reaches
 * `enterBps` and prices of both legs are known, and left where it is at or below `exitBps`, after `maxHoldHours`, or at the end
 * of the window. While the carry is unknown nothing is entered, and what is held is held on. An exit that is due in an hour
 * without prices is made in the first hour with them, whatever the carry is then, or at the end of the window without a price.
 */
export function walkCarry(question: CarryQuestion): CarryWalk {
  const { from, to, rule } = question;
  const settled = settledRateWalker(question.perp.payments);
  const trades: CarryTrade[] = [];
  let skipped = 0;
  let opened: Opened | undefined;
  let due: DueExit | undefined;
  for (let at = from; at <= to; at = asMs(at + HOUR_MS)) {
    const carry = carryAt(question, settled(at), at);
    const prices = pricesBefore(question, at);
    if (opened === undefined) {
      if (at >= to || carry === undefined || carry < rule.enterBps) continue;
      if (prices === undefined) skipped += 1;
      else opened = { at, entryBps: carry, prices };
      continue;
    }
    due ??= exitDue(question, opened, at, carry);
    if (due === undefined || (prices === undefined && at < to)) continue;
    trades.push(tradeOf(question, opened, { at, due, carry, prices }));
    opened = undefined;
    due = undefined;
  }
  return { trades, skipped };
}

function exitDue(
  { rule, to }: CarryQuestion,
  opened: Opened,
  at: UnixMs,
  carry: number | undefined,
): DueExit | undefined {
  if (carry !== undefined && carry <= rule.exitBps) return { since: at, reason: 'threshold' };
  if (at - opened.at >= rule.maxHoldHours * HOUR_MS) return { since: at, reason: 'holding_time' };
  return at >= to ? { since: at, reason: 'window_end' } : undefined;
}
