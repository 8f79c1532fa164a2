import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { World } from '@perpmeter/sim/world';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket, type Market } from '../../src/market/live-table.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../market/memory-stores.ts';
import { type Pairing, pairingsOf, type Run, runAdapter } from '../venues/sim-run.ts';

/** A moment off every settlement, so that no rate is about to change. */
export const WORLD_AT = asMs(Date.UTC(2026, 9, 20, 13, 20, 0));

/** The live table as the real decoders fill it from the simulated venues, at a time that the test moves. */
export interface WorldMarket {
  readonly world: World;
  readonly market: Market;
  readonly pairings: readonly Pairing[];
  readonly clock: { now(): UnixMs };
  /** A venue's health; live unless set. */
  readonly status: Map<string, 'live' | 'stale' | 'down'>;
  moveTo(at: UnixMs): void;
  /** Asks the venues again at the present time, all or the named ones. */
  read(only?: (venue: string) => boolean): void;
}

export interface WorldMarketOptions {
  readonly seed?: number;
  readonly at?: UnixMs;
}

/** Makes the table and reads every venue once. */
export function createWorldMarket({ seed = 1, at = WORLD_AT }: WorldMarketOptions = {}): WorldMarket {
  const world = createWorld(seed);
  const pairings = pairingsOf(VENUES, SIM_VENUES, world, at);
  const status = new Map<string, 'live' | 'stale' | 'down'>();
  let now = at;
  const clock = { now: () => now };
  const market = createMarket({
    clock,
    identity: createInstrumentIdentities(memoryIdentityStore()),
    sourceIds: memorySourceIdStore(),
    health: (venue) => ({ status: status.get(venue) ?? 'live' }),
  });
  const made: WorldMarket = {
    world,
    market,
    pairings,
    clock,
    status,
    moveTo: (next) => {
      now = next;
    },
    read: (only = () => true) => {
      for (const pairing of pairings) if (only(pairing.adapter.id)) take(market, pairing, world, now);
      market.sweep();
    },
  };
  made.read();
  return made;
}

function take(market: Market, pairing: Pairing, world: World, at: UnixMs): Run {
  const { adapter } = pairing;
  const run = runAdapter(pairing, world, at);
  if (run.problems.length > 0) throw new Error(`${adapter.id}: ${run.problems.slice(0, 3).join('; ')}`);
  market.sink.venue(adapter, adapter.refreshMs);
  market.sink.instruments(adapter.id, [...run.instruments.values()], at);
  market.sink.quotes(adapter.id, [...run.quotes.values()], at);
  return run;
}
