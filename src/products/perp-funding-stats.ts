import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { toBps } from '../domain/rate.ts';
import type { FundingPayment } from '../domain/series.ts';
import type { UnixMs } from '../domain/units.ts';
import { paidSinceListing } from '../history/since-listing.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { nullReasons, withReasons } from './answer/null-reason.ts';
import { fundingTime, type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
} from './answer/schema.ts';
import { statedCoverage, venueCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-funding-stats.json' with { type: 'json' };
import { rateLeg, rateLegSchema } from './funding/rate-leg.ts';
import { answersAsOf } from './history/as-of.ts';
import { fromStore, nothingKnown, readerOf } from './history/stored.ts';
import { assetQuery } from './rows/asked.ts';
import {
  type AskedAsset,
  type AssetRows,
  assetRows,
  freshRate8h,
  isCurrent,
  nothingUsable,
  selectAsset,
  selectPair,
  venueIds,
} from './rows/select.ts';
import {
  historyWindows,
  historyWindowsSchema,
  longestWindow,
  usualHours,
} from './statistics/history-window.ts';
import { hourlyRates } from './statistics/hourly-rates.ts';
import { halfLifeHours } from './statistics/statistics.ts';

const SIGNS = ['positive', 'negative', 'zero'] as const;
type Sign = (typeof SIGNS)[number];

const streakSchema = Type.Object(
  {
    sign: oneOf(SIGNS, { description: 'positive: longs paid shorts' }),
    payments: integer('Payments of that sign in a row', 1),
    since: timestamp('The first of them'),
  },
  { description: 'The last payments in a row with one sign, at most 90 days back' },
);

const venueStats = Type.Object({
  ...rateLegSchema.properties,
  payments: integer('Settled payments known of the last 90 days'),
  last_payment_at: nullable(timestamp('The latest of them')),
  windows: historyWindowsSchema,
  streak: nullable(streakSchema),
  half_life_hours: nullable(
    number('Hours after which half of a deviation from the mean was gone, over 90 days'),
  ),
  ...nullReasons,
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  venues_count: integer('Venues with a rate or a settled payment'),
  ...venueCoverageFields,
  venues: Type.Array(venueStats),
  methodology: text('How the figures are made, and what they leave out'),
});

export const perpFundingStats = answersAsOf(
  defineProduct({
    id: 'perp-funding-stats',
    path: '/v1/perp/funding-stats',
    access: 'paid',
    summary: 'Funding rates against their own past',
    description:
      'Present funding rate of one asset on every venue (or one) against 7, 30 and 90 days of settled payments of the same contract: percentile, mean, median, deviation, share of positive hours, streak of one sign, half-life of deviations; null with a reason where the past is too short.',
    tags: ['funding-rate', 'statistics', 'history', 'perpetual-futures'],
    dependsOn: 'table-history',
    revisedAt: '2026-11-22T21:00:00.000Z',
    query: Type.Object({
      ...assetQuery.properties,
      venue: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'This venue alone' })),
    }),
    answer,
    example: { request: '/v1/perp/funding-stats?ticker=BTC&venue=binance', answer: example },
    find: ({ venue, ...asked }, { market }) => {
      if (venue === undefined) return currentAsset(market, asked);
      const pair = selectPair(market, { ...asked, venue });
      if (!pair.ok) return pair;
      const { ticker, canonicalId, row } = pair.value;
      return ok({ ...assetRows(market, canonicalId, ticker), rows: [row], listedBy: [pair.value.venue] });
    },
    compute: async (asset, ports, asked) => {
      const { canonicalId, rows } = asset;
      if (rows.length === 0) return fail(nothingUsable(asset, 'funding rate'));
      const now = ports.clock.now();
      const venues = rows.map(({ venue }) => venue);
      const reader = readerOf(ports);
      const window = longestWindow(now);
      const payments = fromStore(
        await reader.fundingPayments({ canonicalIds: [canonicalId], venues, ...window }),
      );
      if (!payments.ok) return payments;
      const made = fundingStats(asset, payments.value, now);
      // Without a payment no figure has a value: the present rates alone are another product.
      if (made.body.venues.some(({ payments: count }) => count > 0)) return ok(made);
      const scope = { canonicalId, venues: asked.venue === undefined ? undefined : venues, ...window };
      return nothingKnown(reader, scope, 'settled', 'funding payment of a contract that is shown now');
    },
  }),
  'asset',
);

/** An asset with the rows that may stand beside each other. 503 not_ready where none is fresh. */
function currentAsset(market: MarketView, asked: AskedAsset): Result<AssetRows> {
  const asset = selectAsset(market, asked);
  if (!asset.ok) return asset;
  const rows = asset.value.rows.filter(isCurrent);
  return rows.length === 0 ? fail(nothingUsable(asset.value, 'funding rate')) : ok({ ...asset.value, rows });
}

const METHODOLOGY =
  'Each settled payment is spread evenly over the hours since the one before, and hours are what is counted, so venues with different intervals compare. percentile ranks the present rate among those hours. A window is described where payments cover nine tenths of its hours. half_life_hours = step x ln(1/2) / ln(phi), phi of a first-order autoregression of settled rates over 90 days. Another contract, or an earlier listing of the same symbol, never counts; that of a former name of the asset on its venue does, up to the first payment of the present one. Raw rates before fees. Not a profit forecast.';

/** Each venue's present rate beside the payments of its contract. */
export function fundingStats(
  { ticker, canonicalId, rows, listedBy }: AssetRows,
  payments: readonly FundingPayment[],
  now: UnixMs,
): ProductAnswer<Static<typeof answer>> {
  const venues = rows.map((row) => statsOf(row, paidSinceListing(payments, row), now));
  const shown = venues.filter((venue) => venue.rate !== null || venue.payments > 0);
  const body: Static<typeof answer> = {
    ticker,
    canonical_id: canonicalId,
    venues_count: shown.length,
    ...statedCoverage(venueCoverage(listedBy, rows.filter(isCurrent))),
    venues: shown,
    methodology: METHODOLOGY,
  };
  return productAnswer(body, rows, venueIds(listedBy), fundingTime);
}

function statsOf(
  row: MarketRow,
  payments: readonly FundingPayment[],
  now: UnixMs,
): Static<typeof venueStats> {
  const { from, to } = longestWindow(now);
  const past = hourlyRates(payments, from, to);
  const step = usualHours(payments);
  const rate8h = freshRate8h(row);
  const { null_reasons: ofRate, ...leg } = rateLeg(row);
  const last = payments.at(-1);
  const stats: Static<typeof venueStats> = {
    ...leg,
    payments: payments.length,
    last_payment_at: last === undefined ? null : iso(last.at),
    windows: historyWindows(
      past,
      rate8h === undefined ? undefined : toBps(rate8h),
      row.fundingIntervalHours === undefined ? 'interval_unknown' : 'unknown',
    ),
    streak: streakOf(payments),
    half_life_hours: (step === undefined ? undefined : halfLifeHours(past, step)) ?? null,
  };
  return withReasons(stats, {
    ...ofRate,
    last_payment_at: 'past_too_short',
    streak: 'past_too_short',
    half_life_hours: step === undefined ? 'past_too_short' : 'not_reverting',
  });
}

const signOf = ({ rate }: FundingPayment): Sign => (rate > 0 ? 'positive' : rate < 0 ? 'negative' : 'zero');

function streakOf(payments: readonly FundingPayment[]): Static<typeof streakSchema> | null {
  const last = payments.at(-1);
  if (last === undefined) return null;
  const sign = signOf(last);
  const broken = payments.findLastIndex((payment) => signOf(payment) !== sign);
  const first = payments[broken + 1] ?? last;
  return { sign, payments: payments.length - broken - 1, since: iso(first.at) };
}
