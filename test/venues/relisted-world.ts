import type { SimContract, SimListing, World } from '@perpmeter/sim/world';

/** The same world with other lists of contracts: same prices, rates and amounts of each asset. */
export function relisted(
  world: World,
  change: (contracts: readonly SimContract[], listing: SimListing) => readonly SimContract[],
): World {
  const lists = new Map<string, readonly SimContract[]>();
  return {
    seed: world.seed,
    assets: world.assets,
    planted: world.planted,
    contracts: (listing) => {
      const known = lists.get(listing.venue);
      if (known !== undefined) return known;
      const list = change(world.contracts(listing), listing);
      lists.set(listing.venue, list);
      return list;
    },
    spot: (asset, t) => world.spot(asset, t),
    index: (contract, t) => world.index(contract, t),
    mark: (contract, t) => world.mark(contract, t),
    fundingRate: (contract, t) => world.fundingRate(contract, t),
    settledRate: (contract, settlement) => world.settledRate(contract, settlement),
    nextFunding: (contract, t) => world.nextFunding(contract, t),
    openInterest: (contract, t) => world.openInterest(contract, t),
    volume24h: (contract, t) => world.volume24h(contract, t),
    volumeBetween: (contract, from, to) => world.volumeBetween(contract, from, to),
    book: (contract, t, depth) => world.book(contract, t, depth),
  };
}

/** Lists of a few rows: of every kind, state, quote and multiplier some. */
export function thinned(world: World, ofEach = 2): World {
  return relisted(world, (contracts) => {
    const seen = new Map<string, number>();
    return contracts.filter(({ kind, status, quote, multiplier }) => {
      const sort = [kind, status, quote, multiplier].join();
      const count = (seen.get(sort) ?? 0) + 1;
      seen.set(sort, count);
      return count <= ofEach;
    });
  });
}

/** Lists of at least so many rows: the live perpetuals again and again, under names of their own. */
export function enlarged(world: World, rows: number): World {
  return relisted(world, (contracts, listing) => {
    const live = contracts.filter(({ kind, status }) => kind === 'perp' && status === 'live');
    const list = [...contracts];
    for (let round = 2; live.length > 0 && list.length < rows; round++) {
      for (const contract of live) {
        const base = `${contract.base}Q${round}`;
        list.push({ ...contract, base, symbol: listing.symbol(base, contract.quote) });
      }
    }
    return list;
  });
}
