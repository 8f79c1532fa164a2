import { createWorld } from '@perpmeter/sim/create-world';
import { decimalsOf } from '@perpmeter/sim/increments';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { SimContract, World } from '@perpmeter/sim/world';
import { asMs } from '../../src/domain/units.ts';
import type { Contract } from '../../src/history/sample.ts';

/** Since when every contract is listed. */
export const LISTED_AT = asMs(Date.UTC(2025, 0, 1));

/** Decimals that a venue states a contract's values with. */
export interface Decimals {
  readonly rate: number;
  readonly price: number;
  readonly raw: number;
  readonly base: number;
}

export interface Series {
  readonly contract: Contract;
  readonly sim: SimContract;
  readonly decimals: Decimals;
}

/** A tick or a lot, in units of the ticker: increments are powers of ten, and so are multipliers. */
const decimalsIn = (increment: number): number => decimalsOf(Number(increment.toPrecision(12)));

/** The first `count` live perpetuals of the simulated venues, each venue in turn. */
export function buildSeries(world: World, count: number): readonly Series[] {
  const perVenue = SIM_VENUES.map(({ listing }) =>
    world.contracts(listing).filter(({ kind, status }) => kind === 'perp' && status === 'live'),
  );
  const taken: Series[] = [];
  for (let at = 0; taken.length < count && perVenue.some((list) => at < list.length); at++) {
    for (const list of perVenue) {
      const sim = list[at];
      if (sim === undefined || taken.length === count) continue;
      taken.push({ contract: contractOf(sim), sim, decimals: decimalsOfContract(sim) });
    }
  }
  return taken;
}

function contractOf({ asset, venue, symbol }: SimContract): Contract {
  return { canonicalId: asset.id, ticker: asset.ticker, venue, symbol, listedAt: LISTED_AT };
}

function decimalsOfContract({ tick, lot, multiplier, contractSize }: SimContract): Decimals {
  return {
    rate: 8,
    price: decimalsIn(tick / multiplier),
    raw: decimalsIn(lot),
    base: decimalsIn(lot * contractSize * multiplier),
  };
}

export const benchWorld = (): World => createWorld(1);
