import { createClient, PerpmeterError } from '@perpmeter/client';
import { fileStore } from '@perpmeter/client/file-store';
import { keySigner } from '@perpmeter/client/key-signer';

interface Agent {
  readonly baseUrl: string;
  readonly key: `0x${string}`;
  /** File that remembers what was spent, over restarts. */
  readonly ledger: string;
  readonly perDayUsd: string;
}

/** Asks for the funding of each ticker until all are known or the day's budget is spent. */
export async function askWithinBudget(
  { baseUrl, key, ledger, perDayUsd }: Agent,
  tickers: readonly string[],
) {
  const caps = { perCall: '0.01', perDay: perDayUsd, total: '10' };
  const client = createClient({
    baseUrl,
    wallet: { signer: keySigner(key), caps, store: fileStore(ledger) },
  });
  const spreads = new Map<string, number | null>();
  for (const ticker of tickers) {
    const result = await client.perpFundingSpread({ ticker });
    if (result.ok) spreads.set(ticker, result.data.normalized?.spread_8h_bps ?? null);
    else if (result.problem.code === 'over_budget') break;
    // Not enough venues, no fresh data: not charged, and no reason to stop.
    else if (result.problem.charged === null) throw new PerpmeterError(result.problem);
  }
  return { spreads, spentUsd: client.spentUsd() };
}
