import { iso } from '../domain/clock.ts';
import type { Listing, SeriesBucket, SettledBucket } from '../domain/series.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { groupBy } from './group-by.ts';
import { historyAsOf } from './history-as-of.ts';
import { type Origin, originOf } from './history-window.ts';
import type { ProductAnswer } from './product-answer.ts';

export interface FundingFlips {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly hours: number;
  readonly flips_count: number;
  readonly venues_with_flips: number;
  readonly flips: readonly FundingFlip[];
  readonly methodology: string;
}

/** Rates as fractions per interval of the venue. */
export interface FundingFlip {
  readonly venue: string;
  readonly venue_symbol: string;
  /** Start of the hour that ended with the new sign. */
  readonly hour: string;
  readonly rate_before: number;
  readonly rate_after: number;
  readonly direction: 'positive_to_negative' | 'negative_to_positive';
  /** When the new sign was paid, or first seen. */
  readonly at: string;
  readonly origin: Origin;
}

export interface FlipsQuery {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly hours: number;
  /** Flips in hours before it are not told: they only show the sign that came before. */
  readonly from: UnixMs;
  readonly listedBy: readonly VenueId[];
}

const METHODOLOGY =
  'Per venue the last funding rate seen in each hour is compared with that of the hour before; of an hour in which none was seen, the payment made in it counts. A flip is dated by when it was seen or paid, never before. A zero keeps the sign before it, and so does an hour of which nothing is known. Changes of sign are reported, not judged as lasting or passing; not a profit forecast.';

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
  question: FlipsQuery,
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
  const used = [...new Set(rates.map(({ venue }) => venue))];
  return {
    body,
    asOf: historyAsOf(rates),
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
  const seenHours = new Set(seen.map((one) => `${keyOf(one)}\t${one.hour}`));
  const paid = payments.map(
    ({ venue, symbol, listedAt, start, lastAt, meanRate: rate }): KnownRate => ({
      ...{ venue, symbol, listedAt, hour: start, lastAt, rate, origin: 'settled' },
    }),
  );
  return [...seen, ...paid.filter((one) => !seenHours.has(`${keyOf(one)}\t${one.hour}`))];
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
        ...{ venue, venue_symbol: symbol, hour: iso(hour), rate_before: before, rate_after: rate },
        ...({ direction, at: iso(lastAt), origin } as const),
      };
      flips.push({ hour, flip });
    }
    before = rate;
  }
  return flips;
}
