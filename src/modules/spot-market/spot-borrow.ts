import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { ProductAnswer } from '../../products/answer/product-answer.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../../products/answer/schema.ts';
import { defineProduct, type Ports } from '../../products/define-product.ts';
import { assetQuery } from '../../products/rows/asked.ts';
import { type BorrowReason, borrowReason, borrowReasonWord } from './borrow/borrow-reason.ts';
import type { BorrowState } from './borrow/borrow-table.ts';
import example from './examples/spot-borrow.json' with { type: 'json' };
import { type FoundSpot, findSpot } from './select-spot.ts';

const HOURS_A_YEAR = 8760;
const DAY_HOURS = 24;
const WEEK_HOURS = 168;

const row = Type.Object({
  venue: venueName,
  borrow_hourly: nullable(number('Cost of borrowing the coin, fraction an hour, simple')),
  borrow_apr_pct: nullable(number('The same a year, percent, simple: 8,760 times')),
  reason: borrowReasonWord,
  venue_rate: nullable(number("The venue's own figure")),
  venue_rate_period: nullable(
    oneOf(['hour', '4h', 'day', 'year'], { description: 'The period that venue_rate is for' }),
  ),
  tier: nullable(text("The venue's name of its lowest tier, which the figures are of")),
  limit: nullable(number('The most that one account may borrow, coins')),
  limit_usd: nullable(number('The same where the venue states dollars')),
  available: nullable(number('Coins that the venue can still lend; null where it does not say')),
  mean_24h_hourly: nullable(number('Mean of the hourly samples of 24 hours, fraction an hour')),
  samples_24h: integer('Hours of them'),
  mean_7d_hourly: nullable(number('Mean of the hourly samples of 7 days, fraction an hour')),
  samples_7d: integer('Hours of them'),
  received_at: nullable(timestamp('When the rate was received')),
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  rates_count: integer('Venues with a rate', 1),
  venues: Type.Array(row, { description: 'Venues with a spot market of the asset; the lowest rate first' }),
  note: text('What is left out'),
});

const NOTE =
  'What a venue states to everybody of its lowest tier; rates of accounts, promotions and what lenders get are left out. A large loan may move the rate. Samples are the first of each hour, kept for 90 days. No forecast.';

type Found = FoundSpot & { readonly rates: readonly VenueRate[] };

interface VenueRate {
  readonly venue: VenueId;
  readonly coin: string;
  readonly state: BorrowState | undefined;
  readonly reason: BorrowReason | undefined;
}

export const spotBorrow = defineProduct({
  id: 'spot-borrow',
  path: '/v1/spot/borrow',
  access: 'paid',
  summary: 'Borrow rates',
  description:
    'The cost of borrowing a coin, by venue that has a spot market of it: rate an hour and a year, the means of a day and a week of hourly samples, limits and what is left to lend. Where a venue publishes none, why.',
  tags: ['spot', 'borrow-rate', 'margin', 'cash-and-carry'],
  dependsOn: 'second',
  revisedAt: '2026-11-30T05:40:00.000Z',
  query: assetQuery,
  answer,
  example: { request: '/v1/spot/borrow?ticker=BTC', answer: example },
  find: (asked, ports) => findRates(asked, ports),
  compute: (found) => ok(borrowRates(found)),
});

/** As `findSpot`; 404 no_data where no venue states a rate. */
function findRates(asked: Parameters<typeof findSpot>[0], ports: Ports): Result<Found> {
  const found = findSpot(asked, ports);
  if (!found.ok) return found;
  const { rows, canonicalId, side } = found.value;
  const venues = [...new Set(rows.map(({ market: { venue } }) => venue))];
  const now = ports.clock.now();
  const rates = venues.flatMap((venue) =>
    side.spot.tickersOf(venue, canonicalId).map((coin) => {
      const state = side.borrow.stateOf(venue, coin);
      return { venue, coin, state, reason: borrowReason(side.borrow, venue, coin, now) };
    }),
  );
  if (rates.some(({ reason }) => reason === undefined)) return ok({ ...found.value, rates });
  const said = rates.map(({ venue, reason }) => `${venue}: ${reason}`).join(', ');
  return fail({ code: 'no_data', detail: `No borrow rate of ${canonicalId} is known (${said})` });
}

function borrowRates({
  ticker,
  canonicalId,
  side,
  rates,
  venues,
}: Found): ProductAnswer<Static<typeof answer>> {
  const rows = rates.map((rate) => rateRow(rate, side)).toSorted(byRate);
  const rated = rates.filter(({ reason }) => reason === undefined);
  const body: Static<typeof answer> = {
    ticker,
    canonical_id: canonicalId,
    rates_count: rated.length,
    venues: rows,
    note: NOTE,
  };
  const used = rated.map(({ venue }) => venue);
  const asOf = asMs(Math.min(...rated.flatMap(({ state }) => state?.receivedAt ?? [])));
  return { body, asOf, sources: { used, missing: venues.filter((venue) => !used.includes(venue)) } };
}

const byRate = (a: Static<typeof row>, b: Static<typeof row>): number =>
  (a.borrow_hourly ?? Number.POSITIVE_INFINITY) - (b.borrow_hourly ?? Number.POSITIVE_INFINITY) || 0;

function rateRow(
  { venue, coin, state, reason }: VenueRate,
  { borrow }: FoundSpot['side'],
): Static<typeof row> {
  const known = state?.row;
  const rate = reason === undefined ? known?.ratePerHour : undefined;
  const day = borrow.meanOf(venue, coin, DAY_HOURS);
  const week = borrow.meanOf(venue, coin, WEEK_HOURS);
  return {
    venue,
    borrow_hourly: rate ?? null,
    borrow_apr_pct: rate === undefined ? null : rate * HOURS_A_YEAR * 100,
    reason: reason ?? null,
    venue_rate: known?.rateRaw ?? null,
    venue_rate_period: known?.period ?? null,
    tier: known?.tier ?? null,
    limit: known?.limit ?? null,
    limit_usd: known?.limitUsd ?? null,
    available: known?.available ?? null,
    mean_24h_hourly: day.mean ?? null,
    samples_24h: day.hours,
    mean_7d_hourly: week.mean ?? null,
    samples_7d: week.hours,
    received_at: state === undefined ? null : iso(state.receivedAt),
  };
}
