import type { MarketView } from '../../market/view.ts';
import { withLegTerms } from '../rows/leg-terms.ts';
import { venueInfos } from '../rows/select.ts';
import type { FundingPair } from './funding-pair.ts';

/** Opportunities with the terms of both legs' contracts. @param pairs in their order */
export function withPairTerms<Opportunity extends { readonly short: object; readonly long: object }>(
  { opportunities }: { readonly opportunities: readonly Opportunity[] },
  pairs: readonly FundingPair[],
  market: MarketView,
): Opportunity[] {
  const infos = venueInfos(market);
  return opportunities.map((shown, at) => {
    const pair = pairs[at];
    if (pair === undefined) return shown;
    const short = withLegTerms(shown.short, pair.short, infos);
    return { ...shown, short, long: withLegTerms(shown.long, pair.long, infos) };
  });
}
