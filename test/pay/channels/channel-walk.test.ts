import { describe, expect, it } from 'vitest';
import { ChannelWalk } from '../../../src/pay/schemes/batch-settlement/channel-walk.ts';
import type { StoredChannel } from '../../../src/pay/schemes/batch-settlement/channels.ts';

/** Pages of so many rows, without what stands in them. */
function rowsOf(count: () => number) {
  const reads: number[] = [];
  const page = async (after: string | undefined, limit: number) => {
    const first = after === undefined ? 0 : Number(after) + 1;
    const rows = Math.min(limit, count() - first);
    reads.push(rows);
    const found = Array.from({ length: rows }, (_, i) => ({ id: String(first + i) }) as StoredChannel);
    return { found, rows, after: rows < limit ? undefined : found.at(-1)?.id };
  };
  return { reads, page };
}

async function shareOf(walk: ChannelWalk, rounds: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of walk.share(rounds)) ids.push(id);
  return ids;
}

describe('the walk over all channels', () => {
  it('a hundred thousand: all at once after a start, then a share a round', async () => {
    const { reads, page } = rowsOf(() => 100_000);
    const walk = new ChannelWalk({ page });
    expect(await shareOf(walk, 30)).toHaveLength(100_000);
    reads.length = 0;
    const met = new Set<string>();
    for (let round = 0; round < 30; round++) {
      const share = await shareOf(walk, 30);
      expect(share.length).toBeLessThanOrEqual(3_334);
      for (const id of share) met.add(id);
    }
    expect(met.size).toBe(100_000);
    expect(Math.max(...reads)).toBeLessThanOrEqual(500);
  });

  it.each([0, 1, 2, 499, 500, 501])('%d of them, in one round: each is met in each', async (count) => {
    const walk = new ChannelWalk(rowsOf(() => count));
    for (let round = 0; round < 4; round++) expect(await shareOf(walk, 1)).toHaveLength(count);
  });

  it('more of them meanwhile: none waits for longer than two walks', async () => {
    let count = 100;
    const walk = new ChannelWalk(rowsOf(() => count));
    const metAt = new Map<string, number>();
    for (let round = 0; round < 400; round++) {
      count += 3;
      for (const id of await shareOf(walk, 10)) {
        expect(round - (metAt.get(id) ?? round)).toBeLessThanOrEqual(20);
        metAt.set(id, round);
      }
    }
    expect(metAt.size).toBeGreaterThan(1_000);
  });
});
