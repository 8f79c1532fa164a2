import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import type { MarketRow } from '../../market/view.ts';
import { boolean, integer, nullable, number, timestamp, venueName } from '../../products/answer/schema.ts';
import { bucketSymbol } from '../../products/history/buckets.ts';
import { makerField, statedMaker } from '../../products/rows/asked-fees.ts';
import type { LegFees } from './leg-fees.ts';
import {
  feeAt,
  type LegHistory,
  missingPayments,
  type PairQuestion,
  storedSlippage,
} from './pair-backtest.ts';

/** One leg of a back-test. */
export const legSchema = Type.Object({
  venue: venueName,
  venue_symbol: bucketSymbol,
  taker_fee_bps: number('Fee charged at the end of the window'),
  fees_noted_from: nullable(timestamp('Before it the first known fee is charged')),
  fee_is_asked: boolean('Whether it is the one asked for, and not the public one of today'),
  ...makerField,
  payments: integer('Settled payments known in the window'),
  missing_payments: integer(
    'Settlements in the window of which no payment is stored: their funding counts as 0',
  ),
  hours_with_book: integer('Hours of the window with a stored book that fills the size'),
});

export function legRow(
  row: MarketRow,
  past: LegHistory,
  { from, to, sizeUsd }: PairQuestion,
  charged: LegFees,
): Static<typeof legSchema> {
  const { payments, hours, fees } = past;
  const [firstFee] = fees;
  const within = (at: number): boolean => at >= from && at < to;
  const fills = [...hours].filter(
    ([start, { book }]) => within(start) && storedSlippage(book, sizeUsd) !== undefined,
  );
  return {
    venue: row.venue,
    venue_symbol: row.symbol,
    taker_fee_bps: feeAt(past, to),
    fees_noted_from: firstFee === undefined ? null : iso(firstFee.since),
    fee_is_asked: charged.isAsked(row),
    ...statedMaker(charged.named.maker.get(row.venue)),
    payments: payments.filter(({ at }) => within(at)).length,
    missing_payments: missingPayments(payments, { from, to }).length,
    hours_with_book: fills.length,
  };
}
