import { systemTimer, type Timer } from '../../src/collect/timer.ts';
import { examineVenues, type Report } from '../../src/doctor/examine.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { simBases } from '../../src/sim/bases.ts';
import { createWorld } from '../../src/sim/create-world.ts';
import type { FaultRule } from '../../src/sim/faults.ts';
import { startSimServer } from '../../src/sim/server.ts';
import { SIM_VENUES } from '../../src/sim/venues/index.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';

/** The world's time passes faster than ours, for the doctor and its venues alike. */
const SPEED = 20;
const TICK_MS = 50;
const FROM = Date.UTC(2026, 9, 20, 13, 20, 25);
const startedAt = performance.now();
export const fastClock: Clock = {
  now: () => asMs(Math.floor(FROM + (performance.now() - startedAt) * SPEED)),
};
const fastTimer: Timer = (ms, run) => systemTimer(ms / SPEED, run);

const GAP_MS = 60_000;
const STREAM_MS = 100_000;

/** Has the doctor look at simulated venues, with these faults planted. */
export async function examineSimulated(
  venues: readonly VenueAdapter[],
  faults: readonly FaultRule[] = [],
): Promise<Report> {
  const sim = await startSimServer({
    ...{ world: createWorld(1), venues: SIM_VENUES, clock: fastClock, tickMs: TICK_MS },
  });
  try {
    for (const rule of faults) sim.faults.add(rule);
    return await examineVenues({
      ...{ venues, clock: fastClock, timer: fastTimer, signal: new AbortController().signal },
      ...{ gapMs: GAP_MS, streamMs: STREAM_MS, keepPayloads: true },
      bases: Object.fromEntries(venues.map(({ id, bases }) => [id, simBases(bases, sim.url, id)])),
    });
  } finally {
    await sim.close();
  }
}
