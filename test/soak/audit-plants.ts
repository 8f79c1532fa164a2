import type { SimContract, World } from '@perpmeter/sim/world';
import { relisted } from '../venues/relisted-world.ts';

/** Faults that venues have had, each planted into the simulated world, so that every payload carries it. */
export const INJECTED_FAULTS = [
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
export type InjectedFaultKind = (typeof INJECTED_FAULTS)[number];

export interface InjectedFault {
  readonly kind: InjectedFaultKind;
  readonly venue: string;
  /** When it was planted, ms. */
  readonly at: number;
  /** The contract that it is about, and another of the venue; units and clocks are wrong for all. */
  readonly contract: SimContract;
  readonly other: SimContract;
}

/** The delay of a late clock, and the age of a retired host's data. */
const LATE_MS = 5 * 60_000;
const RETIRED_MS = 6 * 3_600_000;

/** The time of the venue's payloads; the time of receipt is another matter. */
export function renderedAt(plant: InjectedFault | undefined, now: number): number {
  if (plant?.kind === 'stale stream') return plant.at;
  if (plant?.kind === 'late clock') return now - LATE_MS;
  return plant?.kind === 'retired host' ? now - RETIRED_MS : now;
}

type PlantNow = () => InjectedFault | undefined;

/** Contracts of a venue with another interval than theirs, and which each of them stands for. */
class WrongIntervals {
  readonly #original = new WeakMap<SimContract, SimContract>();
  readonly #wronged = new WeakMap<SimContract, SimContract>();

  of(contract: SimContract): SimContract {
    const intervalHours = contract.intervalHours === 8 ? 1 : 8;
    const wrong = this.#wronged.get(contract) ?? { ...contract, intervalHours };
    this.#wronged.set(contract, wrong);
    this.#original.set(wrong, contract);
    return wrong;
  }

  originalOf(contract: SimContract): SimContract {
    return this.#original.get(contract) ?? contract;
  }
}

/** The contract and the time whose values a payload shows. */
function shownFor(
  fault: InjectedFault | undefined,
  contract: SimContract,
  t: number,
): readonly [SimContract, number] {
  if (fault?.venue !== contract.venue) return [contract, t];
  if (fault.kind === 'late clock') return [contract, t + LATE_MS];
  if (fault.kind === 'frozen contract' && contract === fault.contract) return [contract, fault.at];
  if (fault.kind !== 'swapped contracts') return [contract, t];
  if (contract === fault.contract) return [fault.other, t];
  return [contract === fault.other ? fault.contract : contract, t];
}

function factorOf(
  fault: InjectedFault | undefined,
  contract: SimContract,
  kinds: Partial<Record<InjectedFaultKind, number>>,
): number {
  if (fault?.venue !== contract.venue) return 1;
  if (fault.kind === 'multiplier on relisting' && contract !== fault.contract) return 1;
  return kinds[fault.kind] ?? 1;
}

/** A world whose lists are short, with a fault while `plant` gives one. */
export function plantedWorld(world: World, live: number, plant: PlantNow): World {
  const short = relisted(world, (list) => {
    let count = 0;
    return list.filter(({ kind, status }) => kind === 'perp' && status === 'live' && ++count <= live);
  });
  const intervals = new WrongIntervals();
  const seen = (given: SimContract, t: number) => shownFor(plant(), intervals.originalOf(given), t);
  return {
    ...short,
    contracts: (listing) => {
      const list = short.contracts(listing);
      if (plant()?.kind !== 'wrong interval' || plant()?.venue !== listing.venue) return list;
      return list.map((contract) => intervals.of(contract));
    },
    settledRate: (given, at) => short.settledRate(intervals.originalOf(given), at),
    nextFunding: (given, at) => short.nextFunding(...seen(given, at)),
    volumeBetween: (given, from, to) => short.volumeBetween(seen(given, to)[0], from, to),
    book: (given, at, depth) => short.book(...seen(given, at), depth),
    ...wrongValues(short, seen, plant),
  };
}

type WrongValues = Pick<World, 'index' | 'mark' | 'fundingRate' | 'openInterest' | 'volume24h'>;
type Seen = (given: SimContract, t: number) => readonly [SimContract, number];

function wrongValues(short: World, seen: Seen, plant: PlantNow): WrongValues {
  /** The world's value, times the fault's factor. */
  const times = (
    name: keyof WrongValues,
    kinds: (contract: SimContract, t: number) => Partial<Record<InjectedFaultKind, number>>,
  ) => {
    return (given: SimContract, at: number): number => {
      const [contract, t] = seen(given, at);
      return short[name](contract, t) * factorOf(plant(), contract, kinds(contract, t));
    };
  };
  return {
    index: times('index', () => ({ 'multiplier on relisting': 1000 })),
    mark: times('mark', () => ({ 'mark in cents': 100, 'multiplier on relisting': 1000 })),
    fundingRate: times('fundingRate', () => ({ 'wrong sign': -1, 'percent for fraction': 100 })),
    openInterest: times('openInterest', (contract, t) => ({
      'interest x contract size': contract.contractSize,
      'interest x price': short.mark(contract, t),
      'interest x 2': 2,
      'multiplier on relisting': 1 / 1000,
    })),
    volume24h: times('volume24h', () => ({ 'multiplier on relisting': 1 / 1000 })),
  };
}
