import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { badParameter, type Failure, fail, ok, type Result } from '../domain/errors.ts';
import type { FundingPayment } from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { paidSinceListing } from '../history/since-listing.ts';
import type { MarketView, TrackedVenue } from '../market/view.ts';
import { HOURS_A_DAY } from '../runtime/duration.ts';
import { type NullReason, nullReasons, withReasons } from './answer/null-reason.ts';
import { fundingTime, type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import { canonicalIdName, integer, nullable, number, text, tickerName, timestamp } from './answer/schema.ts';
import { venueCoverage } from './answer/venue-coverage.ts';
import { choosesVenuesOfOne } from './choice/chooses.ts';
import { severally } from './choice/several.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-spread-stats.json' with { type: 'json' };
import { normalizedLegs, normalizedSpreadBps } from './funding/legs.ts';
import { rateLeg, rateLegSchema } from './funding/rate-leg.ts';
import { answersAsOf } from './history/as-of.ts';
import { fromStore, readerOf } from './history/stored.ts';
import { assetQuery } from './rows/asked.ts';
import {
  type AskedFees,
  feesField,
  feesNote,
  feesQuery,
  PUBLIC_FEES,
  readFees,
  statedFees,
} from './rows/asked-fees.ts';
import { assetTooNarrow } from './rows/enough-venues.ts';
import {
  type AskedAsset,
  isRated,
  isRateLate,
  nothingUsable,
  notReady,
  ratedRows,
  selectAsset,
} from './rows/select.ts';
import { type Episode, heldFrom } from './statistics/episodes.ts';
import {
  historyWindows,
  historyWindowsSchema,
  longestWindow,
  usualHours,
} from './statistics/history-window.ts';
import { type HourlyRates, hourlyRates, hourlySpread } from './statistics/hourly-rates.ts';
import { runsAbove } from './statistics/spread-history.ts';
import { namedLegs, type SpreadLegs, takerFees } from './statistics/spread-legs.ts';
import { halfLifeHours, quantile } from './statistics/statistics.ts';

const HELD_DAYS = [1, 3, 7] as const;

const venueAsked = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }));

const held = Type.Object({
  days: integer('Days that a position is held', 1),
  entries: integer('Episodes whose whole holding time is known'),
  paid: nullable(integer('Of these, positions whose settled funding covered round_trip_fee_bps')),
  paid_pct: nullable(number('The same in percent')),
  median_earned_bps: nullable(number('Median of what the positions were paid, basis points, before fees')),
  ...nullReasons,
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  short: rateLegSchema,
  long: rateLegSchema,
  spread_8h_bps: nullable(number('Present rates: (rate_8h short - rate_8h long) x 10000')),
  round_trip_fee_bps: nullable(number('Taker fees of entry and exit on both legs: public, or those of fees')),
  windows: historyWindowsSchema,
  half_life_hours: nullable(
    number('Hours after which half of a deviation from the mean was gone, over 90 days'),
  ),
  episodes: nullable(
    integer('Earlier runs of hours of the last 90 days with a settled spread of at least spread_8h_bps'),
  ),
  median_duration_hours: nullable(number('Median length of those that were seen to begin and to end')),
  p90_duration_hours: nullable(number('Length that nine of ten of them did not exceed')),
  present_duration_hours: nullable(
    integer(
      'Hours for which the settled spread has been at least as wide, up to the last settlement; null where it was throughout',
    ),
  ),
  held: Type.Array(held, {
    description: 'What positions opened once each episode had been settled were paid over 1, 3 and 7 days',
  }),
  updated_at: timestamp('Time of the older leg'),
  ...feesField,
  methodology: text('How the figures are made, and what they leave out'),
  ...nullReasons,
});

type SpreadStats = Static<typeof answer>;

const spreadStatsOfOne = answersAsOf(
  defineProduct({
    id: 'perp-spread-stats',
    path: '/v1/perp/spread-stats',
    access: 'paid',
    summary: 'A funding spread against its own past',
    description:
      'Present funding spread of two venues of one asset (by default the widest pair) against 7, 30 and 90 days of their settled spread: percentile, mean, median, deviation, half-life, how long spreads of this size lasted before, and how often they paid round-trip fees within 1, 3 and 7 days.',
    tags: ['funding', 'spread', 'statistics', 'history', 'perpetual-futures'],
    dependsOn: 'table-history',
    choice: choosesVenuesOfOne,
    revisedAt: '2026-11-29T07:50:00.000Z',
    query: Type.Object({
      ...assetQuery.properties,
      short: venueAsked('Venue of the short leg; with long, or neither for the widest pair'),
      long: venueAsked('Venue of the long leg'),
      ...feesQuery,
    }),
    answer,
    example: { request: '/v1/perp/spread-stats?ticker=BTC', answer: example },
    find: ({ short, long, ...asked }, { market }) => {
      const legs = findLegs(market, asked, short, long);
      if (!legs.ok) return legs;
      const fees = readFees(asked, market);
      return fees.ok ? ok({ legs: legs.value, fees: fees.value }) : fees;
    },
    compute: async ({ legs, fees }, ports) => {
      const { canonicalId, short, long } = legs;
      const now = ports.clock.now();
      const scope = { canonicalIds: [canonicalId], venues: [short.venue, long.venue], ...longestWindow(now) };
      const [ofShort, ofLong] = takerFees(ports.market, legs, fees);
      const fee = ofShort === undefined || ofLong === undefined ? undefined : 2 * (ofShort + ofLong);
      const venues = ports.market.venues();
      const payments = fromStore(await readerOf(ports).fundingPayments(scope));
      if (!payments.ok) return payments;
      const made = spreadStats(legs, payments.value, fee, now, fees);
      return saysSomething(made.body) ? ok(made) : fail(unknownSpread(legs, venues));
    },
  }),
  'asset',
);

// Outside: an answer about a moment reads the rows of one asset.
export const perpSpreadStats = severally(spreadStatsOfOne);

/** The two venues that are named, or the widest pair of fresh comparable rates. */
function findLegs(
  market: MarketView,
  asked: AskedAsset,
  short: string | undefined,
  long: string | undefined,
): Result<SpreadLegs> {
  if (short !== undefined && long !== undefined) return namedLegs(market, { ...asked, short, long });
  if (short !== undefined || long !== undefined) {
    return fail(
      badParameter(
        short === undefined ? 'short' : 'long',
        'name both venues, or neither for the widest pair',
      ),
    );
  }
  const asset = selectAsset(market, asked);
  if (!asset.ok) return asset;
  const { ticker, canonicalId } = asset.value;
  const rows = ratedRows(asset.value);
  const legs = normalizedLegs(rows);
  if (legs !== undefined) return ok({ ticker, canonicalId, short: legs.high, long: legs.low });
  if (rows.length === 0) return fail(nothingUsable(asset.value, 'funding rate'));
  const coverage = venueCoverage(asset.value.listedBy, rows);
  const narrow = assetTooNarrow(asset.value, coverage, 'funding rate', isRateLate);
  if (narrow !== undefined) return fail(narrow);
  const detail = `Fewer than two venues have a fresh comparable rate of ${canonicalId} with a known interval`;
  return fail({ code: 'single_venue', detail });
}

/** True if any figure of the spread is known, of now or of the past. */
const saysSomething = ({ spread_8h_bps, half_life_hours, windows }: SpreadStats): boolean =>
  spread_8h_bps !== null ||
  half_life_hours !== null ||
  windows.some(({ mean_8h_bps: mean }) => mean !== null);

/** 503 where a leg is only late, else 404. */
function unknownSpread({ short, long, canonicalId }: SpreadLegs, tracked: readonly TrackedVenue[]): Failure {
  const legs = [short, long];
  const detail = `No spread of ${canonicalId} between ${short.venue} and ${long.venue} is known: not both have a fresh comparable rate with a known interval now, and settled payments of both cover too little of the past`;
  const isLate = legs.some((row) => !row.fresh || (row.fundingRate !== undefined && !row.rateFresh));
  if (!isLate) return { code: 'no_data', detail };
  const venues = tracked.filter(({ info }) => legs.some(({ venue }) => venue === info.id));
  return notReady(detail, venues);
}

const METHODOLOGY =
  'Each settled payment is spread evenly over the hours since the one before on its venue; the spread of an hour is short minus long. Where an asset had another name, its contract of then counts up to the first payment of the present one. percentile ranks the present spread among those hours. An episode is a run of hours with at least the present spread; one that an unknown hour, or the beginning of what is stored, cuts off has no known length. A held position is opened when the first hour of an episode had been settled on both legs, never before it could be known, and is paid the hourly spread from then on. Fees are the public ones of today; slippage, price differences between the legs and margin are left out. Not a profit forecast.';

/** The present spread of two contracts beside what both were settled at. */
export function spreadStats(
  legs: SpreadLegs,
  payments: readonly FundingPayment[],
  feeBps: number | undefined,
  now: UnixMs,
  fees: AskedFees = PUBLIC_FEES,
): ProductAnswer<SpreadStats> {
  const { short, long, ticker, canonicalId } = legs;
  const { from, to } = longestWindow(now);
  const paidShort = paidSinceListing(payments, short);
  const paidLong = paidSinceListing(payments, long);
  const past = hourlySpread(hourlyRates(paidShort, from, to), hourlyRates(paidLong, from, to));
  // A rate that is late, or of another price level, makes no spread with one of now.
  const present = isRated(short) && isRated(long) ? normalizedSpreadBps(short, long) : null;
  const steps = [usualHours(paidShort), usualHours(paidLong)];
  const step = steps.includes(undefined) ? undefined : Math.max(...steps.map(Number));
  const noSpread = whyNoSpread(legs);
  const why = present === null ? noSpread : whyNoPrecedent(past, present);
  const body: SpreadStats = {
    ticker,
    canonical_id: canonicalId,
    short: rateLeg(short),
    long: rateLeg(long),
    spread_8h_bps: present,
    round_trip_fee_bps: feeBps ?? null,
    windows: historyWindows(past, present ?? undefined, noSpread),
    half_life_hours: (step === undefined ? undefined : halfLifeHours(past, step)) ?? null,
    ...persistence(past, present, feeBps, why),
    updated_at: iso(asMs(Math.min(fundingTime(short), fundingTime(long)))),
    ...statedFees(fees),
    methodology: METHODOLOGY + feesNote(fees),
  };
  const known = withReasons(body, {
    spread_8h_bps: noSpread,
    round_trip_fee_bps: 'not_published',
    half_life_hours: step === undefined ? 'past_too_short' : 'not_reverting',
    episodes: why,
    median_duration_hours: why,
    p90_duration_hours: why,
    present_duration_hours: body.episodes === null ? why : 'past_too_short',
  });
  return productAnswer(known, [short, long], [short.venue, long.venue], fundingTime);
}

const whyNoSpread = ({ short, long }: SpreadLegs): NullReason =>
  [short, long].some((row) => row.fundingIntervalHours === undefined) ? 'interval_unknown' : 'unknown';

function whyNoPrecedent(past: HourlyRates, present: number): NullReason {
  if (present <= 0) return 'not_positive';
  return past.known === 0 ? 'past_too_short' : 'no_precedent';
}

type Persistence = Pick<
  SpreadStats,
  'episodes' | 'median_duration_hours' | 'p90_duration_hours' | 'present_duration_hours' | 'held'
>;

function persistence(
  past: HourlyRates,
  present: number | null,
  feeBps: number | undefined,
  whyNone: NullReason,
): Persistence {
  if (present === null || present <= 0 || past.known === 0) {
    const held = HELD_DAYS.map((days) => heldOf(days, [], feeBps, whyNone));
    const unknown = { median_duration_hours: null, p90_duration_hours: null, present_duration_hours: null };
    return { episodes: null, ...unknown, held };
  }
  const { earlier, lengths, presentHours } = runsAbove(past, present);
  return {
    episodes: earlier.length,
    median_duration_hours: quantile(lengths, 0.5) ?? null,
    p90_duration_hours: quantile(lengths, 0.9) ?? null,
    present_duration_hours: presentHours ?? null,
    held: HELD_DAYS.map((days) => heldOf(days, heldBps(past, earlier, days), feeBps, whyNone)),
  };
}

const heldBps = (past: HourlyRates, episodes: readonly Episode[], days: number): readonly number[] =>
  heldFrom(past, episodes, days * HOURS_A_DAY).map((fraction) => fraction * 10_000);

function heldOf(
  days: number,
  earned: readonly number[],
  feeBps: number | undefined,
  whyNone: NullReason,
): Static<typeof held> {
  const paid = feeBps === undefined ? null : earned.filter((bps) => bps >= feeBps).length;
  const row: Static<typeof held> = {
    days,
    entries: earned.length,
    paid: earned.length === 0 ? null : paid,
    paid_pct: paid === null || earned.length === 0 ? null : (paid / earned.length) * 100,
    median_earned_bps:
      quantile(
        [...earned].sort((a, b) => a - b),
        0.5,
      ) ?? null,
  };
  const why = earned.length === 0 ? whyNone : 'not_published';
  return withReasons(row, { paid: why, paid_pct: why, median_earned_bps: whyNone });
}
