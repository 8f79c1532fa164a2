import Type, { type Static } from 'typebox';
import { iso } from '../../../domain/clock.ts';
import { asMs } from '../../../domain/units.ts';
import type { MarketRow } from '../../../market/view.ts';
import { nullReasons, withReasons } from '../../../products/answer/null-reason.ts';
import type { ProductAnswer } from '../../../products/answer/product-answer.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
} from '../../../products/answer/schema.ts';
import { type AskedFees, feesField, feesNote, statedFees } from '../../../products/rows/asked-fees.ts';
import { HOUR_MS } from '../../../runtime/duration.ts';
import { maxDrawdown } from '../../pair-backtest/pair-backtest.ts';
import type { MarketPast } from '../../spot-history/store/spot-past.ts';
import { type CarryQuestion, type CarryTrade, DIRECTIONS } from '../walk/carry-question.ts';
import { walkCarry } from '../walk/carry-walk.ts';
import { perpLeg, perpRow, spotLeg, spotRow } from './carry-legs.ts';
import {
  day,
  dayRows,
  fillFields,
  reasonsOf,
  sumFields,
  sumOf,
  sums,
  trade,
  tradeRow,
  usd,
} from './carry-sums.ts';

export const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  from_ts: timestamp('Start of the window'),
  to_ts: timestamp('End of the window'),
  direction: oneOf(DIRECTIONS, { description: 'Side of the spot leg' }),
  spot: spotLeg,
  perp: perpLeg,
  size_usd: integer('Notional of each leg, US dollars'),
  capital_usd: usd('The spot leg in full and the margin of the perpetual: size_usd x (1 + 1 / leverage)'),
  trades_count: integer('Trades'),
  won: integer('Trades whose net is known and above 0'),
  unknown: integer('Trades whose net is not known'),
  hit_rate_pct: nullable(number('won over the trades whose net is known, percent')),
  hours_held: integer('Hours in which the position was held'),
  skipped_entries: integer(
    'Hours in which the carry asked for an entry and prices of both legs were not known, or stood apart',
  ),
  postponed_exits: integer('Trades whose exit was late for that reason'),
  ...sumFields,
  ...fillFields,
  ...feesField,
  return_pct: nullable(number('net_usd over capital_usd, percent')),
  max_drawdown_usd: nullable(usd('Largest fall of the running sum of all flows')),
  trades: Type.Array(trade),
  days: Type.Array(day, { description: 'Days with a flow' }),
  methodology: text('How the figures are made, and what they leave out'),
  ...nullReasons,
});

type CarryBacktest = Static<typeof answer>;

/** The request as the answer repeats it. */
export interface AskedCarry {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly spotVenue: string;
  readonly leverage: number;
  readonly named: AskedFees;
  readonly isPerpFeeAsked: boolean;
  readonly isSpotFeeAsked: boolean;
}

const METHODOLOGY =
  'Once an hour the carry known by then decides: the rate last settled, for short_spot what it pays who is long less the borrow rate of the hour before. Entries and exits are at prices of both legs at one moment of the hour before (entry_price_of): end, middles or the close of a spot candle beside the middle of the last book; mean, of samples; start, opens of candles. An hour without both, or with a spot price more than 3 % from the index of the perpetual (hours_apart), has no entry, and an exit waits for the first with both (postponed_hours). Slippage of the perpetual is that of its last stored book of the hour before, of spot half of the spread at its last touch, whatever the size; where there is none assumed_slippage_bps counts, or the trade is unknown. A payment counts that is made after the entry and not after the exit, borrowing each hour held at its stored rate, else at assumed_borrow_apr_pct, or the trade is unknown. The notional stays size_usd. USDT and USDC count as dollars. Fees of the perpetual as they were noted, of spot that of today, or those asked for; fees names those of the perpetual. No leg is liquidated, no loan recalled. Not a profit forecast.';

/** Trades of a rule over a window, their sums, and the same by day. */
export function carryAnswer(
  asked: AskedCarry,
  row: MarketRow,
  market: Pick<MarketPast, 'symbol' | 'quote' | 'relation'>,
  question: CarryQuestion,
): ProductAnswer<CarryBacktest> {
  const { trades, skipped } = walkCarry(question);
  const flows = trades.flatMap((made) => made.flows).toSorted((a, b) => a.at - b.at);
  const unknown = new Set(trades.flatMap((made) => made.unknown));
  const capital = question.sizeUsd * (1 + 1 / asked.leverage);
  const made = sums(flows, unknown);
  const body: CarryBacktest = {
    ticker: asked.ticker,
    canonical_id: asked.canonicalId,
    from_ts: iso(question.from),
    to_ts: iso(question.to),
    direction: question.direction,
    spot: spotRow(asked.spotVenue, market, question, asked.isSpotFeeAsked),
    perp: perpRow(row, question, asked.isPerpFeeAsked),
    size_usd: question.sizeUsd,
    capital_usd: capital,
    ...tally(trades),
    skipped_entries: skipped,
    postponed_exits: trades.filter(({ postponed }) => postponed > 0).length,
    ...made,
    ...fillSums(trades),
    ...statedFees(asked.named),
    return_pct: made.net_usd === null ? null : (made.net_usd / capital) * 100,
    max_drawdown_usd: unknown.size > 0 ? null : maxDrawdown(flows),
    trades: trades.map(tradeRow),
    days: [...dayRows(trades)],
    methodology: METHODOLOGY + feesNote(asked.named),
  };
  const reasons = reasonsOf(unknown);
  const why = reasons.net_usd;
  const known = withReasons(body, {
    borrow_usd: reasons.borrow_usd,
    slippage_usd: reasons.slippage_usd,
    price_usd: reasons.price_usd,
    net_usd: why,
    return_pct: why,
    max_drawdown_usd: why,
    hit_rate_pct: trades.length === 0 ? 'no_precedent' : why,
  });
  const lastPaid = question.perp.payments.at(-1)?.at ?? question.from;
  const sources = { used: [...new Set([asked.spotVenue, row.venue])], missing: [] };
  return { body: known, asOf: asMs(Math.min(lastPaid, question.to)), sources };
}

type Tally = Pick<CarryBacktest, 'trades_count' | 'won' | 'unknown' | 'hit_rate_pct' | 'hours_held'>;

function tally(trades: readonly CarryTrade[]): Tally {
  const nets = trades.flatMap((made) => (made.unknown.length > 0 ? [] : [sumOf(made.flows)]));
  const won = nets.filter((net) => net > 0).length;
  return {
    trades_count: trades.length,
    won,
    unknown: trades.length - nets.length,
    hit_rate_pct: nets.length === 0 ? null : (won / nets.length) * 100,
    hours_held: trades.reduce((sum, { openedAt, closedAt }) => sum + (closedAt - openedAt) / HOUR_MS, 0),
  };
}

function fillSums(trades: readonly CarryTrade[]) {
  const sum = (key: keyof CarryTrade['fills']): number =>
    trades.reduce((all, { fills }) => all + fills[key], 0);
  return {
    book_fills: sum('book'),
    touch_fills: sum('touch'),
    thin_touch_fills: sum('thin'),
    assumed_fills: sum('assumed'),
  };
}
