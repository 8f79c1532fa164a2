import { iso } from '../domain/clock.ts';
import type { SeriesBucket } from '../domain/series.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { Fact } from './fact.ts';
import { groupBy } from './group-by.ts';
import { pastAsOf } from './past-as-of.ts';

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
  /** Start of the hour that ended with the new sign. */
  readonly hour: string;
  readonly rate_before: number;
  readonly rate_after: number;
  readonly direction: 'positive_to_negative' | 'negative_to_positive';
}

export interface FlipsQuestion {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly hours: number;
  /** Flips in hours before it are not told: they only show the sign that came before. */
  readonly from: UnixMs;
  readonly listedBy: readonly VenueId[];
}

const METHODOLOGY =
  'Per venue the last funding rate of each hour is compared with that of the hour before; a zero keeps the sign before it, and so does an hour without a sample. Changes of sign are reported, not judged as lasting or passing; not a profit forecast.';

/** Changes of sign of the last rate of each hour, by time, then by venue. Two listings are never compared. */
export function fundingFlips(question: FlipsQuestion, hours: readonly SeriesBucket[]): Fact<FundingFlips> {
  const { ticker, canonicalId, from, listedBy } = question;
  const listings = groupBy(hours, ({ venue, symbol, listedAt }) => `${venue}\t${symbol}\t${listedAt}`);
  const flips = [...listings.values()]
    .flatMap(flipsOf)
    .filter(({ start }) => start >= from)
    .sort((a, b) => a.start - b.start || (a.flip.venue < b.flip.venue ? -1 : 1))
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
  const used = [...new Set(hours.map(({ venue }) => venue))];
  return {
    body,
    asOf: pastAsOf(hours),
    sources: { used, missing: listedBy.filter((venue) => !used.includes(venue)) },
  };
}

/** Flips of one listing, oldest first. */
function flipsOf(hours: readonly SeriesBucket[]): readonly { start: UnixMs; flip: FundingFlip }[] {
  const flips: { start: UnixMs; flip: FundingFlip }[] = [];
  let before: number | undefined;
  for (const { venue, start, lastRate } of [...hours].sort((a, b) => a.start - b.start)) {
    if (lastRate === undefined || lastRate === 0) continue;
    if (before !== undefined && Math.sign(before) !== Math.sign(lastRate)) {
      const direction = before > 0 ? 'positive_to_negative' : 'negative_to_positive';
      const flip = { venue, hour: iso(start), rate_before: before, rate_after: lastRate, direction } as const;
      flips.push({ start, flip });
    }
    before = lastRate;
  }
  return flips;
}
