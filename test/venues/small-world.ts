import { createWorld } from '@perpmeter/sim/create-world';
import type { SimContract, World } from '@perpmeter/sim/world';

/** A simulated world whose venues list at most so many contracts of each quote currency: their answers are short. */
export function smallWorld(seed: number, listed: number): World {
  const world = createWorld(seed);
  const contractsOf = world.contracts.bind(world);
  world.contracts = (listing) => {
    const counts = new Map<string, number>();
    const isAmongFirst = ({ quote }: SimContract): boolean => {
      const count = (counts.get(quote) ?? 0) + 1;
      counts.set(quote, count);
      return count <= listed;
    };
    return contractsOf(listing).filter(isAmongFirst);
  };
  return world;
}
