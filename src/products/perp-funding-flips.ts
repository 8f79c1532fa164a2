import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { ok } from '../domain/errors.ts';
import type { Listing, SeriesBucket, SettledBucket } from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { DAY_MS, HOUR_MS } from '../runtime/duration.ts';
import { groupBy } from '../runtime/group-by.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import {
  canonicalIdName,
  integer,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-funding-flips.json' with { type: 'json' };
import { answersAsOf } from './history/as-of.ts';
import { bucketSymbol, historyAsOf, type Origin, originName, originOf } from './history/buckets.ts';
import { SERIES_NOTE } from './history/series-contract.ts';
import { nothingKnown, readerOf, storedSeries } from './history/stored.ts';
import { hoursName, hoursParameter } from './history/window.ts';
import { tickerParameter } from './rows/asked.ts';
import { venueIds } from './rows/select.ts';
import { selectStoredAsset } from './rows/select-stored.ts';

const query = Type.Object({
  ticker: tickerParameter,
  hours: hoursParameter('Hours to look back'),
});

const flip = Type.Object({
  venue: venueName,
  venue_symbol: bucketSymbol,
  hour: timestamp('Start of the hour in which the new sign was seen or paid'),
  rate_before: number('Last rate of the other sign'),
  rate_after: number('Last rate seen in the hour; where none was seen, what was paid in it'),
  direction: oneOf(['positive_to_negative', 'negative_to_positive'], {
    description: 'From which sign to which',
  }),
  at: timestamp('Time of the payment, or of the last sample of the hour'),
  origin: originName,
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  hours: hoursName,
  flips_count: integer('Flips found'),
  venues_with_flips: integer('Venues with at least one'),
  flips: Type.Array(flip),
  methodology: text('How hours are compared'),
});

type FundingFlips = Static<typeof answer>;
type FundingFlip = Static<typeof flip>;

export const perpFundingFlips = answersAsOf(
  defineProduct({
    id: 'perp-funding-flips',
    path: '/v1/perp/funding-flips',
    access: 'paid',
    summary: 'Changes of sign of funding',
    description:
      'Every change of sign of a ticker’s funding rate on each venue within the last hours (24 by default, 168 at most): venue, hour, rate before and after, direction. Flips are reported, not judged as lasting or passing.',
    tags: ['funding-rate', 'history', 'flips'],
    dependsOn: 'history',
    revisedAt: '2026-11-21T09:00:00.000Z',
    query,
    answer,
    example: { request: '/v1/perp/funding-flips?ticker=XRP&hours=12', answer: example },
    find: ({ ticker, hours }, { market, clock }) => {
      const asset = selectStoredAsset(market, { ticker });
      if (!asset.ok) return asset;
      const { canonicalId, listedBy } = asset.value;
      const now = clock.now();
      const from = asMs((Math.floor(now / HOUR_MS) - hours) * HOUR_MS);
      const question = {
        ticker: asset.value.ticker,
        canonicalId,
        hours,
        from,
        listedBy: venueIds(listedBy),
      };
      return ok({ question, to: asMs((Math.floor(now / HOUR_MS) + 1) * HOUR_MS) });
    },
    compute: async ({ question, to }, ports) => {
      const reader = readerOf(ports);
      const { canonicalId, from } = question;
      // The sign before the window is of the last hour that is known and not zero, which need not be the last one.
      const scope = { canonicalId, from: asMs(from - DAY_MS), to };
      const samples = { measures: ['rate'], lastRate: true } as const;
      const stored = await storedSeries(ports, {}, scope, HOUR_MS, { samples, payments: true });
      if (!stored.ok) return stored;
      const found = fundingFlips(question, stored.value.buckets, stored.value.payments);
      if (found.sources.used.length > 0) return ok(found);
      return nothingKnown(reader, { canonicalId, from, to: ports.clock.now() }, 'rate', 'funding rate');
    },
  }),
);

interface FlipsQuestion {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly hours: number;
  /** Hours before it only show the sign that came before: their flips are not reported, and no source is used for them. */
  readonly from: UnixMs;
  readonly listedBy: readonly VenueId[];
}

const METHODOLOGY = `${SERIES_NOTE} Per venue the last funding rate seen in each hour is compared with that of the hour before; of an hour in which none was seen, the payment made in it counts. A flip is dated by when it was seen or paid, never before. A zero keeps the sign before it, and so does an hour of which nothing is known. Changes of sign are reported, not judged as lasting or passing; leaves out changes within an hour, the size of the payments, fees and prices. Naive baseline; not a profit forecast.`;

/** A rate as it became known. */
interface KnownRate extends Listing {
  readonly hour: UnixMs;
  readonly lastAt: UnixMs;
  readonly rate: number;
  readonly origin: Origin;
}

const keyOf = ({ venue, symbol, listedAt }: Listing): string => `${venue}\t${symbol}\t${listedAt}`;

/**
 * Changes of sign of the last rate of each hour, by time, then by venue. Two listings are never compared.
 *
 * @param payments by the hour
 */
export function fundingFlips(
  question: FlipsQuestion,
  hours: readonly SeriesBucket[],
  payments: readonly SettledBucket[],
): ProductAnswer<FundingFlips> {
  const { ticker, canonicalId, from, listedBy } = question;
  const rates = knownRates(hours, payments);
  const flips = [...groupBy(rates, keyOf).values()]
    .flatMap(flipsOf)
    .filter(({ hour }) => hour >= from)
    .sort((a, b) => a.hour - b.hour || (a.flip.venue < b.flip.venue ? -1 : 1))
    .map(({ flip }) => flip);
  const body: FundingFlips = {
    ticker,
    canonical_id: canonicalId,
    hours: question.hours,
    flips_count: flips.length,
    venues_with_flips: new Set(flips.map(({ venue }) => venue)).size,
    flips,
    methodology: METHODOLOGY,
  };
  const within = rates.filter(({ hour }) => hour >= from);
  const used = [...new Set(within.map(({ venue }) => venue))];
  return {
    body,
    asOf: historyAsOf(within),
    sources: { used, missing: listedBy.filter((venue) => !used.includes(venue)) },
  };
}

/** The last rate of each hour; of hours without one, what was paid in them. */
function knownRates(
  hours: readonly SeriesBucket[],
  payments: readonly SettledBucket[],
): readonly KnownRate[] {
  const seen = hours.flatMap((hour): readonly KnownRate[] => {
    const { venue, symbol, listedAt, start, lastAt, lastRate: rate } = hour;
    if (rate === undefined) return [];
    return [{ venue, symbol, listedAt, hour: start, lastAt, rate, origin: originOf(hour) }];
  });
  const seenHours = new Set(seen.map((flip) => `${keyOf(flip)}\t${flip.hour}`));
  const paid = payments.map(
    ({ venue, symbol, listedAt, start, lastAt, meanRate: rate }): KnownRate => ({
      venue,
      symbol,
      listedAt,
      hour: start,
      lastAt,
      rate,
      origin: 'settled',
    }),
  );
  return [...seen, ...paid.filter((flip) => !seenHours.has(`${keyOf(flip)}\t${flip.hour}`))];
}

/** Flips of one listing, oldest first. */
function flipsOf(rates: readonly KnownRate[]): readonly { hour: UnixMs; flip: FundingFlip }[] {
  const flips: { hour: UnixMs; flip: FundingFlip }[] = [];
  let before: number | undefined;
  for (const { venue, symbol, hour, lastAt, rate, origin } of [...rates].sort((a, b) => a.hour - b.hour)) {
    if (rate === 0) continue;
    if (before !== undefined && Math.sign(before) !== Math.sign(rate)) {
      const direction = before > 0 ? 'positive_to_negative' : 'negative_to_positive';
      const flip = {
        venue,
        venue_symbol: symbol,
        hour: iso(hour),
        rate_before: before,
        rate_after: rate,
        ...({ direction, at: iso(lastAt), origin } as const),
      };
      flips.push({ hour, flip });
    }
    before = rate;
  }
  return flips;
}
