import { borrowOf, type Direction, fundingOf, netAprPct } from './carry-figures.ts';
import { byNetApr, type CarryPair, carryPair, type PairTerms, type PerpLeg } from './carry-pair.ts';
import { halfSpreadBps } from './pair-entry.ts';
import type { SpotLeg } from './spot-leg.ts';

/** Sums in another order differ by less, percent a year. */
const ROUNDING = 1e-6;

/** A leg with the share of the net APR that it brings to each of its pairs. */
interface Ranked<Leg> {
  readonly leg: Leg;
  readonly sharePct: number;
}

/**
 * Finds the pair that nets most at the touch, of those whose inputs are all known; undefined where there is none. A pair nets no more
 * than the shares of its legs say, since a gap between them only costs: pairs that cannot be better than the best are not computed.
 */
export function bestPair(
  ways: readonly Direction[],
  spots: readonly SpotLeg[],
  perps: readonly PerpLeg[],
  terms: PairTerms,
): CarryPair | undefined {
  let best: CarryPair | undefined;
  const cannotBe = (mostPct: number): boolean =>
    mostPct < (best?.figures.allInNetAprPct ?? -Infinity) - ROUNDING;
  for (const way of ways) {
    const sold = ranked(perps, (leg) => perpShare(leg, way, terms.holdingDays));
    for (const spot of ranked(spots, (leg) => spotShare(leg, way, terms.holdingDays)))
      for (const perp of sold) {
        if (cannotBe(spot.sharePct + perp.sharePct)) break;
        const made = carryPair(way, spot.leg, perp.leg, terms);
        if (made === undefined || made.unknown.length > 0) continue;
        if (best === undefined || byNetApr(made, best) < 0) best = made;
      }
  }
  return best;
}

/** Legs with a share, the largest first. */
function ranked<Leg>(
  legs: readonly Leg[],
  shareOf: (leg: Leg) => number | undefined,
): readonly Ranked<Leg>[] {
  const known = legs.flatMap((leg) => {
    const sharePct = shareOf(leg);
    return sharePct === undefined ? [] : [{ leg, sharePct }];
  });
  return known.sort((a, b) => b.sharePct - a.sharePct);
}

/** Undefined where an input is not known: no pair of the leg is ranked then. */
function perpShare({ row, takerFeeBps, book }: PerpLeg, way: Direction, days: number): number | undefined {
  const { rate8h, rateFresh } = row;
  if (rate8h === undefined || !rateFresh || takerFeeBps === undefined || book === undefined) return undefined;
  return netAprPct(fundingOf(way, rate8h), 2 * (takerFeeBps + halfSpreadBps(book)), days);
}

/** The same of the coin. */
function spotShare({ takerFeeBps, book, borrow }: SpotLeg, way: Direction, days: number): number | undefined {
  if (takerFeeBps === undefined || book === undefined) return undefined;
  const cost = 2 * (takerFeeBps + halfSpreadBps(book));
  if (way === 'long_spot') return netAprPct(0, cost, days);
  return borrow.hourly === undefined ? undefined : netAprPct(-borrowOf(borrow.hourly), cost, days);
}
