import { setMaxListeners } from 'node:events';
import { RateBudget, type RateLimitPermit } from '../../src/collect/budget.ts';
import { PRIORITY } from '../../src/collect/priority.ts';
import type { Budget } from '../../src/venues/adapter.ts';
import { ManualTime } from './manual-time.ts';

/** Never aborted. */
export const signal = new AbortController().signal;
setMaxListeners(0, signal);

/** A budget whose time the test owns. */
export function makeBudget(budget: Partial<Budget> & Pick<Budget, 'pools'>, margin = 0.85) {
  const time = new ManualTime();
  const { clock, timer } = time;
  return { time, budget: new RateBudget({ id: 'host', ...budget }, { clock, timer, margin }) };
}

/** Asks for a weight of it. */
export function ask(
  budget: RateBudget,
  weight: number,
  more: { owner?: string; priority?: number; pool?: string } = {},
) {
  const { owner = 'venue', priority = PRIORITY.bulk, pool } = more;
  return budget.acquire({ weight, owner, priority, pool, signal });
}

/** The same, where it has to be granted. */
export async function take(budget: RateBudget, weight: number, pool?: string): Promise<RateLimitPermit> {
  const outcome = await ask(budget, weight, pool === undefined ? {} : { pool });
  if (!outcome.ok) throw new Error(outcome.failure.reason);
  return outcome.value;
}
