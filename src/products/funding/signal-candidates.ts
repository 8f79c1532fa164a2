import type { VenueId } from '../../domain/venue.ts';
import type { MarketView } from '../../market/view.ts';
import { fundingPairs } from './funding-pair.ts';

/** Least normalized spread of a pair whose books are kept young, bps: the default threshold of the signal. */
const CANDIDATE_BPS = 1;

/**
 * Contracts that are a leg of a pair which the funding signal would show, by venue, in the venue's own symbols, those of
 * the widest pairs first.
 */
export function signalCandidates(view: MarketView): ReadonlyMap<VenueId, readonly string[]> {
  const legs = new Map<VenueId, string[]>();
  const wide = fundingPairs(view).filter(({ normalizedBps }) => normalizedBps > CANDIDATE_BPS);
  for (const { short, long } of [...wide].sort((a, b) => b.normalizedBps - a.normalizedBps)) {
    for (const { venue, symbol } of [short, long]) {
      const known = legs.get(venue);
      if (known === undefined) legs.set(venue, [symbol]);
      else known.push(symbol);
    }
  }
  return legs;
}
