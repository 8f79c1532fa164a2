import { type Client, dataOf } from '@perpmeter/client';

/** Funding gaps between two venues of at least so much a year, before fees: one line each, the widest first. */
export async function fundingAlerts(client: Client, leastAprPct: number): Promise<readonly string[]> {
  const { opportunities } = await dataOf(client.perpArbitrageFunding({ sort: 'normalized', limit: 100 }));
  return opportunities.flatMap(({ ticker, normalized }) => {
    // Null where an interval is not known: such rates cannot be compared.
    if (normalized === null || normalized.apr_spread_pct < leastAprPct) return [];
    const { long, short, apr_spread_pct } = normalized;
    return [`${ticker}: long ${long.venue}, short ${short.venue}, ${apr_spread_pct.toFixed(1)} % a year`];
  });
}
