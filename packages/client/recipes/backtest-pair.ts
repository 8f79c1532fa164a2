import { type Client, windows } from '@perpmeter/client';

interface Pair {
  readonly ticker: string;
  readonly short: string;
  readonly long: string;
  readonly from: Date;
  readonly to: Date;
}

/** Mean rate of each hour as shown: comparable where both venues pay at the same interval. */
async function ratesOf(client: Client, venue: string, { ticker, from, to }: Pair) {
  const rates = new Map<string, number>();
  const asked = { venue, ticker, from, to, granularity: '1h' } as const;
  for await (const { data } of windows(client.backtestData, asked, 400)) {
    for (const { ts, funding_rate } of data) {
      if (typeof funding_rate === 'number') rates.set(ts, funding_rate);
    }
  }
  return rates;
}

/** The excess of the shorted venue's rate, over the hours in which both are known: unknown hours are not zeros. */
export async function backtestPair(client: Client, pair: Pair) {
  const [short, long] = [await ratesOf(client, pair.short, pair), await ratesOf(client, pair.long, pair)];
  const gaps = [...short].flatMap(([ts, rate]) => {
    const other = long.get(ts);
    return other === undefined ? [] : [rate - other];
  });
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  return { hours: gaps.length, meanGapBps: gaps.length === 0 ? undefined : mean * 10_000 };
}
