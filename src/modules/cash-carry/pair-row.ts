import Type, { type Static } from 'typebox';
import { APR_PCT_PER_BPS_8H } from '../../domain/rate.ts';
import { type NullReason, nullReasons, withReasons } from '../../products/answer/null-reason.ts';
import { boolean, nullable, number, oneOf, text, venueName } from '../../products/answer/schema.ts';
import { NULL_OF_NO_BOOK } from '../spot-market/books/book-state.ts';
import { NULL_OF_BORROW } from '../spot-market/borrow/borrow-reason.ts';
import { DIRECTIONS, UNKNOWN_INPUTS, type UnknownInput } from './carry-figures.ts';
import { APART_WARNING, type CarryPair } from './carry-pair.ts';
import { borrowLimitUsd } from './pair-entry.ts';

const gap = Type.Object({
  executable_bps: nullable(
    number(
      '(sold / bought - 1) x 10000 at the prices that both legs are entered at: above 0 where the leg that is sold is dearer',
    ),
  ),
  priced_at: nullable(
    oneOf(['size', 'touch'], {
      description:
        'size: mean fill prices of notional_usd, else of max_notional_usd; touch: best bid and ask',
    }),
  ),
  spot_price: nullable(number('A coin at the spot market, in price_quote')),
  perp_price: nullable(number('A coin by the perpetual, in price_quote')),
  price_quote: nullable(text('Currency of both prices')),
  quote_rate: nullable(number("Worth of one unit of the perpetual's quote in that of the spot market")),
  level_bps: nullable(number('The same gap of the middles, without crossing a spread')),
  cost_bps: nullable(
    number(
      'Usual gap less level_bps: lost when the gap goes back to what is usual, below 0 where that is gained',
    ),
  ),
  cost_from: oneOf(['usual', 'zero'], {
    description:
      'usual: the mean of seven days is the usual gap; zero: that is not known, or not read by a scan, and 0 is taken',
  }),
  ...nullReasons,
});

/** Fields of a pair, whether it is priced at a size or at the touch. */
export const pairFields = {
  direction: oneOf(DIRECTIONS, {
    description:
      'long_spot: buy the coin, sell the perpetual; short_spot: borrow and sell the coin, buy the perpetual',
  }),
  spot_venue: venueName,
  spot_symbol: text("The venue's symbol of the spot market"),
  spot_quote: text('Currency of its prices'),
  perp_venue: venueName,
  perp_symbol: text("The venue's symbol of the perpetual"),
  perp_quote: text('Currency of its prices'),
  same_venue: boolean('Whether one venue has both legs; else nothing is margin of the other'),
  relation: oneOf(['same', 'wrapped'], {
    description: 'wrapped: the spot leg is a bridged claim on the coin, and not that coin',
  }),
  index_difference_bps: number(
    "Spot price less the perpetual's index, else its mark, in one currency, basis points of it; beyond 300 no pair is offered",
  ),
  price_warning: boolean('Whether that is more than 100: a price may be old, or of another asset'),
  gap,
  funding_8h_bps: nullable(
    number('Funding that the pair receives per eight hours, at the rate of now; below 0 where it pays'),
  ),
  funding_apr_pct: nullable(number('The same a year, percent')),
  borrow_8h_bps: Type.Optional(
    nullable(number('With short_spot: cost of the borrowed coin per eight hours, at the rate of now')),
  ),
  income_8h_bps: nullable(number('funding_8h_bps less borrow_8h_bps')),
  income_apr_pct: nullable(number('The same a year, percent')),
  spot_taker_fee_bps: nullable(number('Public taker fee, or that of spot_fees')),
  perp_taker_fee_bps: nullable(number('Public taker fee, or that of fees')),
  round_trip_fee_bps: nullable(number('2 x both: entry and exit of both legs')),
  spot_slippage_bps: nullable(number('Of entering the spot leg, against its middle')),
  perp_slippage_bps: nullable(number('Of entering the perpetual, against its middle')),
  entry_slippage_bps: nullable(number('Both together')),
  all_in_cost_bps: nullable(
    number('round_trip_fee_bps + 2 x entry_slippage_bps + gap.cost_bps where that is above 0'),
  ),
  cost_8h_bps: nullable(number('all_in_cost_bps / (3 x holding_days): the income that pays it in that time')),
  days_to_breakeven: nullable(
    number('all_in_cost_bps / (3 x income_8h_bps); 0 where nothing has to be earned back'),
  ),
  net_apr_pct: nullable(
    number('income_apr_pct less fees and slippage of entry and exit, spread over holding_days'),
  ),
  all_in_net_apr_pct: nullable(number('income_apr_pct less all_in_cost_bps, spread over holding_days')),
  breakeven_borrow_apr_pct: Type.Optional(
    nullable(number('With short_spot: the pair pays if the coin can be borrowed for less, percent a year')),
  ),
  borrow_limit_usd: Type.Optional(
    nullable(
      number(
        'With short_spot: the most that can be borrowed, USD, by the limit of an account and by what the venue has left: a larger size is not priced. Null, and no bound, where the venue says neither',
      ),
    ),
  ),
  unknown: Type.Array(oneOf(UNKNOWN_INPUTS), {
    description:
      'Inputs that are not known: figures that rest on them are null. size: the books do not fill it, or an account may not borrow it',
  }),
  ...nullReasons,
};
const pairSchema = Type.Object(pairFields);
export type PairRow = Static<typeof pairSchema>;

const BOOKS: readonly UnknownInput[] = ['spot_book', 'perp_book'];
const SIZED: readonly UnknownInput[] = [...BOOKS, 'size'];
const FEES: readonly UnknownInput[] = ['spot_taker_fee', 'perp_taker_fee'];
const INCOME: readonly UnknownInput[] = ['funding_rate', 'borrow_rate'];
const COSTS: readonly UnknownInput[] = [...FEES, ...SIZED];
const ALL_IN: readonly UnknownInput[] = [...COSTS, 'quote_rate'];

/** Inputs of each figure. */
const INPUTS: Partial<Record<keyof PairRow, readonly UnknownInput[]>> = {
  funding_8h_bps: ['funding_rate'],
  funding_apr_pct: ['funding_rate'],
  borrow_8h_bps: ['borrow_rate'],
  income_8h_bps: INCOME,
  income_apr_pct: INCOME,
  spot_taker_fee_bps: ['spot_taker_fee'],
  perp_taker_fee_bps: ['perp_taker_fee'],
  round_trip_fee_bps: FEES,
  spot_slippage_bps: SIZED,
  perp_slippage_bps: SIZED,
  entry_slippage_bps: SIZED,
  all_in_cost_bps: ALL_IN,
  cost_8h_bps: ALL_IN,
  days_to_breakeven: [...ALL_IN, ...INCOME],
  net_apr_pct: [...INCOME, ...COSTS],
  all_in_net_apr_pct: [...INCOME, ...ALL_IN],
  breakeven_borrow_apr_pct: ['funding_rate', ...ALL_IN],
};
const GAP_INPUTS: Partial<Record<keyof PairRow['gap'], readonly UnknownInput[]>> = {
  executable_bps: [...BOOKS, 'quote_rate', 'size'],
  priced_at: [...BOOKS, 'quote_rate', 'size'],
  spot_price: [...BOOKS, 'quote_rate', 'size'],
  perp_price: [...BOOKS, 'quote_rate', 'size'],
  price_quote: ['quote_rate'],
  quote_rate: ['quote_rate'],
  level_bps: [...BOOKS, 'quote_rate'],
  cost_bps: [...BOOKS, 'quote_rate'],
};

/** The reason that an input which is not known gives for a figure. */
function reasonOf(input: UnknownInput, { spot, perp, unsized }: CarryPair): NullReason {
  switch (input) {
    case 'funding_rate':
      return perp.row.rateFresh && perp.row.fundingRate !== undefined ? 'interval_unknown' : 'unknown';
    case 'borrow_rate':
      return spot.borrow.reason === undefined ? 'unknown' : NULL_OF_BORROW[spot.borrow.reason];
    case 'spot_taker_fee':
    case 'perp_taker_fee':
      return 'not_published';
    case 'spot_book':
      return spot.bookReason === undefined ? 'not_followed' : NULL_OF_NO_BOOK[spot.bookReason];
    case 'perp_book':
      return 'not_followed';
    case 'size':
      return unsized;
    case 'quote_rate':
      return 'rate_unknown';
  }
}

function reasons<Field extends string>(
  inputs: Partial<Record<Field, readonly UnknownInput[]>>,
  pair: CarryPair,
): Partial<Record<Field, NullReason>> {
  const found: Partial<Record<Field, NullReason>> = {};
  for (const field of Object.keys(inputs) as Field[]) {
    const missing = inputs[field]?.find((input) => pair.unknown.includes(input));
    if (missing !== undefined) found[field] = reasonOf(missing, pair);
  }
  return found;
}

const apr = (bps8h: number | undefined): number | null =>
  bps8h === undefined ? null : bps8h * APR_PCT_PER_BPS_8H;

function gapRow(pair: CarryPair): PairRow['gap'] {
  const { gap: measured, figures } = pair;
  const shown = {
    executable_bps: measured.executableBps ?? null,
    priced_at: measured.pricedAt ?? null,
    spot_price: measured.spotPrice ?? null,
    perp_price: measured.perpPrice ?? null,
    price_quote: measured.quote ?? null,
    quote_rate: measured.quoteRate ?? null,
    level_bps: measured.levelBps ?? null,
    cost_bps: figures.gapCostBps ?? null,
    cost_from: pair.usualBps === undefined ? ('zero' as const) : ('usual' as const),
  };
  return withReasons(shown, reasons(GAP_INPUTS, pair));
}

function namesOf({ direction, spot, perp, apartBps }: CarryPair) {
  return {
    direction,
    spot_venue: spot.market.venue,
    spot_symbol: spot.market.symbol,
    spot_quote: spot.market.quote,
    perp_venue: perp.row.venue,
    perp_symbol: perp.row.symbol,
    perp_quote: perp.row.quote,
    same_venue: spot.market.venue === perp.row.venue,
    relation: spot.market.relation ?? ('same' as const),
    index_difference_bps: apartBps,
    price_warning: Math.abs(apartBps) > APART_WARNING * 10_000,
  };
}

/** A pair as answers show it, with the reason for each figure that is null. */
export function pairRow(pair: CarryPair): PairRow {
  const { direction, spot, perp, figures } = pair;
  const isShort = direction === 'short_spot';
  const { hourly } = spot.borrow;
  const { spotSlippageBps, perpSlippageBps } = pair;
  const shown: PairRow = {
    ...namesOf(pair),
    gap: gapRow(pair),
    funding_8h_bps: figures.funding8hBps ?? null,
    funding_apr_pct: apr(figures.funding8hBps),
    ...(isShort && { borrow_8h_bps: hourly === undefined ? null : hourly * 8 * 10_000 }),
    income_8h_bps: figures.income8hBps ?? null,
    income_apr_pct: apr(figures.income8hBps),
    spot_taker_fee_bps: spot.takerFeeBps ?? null,
    perp_taker_fee_bps: perp.takerFeeBps ?? null,
    round_trip_fee_bps: figures.roundTripFeeBps ?? null,
    spot_slippage_bps: spotSlippageBps ?? null,
    perp_slippage_bps: perpSlippageBps ?? null,
    entry_slippage_bps: figures.entrySlippageBps ?? null,
    all_in_cost_bps: figures.allInCostBps ?? null,
    cost_8h_bps: figures.cost8hBps ?? null,
    days_to_breakeven: figures.daysToBreakeven ?? null,
    net_apr_pct: figures.netAprPct ?? null,
    all_in_net_apr_pct: figures.allInNetAprPct ?? null,
    ...(isShort && {
      breakeven_borrow_apr_pct: figures.breakevenBorrowAprPct ?? null,
      borrow_limit_usd: borrowLimitUsd(spot) ?? null,
    }),
    unknown: [...pair.unknown],
  };
  const isPaid = figures.allInCostBps !== undefined && figures.income8hBps !== undefined;
  const why = reasons(INPUTS, pair);
  return withReasons(shown, {
    ...why,
    borrow_limit_usd: 'not_stated',
    ...(isPaid && { days_to_breakeven: 'not_positive' as const }),
  });
}
