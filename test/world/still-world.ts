import { createWorld } from '@perpmeter/sim/create-world';
import type { World } from '@perpmeter/sim/world';

/** The world of a seed in which prices, rates and books stay as they are at a moment; settlements go on. */
export function createStillWorld(seed: number, at: number): World {
  const world = createWorld(seed);
  return {
    seed: world.seed,
    assets: world.assets,
    planted: world.planted,
    contracts: (listing) => world.contracts(listing),
    spot: (asset) => world.spot(asset, at),
    index: (contract) => world.index(contract, at),
    mark: (contract) => world.mark(contract, at),
    fundingRate: (contract) => world.fundingRate(contract, at),
    settledRate: (contract, settlement) => world.settledRate(contract, settlement),
    nextFunding: (contract, t) => world.nextFunding(contract, t),
    openInterest: (contract) => world.openInterest(contract, at),
    volume24h: (contract) => world.volume24h(contract, at),
    volumeBetween: (contract, from, to) => world.volumeBetween(contract, from, to),
    book: (contract, _t, depth) => world.book(contract, at, depth),
  };
}
