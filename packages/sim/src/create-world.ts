import { DAY_MS } from '../../../src/runtime/duration.ts';
import { type Activity, activityOf, tradedBetween } from './activity.ts';
import { buildAssets, type PricedAsset } from './assets.ts';
import { renderBook } from './book.ts';
import { listContracts } from './contracts.ts';
import { estimatedRate, indexOffset, nextSettlement, type Premium, premiumAt, premiumOf } from './funding.ts';
import { onGrid } from './increments.ts';
import { keyOf, signalAt, valueNoise } from './noise.ts';
import { plantedOf } from './planted.ts';
import { PricePaths, type SpotPath } from './price-path.ts';
import type { Planted, SimAsset, SimBook, SimContract, SimListing, World } from './world.ts';

/**
 * The simulated world of a seed. Values are pure functions of time; what is kept is only remembered.
 * @param dearer factor on every price: two readers of such worlds agree on all else
 */
export function createWorld(seed: number, dearer = 1): World {
  return new SeededWorld(seed, dearer);
}

/** Constants of a contract, and its prices at the time last asked for. */
interface Fixture {
  readonly key: number;
  readonly spot: SpotPath;
  readonly offset: number;
  readonly premium: Premium;
  readonly activity: Activity;
  readonly level: number;
  at: number;
  index: number;
  mark: number;
}

class SeededWorld implements World {
  readonly seed: number;
  readonly assets: readonly PricedAsset[];
  readonly planted: Planted;
  readonly #paths: ReadonlyMap<string, SpotPath>;
  readonly #levels: ReadonlyMap<string, number>;
  readonly #listed = new Map<string, readonly [SimListing, readonly SimContract[]]>();
  readonly #fixtures = new WeakMap<SimContract, Fixture>();

  constructor(seed: number, dearer: number) {
    this.seed = seed;
    this.assets = buildAssets(seed).map((asset) => ({ ...asset, level: asset.level * dearer }));
    this.planted = plantedOf(this.assets);
    const paths = new PricePaths(seed);
    this.#paths = new Map(this.assets.map((asset) => [asset.id, paths.path(asset)]));
    this.#levels = new Map(this.assets.map((asset) => [asset.id, asset.level]));
  }

  contracts(listing: SimListing): readonly SimContract[] {
    const known = this.#listed.get(listing.venue);
    if (known !== undefined && known[0] === listing) return known[1];
    const list = listContracts(this.seed, this.assets, listing);
    this.#listed.set(listing.venue, [listing, list]);
    return list;
  }

  spot(asset: SimAsset, t: number): number {
    return this.#path(asset)(t);
  }

  index(contract: SimContract, t: number): number {
    return this.#priced(contract, t).index;
  }

  mark(contract: SimContract, t: number): number {
    return this.#priced(contract, t).mark;
  }

  fundingRate(contract: SimContract, t: number): number {
    return estimatedRate(this.#fixture(contract).premium, contract.intervalHours, t);
  }

  settledRate(contract: SimContract, settlement: number): number {
    return this.fundingRate(contract, settlement - 1);
  }

  nextFunding(contract: SimContract, t: number): number {
    return nextSettlement(contract.intervalHours, t);
  }

  openInterest(contract: SimContract, t: number): number {
    return onLots(contract, signalAt(this.#fixture(contract).activity.openInterest, t));
  }

  volume24h(contract: SimContract, t: number): number {
    return this.volumeBetween(contract, t - DAY_MS, t);
  }

  volumeBetween(contract: SimContract, from: number, to: number): number {
    if (contract.dead) return 0;
    return onLots(contract, tradedBetween(this.#fixture(contract).activity, from, to));
  }

  book(contract: SimContract, t: number, depth: number): SimBook {
    const fixture = this.#priced(contract, t);
    const { rank } = contract.asset;
    const { dailyUsd } = fixture.activity;
    const wide = 0.00002 + 0.00002 * Math.sqrt(rank) + 0.002 / (1 + dailyUsd / 1e6);
    const drift = contract.dead ? 0 : 0.3 * wide * valueNoise(fixture.key ^ 0x3c6ef372, t / 3000);
    const levelUsd = Math.max(80, dailyUsd * 0.00002);
    return renderBook(
      contract,
      {
        key: fixture.key,
        mid: fixture.mark * (1 + drift) * contract.multiplier,
        halfSpread: wide,
        spacing: wide * 0.6,
        levelSize: levelUsd / (fixture.level * contract.multiplier * contract.contractSize),
      },
      t,
      depth,
    );
  }

  #path(asset: SimAsset): SpotPath {
    const path = this.#paths.get(asset.id);
    if (path === undefined) throw new RangeError(`no asset ${asset.id} in this world`);
    return path;
  }

  #fixture(contract: SimContract): Fixture {
    const known = this.#fixtures.get(contract);
    if (known !== undefined) return known;
    const key = keyOf(this.seed, `contract:${contract.venue}:${contract.symbol}`);
    const level = this.#levels.get(contract.asset.id) ?? 1;
    const fixture: Fixture = {
      key,
      spot: this.#path(contract.asset),
      offset: indexOffset(key, contract.asset.rank),
      premium: premiumOf(this.seed, contract),
      activity: activityOf(this.seed, contract, level),
      level,
      at: Number.NaN,
      index: 0,
      mark: 0,
    };
    this.#fixtures.set(contract, fixture);
    return fixture;
  }

  #priced(contract: SimContract, t: number): Fixture {
    const fixture = this.#fixture(contract);
    if (fixture.at === t) return fixture;
    const noise =
      0.00004 * valueNoise(fixture.key, t / 7000) + 0.00008 * valueNoise(fixture.key ^ 1, t / 91_000);
    fixture.index = fixture.spot(t) * (1 + fixture.offset + noise);
    fixture.mark = contract.dead ? fixture.level : fixture.index * (1 + premiumAt(fixture.premium, t));
    fixture.at = t;
    return fixture;
  }
}

/** Ticker units that are a whole number of lots of the contract. */
function onLots(contract: SimContract, tickerUnits: number): number {
  const unit = contract.contractSize * contract.multiplier;
  return onGrid(Math.max(0, tickerUnits) / unit, contract.lot) * unit;
}
