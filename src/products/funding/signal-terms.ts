import { withLegTerms } from '../rows/leg-terms.ts';
import type { venueInfos } from '../rows/select.ts';
import type { FundingPair } from './funding-pair.ts';

/**
 * Opportunities with the terms of both legs' contracts.
 * @param pairs in their order
 * @param infos the venues, read at the moment of the pairs
 */
export function withPairTerms<Opportunity extends { readonly short: object; readonly long: object }>(
  { opportunities }: { readonly opportunities: readonly Opportunity[] },
  pairs: readonly FundingPair[],
  infos: ReturnType<typeof venueInfos>,
): Opportunity[] {
  return opportunities.map((shown, at) => {
    const pair = pairs[at];
    if (pair === undefined) return shown;
    const short = withLegTerms(shown.short, pair.short, infos);
    return { ...shown, short, long: withLegTerms(shown.long, pair.long, infos) };
  });
}
