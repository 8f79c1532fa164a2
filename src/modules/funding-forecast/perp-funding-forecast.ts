import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { ok, type Result } from '../../domain/errors.ts';
import type { FundingPayment, RateAt } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { paidSinceListing } from '../../history/since-listing.ts';
import type { MarketRow } from '../../market/view.ts';
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
import { defineProduct, type HistoryQueries } from '../../products/define-product.ts';
import { answersAsOf } from '../../products/history/as-of.ts';
import { bucketSymbol } from '../../products/history/buckets.ts';
import { fromStore, nothingKnown, readerOf } from '../../products/history/stored.ts';
import { days } from '../../products/history/window.ts';
import { assetQuery } from '../../products/rows/asked.ts';
import { type AssetRows, assetRows, selectAsset, selectPair, venueIds } from '../../products/rows/select.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import example from './examples/perp-funding-forecast.json' with { type: 'json' };
import { besideShown, errorsOf, type ForecastErrors, type ForecastPayment, minutesOf } from './forecast.ts';

/** Minutes that one question to the store names. */
const MINUTES_AT_ONCE = 4000;

const minutesBefore = integer('Minutes before the settlement', 1);

const errors = Type.Object({
  minutes_before: minutesBefore,
  compared: integer('Settlements whose rate was shown then, for the interval that was paid'),
  coverage_pct: number('The same of settlements, percent'),
  mean_error_bps: nullable(
    number('Bias: mean of shown less paid, basis points of the interval; null where none is compared'),
  ),
  mean_absolute_error_bps: nullable(
    number('Error: mean of its absolute value, basis points of the interval'),
  ),
  mean_error_8h_bps: nullable(
    number(
      'Bias in basis points per eight hours, to compare venues; null also where the hours of a compared one are not known',
    ),
  ),
  mean_absolute_error_8h_bps: nullable(number('Error in basis points per eight hours')),
});

/** Reasons for which nothing can be said of a moment before a settlement. */
const SHOWN_REASONS = {
  not_sampled: 'no fresh rate of the contract was sampled at that minute, or it is no longer kept (30 days)',
  other_interval: 'the rate shown was for another interval than the one that was paid',
} as const;
type ShownReason = keyof typeof SHOWN_REASONS;
const REASONS = Object.keys(SHOWN_REASONS) as readonly ShownReason[];

const shown = Type.Object({
  minutes_before: minutesBefore,
  at: timestamp('The full minute at which it was sampled'),
  rate: nullable(number('Rate as shown then, fraction per interval')),
  error_bps: nullable(number('rate less paid_rate, basis points')),
  reason: nullable(
    oneOf(REASONS, {
      description: `Why error_bps is null: ${REASONS.map((word) => `${word}: ${SHOWN_REASONS[word]}`).join('; ')}`,
    }),
  ),
});

const settlement = Type.Object({
  settled_at: timestamp('Time of the settlement'),
  paid_rate: number('Rate that was paid, fraction per interval; positive = longs paid shorts'),
  funding_interval_hours: nullable(
    number('Hours that it was paid for; null where nothing stored tells them'),
  ),
  shown: Type.Array(shown, { description: 'What was shown 60, 10 and 1 minutes before' }),
});

const venueForecast = Type.Object({
  venue: venueName,
  venue_symbol: bucketSymbol,
  settlements: integer('Settlements of the contract that are stored of the window', 1),
  first_settled_at: timestamp('The first of them'),
  last_settled_at: timestamp('The last of them'),
  forecasts: Type.Array(errors, { description: 'Bias and error 60, 10 and 1 minutes before' }),
  latest: Type.Array(settlement, { description: 'The latest settlements, the last one first' }),
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  window_start: timestamp('Start of the window'),
  window_end: timestamp('End of the window: now, or as_of'),
  venues_count: integer('Venues with a settlement in the window', 1),
  venues_without_settlement: Type.Array(venueName, {
    description: 'Venues that show the asset and of which no settlement is stored in the window',
  }),
  venues: Type.Array(venueForecast),
  methodology: text('How the figures are made, and what they leave out'),
});

interface ForecastQuestion {
  readonly asset: AssetRows;
  readonly from: UnixMs;
  readonly to: UnixMs;
}

export const perpFundingForecast = answersAsOf(
  defineProduct({
    id: 'perp-funding-forecast',
    path: '/v1/perp/funding-forecast',
    access: 'paid',
    summary: 'Funding rates shown against those paid',
    description:
      'By venue and contract: the rate shown 60, 10 and 1 minutes before each settlement beside the rate paid; bias (mean error), mean absolute error, count and coverage over 1 to 30 days, with the latest settlements one by one. Nothing is filled in: a minute that was not sampled is null with the reason.',
    tags: ['funding-rate', 'forecast', 'history', 'perpetual-futures'],
    dependsOn: 'table-history',
    revisedAt: '2026-11-29T08:00:00.000Z',
    query: Type.Object({
      ...assetQuery.properties,
      venue: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'This venue alone' })),
      days: Type.Integer({ minimum: 1, maximum: 30, default: 7, description: 'Days looked back' }),
      latest: Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 3,
        description: 'Settlements listed, the latest of each venue; the figures are of all in the window',
      }),
    }),
    answer,
    example: { request: '/v1/perp/funding-forecast?ticker=BTC&venue=binance&latest=1', answer: example },
    find: ({ venue, days: back, latest: _, ...asked }, { market, clock }) => {
      const to = clock.now();
      const from = asMs(Math.floor((to - days(back)) / MINUTE_MS) * MINUTE_MS);
      if (venue === undefined) {
        const asset = selectAsset(market, asked);
        return asset.ok ? ok({ asset: asset.value, from, to }) : asset;
      }
      const pair = selectPair(market, { ...asked, venue });
      if (!pair.ok) return pair;
      const { ticker, canonicalId, row, venue: listing } = pair.value;
      const ofVenue = { ...assetRows(market, canonicalId, ticker), rows: [row], listedBy: [listing] };
      return ok({ asset: ofVenue, from, to });
    },
    compute: async (question, ports, { latest }) => {
      const { asset, from, to } = question;
      const reader = readerOf(ports);
      const read = await readForecasts(reader, question);
      if (!read.ok) return read;
      if (read.value.some(hasShown)) return ok(fundingForecast(question, read.value, latest));
      const venues = asset.rows.map(({ venue }) => venue);
      const scope = { canonicalId: asset.canonicalId, venues, from, to };
      return read.value.length > 0
        ? nothingKnown(reader, scope, 'rate', 'rate sampled 60, 10 or 1 minutes before a stored settlement')
        : nothingKnown(reader, scope, 'settled', 'funding payment of a contract that is shown now');
    },
  }),
  'asset',
);

/** The payments of a venue's contract beside what was shown. */
interface VenueForecast {
  readonly row: MarketRow;
  readonly paid: readonly ForecastPayment[];
}

/** An answer without any rate that was shown has nothing to compare, and is not sold. */
const hasShown = ({ paid }: VenueForecast): boolean =>
  paid.some(({ shown: rates }) => rates.some(({ rate }) => rate !== undefined));

/** Payments of the window of every contract that has one, each with what was shown before it. */
async function readForecasts(
  reader: HistoryQueries,
  { asset: { canonicalId, rows }, from, to }: ForecastQuestion,
): Promise<Result<readonly VenueForecast[]>> {
  const venues = rows.map(({ venue }) => venue);
  if (venues.length === 0) return ok([]);
  const payments = fromStore(await reader.fundingPayments({ canonicalIds: [canonicalId], venues, from, to }));
  if (!payments.ok) return payments;
  const contracts = rows.flatMap((row) => {
    const paid: readonly FundingPayment[] = paidSinceListing(payments.value, row);
    return paid.length === 0 ? [] : [{ row, paid }];
  });
  const minutes = minutesOf(contracts.flatMap(({ paid }) => paid));
  const rates: RateAt[] = [];
  for (let at = 0; at < minutes.length; at += MINUTES_AT_ONCE) {
    const some = minutes.slice(at, at + MINUTES_AT_ONCE);
    const found = fromStore(await reader.ratesAt({ canonicalId, venues, minutes: some }));
    if (!found.ok) return found;
    for (const rate of found.value) rates.push(rate);
  }
  return ok(
    contracts.map(({ row, paid }) => {
      const ofVenue = rates.filter(({ venue }) => venue === row.venue);
      return { row, paid: besideShown(paid, ofVenue) };
    }),
  );
}

const METHODOLOGY =
  'error = rate shown less rate paid, for the interval that was paid. A rate shown is that of the live table at the full minute 60, 10 or 1 minutes before the settlement, as the service sampled it: the venue’s predicted or current rate, whichever its rows state. A minute without a fresh sample is not filled from another one, and a rate for another interval than the one paid is not compared; coverage_pct says how many were. Where the interval is one hour, the rate 60 minutes before may be that of the interval before. Contracts are those shown now, since they were listed last; payments that are not stored are left out of all figures. Not a profit forecast.';

const bps = (fraction: number | undefined): number | null =>
  fraction === undefined ? null : fraction * 10_000;

/** The errors of each venue, and its latest settlements. */
export function fundingForecast(
  { asset: { ticker, canonicalId, rows, listedBy }, from, to }: ForecastQuestion,
  forecasts: readonly VenueForecast[],
  limit: number,
): ProductAnswer<Static<typeof answer>> {
  const used = forecasts.map(({ row }) => row.venue);
  const shownVenues = rows.map(({ venue }) => venue);
  const body: Static<typeof answer> = {
    ticker,
    canonical_id: canonicalId,
    window_start: iso(from),
    window_end: iso(to),
    venues_count: used.length,
    venues_without_settlement: shownVenues.filter((venue) => !used.includes(venue)),
    venues: forecasts.map((forecast) => venueOf(forecast, limit)),
    methodology: METHODOLOGY,
  };
  const last = forecasts.map(({ paid }) => paid.at(-1)?.payment.at ?? to);
  const missing = venueIds(listedBy).filter((venue) => !used.includes(venue));
  return { body, asOf: asMs(Math.min(...last)), sources: { used, missing } };
}

function venueOf({ row, paid }: VenueForecast, limit: number): Static<typeof venueForecast> {
  const times = paid.map(({ payment }) => payment.at);
  return {
    venue: row.venue,
    venue_symbol: row.symbol,
    settlements: paid.length,
    first_settled_at: iso(asMs(Math.min(...times))),
    last_settled_at: iso(asMs(Math.max(...times))),
    forecasts: errorsOf(paid).map((found) => errorRow(found, paid.length)),
    latest: paid.toReversed().slice(0, limit).map(settlementRow),
  };
}

const errorRow = (found: ForecastErrors, settlements: number): Static<typeof errors> => ({
  minutes_before: found.minutesBefore,
  compared: found.compared,
  coverage_pct: (100 * found.compared) / settlements,
  mean_error_bps: bps(found.mean),
  mean_absolute_error_bps: bps(found.meanAbsolute),
  mean_error_8h_bps: bps(found.mean8h),
  mean_absolute_error_8h_bps: bps(found.meanAbsolute8h),
});

const settlementRow = ({ payment, shown: rates }: ForecastPayment): Static<typeof settlement> => ({
  settled_at: iso(payment.at),
  paid_rate: payment.rate,
  funding_interval_hours: payment.hours ?? null,
  shown: rates.map((before) => ({
    minutes_before: before.minutesBefore,
    at: iso(before.at),
    rate: before.rate ?? null,
    error_bps: bps(before.error),
    reason: before.rate === undefined ? 'not_sampled' : before.isOfOther ? 'other_interval' : null,
  })),
});
