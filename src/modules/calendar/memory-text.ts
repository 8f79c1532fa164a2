import type { AnnouncedFacts, Doubt, KnownContract, VenueMemory } from './venue-memory.ts';

/** The memory as it is written: lists in the place of maps. */
type Written = Pick<VenueMemory, 'watchedSince' | 'takerFeeBps' | 'gone'> & {
  readonly contracts: readonly KnownContract[];
  readonly announced: readonly AnnouncedFacts[];
  readonly haltedFirst: readonly string[];
  readonly doubts: readonly (readonly [string, Doubt])[];
};

/** The memory of a venue but for the time of its last list, as text: the same text where nothing has changed. */
export function textOf({ listAt: _listAt, ...memory }: VenueMemory): string {
  const written: Written = {
    ...memory,
    contracts: [...memory.contracts.values()],
    announced: [...memory.announced.values()],
    haltedFirst: [...memory.haltedFirst],
    doubts: [...memory.doubts],
  };
  return JSON.stringify(written);
}

/** Reads what `textOf` wrote. */
export function memoryOf(text: string, listAt: VenueMemory['listAt']): VenueMemory {
  const { contracts, announced, haltedFirst, doubts, ...memory } = JSON.parse(text) as Written;
  return {
    ...memory,
    listAt,
    contracts: new Map(contracts.map((known) => [known.facts.symbol, known])),
    announced: new Map(announced.map((facts) => [facts.symbol, facts])),
    haltedFirst: new Set(haltedFirst),
    doubts: new Map(doubts),
  };
}
