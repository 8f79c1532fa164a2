import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { nextSettlement } from '../../domain/next-settlement.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId, VenueInfo } from '../../domain/venue.ts';
import type { MarketRow } from '../../market/view.ts';
import { nullReasons, withReasons } from '../answer/null-reason.ts';
import { fundingTime } from '../answer/product-answer.ts';
import { nullable, number, timestamp, venueName } from '../answer/schema.ts';
import type { AskedSize, LegBook } from '../books/leg-book.ts';
import { type AskedFees, makerField, statedMaker } from '../rows/asked-fees.ts';
import { contractFields, contractName } from '../rows/contract-name.ts';
import { legTermsField } from '../rows/leg-terms.ts';
import { isoOrNull, markTime, markTimeField, rateTime, rateTimeField } from '../rows/value-times.ts';
import { noNextFunding } from './funding-row.ts';

/** One leg of a pair: what is held, what it pays, and what it costs to enter. Fees and slippage in bps. */
const legFields = {
  venue: venueName,
  ...contractFields,
  rate: nullable(number('Funding rate per interval, a fraction')),
  funding_interval_hours: nullable(number('Hours between two payments')),
  rate_8h: nullable(number('The rate scaled to eight hours')),
  next_funding_time: nullable(
    timestamp('Next settlement; null where it is not known, or funding is continuous'),
  ),
  mark_price: nullable(number('Mark price per unit of the base asset')),
  best_bid: nullable(number('Best bid, of the book that the leg is priced by where there is one')),
  best_ask: nullable(number('Best ask, of the same')),
  book_updated_at: nullable(timestamp('When the venue last confirmed that book; null without one')),
  taker_fee_bps: number(
    'Public taker fee of the contract, base tier; the one of fees where it names the venue',
  ),
  ...makerField,
  slippage_1k_bps: nullable(number('Of entering 1,000 USD, against the mid')),
  slippage_5k_bps: nullable(number('Of entering 5,000 USD')),
  slippage_10k_bps: nullable(number('Of entering 10,000 USD')),
  slippage_notional_bps: Type.Optional(
    nullable(
      number('With notional_usd: of entering that; null where both sides of the visible book do not fill it'),
    ),
  ),
  fills_usd: Type.Optional(
    nullable(number('With notional_usd: what both sides of the visible book fill of it, USD')),
  ),
  updated_at: timestamp('Time of the rate'),
  ...rateTimeField,
  ...markTimeField,
  ...legTermsField,
  ...nullReasons,
};

export const signalLegSchema = (description: string) => Type.Object(legFields, { description });
type SignalLeg = Static<ReturnType<typeof signalLegSchema>>;

/** The parts of an answer that its legs share. */
export interface LegContext {
  readonly now: UnixMs;
  /** Size that legs are priced at, USD; undefined where none was asked for. */
  readonly notionalUsd?: number | undefined;
  readonly venues: ReadonlyMap<VenueId, VenueInfo>;
  readonly fees: AskedFees;
}

/** @param side how the leg is entered: the short one sells into the bids, the long one buys from the asks */
export function signalLeg(
  row: MarketRow,
  side: 'sell' | 'buy',
  takerFeeBps: number,
  book: LegBook | undefined,
  { venues, now, fees, notionalUsd }: LegContext,
): SignalLeg {
  const slippage = book?.[side];
  const leg: SignalLeg = {
    venue: row.venue,
    ...contractName(row),
    rate: row.fundingRate ?? null,
    funding_interval_hours: row.fundingIntervalHours ?? null,
    rate_8h: row.rate8h ?? null,
    next_funding_time: isoOrNull(nextSettlement(row, now)),
    mark_price: row.markPrice ?? null,
    best_bid: (book === undefined ? row.bestBid : book.bestBid) ?? null,
    best_ask: (book === undefined ? row.bestAsk : book.bestAsk) ?? null,
    book_updated_at: isoOrNull(book?.confirmedAt),
    taker_fee_bps: takerFeeBps,
    ...statedMaker(fees.maker.get(row.venue)),
    slippage_1k_bps: slippage?.[1000] ?? null,
    slippage_5k_bps: slippage?.[5000] ?? null,
    slippage_10k_bps: slippage?.[10_000] ?? null,
    ...(notionalUsd !== undefined && atNotional(book?.asked, side)),
    updated_at: iso(fundingTime(row)),
    ...rateTime(row),
    ...markTime(row),
  };
  const unfilled = book === undefined ? 'not_followed' : 'too_thin';
  return withReasons(leg, {
    next_funding_time: noNextFunding(row, venues.get(row.venue)),
    book_updated_at: 'not_followed',
    slippage_1k_bps: unfilled,
    slippage_5k_bps: unfilled,
    slippage_10k_bps: unfilled,
    slippage_notional_bps: unfilled,
    fills_usd: 'not_followed',
  });
}

const atNotional = (asked: AskedSize | undefined, side: 'sell' | 'buy') => ({
  slippage_notional_bps: asked?.[side] ?? null,
  fills_usd: asked?.fillsUsd ?? null,
});
