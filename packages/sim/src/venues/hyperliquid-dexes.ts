import type { AssetClass } from '../../../../src/domain/instrument.ts';
import type { SimContract, SimListing, World } from '../world.ts';

/** A dex of the simulated chain; the main one has no name. */
export interface SimDex {
  readonly name: string;
  readonly fullName: string;
  /** Spot token index of the collateral. */
  readonly collateral: number;
  readonly listing: SimListing;
}

const THOUSANDS = new Set(['PEPE', 'SHIB', 'BONK', 'LUNC', 'FLOKI', 'NEIRO']);
const LOW_PRICE = 0.01;

const main: SimDex = {
  name: '',
  fullName: '',
  collateral: 0,
  listing: {
    venue: 'hyperliquid',
    size: 0.48,
    quotes: ['USDC'],
    count: 178,
    delisted: 56,
    classes: ['crypto'],
    include: ['HYPE', 'PEPE', 'SHIB', 'BONK', 'STX'],
    baseName: (ticker, price) =>
      THOUSANDS.has(ticker) && price < LOW_PRICE
        ? { base: `k${ticker}`, multiplier: 1000 }
        : { base: ticker, multiplier: 1 },
    intervalHours: () => 1,
    symbol: (base) => base,
  },
};

interface DexPlan {
  readonly fullName: string;
  readonly collateral?: number;
  readonly live: number;
  readonly delisted: number;
  readonly classes: readonly AssetClass[];
  readonly include?: readonly string[];
}

const COLLATERAL_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'USDC'],
  [235, 'USDE'],
  [268, 'USDT0'],
  [360, 'USDH'],
]);

function dex(name: string, plan: DexPlan): SimDex {
  const { fullName, collateral = 0, live, delisted, classes, include = [] } = plan;
  return {
    name,
    fullName,
    collateral,
    listing: {
      venue: `hyperliquid-${name}`,
      quotes: [COLLATERAL_NAMES.get(collateral) ?? 'USDC'],
      count: live,
      delisted,
      classes,
      include,
      intervalHours: () => 1,
      symbol: (base) => `${name}:${base}`,
    },
  };
}

/** All dexes in the order in which they were deployed. Half of the builders' ones have no live asset any more. */
export const DEXES: readonly SimDex[] = [
  main,
  dex('xyz', {
    fullName: 'XYZ',
    live: 109,
    delisted: 15,
    classes: ['equity', 'index', 'commodity', 'fx', 'etf', 'prelaunch'],
  }),
  dex('flx', { fullName: 'Felix Exchange', collateral: 360, live: 0, delisted: 16, classes: ['equity'] }),
  dex('vntl', { fullName: 'Ventuals', collateral: 360, live: 0, delisted: 6, classes: ['prelaunch'] }),
  dex('hyna', { fullName: 'HyENA', collateral: 235, live: 0, delisted: 25, classes: ['crypto'] }),
  dex('km', { fullName: 'Markets by Kinetiq', collateral: 360, live: 0, delisted: 20, classes: ['equity'] }),
  dex('abcd', { fullName: 'ABCDEx', live: 0, delisted: 1, classes: ['index'] }),
  dex('cash', { fullName: 'dreamcash', collateral: 268, live: 0, delisted: 17, classes: ['equity'] }),
  dex('para', {
    fullName: 'Paragon',
    live: 27,
    delisted: 9,
    classes: ['equity', 'index'],
    include: ['STX', 'NET', 'CRWD', 'RDDT'],
  }),
  dex('io', {
    fullName: 'EntropyIO',
    live: 8,
    delisted: 2,
    classes: ['equity', 'etf', 'prelaunch'],
    include: ['SNDK', 'EWY', 'OAI', 'ANTH'],
  }),
  dex('mkts', {
    fullName: 'Markets By Kinetiq',
    live: 4,
    delisted: 5,
    classes: ['index'],
    include: ['US500', 'USTECH', 'SMALL2000'],
  }),
];

/** The dex of that name; the main one for an absent or empty name. */
export function dexNamed(name: unknown): SimDex | undefined {
  return DEXES.find((dex) => dex.name === (name ?? ''));
}

/**
 * Contracts of a dex by position. Delisted ones keep their places among the live ones, as on the chain, where a
 * position is never given twice.
 */
export function universeOf(world: World, { listing }: SimDex): readonly SimContract[] {
  const all = world.contracts(listing);
  const live = all.filter((contract) => contract.status === 'live');
  const gone = all.filter((contract) => contract.status === 'delisted');
  const step = Math.max(1, Math.floor(live.length / (gone.length + 1)));
  const universe: SimContract[] = [];
  live.forEach((contract, i) => {
    universe.push(contract);
    const next = (i + 1) % step === 0 ? gone[(i + 1) / step - 1] : undefined;
    if (next !== undefined) universe.push(next);
  });
  const placed = new Set(universe);
  return [...universe, ...gone.filter((contract) => !placed.has(contract))];
}

/** The contract a coin names, with its dex. */
export function contractOf(world: World, coin: unknown): SimContract | undefined {
  if (typeof coin !== 'string') return undefined;
  const colon = coin.indexOf(':');
  const found = dexNamed(colon < 0 ? '' : coin.slice(0, colon));
  return found === undefined
    ? undefined
    : universeOf(world, found).find((contract) => contract.symbol === coin);
}
