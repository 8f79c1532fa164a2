import { type Client, liveRows } from '@perpmeter/client';

/** Calls back whenever the sign of a funding rate changes, until the signal is aborted. */
export async function watchFlips(
  client: Client,
  flipped: (name: string, rate: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const signs = new Map<string, number>();
  for await (const rows of liveRows(client.streamPreview({ signal }))) {
    for (const [name, { rate }] of rows) {
      if (rate === null || rate === 0) continue;
      const before = signs.get(name);
      if (before !== undefined && before !== Math.sign(rate)) flipped(name, rate);
      signs.set(name, Math.sign(rate));
    }
  }
}
