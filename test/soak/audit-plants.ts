import type { SimContract, World } from '../../src/sim/world.ts';
import { relisted } from '../venues/relisted-world.ts';

/** Faults that venues have had, each planted into the simulated world, so that every payload carries it. */
export const PLANTS = [
  'interest x contract size',
  'interest x price',
  'interest x 2',
  'wrong interval',
  'wrong sign',
  'percent for fraction',
  'mark in cents',
  'multiplier on relisting',
  'frozen contract',
  'swapped contracts',
  'stale stream',
  'late clock',
  'retired host',
  'missing settlement',
] as const;
export type PlantKind = (typeof PLANTS)[number];

export interface Plant {
  readonly kind: PlantKind;
  readonly venue: string;
  /** When it was planted, ms. */
  readonly at: number;
  /** The contract that it is about, and another of the venue; units and clocks are wrong for all. */
  readonly contract: SimContract;
  readonly other: SimContract;
}

/** How far a late clock is behind, and how old what a retired host says. */
const LATE_MS = 5 * 60_000;
const RETIRED_MS = 6 * 3_600_000;

/** When the venue's payloads are made of; the time of receipt is another matter. */
export function renderedAt(plant: Plant | undefined, now: number): number {
  if (plant?.kind === 'stale stream') return plant.at;
  if (plant?.kind === 'late clock') return now - LATE_MS;
  return plant?.kind === 'retired host' ? now - RETIRED_MS : now;
}

/** A world whose lists are short, with a fault while `plant` gives one. */
export function plantedWorld(world: World, live: number, plant: () => Plant | undefined): World {
  const short = relisted(world, (list) => {
    let count = 0;
    return list.filter(({ kind, status }) => kind === 'perp' && status === 'live' && ++count <= live);
  });
  const original = new WeakMap<SimContract, SimContract>();
  const wronged = new WeakMap<SimContract, SimContract>();
  const seen = (given: SimContract, t: number): readonly [SimContract, number] => {
    const contract = original.get(given) ?? given;
    const fault = plant();
    if (fault?.venue !== contract.venue) return [contract, t];
    if (fault.kind === 'late clock') return [contract, t + LATE_MS];
    if (fault.kind === 'frozen contract' && contract === fault.contract) return [contract, fault.at];
    if (fault.kind !== 'swapped contracts') return [contract, t];
    if (contract === fault.contract) return [fault.other, t];
    return [contract === fault.other ? fault.contract : contract, t];
  };
  const factor = (contract: SimContract, kinds: Partial<Record<PlantKind, number>>): number => {
    const fault = plant();
    if (fault?.venue !== contract.venue) return 1;
    if (fault.kind === 'multiplier on relisting' && contract !== fault.contract) return 1;
    return kinds[fault.kind] ?? 1;
  };
  return {
    ...short,
    contracts: (listing) => {
      const list = short.contracts(listing);
      if (plant()?.kind !== 'wrong interval' || plant()?.venue !== listing.venue) return list;
      return list.map((contract) => {
        const intervalHours = contract.intervalHours === 8 ? 1 : 8;
        const wrong = wronged.get(contract) ?? { ...contract, intervalHours };
        wronged.set(contract, wrong);
        original.set(wrong, contract);
        return wrong;
      });
    },
    index: (given, at) => {
      const [contract, t] = seen(given, at);
      return short.index(contract, t) * factor(contract, { 'multiplier on relisting': 1000 });
    },
    mark: (given, at) => {
      const [contract, t] = seen(given, at);
      return (
        short.mark(contract, t) * factor(contract, { 'mark in cents': 100, 'multiplier on relisting': 1000 })
      );
    },
    fundingRate: (given, at) => {
      const [contract, t] = seen(given, at);
      return (
        short.fundingRate(contract, t) * factor(contract, { 'wrong sign': -1, 'percent for fraction': 100 })
      );
    },
    settledRate: (given, at) => short.settledRate(original.get(given) ?? given, at),
    nextFunding: (given, at) => {
      const [contract, t] = seen(given, at);
      return short.nextFunding(contract, t);
    },
    openInterest: (given, at) => {
      const [contract, t] = seen(given, at);
      const wrong = {
        'interest x contract size': contract.contractSize,
        'interest x price': short.mark(contract, t),
        'interest x 2': 2,
        'multiplier on relisting': 1 / 1000,
      };
      return short.openInterest(contract, t) * factor(contract, wrong);
    },
    volume24h: (given, at) => {
      const [contract, t] = seen(given, at);
      return short.volume24h(contract, t) * factor(contract, { 'multiplier on relisting': 1 / 1000 });
    },
    volumeBetween: (given, from, to) => {
      const [contract] = seen(given, to);
      return short.volumeBetween(contract, from, to);
    },
    book: (given, at, depth) => {
      const [contract, t] = seen(given, at);
      return short.book(contract, t, depth);
    },
  };
}
