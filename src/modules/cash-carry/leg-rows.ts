import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import type { SettledSpans } from '../../domain/series.ts';
import type { MarketRow } from '../../market/view.ts';
import { type NullReason, nullReasons, withReasons } from '../../products/answer/null-reason.ts';
import {
  boolean,
  integer,
  nullable,
  number,
  oneOf,
  text,
  timestamp,
  venueName,
} from '../../products/answer/schema.ts';
import { rateLeg, rateLegSchema } from '../../products/funding/rate-leg.ts';
import { settledMeans, settledMeansSchema } from '../../products/funding/settled-means.ts';
import { isoOrNull } from '../../products/rows/value-times.ts';
import { bookWord, NULL_OF_NO_BOOK } from '../spot-market/books/book-state.ts';
import { borrowReasonWord, NULL_OF_BORROW } from '../spot-market/borrow/borrow-reason.ts';
import type { PerpLeg } from './carry-pair.ts';
import type { SpotLeg } from './spot-leg.ts';

const HOURS_A_YEAR = 8760;

export const spotLegSchema = Type.Object({
  venue: venueName,
  venue_symbol: text("The venue's symbol of the pair; a perpetual may have the same one"),
  quote: text('Currency of the prices: USD, USDT or USDC'),
  relation: oneOf(['same', 'wrapped'], {
    description: 'wrapped: a bridged claim on the coin, and not that coin',
  }),
  price: nullable(number('Middle of the book, else of the touch, else the last trade')),
  best_bid: nullable(number('Of the book, else of the bulk quotes')),
  best_ask: nullable(number('Of the same')),
  book: bookWord,
  book_updated_at: nullable(timestamp('When the book was received')),
  visible_usd: nullable(number('Smaller side of the book within 100 bps of its middle, USD')),
  taker_fee_bps: nullable(number('Public taker fee of the base tier, or that of spot_fees')),
  volume_24h_usd: nullable(number('US dollars; USDT and USDC counted as dollars')),
  can_short: nullable(boolean('Whether the list says that the coin can be sold on margin')),
  borrow_hourly: nullable(number('Cost of borrowing the coin there, fraction an hour, simple')),
  borrow_apr_pct: nullable(number('The same a year, percent')),
  borrow_reason: borrowReasonWord,
  borrow_limit: nullable(number('The most that one account may borrow, coins')),
  borrow_received_at: nullable(timestamp('When the venue stated how the coin is borrowed')),
  received_at: timestamp('When the quotes were received'),
  ...nullReasons,
});

export function spotLegRow({
  market,
  ticker,
  receivedAt,
  price,
  takerFeeBps,
  borrow,
  book,
  bookReason,
  visibleUsd,
}: SpotLeg): Static<typeof spotLegSchema> {
  const { hourly } = borrow;
  const unlent = borrow.reason === undefined ? 'unknown' : NULL_OF_BORROW[borrow.reason];
  const why: NullReason = bookReason === undefined ? 'not_followed' : NULL_OF_NO_BOOK[bookReason];
  const shown = {
    venue: market.venue,
    venue_symbol: market.symbol,
    quote: market.quote,
    relation: market.relation ?? ('same' as const),
    price: price ?? null,
    best_bid: book?.bestBid ?? ticker.bestBid ?? null,
    best_ask: book?.bestAsk ?? ticker.bestAsk ?? null,
    book: bookReason ?? ('fresh' as const),
    book_updated_at: isoOrNull(book?.confirmedAt),
    visible_usd: visibleUsd ?? null,
    taker_fee_bps: takerFeeBps ?? null,
    volume_24h_usd: ticker.volume24hUsd ?? null,
    can_short: market.canShort ?? null,
    borrow_hourly: hourly ?? null,
    borrow_apr_pct: hourly === undefined ? null : hourly * HOURS_A_YEAR * 100,
    borrow_reason: borrow.reason ?? null,
    borrow_limit: borrow.limit ?? null,
    borrow_received_at: isoOrNull(borrow.receivedAt),
    received_at: iso(receivedAt),
  };
  const { borrow_reason: _, ...unknown } =
    withReasons(shown, {
      best_bid: why,
      best_ask: why,
      book_updated_at: why,
      visible_usd: why,
      taker_fee_bps: 'not_published',
      can_short: 'not_stated',
      borrow_hourly: unlent,
      borrow_apr_pct: unlent,
      borrow_limit: 'not_stated',
      borrow_received_at: unlent,
    }).null_reasons ?? {};
  return Object.keys(unknown).length === 0 ? shown : { ...shown, null_reasons: unknown };
}

export const perpLegSchema = Type.Object({
  ...rateLegSchema.properties,
  index_price: nullable(number('The venue’s own index')),
  open_interest_usd: nullable(number('USD')),
  taker_fee_bps: nullable(number('Public taker fee, base tier, or that of fees')),
  best_bid: nullable(number('Of the book, else of the row')),
  best_ask: nullable(number('Of the same')),
  book_updated_at: nullable(timestamp('When the venue last confirmed the book; null without one')),
  visible_usd: nullable(number('Smaller side of the book within 100 bps of its middle, USD')),
  settled_means: settledMeansSchema,
  settled_hours: Type.Object(
    {
      d1: nullable(integer('Of 24')),
      d7: nullable(integer('Of 168')),
      d30: nullable(integer('Of 720')),
      ...nullReasons,
    },
    {
      description:
        'Hours that stored payments of the last 1, 7 and 30 days are for; null where no history is kept',
    },
  ),
});

const UNSETTLED = withReasons(
  { d1: null, d7: null, d30: null },
  { d1: 'not_stored_then', d7: 'not_stored_then', d30: 'not_stored_then' },
);

/** Hours that were paid for; 0 where no payment of the contract is stored. */
function settledHours(spans: SettledSpans | undefined) {
  const hours = (days: number): number =>
    Math.round(spans?.spans.find((span) => span.days === days)?.hours ?? 0);
  return { d1: hours(1), d7: hours(7), d30: hours(30) };
}

/** @param settled finds what was paid; undefined where no history is kept */
export function perpLegRow(
  { row, takerFeeBps, book, visibleUsd }: PerpLeg,
  settled: ((row: MarketRow) => SettledSpans | undefined) | undefined,
): Static<typeof perpLegSchema> {
  const { null_reasons: ofRate, ...leg } = rateLeg(row);
  const spans = settled?.(row);
  const shown = {
    ...leg,
    index_price: row.indexPrice ?? null,
    open_interest_usd: row.openInterestUsd ?? null,
    taker_fee_bps: takerFeeBps ?? null,
    best_bid: book?.bestBid ?? row.bestBid ?? null,
    best_ask: book?.bestAsk ?? row.bestAsk ?? null,
    book_updated_at: isoOrNull(book?.confirmedAt),
    visible_usd: visibleUsd ?? null,
    settled_means: settledMeans(spans),
    settled_hours: settled === undefined ? UNSETTLED : settledHours(spans),
  };
  return withReasons(shown, {
    ...ofRate,
    index_price: 'not_published',
    taker_fee_bps: 'not_published',
    best_bid: 'not_followed',
    best_ask: 'not_followed',
    book_updated_at: 'not_followed',
    visible_usd: 'not_followed',
  });
}
