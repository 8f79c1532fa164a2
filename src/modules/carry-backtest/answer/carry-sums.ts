import Type, { type Static } from 'typebox';
import { iso } from '../../../domain/clock.ts';
import { nullReasons, withReasons } from '../../../products/answer/null-reason.ts';
import { integer, nullable, number, oneOf, timestamp } from '../../../products/answer/schema.ts';
import type { CarryFlow, CarryTrade, UnknownPart } from '../walk/carry-question.ts';

export const usd = (description: string) => number(`${description}, US dollars`);

export const sumFields = {
  funding_usd: usd('Funding of the perpetual'),
  borrow_usd: nullable(usd('Cost of borrowing the coin, 0 or below')),
  fees_usd: usd('Taker fees, below 0'),
  slippage_usd: nullable(usd('Slippage against the mid, below 0')),
  price_usd: nullable(usd('Change of the gap between spot and perpetual')),
  net_usd: nullable(usd('Sum of these')),
};

const moment = oneOf(['end', 'mean', 'start'], {
  description: 'Moment of the hour before that both prices are of, as in /v1/spot/history',
});

export const fillFields = {
  book_fills: integer('Fills with the slippage of a stored book of the perpetual'),
  touch_fills: integer('Fills with half of the spread at the touch of the spot market'),
  thin_touch_fills: integer(
    'Of these, at a touch that does not hold the size, or is not known to: their cost may be higher',
  ),
  assumed_fills: integer('Fills whose slippage is assumed_slippage_bps'),
};

export const trade = Type.Object({
  opened_at: timestamp('Entry of both legs'),
  closed_at: timestamp('Exit of both legs'),
  left: oneOf(['threshold', 'holding_time', 'window_end'], { description: 'What first asked for the exit' }),
  postponed_hours: integer('Hours by which the exit was late, since no price of both legs was known'),
  entry_carry_8h_bps: number('Carry known at the entry, basis points per eight hours'),
  exit_carry_8h_bps: nullable(number('The same at the exit')),
  entry_price_of: moment,
  exit_price_of: nullable(moment),
  ...sumFields,
  ...fillFields,
  missing_payments: integer('Settlements while it was held of which no payment is stored: counted as 0'),
  missing_borrow_hours: integer('Hours held without a stored borrow rate'),
  ...nullReasons,
});

export const day = Type.Object({
  date: Type.String({ format: 'date', description: 'Day, UTC' }),
  ...sumFields,
  cumulative_usd: nullable(usd('Running sum of net_usd: the equity')),
  ...nullReasons,
});

/** Sum of some flows, US dollars; of one kind where it is named. */
export const sumOf = (flows: readonly CarryFlow[], kind?: CarryFlow['kind']): number =>
  flows.reduce((sum, flow) => (kind === undefined || flow.kind === kind ? sum + flow.usd : sum), 0);

/** Sums of some flows; null where a part is unknown. */
export function sums(flows: readonly CarryFlow[], unknown: ReadonlySet<UnknownPart>) {
  const known = (kind: UnknownPart): number | null => (unknown.has(kind) ? null : sumOf(flows, kind));
  return {
    funding_usd: sumOf(flows, 'funding'),
    borrow_usd: known('borrow'),
    fees_usd: sumOf(flows, 'fees'),
    slippage_usd: known('slippage'),
    price_usd: known('price'),
    net_usd: unknown.size > 0 ? null : sumOf(flows),
  };
}

/** Reasons for which sums are null. */
export const reasonsOf = (unknown: ReadonlySet<UnknownPart>) => {
  const why = unknown.has('slippage') ? 'not_followed' : 'not_stored_then';
  return {
    borrow_usd: 'not_stored_then',
    slippage_usd: 'not_followed',
    price_usd: 'not_stored_then',
    net_usd: why,
    cumulative_usd: why,
  } as const;
};

export function tradeRow(made: CarryTrade): Static<typeof trade> {
  const { fills } = made;
  const unknown = new Set(made.unknown);
  const row: Static<typeof trade> = {
    opened_at: iso(made.openedAt),
    closed_at: iso(made.closedAt),
    left: made.left,
    postponed_hours: made.postponed,
    entry_carry_8h_bps: made.entryBps,
    exit_carry_8h_bps: made.exitBps ?? null,
    entry_price_of: made.entryPriceOf,
    exit_price_of: made.exitPriceOf ?? null,
    ...sums(made.flows, unknown),
    book_fills: fills.book,
    touch_fills: fills.touch,
    thin_touch_fills: fills.thin,
    assumed_fills: fills.assumed,
    missing_payments: made.missingPayments,
    missing_borrow_hours: made.missingBorrow,
  };
  return withReasons(row, { ...reasonsOf(unknown), exit_price_of: 'not_stored_then' });
}

interface DayParts {
  readonly flows: CarryFlow[];
  readonly unknown: Set<UnknownPart>;
}

/** Flows by UTC day. Unknown parts of a trade make the day of its exit unknown, and the running sums after. */
export function dayRows(trades: readonly CarryTrade[]): readonly Static<typeof day>[] {
  const byDay = new Map<string, DayParts>();
  const dayAt = (at: CarryFlow['at']): DayParts => {
    const date = iso(at).slice(0, 10);
    const held = byDay.get(date) ?? { flows: [], unknown: new Set<UnknownPart>() };
    byDay.set(date, held);
    return held;
  };
  for (const { flows, unknown, closedAt } of trades) {
    for (const flow of flows) dayAt(flow.at).flows.push(flow);
    for (const part of unknown) dayAt(closedAt).unknown.add(part);
  }
  let running: number | null = 0;
  return [...byDay]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, { flows, unknown }]) => {
      const made = sums(flows, unknown);
      running = running === null || made.net_usd === null ? null : running + made.net_usd;
      return withReasons({ date, ...made, cumulative_usd: running }, reasonsOf(unknown));
    });
}
