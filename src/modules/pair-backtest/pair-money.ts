import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import type { UnixMs } from '../../domain/units.ts';
import { nullReasons, withReasons } from '../../products/answer/null-reason.ts';
import { boolean, integer, nullable, number, oneOf, timestamp } from '../../products/answer/schema.ts';
import { type CashFlow, type PairTrade, sumOfFlows } from './pair-backtest.ts';

export const usd = (description: string) => number(`${description}, US dollars`);

export const moneyFields = {
  short_funding_usd: usd('Funding of the short leg'),
  long_funding_usd: usd('Funding of the long leg'),
  fees_usd: usd('Taker fees, below 0'),
  slippage_usd: nullable(usd('Slippage against the mid, below 0')),
  price_usd: nullable(usd('Change of the gap between both prices')),
  net_usd: nullable(usd('Sum of these')),
  net_without_price_usd: nullable(usd('The same without price_usd; known where a leg had no price')),
};

export const trade = Type.Object({
  opened_at: timestamp('Entry of both legs'),
  closed_at: timestamp('Exit of both legs'),
  left: oneOf(['threshold', 'holding_time', 'window_end'], { description: 'Why the pair was left' }),
  entry_spread_8h_bps: number('Settled spread known at the entry'),
  exit_spread_8h_bps: nullable(number('The same at the exit')),
  left_while_paying: nullable(
    boolean(
      'True where max_hold_hours closed it although exit_spread_8h_bps was above 0; null where it closed it and the spread was not known',
    ),
  ),
  ...moneyFields,
  assumed_fills: integer('Fills whose slippage is assumed_slippage_bps'),
  missing_payments: integer(
    'Settlements of both legs while it was held of which no payment is stored: counted as 0',
  ),
  ...nullReasons,
});

export const day = Type.Object({
  date: Type.String({ format: 'date', description: 'Day, UTC' }),
  ...moneyFields,
  cumulative_usd: nullable(usd('Running sum of net_usd')),
  ...nullReasons,
});

export type Unknown = PairTrade['unknown'][number];

/** Sums of some flows; null where a part is unknown. */
export function money(flows: readonly CashFlow[], unknown: ReadonlySet<Unknown>) {
  return {
    short_funding_usd: sumOfFlows(flows, 'short_funding'),
    long_funding_usd: sumOfFlows(flows, 'long_funding'),
    fees_usd: sumOfFlows(flows, 'fees'),
    slippage_usd: unknown.has('slippage') ? null : sumOfFlows(flows, 'slippage'),
    price_usd: unknown.has('price') ? null : sumOfFlows(flows, 'price'),
    net_usd: unknown.size > 0 ? null : sumOfFlows(flows),
    net_without_price_usd: unknown.has('slippage')
      ? null
      : sumOfFlows(flows, 'short_funding', 'long_funding', 'fees', 'slippage'),
  };
}

/** Reasons for which sums are null: no book gave the slippage, or no mark the price. */
export const reasonsOf = (unknown: ReadonlySet<Unknown>) => {
  const why = unknown.has('slippage') ? 'not_followed' : 'unknown';
  return {
    slippage_usd: why,
    price_usd: 'unknown',
    net_usd: why,
    net_without_price_usd: why,
    cumulative_usd: why,
  } as const;
};

/**
 * True of a trade that the holding time closed while its spread still paid the pair; undefined where it did and the spread
 * was not known.
 */
export const leftWhilePaying = ({ left, exitBps }: PairTrade): boolean | undefined =>
  left !== 'holding_time' ? false : exitBps === undefined ? undefined : exitBps > 0;

export function tradeRow(made: PairTrade): Static<typeof trade> {
  const { flows, ...one } = made;
  const unknown = new Set(one.unknown);
  const row: Static<typeof trade> = {
    opened_at: iso(one.openedAt),
    closed_at: iso(one.closedAt),
    left: one.left,
    entry_spread_8h_bps: one.entryBps,
    exit_spread_8h_bps: one.exitBps ?? null,
    left_while_paying: leftWhilePaying(made) ?? null,
    ...money(flows, unknown),
    assumed_fills: one.assumed,
    missing_payments: one.missing,
  };
  return withReasons(row, reasonsOf(unknown));
}

const dateOf = (at: UnixMs): string => iso(at).slice(0, 10);

/**
 * Flows by UTC day. An unknown part of a trade makes the days of its entry and exit unknown, and the sums
 * after.
 */
export function dayRows(trades: readonly PairTrade[]): readonly Static<typeof day>[] {
  const byDay = new Map<string, { flows: CashFlow[]; unknown: Set<Unknown> }>();
  const dayAt = (at: UnixMs) => {
    const date = dateOf(at);
    const held = byDay.get(date) ?? { flows: [], unknown: new Set<Unknown>() };
    byDay.set(date, held);
    return held;
  };
  for (const { flows, unknown, openedAt, closedAt } of trades) {
    for (const flow of flows) dayAt(flow.at).flows.push(flow);
    for (const what of unknown) {
      dayAt(closedAt).unknown.add(what);
      if (what === 'slippage') dayAt(openedAt).unknown.add(what);
    }
  }
  let sum: number | null = 0;
  return [...byDay]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, { flows, unknown }]) => {
      const sums = money(flows, unknown);
      sum = sum === null || sums.net_usd === null ? null : sum + sums.net_usd;
      return withReasons({ date, ...sums, cumulative_usd: sum }, reasonsOf(unknown));
    });
}
