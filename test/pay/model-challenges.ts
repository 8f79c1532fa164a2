import type { ChallengeOptions, ChallengesResult } from '../../src/pay/challenge.ts';

type Module = typeof import('../../src/pay/challenge.ts');

/**
 * The module with what it has made kept: every process of every run offers the same terms at the same prices, and would write
 * them anew. Those that change with what an offer is open to are not kept.
 */
export function keepingChallenges(module: Module): Module {
  const kept = new Map<string, ChallengesResult>();
  const createChallenges = (options: ChallengeOptions): ChallengesResult => {
    const { routes, schemes, seller, clock } = options;
    if (schemes.some(({ isOpen }) => isOpen !== undefined)) return module.createChallenges(options);
    const key = JSON.stringify([seller, routes, schemes.map(({ name }) => name)]);
    const now = clock.now();
    const made = kept.get(key) ?? module.createChallenges({ ...options, clock: { now: () => now } });
    kept.set(key, made);
    return made;
  };
  return { ...module, createChallenges };
}
