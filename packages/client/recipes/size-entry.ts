import { type Client, dataOf } from '@perpmeter/client';

interface Order {
  readonly venue: string;
  readonly usd: number;
}

/** Orders over venues that buy a size within a cost, taker fees included; undefined where the books do not allow it. */
export async function sizeEntry(
  client: Client,
  ticker: string,
  sizeUsd: 1000 | 5000 | 10000,
  mostBps: number,
): Promise<readonly Order[] | undefined> {
  const asked = { ticker, size_usd: sizeUsd, side: 'buy', split: true, venues_max: 3 } as const;
  const { route, unfilled_usd, blended_all_in_bps } = await dataOf(
    client.orderbookMultiVenueExecution(asked, { maxUsd: '0.02' }),
  );
  if (unfilled_usd > 0 || blended_all_in_bps === null || blended_all_in_bps > mostBps) return undefined;
  return route.map(({ venue, allocated_usd }) => ({ venue, usd: allocated_usd }));
}
