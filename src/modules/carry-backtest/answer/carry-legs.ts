import Type, { type Static } from 'typebox';
import { iso } from '../../../domain/clock.ts';
import {
  boolean,
  integer,
  nullable,
  number,
  oneOf,
  text,
  timestamp,
  venueName,
} from '../../../products/answer/schema.ts';
import { bucketSymbol } from '../../../products/history/buckets.ts';
import { HOUR_MS } from '../../../runtime/duration.ts';
import { feeAt, missingPayments, storedSlippage } from '../../pair-backtest/pair-backtest.ts';
import { alignedPrices } from '../../spot-history/prices/aligned-prices.ts';
import type { MarketPast } from '../../spot-history/store/spot-past.ts';
import type { CarryQuestion } from '../walk/carry-question.ts';

export const spotLeg = Type.Object({
  venue: venueName,
  venue_symbol: text("The venue's symbol of the spot pair"),
  quote: text('Currency of its prices'),
  relation: oneOf(['same', 'wrapped'], {
    description: 'wrapped: a bridged claim on the coin, and not that coin',
  }),
  taker_fee_bps: number('Fee charged'),
  fee_is_asked: boolean('Whether it is spot_fee_bps, and not the public one of today'),
  hours_known: integer('Hours of the window with a row'),
  hours_missing: integer('Hours without one: nothing is entered on them, and exits wait'),
  hours_apart: integer(
    'Hours with a row whose price was more than 3 % from the index of the perpetual: the same holds for them',
  ),
  hours_of_candles: integer('Hours known by a candle alone: they have no touch'),
  hours_with_touch: integer('Hours with a bid and an ask'),
  hours_with_borrow: integer('Hours with a stored borrow rate'),
});

export const perpLeg = Type.Object({
  venue: venueName,
  venue_symbol: bucketSymbol,
  taker_fee_bps: number('Fee charged at the end of the window'),
  fees_noted_from: nullable(timestamp('Before it the first known fee is charged')),
  fee_is_asked: boolean('Whether it is the one asked for, and not the public one'),
  payments: integer('Settled payments known in the window'),
  missing_payments: integer(
    'Settlements in the window of which no payment is stored: their funding counts as 0',
  ),
  hours_known: integer('Hours of the window with a mark or a book'),
  hours_with_book: integer('Hours with a stored book that fills the size'),
});

/** The spot leg as the answer states it. @param isAsked true where the request names its fee */
export function spotRow(
  venue: string,
  { symbol, quote, relation }: Pick<MarketPast, 'symbol' | 'quote' | 'relation'>,
  { spot, perp, from, to }: CarryQuestion,
  isAsked: boolean,
): Static<typeof spotLeg> {
  const within = (start: number): boolean => start >= from && start < to;
  const hours = [...spot.hours.values()].filter(({ start }) => within(start));
  return {
    venue,
    venue_symbol: symbol,
    quote,
    relation: relation ?? 'same',
    taker_fee_bps: spot.feeBps,
    fee_is_asked: isAsked,
    hours_known: hours.length,
    hours_missing: Math.max(0, (to - from) / HOUR_MS - hours.length),
    hours_apart: hours.filter((hour) => alignedPrices(hour, perp.hours.get(hour.start)) === 'price_differs')
      .length,
    hours_of_candles: hours.filter(({ origin }) => origin === 'candle').length,
    hours_with_touch: hours.filter((hour) => hour.origin === 'observed' && hour.spreadBps !== undefined)
      .length,
    hours_with_borrow: [...spot.borrow.keys()].filter(within).length,
  };
}

/** The perpetual as the answer states it. @param isAsked true where the request names its fee */
export function perpRow(
  { venue, symbol }: { readonly venue: string; readonly symbol: string },
  { perp, from, to, sizeUsd }: CarryQuestion,
  isAsked: boolean,
): Static<typeof perpLeg> {
  const [firstFee] = perp.fees;
  const within = (at: number): boolean => at >= from && at < to;
  const hours = [...perp.hours].filter(([start]) => within(start)).map(([, hour]) => hour);
  return {
    venue,
    venue_symbol: symbol,
    taker_fee_bps: feeAt(perp, to),
    fees_noted_from: firstFee === undefined ? null : iso(firstFee.since),
    fee_is_asked: isAsked,
    payments: perp.payments.filter(({ at }) => within(at)).length,
    missing_payments: missingPayments(perp.payments, { from, to }).length,
    hours_known: hours.filter(({ mark, book }) => mark !== undefined || book !== undefined).length,
    hours_with_book: hours.filter(({ book }) => storedSlippage(book, sizeUsd) !== undefined).length,
  };
}
