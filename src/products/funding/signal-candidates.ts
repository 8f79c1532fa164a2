import type { VenueId } from '../../domain/venue.ts';
import type { MarketView } from '../../market/view.ts';
import { isBookRead } from '../books/book-source.ts';
import type { BookName } from '../define-product.ts';
import type { AskedFees } from '../rows/asked-fees.ts';
import { eachFreshAsset } from '../rows/scan.ts';
import { type FundingPair, fundingPairs, pairing } from './funding-pair.ts';

/** Least normalized spread of a pair whose books are kept young, bps: the default threshold of the signal. */
const CANDIDATE_BPS = 1;
/** Assets that are looked at in one part. */
const PART = 20;

/**
 * Contracts that are a leg of a pair which the funding signal would show, by venue, in the venue's own symbols, those of
 * the widest pairs first. Found part by part: the whole table takes tens of milliseconds.
 */
export function* signalCandidates(
  view: Pick<MarketView, 'eachRow' | 'venues'>,
): Generator<undefined, ReadonlyMap<VenueId, readonly string[]>> {
  const legs = new Map<VenueId, string[]>();
  const wide: FundingPair[] = [];
  const pairIn = pairing(view);
  let looked = 0;
  for (const asset of eachFreshAsset(view.eachRow())) {
    const pair = pairIn(asset);
    if (typeof pair === 'object' && pair.normalizedBps > CANDIDATE_BPS) wide.push(pair);
    if (++looked % PART === 0) yield;
  }
  for (const { short, long } of wide.sort((a, b) => b.normalizedBps - a.normalizedBps)) {
    for (const { venue, symbol } of [short, long]) {
      const known = legs.get(venue);
      if (known === undefined) legs.set(venue, [symbol]);
      else known.push(symbol);
    }
  }
  return legs;
}

/** Pairs of a part of the market whose books a signal asks for. */
const ASKED_PAIRS = 40;

/**
 * Legs whose books a signal over a part of the market rests on, of the widest pairs first: those of the whole market are kept
 * young all the time, others are not.
 *
 * @param asked least difference of eight-hour rates, a fraction, and the depth that is wanted, USD
 * @returns none over the whole market
 */
export function legsToAsk(
  view: MarketView,
  { min_diff: minDiff, notional_usd: usd }: { readonly min_diff: number; readonly notional_usd?: number },
  fees: AskedFees,
): readonly BookName[] {
  if (view.whole === undefined) return [];
  const venues = new Map(view.venues().map((venue) => [venue.info.id, venue]));
  return fundingPairs(view, fees)
    .filter(({ normalizedBps }) => normalizedBps > minDiff * 10_000)
    .sort((a, b) => b.normalizedBps - a.normalizedBps)
    .slice(0, ASKED_PAIRS)
    .flatMap(({ short, long }) => [short, long])
    .filter((row) => isBookRead(row, venues.get(row.venue)))
    .map(({ venue, symbol }) => ({ venue, symbol, ...(usd !== undefined && { usd }) }));
}
