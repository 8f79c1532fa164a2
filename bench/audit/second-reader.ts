import { loadCcxt } from '../../src/collect/ccxt/load-module.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { SecondReaderRig } from '../../test/second-reader/rig.ts';

/** The pool of a rate limit of which the second reader took most. */
export interface BudgetUse {
  readonly venue: string;
  readonly pool: string;
  /** Part of the limit over the time, 0..1. */
  readonly share: number;
  readonly looks: number;
}

/**
 * The second reader's share of each rate limit in some simulated hours, ccxt's calls included; the largest
 * share first.
 */
export async function secondReaderBudgets(hours: number): Promise<readonly BudgetUse[]> {
  const uses: BudgetUse[] = [];
  const loaded = await loadCcxt();
  for (const { id } of VENUES) {
    const rig = new SecondReaderRig({ venues: [id], ccxt: async () => loaded });
    await rig.run(hours * HOUR_MS, HOUR_MS / 6);
    for (const { adapter } of rig.pairings) {
      for (const { name, limit, perMs } of adapter.budget.pools) {
        const spent = rig.weights.get(`${adapter.id} ${name}`) ?? 0;
        const share = spent / ((limit * hours * HOUR_MS) / perMs);
        if (spent > 0) uses.push({ venue: adapter.id, pool: name, share, looks: rig.reading.state.looks });
      }
    }
  }
  return uses.sort((a, b) => b.share - a.share);
}
