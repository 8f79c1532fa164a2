import type { VenueId } from '../domain/venue.ts';
import type { MarketView } from '../market/view.ts';
import { fundingPairs } from './funding-pair.ts';

/** Least normalized spread of a pair whose books are kept young, bps: the default threshold of the signal. */
const CANDIDATE_BPS = 1;

/** Contracts that are a leg of a pair which the funding signal would show, by venue, in the venue's own symbols. */
export function signalCandidates(view: MarketView): ReadonlyMap<VenueId, readonly string[]> {
  const legs = new Map<VenueId, string[]>();
  for (const { short, long, normalizedBps } of fundingPairs(view)) {
    if (!(normalizedBps > CANDIDATE_BPS)) continue;
    for (const { venue, symbol } of [short, long]) {
      const known = legs.get(venue);
      if (known === undefined) legs.set(venue, [symbol]);
      else known.push(symbol);
    }
  }
  return legs;
}
